"""What a run will read: shards found and inspected, blocks cut, and the run's name derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pipeline.campaign import Campaign
from pipeline.exits import Exit, RunError
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Shard, ShardFault
from transforms.shards.discover import match, output_stem
from transforms.shards.faults import UnreadableShard
from transforms.shards.plan import Block, Inspection, inspect

# SHA-256 releases the interpreter lock, so inspecting shards in threads uses the machine.
_THREADS = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """The inspected shards in the order (stream, name), with the blocks of the sound ones in that order."""

    inspections: tuple[Inspection, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the run; a block's index here is its ordinal."""
        return tuple(block for inspection in self.inspections for block in inspection.blocks)

    @property
    def bytes(self) -> int:
        """The bytes of all shards."""
        return sum(inspection.size for inspection in self.inspections)

    def faults(self) -> Iterable[tuple[Shard, ShardFault]]:
        """The shards that planning found unusable."""
        return ((inspection.shard, fault) for inspection in self.inspections for fault in inspection.faults)


def make_plan(campaign: Campaign, patterns: Mapping[str, Sequence[str]]) -> Plan:
    """Find and inspect every shard; `patterns` replaces a stream's own input.

    Raises RunError where a stream matches nothing, a name stands twice, or a file cannot be read.
    """
    shards: list[Shard] = []
    for name, stream in sorted(campaign.streams.items()):
        shards += _discover(name, patterns.get(name, (stream.pattern,)), campaign.folder)
    with ThreadPoolExecutor(_THREADS) as pool:
        try:
            inspections = tuple(
                pool.map(lambda shard: inspect(shard, campaign.streams[shard.stream].terms.limits), shards)
            )
        except UnreadableShard as error:
            raise RunError(Exit.INTEGRITY, f"cannot read a shard: {error}") from error
    return Plan(inspections)


def _discover(stream: str, patterns: Sequence[str], folder: Path) -> list[Shard]:
    found: dict[str, Shard] = {}
    for pattern in patterns:
        try:
            shards = match(stream, pattern, folder)
        except ValueError as error:
            raise RunError(Exit.USAGE, f"stream {stream}: {error}") from error
        except UnreadableShard as error:
            raise RunError(Exit.INTEGRITY, f"stream {stream}: cannot look for shards: {error}") from error
        if not shards:
            raise RunError(Exit.INTEGRITY, f"stream {stream}: no file matches {pattern}")
        for shard in shards:
            if found.setdefault(shard.name, shard).path != shard.path:
                raise RunError(Exit.USAGE, f"stream {stream}: two shards are named {shard.name}; rename one")
    if len({output_stem(name) for name in found}) != len(found):
        raise RunError(Exit.USAGE, f"stream {stream}: two shards would share an output name; rename one")
    return [found[name] for name in sorted(found)]


def refuse_grown(plan: Plan) -> None:
    """Refuse shards whose size is no longer the planned one: bytes were added behind those that were judged."""
    for inspection in plan.inspections:
        shard = inspection.shard
        try:
            size = Path(shard.path).stat().st_size
        except OSError as error:
            raise RunError(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: {error.strerror}") from error
        if size != inspection.size:
            raise RunError(Exit.INTEGRITY, f"{shard.stream}/{shard.name}: it changed while it was read")


def derive_run_id(campaign: Campaign, plan: Plan) -> str:
    """The run's name: the campaign's id and 16 hexadecimal digits over campaign and inputs."""
    inputs = [[inspection.shard.stream, inspection.shard.name, inspection.sha256] for inspection in plan.inspections]
    digest = sha256_hex(canonical_json([campaign.sha256, inputs]))
    return f"{campaign.id}-{digest[:16]}"
