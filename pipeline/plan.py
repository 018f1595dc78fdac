"""What a run will read: shards found and inspected, blocks cut, and the run's name derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, cast

from pipeline.campaign import Campaign
from pipeline.exits import Exit, InputFault, RunError
from pipeline.scale import block_bytes_for, with_block_bytes
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Shard, ShardFault
from transforms.shards.blocks import AnyBlock
from transforms.shards.discover import match, output_stem
from transforms.shards.discover_objects import match_objects
from transforms.shards.documents import Document, DocumentBlock, cut_documents, syntax_of
from transforms.shards.faults import UnreadableShard
from transforms.shards.plan import Inspection, inspect, inspect_document
from transforms.storage import objects
from transforms.storage.location import Location, Remote, is_remote, remote, within
from transforms.terms import StreamTerms

# SHA-256 releases the interpreter lock, so inspecting shards in threads uses the machine.
_THREADS = 4


@dataclass(frozen=True, slots=True)
class Source:
    """An earlier run whose records of some outcomes are judged again, as the digest manifest tells of it.

    `streams` counts by stream the records that are `read`, and those `left` because nobody asked for their outcome.
    `as_judged` names the streams whose accepted records are sound in structure as that run judged them.
    """

    run_id: str
    manifest_sha256: str
    uri: str
    outcomes: tuple[str, ...]
    streams: Mapping[str, Mapping[str, int]]
    as_judged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Backfill:
    """Earlier runs sorted by id, the streams that they have, and their files to read."""

    sources: tuple[Source, ...] = ()
    streams: frozenset[str] = frozenset()
    inspections: tuple[Inspection, ...] = ()


NO_BACKFILL = Backfill()


@dataclass(frozen=True, slots=True)
class Plan:
    """The inspected shards in the order (stream, name), with the blocks of the sound ones in that order.

    `documents` are the blocks of the streams whose shards are records, `sources` the earlier runs that
    shards belong to.
    """

    inspections: tuple[Inspection, ...]
    documents: tuple[DocumentBlock, ...] = ()
    sources: tuple[Source, ...] = ()

    @property
    def blocks(self) -> tuple[AnyBlock, ...]:
        """All blocks of the run; a block's index here is its ordinal."""
        lines = (block for inspection in self.inspections for block in inspection.blocks)
        return tuple(sorted((*lines, *self.documents), key=lambda block: block.stream))

    @property
    def bytes(self) -> int:
        """The bytes of all shards."""
        return sum(inspection.size for inspection in self.inspections)

    def faults(self) -> Iterable[tuple[Shard, ShardFault]]:
        """The shards that planning found unusable."""
        return ((inspection.shard, fault) for inspection in self.inspections for fault in inspection.faults)


def make_plan(campaign: Campaign, patterns: Mapping[str, Sequence[str]], backfill: Backfill = NO_BACKFILL) -> Plan:
    """Find and inspect every shard; `patterns` replaces a stream's own input.

    The streams of earlier runs are read from those, and from `patterns` where they name them.
    Raises RunError where a stream matches nothing, a name stands twice, or a file cannot be read.
    """
    shards: list[Shard] = []
    for name, stream in sorted(campaign.streams.items()):
        if own := patterns.get(name, () if name in backfill.streams else stream.patterns):
            shards += _discover(stream.terms, own, campaign.folder)
    total = sum(shard.size for shard in shards)
    with ThreadPoolExecutor(_THREADS) as pool:
        try:
            terms = {name: stream.terms for name, stream in campaign.streams.items()}
            inspected = tuple(pool.map(lambda shard: _inspect(shard, terms[shard.stream], total), shards))
        except UnreadableShard as error:
            raise RunError(Exit.INTEGRITY, f"cannot read a shard: {error}") from error
    documents = [_cut(own, inspected, total) for own in terms.values() if own.record_per_file]
    inspections = sorted((*inspected, *backfill.inspections), key=lambda one: (one.shard.stream, one.shard.name))
    return Plan(tuple(inspections), tuple(chain.from_iterable(documents)), backfill.sources)


