"""Evidence counts only if the record that says it stands once every join has spoken, those of its own stream too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from transforms.joins.join import Attached, Brought, Judged
from transforms.records import Finding, Severity

_REFUSING = frozenset((Severity.REJECT, Severity.HOLD))


def refuses(judged: Judged) -> bool:
    """Whether what a join says of a record rejects or holds it."""
    return isinstance(judged, Finding) and judged.severity in _REFUSING


def standing(
    refused: Iterable[int], brought: Iterable[tuple[int, Brought]]
) -> Iterator[tuple[int, tuple[int, Attached]]]:
    """What the records of one block bring and no join refuses: (block ordinal, (position, evidence)) for its target.

    `refused` and `brought` go by the position of the evidence in its own block.
    """
    falls = frozenset(refused)
    for position, one in brought:
        if position not in falls:
            yield one.ordinal, (one.position, one.attached)
