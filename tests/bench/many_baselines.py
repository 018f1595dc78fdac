"""Write a campaign of honest baselines of any number, all in one form.

python tests/bench/many_baselines.py DIR RECORDS FORM, the form being yaml, json, "text line" or "object line"
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from pipeline.sample.baselines.forms import FILES, Form, exported, signed
from pipeline.sample.baselines.honest import honest
from pipeline.sample.baselines.measures import VERSION
from pipeline.sample.manifest import empty_folder, manifest, shipped_pins, write_manifest

STREAM = "baselines"


def write(output: Path, records: int, form: Form) -> Path:
    """The campaign's manifest. Files lie a thousand to a folder; lines are one shard."""
    empty_folder(output, (STREAM,))
    random = Random(1)
    documents = (exported(signed(honest(random, number)), form) for number in range(records))
    if form in FILES:
        for number, data in enumerate(documents):
            path = output / STREAM / f"{number // 1000:03d}" / f"{number:06d}.{form}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    else:
        with (output / STREAM / f"{STREAM}.jsonl").open("wb") as shard:
            shard.writelines(data + b"\n" for data in documents)
    files = {"input": f"{STREAM}/**/*.{form}", "format": "documents"}
    lines = {"input": f"{STREAM}/*.jsonl"}
    stream = {"kind": VERSION, "versions": [VERSION], **(files if form in FILES else lines)}
    campaign = manifest(
        STREAM,
        "Honest baselines in one form.",
        rubrics={},
        pins=shipped_pins([VERSION]),
        streams={STREAM: stream},
        without=[],
    )
    return write_manifest(output / "campaign.json", campaign)


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2]), Form(sys.argv[3])))
