from __future__ import annotations

import hashlib
from typing import Any

import pytest
from small_records import derivation, issued, pair, qa, step, talk, trace

from transforms.kinds import KINDS
from transforms.records import Json
from transforms.subjects import Standing, Subject, input_task_subject, pairwise_subject

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
        content=_sha256(b"pairwise" + prompt + left + right),
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
    assert subject.content == _sha256(b"pairwise" + prompt + _sha256("naïve 😀".encode()) + _sha256(b"right"))


# all kinds, and their tasks

ANNOTATIONS: dict[str, Json] = {
    "pairwise-v2": pair(),
    "agent-trace-v1": trace(step()),
    "agent-trace-v2": talk((step(), [])),
    "grounded-qa-v1": qa(),
    "math-derivation-v1": derivation(),
}
# Another content for each kind: (what differs in the record, what differs in its task).
SYSTEM = {"type": "message", "role": "system", "content": "why?"}
EVENTS = ANNOTATIONS["agent-trace-v2"]["events"]
OTHERWISE: list[tuple[str, Json]] = [
    ("pairwise-v2", {"messages": [{"role": "user", "content": "why"}]}),
    ("pairwise-v2", {"response_a": "right", "response_b": "left"}),
    ("agent-trace-v1", {"prompt": "why? "}),
    ("agent-trace-v2", {"events": [EVENTS[0] | {"content": "Why?"}, *EVENTS[1:]]}),
    ("grounded-qa-v1", {"question": "whý?"}),
    ("grounded-qa-v1", {"question": "why\u0301?"}),
    ("math-derivation-v1", {"problem": "why?\n"}),
]


def subject(kind: str, value: Json) -> Subject:
    made = KINDS[kind].subject
    assert made is not None
    assert made(value, True) == made(value, False)
    return made(value, True)


@pytest.mark.parametrize("kind", ANNOTATIONS)
def test_a_task_and_its_annotation_have_one_content(kind: str) -> None:
    value = ANNOTATIONS[kind]
    task = subject("input-task-v1", issued(kind, value))
    own = subject(kind, value)
    assert (task.task, task.content) == (own.task, own.content)
    assert (task.pair, task.standing) == (None, Standing.NEITHER)


@pytest.mark.parametrize(("kind", "change"), OTHERWISE, ids=str)
def test_other_content_differs_in_both(kind: str, change: Json) -> None:
    value, changed = ANNOTATIONS[kind], ANNOTATIONS[kind] | change
    before, after = subject(kind, value), subject(kind, changed)
    task = subject("input-task-v1", issued(kind, changed))
    assert after.task == before.task == task.task
    assert after.content == task.content != before.content


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("agent-trace-v1", {"steps": [step(2, "d-1")], "final_answer": "Otherwise."}),
        ("agent-trace-v2", {"events": [*EVENTS[:-1], EVENTS[-1] | {"content": "Otherwise."}]}),
        ("agent-trace-v2", {"events": [*EVENTS, EVENTS[0] | {"content": "And then?"}, EVENTS[-1]]}),
        ("agent-trace-v2", {"events": [SYSTEM, *EVENTS], "rubric_version": "r-1"}),
        ("grounded-qa-v1", {"answer": "Otherwise.", "domain": "clinical_qa"}),
        ("math-derivation-v1", {"final_answer": "5", "derivation": ["So."], "assumptions": ["None."]}),
    ],
    ids=str,
)
def test_what_the_contributor_adds_is_no_content(kind: str, change: Json) -> None:
    assert subject(kind, ANNOTATIONS[kind] | change) == subject(kind, ANNOTATIONS[kind])


def test_one_text_asked_in_several_ways_is_several_contents() -> None:
    contents = {kind: subject(kind, value).content for kind, value in ANNOTATIONS.items()}
    assert contents["agent-trace-v1"] == contents["agent-trace-v2"]
    assert len(set(contents.values())) == 4


def test_the_digests_of_one_text_are_these() -> None:
    assert subject("grounded-qa-v1", qa(question="€?")) == Subject(
        task=_sha256(b"t-1"), content=_sha256(b"grounded_qa\0" + "€?".encode())
    )


def test_a_trace_in_which_nobody_asks_has_an_empty_content() -> None:
    silent = subject("agent-trace-v2", talk(events=EVENTS[1:]))
    assert silent.content == _sha256(b"agent_trace\0")


def test_the_terms_of_a_task_are_no_content() -> None:
    value = issued("math-derivation-v1", derivation())
    other = value | {"contributors": ["u-1"], "documents": ["d-1"], "tools": ["t"], "rubric_version": "r-1"}
    assert input_task_subject(other, True) == input_task_subject(value, True)


@pytest.mark.parametrize("kind", ["document-v1", "tool-execution-v1", "assignment-v1"])
def test_facts_about_no_task_have_no_subject(kind: str) -> None:
    assert KINDS[kind].subject is None
