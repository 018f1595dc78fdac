from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trace_events import ASSISTANT, SYSTEM, USER, Event, between, call, findings, found, record, result

# turn-order, final-answer-missing

LETTERS = {"s": SYSTEM, "u": USER, "a": ASSISTANT, "c": call(1), "r": result(1)}


@pytest.mark.parametrize(
    "events", ["ua", "sua", "uaua", "ucra", "sucraua", "uacra", "ucara", "ucrua", "ucura", "uaucra"]
)
def test_events_in_order(events: str) -> None:
    assert found(record(*map(LETTERS.__getitem__, events))) == []


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("a", [("turn-order", 0)]),
        ("sa", [("turn-order", 1)]),
        ("usa", [("turn-order", 1)]),
        ("ssua", [("turn-order", 1)]),
        ("uua", [("turn-order", 1)]),
        ("uaa", [("turn-order", 2)]),
        ("uuaa", [("turn-order", 1)]),  # the first break only
        ("crua", [("turn-order", 0)]),
        ("scrua", [("turn-order", 1)]),
        ("uauua", [("turn-order", 3)]),
        ("s", [("final-answer-missing", 0)]),
        ("u", [("final-answer-missing", 0)]),
        ("uau", [("final-answer-missing", 2)]),
        ("ucr", [("final-answer-missing", 2)]),
        ("uacr", [("final-answer-missing", 3)]),
        ("ucrsu", [("turn-order", 3), ("final-answer-missing", 4)]),
    ],
)
def test_events_out_of_order(events: str, expected: list[tuple[str, int]]) -> None:
    assert found(record(*map(LETTERS.__getitem__, events))) == [(code, f"/events/{at}") for code, at in expected]


def test_a_result_is_no_turn() -> None:
    assert found(record(USER, result(1), USER, call(1), ASSISTANT)) == [
        ("turn-order", "/events/2"),
        ("result-before-call", "/events/1/call_id"),
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("usa", "the system's message stands after the first event"),
        ("uua", "two messages of the user in a row"),
        ("uaa", "two messages of the assistant in a row"),
        ("a", "the assistant's message stands before the user's first message"),
        ("crua", "a call stands before the user's first message"),
        ("uau", "the last event is the user's message"),
        ("ucr", "the last event is a result"),
    ],
)
def test_messages_on_order(events: str, expected: str) -> None:
    (finding,) = findings(record(*map(LETTERS.__getitem__, events)))
    assert finding.message == expected


# pairs


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([call(1), call(2), result(2), result(1)], []),
        ([call(1)], [("unpaired-call", 1)]),
        ([call(1), call(2), result(2)], [("unpaired-call", 1)]),
        ([result(1)], [("unpaired-result", 1)]),
        ([call(1), result(1), result(2)], [("unpaired-result", 3)]),
        ([call(1), result(1), result(1)], [("unpaired-result", 3)]),
        ([result(1), call(1)], [("result-before-call", 1)]),
        ([result(1), call(1), result(1)], [("result-before-call", 1), ("unpaired-result", 3)]),
        ([call("01"), result(1)], [("unpaired-result", 2), ("unpaired-call", 1)]),  # ids are texts
    ],
)
def test_each_call_has_one_result_after_it(events: list[Event], expected: list[tuple[str, int]]) -> None:
    assert found(between(*events)) == [(code, f"/events/{at}/call_id") for code, at in expected]


def test_a_repeated_call_id_is_one_finding() -> None:
    repeated = [("duplicate-call-id", "/events/2/call_id")]
    assert found(between(call(1), call(1), result(1))) == repeated
    assert found(between(call(1), call(1), result(1), result(1))) == repeated
    assert found(between(call(1), call(1))) == [("unpaired-call", "/events/1/call_id"), *repeated]
    assert found(between(call(1), result(1), call(1))) == [("duplicate-call-id", "/events/3/call_id")]


def test_messages_on_pairs() -> None:
    events = (result(2), call(1), result(9), call(2), call(3), result(3), result(3))
    assert [finding.message for finding in findings(between(*events))] == [
        "call-2 is called at event 4",
        "there is no call-9",
        "call-3 has a result before",
        "call-1 has no result",
    ]


def test_call_numbers_rise() -> None:
    value = between(call(3), call(2), result(2), result(3), call(10), result(10))
    assert found(value) == [("call-order", "/events/2/call_id")]


@settings(deadline=None)
@given(st.permutations([call(1), call(2), result(1), result(2)]))
def test_pairs_are_sound_in_these_orders_only(events: list[Event]) -> None:
    order = [(event["type"], event["call_id"]) for event in events]
    rising = order.index(("call", "call-1")) < order.index(("call", "call-2"))
    answered = all(order.index(("call", each)) < order.index(("result", each)) for each in ("call-1", "call-2"))
    codes = {code for code, _ in found(between(*events))}
    assert codes == {code for code, sound in (("call-order", rising), ("result-before-call", answered)) if not sound}
