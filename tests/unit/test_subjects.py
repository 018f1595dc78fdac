from __future__ import annotations

import hashlib
from typing import Any

import pytest

from transforms.records import Json
from transforms.subjects import Standing, Subject, pairwise_subject

MESSAGES = [{"role": "user", "content": "Sort the list."}]


def _sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _record(**changes: Any) -> Json:
    record = {
        "task_id": "t-1",
        "messages": MESSAGES,
        "response_a": "left",
        "response_b": "right",
        "preference": "A",
        "rationale": "The first is shorter.",
    }
    return record | changes


def _subject(**changes: Any) -> Subject:
    return pairwise_subject(_record(**changes), plain=True)


def test_the_digests_are_these() -> None:
    prompt = _sha256(b'[{"content":"Sort the list.","role":"user"}]')
    left, right = _sha256(b"left"), _sha256(b"right")
    assert right < left
    assert _subject() == Subject(
        task=_sha256(b"t-1"),
        content=_sha256(b"content" + prompt + left + right),
        pair=_sha256(b"pair" + prompt + right + left),
        standing=Standing.GREATER,
    )


def test_what_the_contributor_wrote_is_no_part_of_it() -> None:
    changed = _subject(rationale="Shorter.", golden_patch="x", ratings={"style": 1}, rubric_version="r-2")
    assert changed == _subject()


def test_another_task_has_the_same_content() -> None:
    other = _subject(task_id="t-2")
    assert other.task != _subject().task
    assert (other.content, other.pair) == (_subject().content, _subject().pair)


@pytest.mark.parametrize(
    "changes",
    [
        {"response_a": "left "},
        {"response_b": "Right"},
        {"response_a": "leftr", "response_b": "ight"},
        {"messages": [{"role": "user", "content": "Sort the list. "}]},
        {"messages": [{"role": "system", "content": "Sort the list."}]},
        {"messages": [*MESSAGES, *MESSAGES]},
        {"messages": []},
    ],
    ids=str,
)
def test_other_content(changes: dict[str, Any]) -> None:
    changed, subject = _subject(**changes), _subject()
    assert changed.task == subject.task
    assert changed.content != subject.content
    assert changed.pair != subject.pair


def test_text_is_compared_by_code_points() -> None:
    composed, decomposed = _subject(response_a="caf\u00e9"), _subject(response_a="cafe\u0301")
    assert composed.content != decomposed.content
    assert composed.pair != decomposed.pair


def test_swapped_seats_change_the_content_and_not_the_pair() -> None:
    swapped = _subject(response_a="right", response_b="left")
    assert swapped.content != _subject().content
    assert swapped.pair == _subject().pair


def test_the_spelling_of_messages_does_not_matter() -> None:
    respelt = _record(messages=[{"content": "Sort the list.", "role": "user"}])
    assert pairwise_subject(respelt, plain=False) == _subject()


@pytest.mark.parametrize(
    ("a", "b", "preference", "standing"),
    [
        ("left", "right", "A", Standing.GREATER),
        ("left", "right", "B", Standing.LESSER),
        ("right", "left", "A", Standing.LESSER),
        ("right", "left", "B", Standing.GREATER),
        ("left", "right", "tie", Standing.TIE),
        ("right", "left", "tie", Standing.TIE),
        ("left", "right", "neither", Standing.NEITHER),
        ("right", "left", "neither", Standing.NEITHER),
        ("same", "same", "A", Standing.LESSER),
        ("same", "same", "B", Standing.LESSER),
    ],
)
def test_standing_follows_the_text_and_not_the_seat(a: str, b: str, preference: str, standing: Standing) -> None:
    assert _subject(response_a=a, response_b=b, preference=preference).standing is standing


def test_texts_of_any_script() -> None:
    value = _record(response_a="naïve 😀", messages=[{"role": "user", "content": "\u20ac\u2028\x00"}])
    subject = pairwise_subject(value, plain=True)
    assert subject == pairwise_subject(value, plain=False)
    prompt = _sha256('[{"content":"€\u2028\\u0000","role":"user"}]'.encode())
    assert subject.content == _sha256(b"content" + prompt + _sha256("naïve 😀".encode()) + _sha256(b"right"))
