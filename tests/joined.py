"""Runs joins over records as a run does: claims packed per block, texts parked in files, groups judged by partition."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from entries import entry_of_record

from transforms.joins.grouping import ClaimBook, PackedClaims, judge_claims
from transforms.joins.join import Attached, Brought, Join
from transforms.records import Finding, Json, Place
from transforms.terms import StreamTerms

Terms = Mapping[str, StreamTerms]
Lines = Sequence[Json | None]


@dataclass(frozen=True)
class Block:
    """Lines of one shard that stand together; None is a line that was refused and claims nothing."""

    stream: str
    shard: str
    first_line: int
    records: tuple[Json | None, ...]


def cut(shards: Mapping[tuple[str, str], Lines], rng: random.Random) -> list[Block]:
    """The blocks of all shards by (stream, shard) in the order of their ordinals, cut at random lines."""
    blocks = []
    for (stream, shard), lines in sorted(shards.items()):
        starts = [0, *(line for line in range(1, len(lines)) if rng.random() < 0.4)]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            blocks.append(Block(stream, shard, start + 1, tuple(lines[start:end])))
    return blocks


def found(
    joins: Sequence[Join], blocks: Sequence[Block], terms: Terms, partitions: int, rng: random.Random, folder: Path
) -> Counter[tuple[Place, Finding]]:
    """What a run finds: blocks are read and claims handed over in random order; texts wait under `folder`.

    Each join gets the records of the kinds that it takes, whatever facts the terms require; without a fact,
    records meet their own kind only.
    """
    claims: defaultdict[tuple[str, str, int], list[PackedClaims]] = defaultdict(list)
    by_name = {join.name: join for join in joins}
    for ordinal, block in rng.sample(list(enumerate(blocks)), len(blocks)):
        kind = terms[block.stream].kind
        own = [join for join in joins if join.kinds is None or kind in join.kinds]
        path = folder / f"{ordinal}.texts"
        with ExitStack() as stack:
            texts = stack.enter_context(path.open("wb")) if any(join.texts for join in own) else None
            book = _entered(own, kind, block, texts)
        for join, part, rows in book.partitioned(partitions):
            packed = PackedClaims(ordinal, block.stream, block.shard, block.first_line, rows, str(path))
            claims[join.name, "" if join.fact else kind, part].append(packed)
    findings: Counter[tuple[Place, Finding]] = Counter()
    for (name, _, _), packed_claims in claims.items():
        for ordinal, line, finding in judge_claims(by_name[name], iter(packed_claims), terms):
            if isinstance(finding, Attached | Brought):
                continue
            block = blocks[ordinal]
            findings[Place(block.stream, block.shard, block.first_line + line), finding] += 1
    return findings


def _entered(joins: Sequence[Join], kind: str, block: Block, texts: BinaryIO | None) -> ClaimBook:
    book = ClaimBook(joins, texts)
    for line, record in enumerate(block.records):
        if record is not None:
            book.enter(entry_of_record(kind, record), line)
    return book


def judged(
    join: Join, streams: Mapping[str, Iterable[Json]], terms: Terms, folder: Path
) -> list[tuple[str, int, Finding]]:
    """The findings of one join as (stream, line, finding), sorted; a stream is one shard, "a.jsonl", of one block."""
    blocks = [Block(stream, "a.jsonl", 1, tuple(records)) for stream, records in sorted(streams.items())]
    findings = found([join], blocks, terms, 1, random.Random(1), folder).elements()
    rows = [(place.stream, place.line, finding) for place, finding in findings]
    return sorted(rows, key=lambda row: (row[0], row[1], row[2].code, row[2].pointer, row[2].message))
