"""What in a record of each kind is a person's judgement: no operation makes one of anything but the same judgement."""

from __future__ import annotations

from transforms.migrations.members import Path

JUDGEMENTS: dict[str, tuple[Path, ...]] = {
    "pairwise-v2": (
        ("preference",),
        ("ratings", "factuality"),
        ("ratings", "reasoning"),
        ("ratings", "instruction_adherence"),
        ("ratings", "style"),
    ),
    "agent-trace-v1": (),
    "agent-trace-v2": (),
    "grounded-qa-v1": (("abstain",),),
    "math-derivation-v1": (("reasoning_score",),),
}


def judgement_at(kind: str, path: Path) -> Path | None:
    """The first judgement of the kind that stands at `path`, above it or inside it; None where none does."""
    for judgement in JUDGEMENTS[kind]:
        shared = min(len(path), len(judgement))
        if path[:shared] == judgement[:shared]:
            return judgement
    return None
