"""The order of an agent-trace-v2 record's events: turns of the conversation, and each call with its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.pairwise import TURN_ORDER
from transforms.rules.rule import Rule, RuleContext

FINAL_ANSWER_MISSING = Code(
    "final-answer-missing",
    Stage.RULES,
    Severity.REJECT,
    "The trace does not end with a message of the assistant, so it has no answer to judge.",
    "the last event is a result, or a message of the user",
    "Export the trace with the assistant's last message at its end; an unfinished trace has no place in the campaign.",
)
UNPAIRED_CALL = Code(
    "unpaired-call",
    Stage.RULES,
    Severity.REJECT,
    "A call has no result in the trace.",
    'a call "call-2" and no result with that id',
    'Record what became of every call; one that failed has a result with "success": false.',
)
UNPAIRED_RESULT = Code(
    "unpaired-result",
    Stage.RULES,
    Severity.REJECT,
    "A result belongs to no call of the trace, or its call has a result already.",
    'a result for "call-9" in a trace whose only call is "call-1"',
    "Restore the missing call, or drop the surplus result where the trace was recorded.",
)
RESULT_BEFORE_CALL = Code(
    "result-before-call",
    Stage.RULES,
    Severity.REJECT,
    "A result stands before the call that it answers.",
    'the result for "call-1" at event 1, the call "call-1" at event 2',
    "Export the events in the order they happened.",
)
CODES: tuple[Code, ...] = (FINAL_ANSWER_MISSING, UNPAIRED_CALL, UNPAIRED_RESULT, RESULT_BEFORE_CALL)


def events_of(value: Json, kind: str) -> Iterator[tuple[int, Json]]:
    """The events of one type with their indexes: "message", "call" or "result"."""
    return ((index, event) for index, event in enumerate(value["events"]) if event["type"] == kind)


def _check_turns(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The first event out of turn.

    Messages go as in pairwise-v2, but that whatever the assistant says and calls in a row is one turn;
    only two of its messages without a call or result between them are out of order.
    """
    turn, before = "", ""
    for index, event in enumerate(value["events"]):
        speaker = event.get("role", event["type"])
        if message := _out_of_turn(index, turn, before, speaker):
            yield Finding(TURN_ORDER.code, message, f"/events/{index}")
            return
        if speaker in ("assistant", "call"):
            turn = "assistant"
        elif speaker == "user":
            turn = "user"
        before = speaker


def _out_of_turn(index: int, turn: str, before: str, speaker: str) -> str | None:
    """What is wrong with the event's place, or None; results are judged by their calls alone."""
    if speaker == "system":
        return "the system's message stands after the first event" if index else None
    if speaker == "user":
        return "two messages of the user in a row" if turn == "user" else None
    if speaker in ("assistant", "call") and not turn:
        event = "a call" if speaker == "call" else "the assistant's message"
        return f"{event} stands before the user's first message"
    if speaker == before == "assistant":
        return "two messages of the assistant in a row"
    return None


def _check_final_answer(value: Json, _context: RuleContext) -> Iterator[Finding]:
    last = value["events"][-1]
    if last.get("role") != "assistant":
        event = f"the {last['role']}'s message" if "role" in last else f"a {last['type']}"
        yield Finding(FINAL_ANSWER_MISSING.code, f"the last event is {event}", f"/events/{len(value['events']) - 1}")


def _check_pairs(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Calls and results paired by id. Where an id is repeated (duplicate-call-id), one result is enough."""
    calls: dict[str, list[int]] = {}
    for index, call in events_of(value, "call"):
        calls.setdefault(call["call_id"], []).append(index)
    results = Counter[str]()
    for index, result in events_of(value, "result"):
        call_id, pointer = result["call_id"], f"/events/{index}/call_id"
        made = calls.get(call_id, [])
        results[call_id] += 1
        if results[call_id] > len(made):
            message = f"{call_id} has a result before" if made else f"there is no {call_id}"
            yield Finding(UNPAIRED_RESULT.code, message, pointer)
        elif index < made[0]:
            yield Finding(RESULT_BEFORE_CALL.code, f"{call_id} is called at event {made[0]}", pointer)
    for call_id, made in calls.items():
        if call_id not in results:
            yield Finding(UNPAIRED_CALL.code, f"{call_id} has no result", f"/events/{made[0]}/call_id")


RULES: tuple[Rule, ...] = (
    Rule((TURN_ORDER,), _check_turns),
    Rule((FINAL_ANSWER_MISSING,), _check_final_answer),
    Rule((UNPAIRED_CALL, UNPAIRED_RESULT, RESULT_BEFORE_CALL), _check_pairs),
)
