"""The floor: one process, one loop, no Beam, no staging, no joins; the same verdicts, digests and Parquet.

python tests/bench/plain_loop.py CAMPAIGN.json [--output DIR | --bytes | --claims]
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from pipeline.campaign import Campaign, load_campaign
from pipeline.plan import make_plan
from transforms.blocks.refusals import refusal
from transforms.blocks.stage import entry_of
from transforms.digests import merkle_root
from transforms.joins.grouping import ClaimBook
from transforms.judge import Bench, judge, prepare
from transforms.parquet import write_parquet
from transforms.records import Line, Outcome, Shard
from transforms.shards.discover import match
from transforms.shards.files import read
from transforms.shards.gzip_stream import expand, is_gzip_name
from transforms.shards.lines import read_block, split_lines

BATCH = 512


def lines_of(shard: Shard, bench: Bench) -> Iterator[Line]:
    """The shard's lines in one pass that also takes its digest."""
    limits, digest = bench.terms.limits, hashlib.sha256()

    def hashed() -> Iterator[bytes]:
        for buffer in read(shard):
            digest.update(buffer)
            yield buffer

    raw = hashed()
    buffers = expand(raw, limits.max_expanded_bytes) if is_gzip_name(shard.name) else raw
    yield from split_lines(buffers, limits.max_record_bytes, 1, 0)
    digest.hexdigest()


def accepted(shard: Shard, bench: Bench, refused: Path, digests: list[bytes]) -> Iterator[pa.RecordBatch]:
    terms = bench.terms
    with refused.open("wb") as file:
        for line in lines_of(shard, bench):
            verdict = judge(line, bench)
            if verdict.outcome is Outcome.ACCEPTED and verdict.value is not None:
                entry = entry_of(verdict, bench)
                bench.columns.add(line, verdict, shard, entry.archival)
                digests.append(entry.archival)
                if len(bench.columns) >= BATCH:
                    yield bench.columns.take()
            else:
                row = refusal(line, terms.name, shard.name, verdict.outcome, verdict.findings, True)
                file.write(row + b"\n")
    if len(bench.columns):
        yield bench.columns.take()


def run(campaign: Campaign, output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    for name, stream in campaign.streams.items():
        bench = prepare(stream.terms)
        for shard in match(name, stream.patterns, campaign.folder):
            digests: list[bytes] = []
            batches = accepted(shard, bench, output / f"{shard.name}.rejected", digests)
            write_parquet(output / f"{shard.name}.parquet", bench.columns.schema, batches)
            merkle_root(digests)


def claims(campaign: Campaign) -> int:
    total = 0
    for block in make_plan(campaign, {}).blocks:
        bench = prepare(campaign.streams[block.shard.stream].terms)
        book = ClaimBook(bench.joins)
        for line in read_block(block, bench.terms.limits):
            verdict = judge(line, bench)
            if verdict.outcome is Outcome.ACCEPTED and verdict.value is not None:
                book.enter(entry_of(verdict, bench), 0)
        total += sum(len(rows) for _, _, rows in book.partitioned(1))
    return total


def expanded_bytes(campaign: Campaign) -> int:
    limits = {name: stream.terms.limits for name, stream in campaign.streams.items()}
    blocks = make_plan(campaign, {}).blocks
    return sum(line.length + 1 for block in blocks for line in read_block(block, limits[block.shard.stream]))


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("campaign", type=Path)
    arguments.add_argument("--output", type=Path)
    arguments.add_argument("--bytes", action="store_true")
    arguments.add_argument("--claims", action="store_true")
    chosen = arguments.parse_args()
    campaign = load_campaign(chosen.campaign)
    assert isinstance(campaign, Campaign), campaign
    if chosen.bytes:
        print(expanded_bytes(campaign))
    elif chosen.claims:
        print(claims(campaign))
    else:
        run(campaign, chosen.output)


if __name__ == "__main__":
    main()
