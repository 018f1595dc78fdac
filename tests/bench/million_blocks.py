"""Simulate the plan of a run of a million blocks and print what each step of the driver and of one worker takes.

    python tests/bench/million_blocks.py [--blocks N] [--block-bytes N] [--partitions N]

No record is read: blocks, claims and what became of blocks are made up, of the sizes that preference pairs have. What
handles them is the run's own code. Each step is a process of its own; processor time and peak memory are the
operating system's, and the process's own start is not counted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import schemas
from pipeline.campaign import Campaign, load_campaign
from pipeline.manifest import build_manifest, manifest_bytes
from pipeline.plan import Plan, derive_run_id
from pipeline.publish import checksums
from pipeline.report.html import render_html
from transforms.blocks.layout import Layout
from transforms.blocks.listed import PART_BLOCKS, keep_part, kept_parts
from transforms.blocks.mark import Mark
from transforms.blocks.summary import OutputFile, Settled
from transforms.identities.blocks import Part
from transforms.identities.merge import merged
from transforms.identities.table import identity_joins
from transforms.joins.grouping import PackedClaims, judge_claims, row_type
from transforms.joins.join import Join
from transforms.joins.table import joins_for
from transforms.parsing.json_strict import loads_document
from transforms.records import Outcome, Shard
from transforms.shards.plan import Block, Inspection
from transforms.structure import check, compile_validator
from transforms.terms import Validator

CAMPAIGN = Path(__file__).parents[2] / "manifests" / "sample" / "campaign.json"
STREAM, KIND = "annotations", "pairwise-v2"
SHARD_BLOCKS = 64
RECORD_BYTES = 2896
# Blocks of which a partition has claims at once, and how many of a thousand records share a key with another.
CLAIMING_BLOCKS, SHARED_OF_1000 = 1000, 10
INDEX_PARTS, INDEX_ROWS = 200, 10_000


@dataclass(frozen=True)
class Asked:
    blocks: int
    block_bytes: int
    partitions: int

    @property
    def records(self) -> int:
        return self.blocks * self.block_bytes // RECORD_BYTES


def hexadecimal(number: int) -> str:
    return hashlib.sha256(b"%d" % number).hexdigest()


def inspections(asked: Asked) -> Iterator[Inspection]:
    """Shards of `SHARD_BLOCKS` blocks, as planning finds them in a bucket."""
    records = asked.block_bytes // RECORD_BYTES
    for first in range(0, asked.blocks, SHARD_BLOCKS):
        count, name = min(SHARD_BLOCKS, asked.blocks - first), f"annotations-{first // SHARD_BLOCKS:06d}.jsonl"
        uri, size = f"gs://campaign/shards/{name}", count * asked.block_bytes
        shard = Shard(STREAM, name, uri, uri, size, 1_700_000_000_000_000 + first, "AAAAAA==")
        spans = ((at * asked.block_bytes, (at + 1) * asked.block_bytes, 1 + at * records) for at in range(count))
        blocks = (Block(shard, at, *span, hexadecimal(first + at), False) for at, span in enumerate(spans))
        yield Inspection(shard, hexadecimal(-first), size, tuple(blocks), (), count * records)


def planned(asked: Asked) -> Plan:
    return Plan(tuple(inspections(asked)))


def outcome(asked: Asked, ordinal: int, block: Block) -> Settled:
    """What became of a block: two files, as most have."""
    records = asked.block_bytes // RECORD_BYTES
    refused = records // 20
    outcomes = Counter({Outcome.ACCEPTED: records - refused, Outcome.REJECTED: refused})
    names = (f"accepted/{STREAM}/{block.stem}.parquet", f"rejected/{STREAM}/{block.stem}.jsonl")
    files = (
        OutputFile(names[0], block.size // 3, hexadecimal(2 * ordinal), records - refused, hexadecimal(3 * ordinal)),
        OutputFile(names[1], block.size // 20, hexadecimal(5 * ordinal), refused),
    )
    codes = Counter({"schema/required": refused // 2, "duplicate-record": refused - refused // 2})
    return Settled(ordinal, block, records, 0, outcomes, codes, files=files)


def campaign() -> Campaign:
    loaded = load_campaign(CAMPAIGN)
    assert isinstance(loaded, Campaign)
    return loaded


def plan_step(asked: Asked, _: Path) -> str:
    plan = planned(asked)
    derive_run_id(campaign(), plan)
    return f"{len(plan.blocks):,} blocks of {len(plan.inspections):,} shards"


def graph_step(asked: Asked, folder: Path) -> str:
    import apache_beam as beam

    from pipeline.graph import build
    from pipeline.options import beam_options

    terms = {name: stream.terms for name, stream in campaign().streams.items()}
    layout = Layout(folder)
    layout.staging.mkdir()
    pipeline = beam.Pipeline(options=beam_options([]))
    build(
        pipeline,
        planned(asked).blocks,
        terms,
        layout,
        Mark(layout.staging / "mark", "", {}, dict),
        partitions=asked.partitions,
        local=False,
        progress=False,
        deliver=print,
    )
    graph = len(pipeline.to_runner_api().SerializeToString())
    listed = sum(path.stat().st_size for path in layout.staging.iterdir())
    return f"graph of {graph / 1e6:.2f} MB, list of {listed / 1e6:.0f} MB"


def rows_of(join: Join, rows: int, random: np.random.Generator) -> bytes:
    """Claims with random keys, some of which stand twice."""
    claims = np.zeros(rows, dtype=row_type(join))
    claims["high"] = random.integers(0, 1 << 63, rows, dtype=np.uint64)
    claims["line"] = np.arange(rows)
    if join.payload_bytes:
        claims["payload"] = np.frombuffer(random.bytes(rows * join.payload_bytes), f"V{join.payload_bytes}")
    shared = rows * SHARED_OF_1000 // 1000
    claims["high"][:shared] = claims["high"][shared : 2 * shared]
    return claims.tobytes()


def join_step(asked: Asked, _: Path) -> str:
    terms = {STREAM: campaign().streams[STREAM].terms}
    join = max((join for join in joins_for(terms[STREAM]) if not join.fact), key=lambda one: row_type(one).itemsize)
    rows, random = asked.records // asked.partitions // CLAIMING_BLOCKS, np.random.default_rng(1)
    claims = [
        PackedClaims(at, STREAM, "a.jsonl", 1 + at * rows, rows_of(join, rows, random)) for at in range(CLAIMING_BLOCKS)
    ]
    size = sum(len(packed.load()) for packed in claims)
    found = sum(1 for _ in judge_claims(join, claims, terms))
    return f"{join.name}: {size / 1e6:.0f} MB of {rows * CLAIMING_BLOCKS:,} claims, {found:,} findings"


def tally_step(asked: Asked, folder: Path) -> str:
    blocks, layout = planned(asked).blocks, Layout(folder)
    layout.staging.mkdir()
    for first in range(0, len(blocks), PART_BLOCKS):
        part = enumerate(blocks[first : first + PART_BLOCKS], first)
        keep_part(layout, first // PART_BLOCKS, [outcome(asked, at, block) for at, block in part])  # type: ignore[arg-type]
    settled = list(kept_parts(layout, blocks))
    size = sum(path.stat().st_size for path in layout.staging.iterdir())
    return f"{len(settled):,} values in {size / 1e6:.0f} MB of files"


def publish_step(asked: Asked, _: Path) -> str:
    plan = planned(asked)
    settled = [outcome(asked, at, block) for at, block in enumerate(plan.blocks)]  # type: ignore[arg-type]
    files = [file for block in settled for file in block.files]
    manifest = build_manifest("r", campaign(), plan, settled, files)
    data = manifest_bytes(manifest)
    sums, report = checksums(manifest, data), render_html(manifest)
    return (
        f"manifest {len(data) / 1e6:.0f} MB, SHA256SUMS {len(sums) / 1e6:.0f} MB, report {len(report) / 1e6:.1f} MB, "
        f"{len(files):,} files"
    )


def verify_step(asked: Asked, _: Path) -> str:
    """The manifest read and checked, from as many rows as the run's files; the files themselves are not."""
    row = {"path": "p", "bytes": 1, "sha256": hexadecimal(0), "rows": 1, "merkle_root": hexadecimal(1)}
    rows = ",".join(json.dumps(row | {"path": f"accepted/s/{at:09d}"}) for at in range(2 * asked.blocks))
    value = loads_document(f'{{"outputs":[{rows}]}}'.encode())
    found = check(value, compile_validator(schemas.load_schema("documents", "digest-manifest-v1"), Validator()), 20)
    return f"{2 * asked.blocks:,} rows, {len(found)} other members missed"


