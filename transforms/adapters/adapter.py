"""What an adapter is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transforms.records import Finding, Json


@dataclass(frozen=True, slots=True)
class Adapter:
    """How records of a source become records of a kind.

    `source` is the version of the source's schema and the folder of that schema under `schemas/records/`. `target` is
    the kind, and the version that the adapted records declare. `version` is raised whenever the translation changes.
    `adapt` gets a value that is valid under the source's schema, and the names of what the campaign leaves in the
    source; it gives the target's value, or all that keeps it from giving one, with pointers into the source.
    `origin` gives for a pointer into the target's value that of the member of the source (its second argument) it is
    told from; a pointer into the source stays as it is.
    """

    source: str
    target: str
    version: str
    adapt: Callable[[Json, frozenset[str]], Json | tuple[Finding, ...]]
    origin: Callable[[str, Json], str]
