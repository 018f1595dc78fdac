"""Ids that look alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from entries import entry_of_record
from joined import judged
from small_records import pair, qa

from transforms.joins.lookalikes import JOIN, claim
from transforms.records import Finding, Place, Severity
from transforms.skeletons import skeleton
from transforms.terms import StreamTerms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("task-1", "Task-1"),
        ("task-1", "task-l"),
        ("task-1", "task-I"),
        ("task-0", "task-O"),
        ("pass", "\u0440\u0430ss"),  # Cyrillic er, a
        ("nu", "\u03bdu".replace("\u03bd", "n")),
        ("task", "ta\u200bsk"),
        ("task", "\uff54\uff41\uff53\uff4b"),  # full width
        ("a-b", "a\u2011b"),  # no-break hyphen
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_look_alikes_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("task-1", "task-2"), ("a-b", "a_b"), ("task", "tasks"), ("m", "rn")])
def test_others_do_not(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def _found(folder: Path, *ids: str) -> list[tuple[int, Finding]]:
    streams = {"qa": [qa(task_id=identifier) for identifier in ids]}
    terms = {"qa": StreamTerms("qa", "grounded-qa-v1", {})}
    return [(line, finding) for _, line, finding in judged(JOIN, streams, terms, folder)]


def test_both_are_warned_of_and_name_each_other(tmp_path: Path) -> None:
    def warned(*lines: int) -> Finding:
        places = tuple(Place("qa", "a.jsonl", line) for line in lines)
        return Finding("look-alike-id", "another id looks like this one", related=places, severity=Severity.WARN)

    assert _found(tmp_path, "q-1", "q-2", "Q-1", "q-1") == [(1, warned(3)), (3, warned(1, 4)), (4, warned(3))]


def test_one_id_twice_is_no_look_alike(tmp_path: Path) -> None:
    assert _found(tmp_path, "q-1", "q-1", "q-2") == []


def test_the_claim_is_made_by_the_skeleton() -> None:
    one, other = (claim(entry_of_record("pairwise-v2", pair(task_id=name)))[0] for name in ("t-1", "T-l"))
    assert one.key == other.key
    assert one.payload != other.payload
