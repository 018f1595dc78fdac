"""The table of record kinds: what a stream's `kind` means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transforms.joins import candidates, duplicates, tasks
from transforms.joins.join import Join
from transforms.records import Json
from transforms.rules import pairwise
from transforms.rules.rule import Rule
from transforms.subjects import Subject, pairwise_subject


@dataclass(frozen=True, slots=True)
class Kind:
    """A record kind.

    `name` is also the schema version that its rules are written for, and the folder of its schema under
    `schemas/records/`. `version_field` and `rubric_field` name the members that declare versions, or
    are None. `subject` gives the digests that the `joins` claim by, for a valid record.
    """

    name: str
    version_field: str | None
    rubric_field: str | None
    rules: tuple[Rule, ...]
    subject: Callable[[Json, bool], Subject]
    joins: tuple[Join, ...]


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            name="pairwise-v2",
            version_field="schema_version",
            rubric_field="rubric_version",
            rules=pairwise.RULES,
            subject=pairwise_subject,
            joins=(duplicates.JOIN, tasks.JOIN, candidates.JOIN),
        ),
    )
}
