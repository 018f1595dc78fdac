"""How a criterion attributes its failures: all of them, to causes that can be, in inputs that are there."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

FAILURE_COUNT = Code(
    "failure-count",
    Stage.RULES,
    Severity.REJECT,
    "The counts of failureDistribution do not sum to trials − successes, or trials failed and there is none.",
    '"trials": 30, "successes": 30 and a failureDistribution with one entry of "count": 1',
    "Attribute every failed trial to one entry. Two entries may have the same condition.",
)
DELIVERY_WITH_REASON = Code(
    "delivery-with-reason",
    Stage.RULES,
    Severity.REJECT,
    "A delivery failure states a reason, which only a trial that was evaluated can have.",
    '{"condition": "unreachable", "count": 2, "kind": "delivery", "reason": "condition"}',
    "Leave the reason out: nothing was delivered that could be judged.",
)
FAILURE_INPUT_UNKNOWN = Code(
    "failure-input-unknown",
    Stage.RULES,
    Severity.WARN,
    "A failure names an input that is not among the stated inputs. Published examples do so; it is a warning.",
    '"inputIndex": 5 where the inputs are 0 and 1',
    'State every input the run drove. The policy for this code may be "reject", "hold" or "allow".',
)
CODES: tuple[Code, ...] = (FAILURE_COUNT, DELIVERY_WITH_REASON, FAILURE_INPUT_UNKNOWN)

_FIELD = "failureDistribution"
_Entry = tuple[str, int, Json]


def _entries(value: Json) -> Iterator[_Entry]:
    """Every entry with its criterion's name and its place there."""
    for name, criterion in value["criteria"].items():
        for place, entry in enumerate(criterion.get(_FIELD, ())):
            yield name, place, entry


def _check_counts(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Impossible successes are successes-exceed-trials' affair."""
    for name, criterion in value["criteria"].items():
        failed = int(criterion["trials"]) - int(criterion["successes"])
        if failed < 0:
            continue
        if _FIELD not in criterion:
            if failed:
                message = f"{failed} trials failed and no {_FIELD} says why"
                yield Finding(FAILURE_COUNT.code, message, pointer(("criteria", name)))
        elif (counted := sum(int(entry["count"]) for entry in criterion[_FIELD])) != failed:
            message = f"the counts sum to {counted}, and {failed} trials failed"
            yield Finding(FAILURE_COUNT.code, message, pointer(("criteria", name, _FIELD)))


def _check_delivery(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, place, entry in _entries(value):
        if entry.get("kind") == "delivery" and "reason" in entry:
            where = pointer(("criteria", name, _FIELD, place, "reason"))
            yield Finding(DELIVERY_WITH_REASON.code, "a delivery failure was never evaluated", where)


def _check_inputs(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Records that state no inputs are not asked."""
    if "inputs" not in value:
        return
    known = {int(row["inputIndex"]) for row in value["inputs"]}
    for name, place, entry in _entries(value):
        if "inputIndex" in entry and entry["inputIndex"] not in known:
            message = f"input {int(entry['inputIndex'])} is none of the {len(known)} stated"
            where = pointer(("criteria", name, _FIELD, place, "inputIndex"))
            yield Finding(FAILURE_INPUT_UNKNOWN.code, message, where, severity=Severity.WARN)


RULES: tuple[Rule, ...] = (
    Rule((FAILURE_COUNT,), _check_counts),
    Rule((DELIVERY_WITH_REASON,), _check_delivery),
    Rule((FAILURE_INPUT_UNKNOWN,), _check_inputs),
)
