"""What a case is made of: an annotation, the facts and the evidence on it, and the codes that they must get."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from pipeline.sample.pairwise import Record, line
from transforms.digests import sha256_hex


@dataclass(frozen=True, slots=True)
class Row:
    """A record as it is exported: its stream, its value, and the codes that it must get."""

    stream: str
    value: Record
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """An annotation: its stream, the rubric that it is decided under, its value, and the facts that it rests on.

    `programs` has for each text whose code is judged the SHA-256 by which executions name that code.
    """

    stream: str
    rubric: str
    value: Record
    facts: tuple[Row, ...] = ()
    programs: tuple[str, ...] = ()

    @property
    def names(self) -> Record:
        """The members by which evidence says what it is about: the task, and the annotation's bytes."""
        return {"task_id": self.value["task_id"], "record_sha256": sha256_hex(line(self.value))}


Build = Callable[[Random, str], Subject]
"""Makes the annotation of a task from the task's id."""
Given = Callable[[Subject], Row]
"""A piece of evidence on an annotation."""


@dataclass(frozen=True, slots=True)
class Case:
    """An annotation whose task is called `name`, the evidence on it, and the codes that the annotation must get.

    Without a `contributor` no assignment says who handed it in.
    """

    name: str
    build: Build
    given: tuple[Given, ...]
    codes: tuple[str, ...] = ()
    contributor: str | None = "u-1"

    def rows(self, subject: Subject) -> Iterator[Row]:
        """All records of the case, `subject` being what `build` made."""
        yield from subject.facts
        yield Row(subject.stream, subject.value, self.codes)
        if self.contributor:
            handed_in = {"schema_version": "assignment-v1", "contributor": self.contributor}
            yield Row("assignments", handed_in | subject.names)
        for give in self.given:
            yield give(subject)
