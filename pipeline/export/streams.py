"""Which streams of a run an export takes."""

from __future__ import annotations

from collections.abc import Mapping

from pipeline.exits import Exit, RunError
from pipeline.export.formats import FORMATS
from pipeline.export.values import Choices


def chosen_streams(kinds: Mapping[str, str], choices: Choices) -> tuple[str, ...]:
    """The streams of a run to export, by name; `kinds` has the kind of each.

    Raises RunError (Exit.USAGE) where a stream that was named is not there or is of a kind that the format does not
    carry, and where there is none to take.
    """
    able = sorted(name for name, kind in kinds.items() if kind in FORMATS[choices.format].mappings)
    can = f"{choices.format} carries {', '.join(able) or 'no stream of this run'}"
    for name in choices.streams or ():
        if name not in kinds:
            raise RunError(Exit.USAGE, f"the run has no stream {name}; {can}")
        if name not in able:
            raise RunError(Exit.USAGE, f"stream {name} holds {kinds[name]}; {can}")
    if not able:
        held = ", ".join(f"{name} ({kind})" for name, kind in sorted(kinds.items()))
        raise RunError(Exit.USAGE, f"{can}, which has {held}")
    return tuple(sorted(set(choices.streams))) if choices.streams else tuple(able)
