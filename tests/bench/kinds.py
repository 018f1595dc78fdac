"""Records and megabytes a second, judged and staged in one process, for every kind of the sample with its facts.

python tests/bench/kinds.py [RECORDS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from pipeline.campaign import Campaign, load_campaign
from pipeline.plan import make_plan
from pipeline.sample.kinds import write_kinds_sample
from transforms.blocks.layout import Layout
from transforms.blocks.stage import stage_block
from transforms.judge import prepare


def main(records: int) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        loaded = load_campaign(write_kinds_sample(Path(folder) / "corpus", records, 1))
        assert isinstance(loaded, Campaign), loaded
        layout = Layout(Path(folder) / "run")
        print("| kind | records/s | MB/s | bytes a record |")
        print("|---|---|---|---|")
        for ordinal, block in enumerate(make_plan(loaded, {}).blocks):
            bench = prepare(loaded.streams[block.shard.stream].terms)
            began = time.process_time()
            staged, _ = stage_block(ordinal, block, bench, layout)
            seconds = time.process_time() - began
            print(
                f"| {bench.kind.name} | {staged.read / seconds:,.0f} | {block.end / 1e6 / seconds:.0f} "
                f"| {block.end // staged.read:,} |"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
