"""From the options of the command to what they ask for."""

from __future__ import annotations

from pipeline.exits import Exit, RunError
from pipeline.export.formats import FORMATS
from pipeline.export.splits import held_out
from pipeline.export.values import Choices, Neither, Ties


def choices_asked(
    form: str,
    streams: tuple[str, ...],
    ties: str | None,
    neither: str | None,
    share: str | None,
    salt: str | None,
    include_private: bool,
) -> Choices:
    """The choices. Raises RunError (Exit.USAGE) for an option that the format has no use for, or that says nothing."""
    if not FORMATS[form].has_pairs:
        for name, given in (("--ties", ties), ("--neither", neither)):
            if given is not None:
                raise RunError(Exit.USAGE, f"{name} is about preference pairs, which {form} has none of")
    return Choices(
        form,
        streams or None,
        Ties(ties or Ties.DROP),
        Neither(neither or Neither.DROP),
        include_private,
        held_out(share, salt),
    )
