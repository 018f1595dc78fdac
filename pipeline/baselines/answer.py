"""Which accepted baseline of a run answers, or how those come near that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.baselines.published import Published, Record, baselines, read_record
from transforms.baselines.identity import Identity
from transforms.baselines.resolution import Difference, Resolution, resolve
from transforms.storage.location import Location


@dataclass(frozen=True, slots=True)
class Near:
    """A baseline of another identity, and the parts in which it differs from the one asked for."""

    baseline: Published
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run has to say to a question.

    `match` is the newest baseline of exactly the identity with its record, or None. `incomplete` are those of the
    identity that were refused because their run did not complete. `near` are the near misses, the closest first, where
    nothing matches.
    """

    match: tuple[Published, Record] | None
    incomplete: tuple[Published, ...]
    near: tuple[Near, ...]


def answer(run: Location, wanted: Identity, *, incomplete: bool) -> Answer:
    """Resolve an identity among the accepted baselines of the run at `run`; `incomplete` as in `resolution.resolve`.

    Raises RunError where the run cannot be asked; see `published.baselines`.
    """
    kept: list[Published] = []
    for group in baselines(run):
        # Whatever has no part in the answer so far has none in the end, and only the others stay in memory.
        kept = _answering([*kept, *group], wanted, incomplete)
    resolution = _resolve(kept, wanted, incomplete)
    match = None if resolution.match is None else kept[resolution.match]
    return Answer(
        match=(match, read_record(match)) if match else None,
        incomplete=tuple(kept[index] for index in resolution.incomplete),
        near=tuple(Near(kept[miss.index], miss.differences) for miss in resolution.near),
    )


def _resolve(among: Sequence[Published], wanted: Identity, incomplete: bool) -> Resolution:
    return resolve(wanted, [baseline.candidate for baseline in among], incomplete=incomplete)


def _answering(among: Sequence[Published], wanted: Identity, incomplete: bool) -> list[Published]:
    """Those that have a part in the answer, in their order, which decides between equals."""
    resolution = _resolve(among, wanted, incomplete)
    named = {*resolution.incomplete, *(miss.index for miss in resolution.near)}
    if resolution.match is not None:
        named.add(resolution.match)
    return [among[index] for index in sorted(named)]