def _inspect(shard: Shard, terms: StreamTerms, total: int) -> Inspection:
    return (inspect_document if terms.record_per_file else inspect)(shard, with_block_bytes(terms.limits, total))


def _cut(terms: StreamTerms, inspections: Iterable[Inspection], total: int) -> tuple[DocumentBlock, ...]:
    own = (one for one in inspections if one.shard.stream == terms.name)
    documents = [Document(one.shard, one.sha256) for one in own if one.sha256 and not one.faults]
    return cut_documents(terms.name, documents, terms.limits.block_bytes or block_bytes_for(total))


def _match(stream: str, patterns: Sequence[str], folder: Location) -> Sequence[Shard]:
    """The shards in folders or in buckets. Raises ValueError where a stream has both: they have no folder in common."""
    remote = [is_remote(str(within(folder, pattern))) for pattern in patterns]
    if any(remote) != all(remote):
        raise ValueError("some patterns name objects and some files; give all of one sort")
    if any(remote):
        return match_objects(stream, [cast(Remote, within(folder, pattern)) for pattern in patterns])
    # Without a folder of this machine patterns are absolute.
    return match(stream, patterns, folder if isinstance(folder, Path) else Path("/"))


def _discover(terms: StreamTerms, patterns: Sequence[str], folder: Location) -> Sequence[Shard]:
    stream = terms.name
    try:
        shards = _match(stream, patterns, folder)
    except ValueError as error:
        raise RunError(Exit.USAGE, f"stream {stream}: {error}") from error
    except UnreadableShard as error:
        raise RunError(Exit.INTEGRITY, f"stream {stream}: {error}") from error
    names = [shard.name for shard in shards]
    for name, other in pairwise(names):
        if name == other:
            raise RunError(Exit.USAGE, f"stream {stream}: two shards are named {name}; rename one")
    if terms.record_per_file:
        _refuse_unknown_syntax(stream, names)
    elif len({output_stem(name) for name in names}) != len(names):
        raise RunError(Exit.USAGE, f"stream {stream}: two shards would share an output name; rename one")
    return shards


def _refuse_unknown_syntax(stream: str, names: Iterable[str]) -> None:
    for name in names:
        if syntax_of(name) is None:
            message = f"{name} is no document: .yaml, .yml and .json are; narrow the pattern"
            raise RunError(Exit.USAGE, f"stream {stream}: {message}")


def refuse_grown(plan: Plan) -> None:
    """Refuse shards whose size is no longer the planned one: bytes were added behind those that were judged.

    Objects are refused where there is another generation by now.
    """
    with ThreadPoolExecutor(_THREADS) as pool:
        for inspection, changed in zip(plan.inspections, pool.map(_has_changed, plan.inspections), strict=True):
            if changed:
                shard = inspection.shard
                raise InputFault(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: it changed while it was read")


def _has_changed(inspection: Inspection) -> bool:
    shard = inspection.shard
    try:
        if shard.generation is not None:
            return objects.status(remote(shard.path)).generation != shard.generation
        return Path(shard.path).stat().st_size != inspection.size
    except OSError as error:
        raise RunError(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: {error.strerror}") from error


def work_sha256(campaign: Campaign, plan: Plan, history: Sequence[str] = ()) -> str:
    """The digest (hexadecimal) over the campaign, all that the run reads, and what it is held against.

    `history` are the SHA-256 (hex) of the manifests of earlier runs, in their order.
    """
    inputs = [[inspection.shard.stream, inspection.shard.name, inspection.sha256] for inspection in plan.inspections]
    named: dict[str, list[Any]] = {
        "sources": [[source.manifest_sha256, source.outcomes, source.as_judged] for source in plan.sources],
        "history": list(history),
    }
    given = {name: rows for name, rows in named.items() if rows}
    return sha256_hex(canonical_json([campaign.sha256, inputs, *([given] if given else [])]))


def derive_run_id(campaign: Campaign, work: str) -> str:
    """The run's name: the campaign's id and the first 16 digits of `work`, its `work_sha256`."""
    return f"{campaign.id}-{work[:16]}"