def index_step(_: Asked, folder: Path) -> str:
    random, join = np.random.default_rng(1), identity_joins(KIND)[0]
    parts = []
    for at in range(INDEX_PARTS):
        rows = np.sort(np.frombuffer(rows_of(join, INDEX_ROWS, random), row_type(join)), order=["high", "low"])
        rows.tofile(folder / str(at))
        parts.append(Part(folder / str(at), STREAM, (f"{at}.jsonl",), 1))
    began = time.process_time()
    written = sum(batch.num_rows for batch in merged(join, parts))
    return f"{written:,} rows of one index, {written / (time.process_time() - began) / 1e6:.2f} million a second"


STEPS: dict[str, Callable[[Asked, Path], str]] = {
    "plan": plan_step,
    "graph": graph_step,
    "one partition of a join": join_step,
    "tally": tally_step,
    "publish": publish_step,
    "read the manifest": verify_step,
    "merge an index": index_step,
}


def used() -> tuple[float, float]:
    """Processor seconds and the peak in MB so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measured(step: str, asked: Asked) -> dict[str, Any]:
    seconds, base = used()
    with tempfile.TemporaryDirectory(prefix="assay-scale-") as folder:
        told = STEPS[step](asked, Path(folder))
    after, peak = used()
    return {"seconds": after - seconds, "base": base, "peak": peak, "told": told}


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--blocks", type=int, default=1_000_000)
    arguments.add_argument("--block-bytes", type=int, default=16_000_000)
    arguments.add_argument("--partitions", type=int, default=4096)
    arguments.add_argument("--step", choices=STEPS)
    chosen = arguments.parse_args()
    if chosen.step:
        asked = Asked(chosen.blocks, chosen.block_bytes, chosen.partitions)
        print(json.dumps(measured(chosen.step, asked)))
        return
    print("| step | what | processor s | peak MB | MB before |\n|---|---|---|---|---|", flush=True)
    for step in STEPS:
        command = [sys.executable, __file__, *sys.argv[1:], "--step", step]
        done = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()[-1])
        print(
            f"| {step} | {done['told']} | {done['seconds']:.1f} | {done['peak']:.0f} | {done['base']:.0f} |", flush=True
        )


if __name__ == "__main__":
    main()
