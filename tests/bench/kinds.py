"""Records and megabytes a second, judged and staged in one process: every kind of the sample with its facts, baselines.

python tests/bench/kinds.py [RECORDS [BASELINES]]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from many_baselines import write as write_baselines

from pipeline.campaign import Campaign, load_campaign
from pipeline.plan import make_plan
from pipeline.sample.baselines.forms import Form
from pipeline.sample.kinds import write_kinds_sample
from transforms.blocks.layout import Layout
from transforms.blocks.stage import stage_block
from transforms.judge import prepare
from transforms.shards.blocks import AnyBlock
from transforms.shards.documents import DocumentBlock

_FORMS = {Form.YAML: "YAML files", Form.TEXT_LINE: "lines with their text", Form.OBJECT_LINE: "lines that are objects"}


@dataclass
class Measured:
    """What the blocks of one stream took."""

    kind: str
    records: int = 0
    bytes: int = 0
    seconds: float = 0.0

    def row(self, name: str) -> str:
        """A row of the table."""
        rate, megabytes = self.records / self.seconds, self.bytes / 1e6 / self.seconds
        return f"| {name} | {rate:,.0f} | {megabytes:.0f} | {self.bytes // self.records:,} |"


def measure(manifest: Path, run: Path) -> Iterator[Measured]:
    """Each stream of a campaign, in the order of its blocks."""
    loaded = load_campaign(manifest)
    assert isinstance(loaded, Campaign), loaded
    benches = {name: prepare(stream.terms) for name, stream in loaded.streams.items()}
    rows = defaultdict[str, list[tuple[int, int, float]]](list)
    for ordinal, block in enumerate(make_plan(loaded, {}).blocks):
        began = time.process_time()
        staged, _ = stage_block(ordinal, block, benches[block.stream], Layout(run))
        rows[block.stream].append((staged.read, size_of(block), time.process_time() - began))
    for stream, blocks in rows.items():
        yield Measured(benches[stream].kind.name, *map(sum, zip(*blocks, strict=True)))


def size_of(block: AnyBlock) -> int:
    """The bytes of a block's records."""
    if isinstance(block, DocumentBlock):
        return sum(document.shard.size for document in block.documents)
    return block.end - block.start


def main(records: int, documents: int) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        print("| kind | records/s | MB/s | bytes a record |")
        print("|---|---|---|---|")
        for measured in measure(write_kinds_sample(folder / "kinds", records, 1), folder / "run"):
            print(measured.row(measured.kind))
        for form, called in _FORMS.items():
            (measured,) = measure(write_baselines(folder / form, documents, form), folder / "run" / form)
            print(measured.row(f"{measured.kind}, {called}"))


if __name__ == "__main__":
    sizes = [int(argument) for argument in sys.argv[1:]]
    main(*sizes, *(20_000, 10_000)[len(sizes) :])
