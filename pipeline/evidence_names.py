"""Whom a manifest names: each person once, in one spelling, each judge's configuration once; and who contributed."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.acceptance import pinned_judge
from pipeline.campaign_codes import CONTRIBUTORS_UNKNOWN, problem
from transforms.migrations.members import pointer_of
from transforms.people import person
from transforms.records import Finding, Json

_PEOPLE = ("reviewers", "adjudicators")


def misnamed(manifest: Json) -> Iterator[tuple[str, str]]:
    """What is wrong with the names under `evidence`: (pointer, message).

    A person may be reviewer and adjudicator, under one spelling. One configuration of a model is one voice, so it has
    one name, and a judge is no person.
    """
    evidence = manifest.get("evidence", {})
    yield from _spelled_twice(evidence)
    judges = {person(name): name for name in evidence.get("judges", {})}
    for member in _PEOPLE:
        for pointer, name in _named(evidence, member):
            if judge := judges.get(person(name)):
                yield pointer, f"{name!r} is the judge {judge!r}, and no person"
    yield from _pinned_twice(evidence)


def unknown_contributors(manifest: Json) -> Iterator[Finding]:
    """A warning where rubrics decide and no stream says who handed records in."""
    streams = manifest["streams"].values()
    decides = any("acceptance" in row for row in streams)
    if decides and not any(row["kind"] == "assignment-v1" for row in streams):
        message = (
            "no stream of assignments says who handed records in, so nobody's review of their own record is found; "
            "decisions have contributor_known false"
        )
        yield problem(CONTRIBUTORS_UNKNOWN, message, "/streams")


def _spelled_twice(evidence: Json) -> Iterator[tuple[str, str]]:
    """Judges are compared among themselves: one that is also a person is another fault."""
    for members in (_PEOPLE, ("judges",)):
        first: dict[str, str] = {}
        for member in members:
            for pointer, name in _named(evidence, member):
                other = first.setdefault(person(name), name)
                if other != name:
                    yield pointer, f"{name!r} and {other!r} are one name in two spellings"


def _pinned_twice(evidence: Json) -> Iterator[tuple[str, str]]:
    first: dict[tuple[str, str, str], str] = {}
    for pointer, name in _named(evidence, "judges"):
        judge = pinned_judge(evidence["judges"][name])
        key = person(judge.model), judge.prompt_sha256, judge.parameters_sha256
        other = first.setdefault(key, name)
        if other != name:
            yield pointer, f"the judges {other!r} and {name!r} are one configuration, which has one voice"


def _named(evidence: Json, member: str) -> Iterator[tuple[str, str]]:
    """The names of a list, or of an object's members in order, each with its pointer."""
    stated = evidence.get(member, ())
    rows = enumerate(stated) if isinstance(stated, list) else ((name, name) for name in sorted(stated))
    yield from ((pointer_of(("evidence", member, str(key))), name) for key, name in rows)
