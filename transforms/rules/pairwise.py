"""The rules within one pairwise-v2 record: a conversation, two candidate answers, and which is preferred."""

from __future__ import annotations

from collections.abc import Sequence

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules import rationale, rubric_version
from transforms.rules.rule import Rule, RuleContext, severity_of
from transforms.rules.text import (
    CONVERSATION_TOO_LARGE,
    EMPTY_TEXT,
    empty_text,
    has_substance,
    has_visible,
    same_text,
    size_findings,
)
from transforms.terms import Action

TURN_ORDER = Code(
    "turn-order",
    Stage.RULES,
    Severity.REJECT,
    "The messages are out of order: one system message at most, and only first; then user and assistant take "
    "turns, the user first.",
    'roles "user", "user" (two turns of the user in a row)',
    "Restore the missing turn or merge the two messages where the conversation was recorded.",
)
FINAL_TURN_NOT_USER = Code(
    "final-turn-not-user",
    Stage.RULES,
    Severity.REJECT,
    "The last message is not the user's, so the candidates answer nothing.",
    'roles "user", "assistant"',
    "Remove the trailing message from the conversation, or add the user's turn that was answered.",
)
IDENTICAL_CANDIDATES = Code(
    "identical-candidates",
    Stage.RULES,
    Severity.REJECT,
    "Both candidates are the same text once white space and invisible characters are set aside: there was "
    "nothing to compare.",
    '"response_a": "13 is prime." and "response_b": "13 is prime.\\n"',
    'Issue the task with two different candidates. The policy for this code may be "reject", "hold", "allow", '
    'or "allow-tie", which lets the record pass where the preference is "tie".',
)
GOLDEN_PATCH_EQUALS_CANDIDATE = Code(
    "golden-patch-equals-candidate",
    Stage.RULES,
    Severity.REJECT,
    'The preference is "neither", yet the golden patch is one of the two candidates.',
    '"preference": "neither" and "golden_patch" with the text of "response_b"',
    "Have the contributor write the correction, or prefer the candidate that needs none.",
)
CODES: tuple[Code, ...] = (
    TURN_ORDER,
    FINAL_TURN_NOT_USER,
    IDENTICAL_CANDIDATES,
    GOLDEN_PATCH_EQUALS_CANDIDATE,
    rubric_version.UNSUPPORTED_RUBRIC_VERSION,
)

_CANDIDATES = ("response_a", "response_b")
_NEXT = {"user": "assistant", "assistant": "user"}


def _check_text(value: Json, _context: RuleContext) -> Sequence[Finding]:
    findings = []
    for index, message in enumerate(value["messages"]):
        if not has_visible(message["content"]):
            findings.append(empty_text(f"/messages/{index}/content"))
    findings += [empty_text(f"/{name}") for name in _CANDIDATES if not has_visible(value[name])]
    if not has_substance(value["rationale"]):
        findings.append(empty_text("/rationale", substance=True))
    if value["golden_patch"] is not None and not has_visible(value["golden_patch"]):
        findings.append(empty_text("/golden_patch"))
    return findings


def _check_turn_order(value: Json, _context: RuleContext) -> Sequence[Finding]:
    """The first message out of order. A conversation that ends early is final-turn-not-user's affair."""
    messages = value["messages"]
    start = 1 if messages[0]["role"] == "system" else 0
    expected = "user"
    for index in range(start, len(messages)):
        role = messages[index]["role"]
        if role != expected:
            message = f"the {role}'s message stands where the {expected}'s belongs"
            return (Finding(TURN_ORDER.code, message, f"/messages/{index}"),)
        expected = _NEXT[expected]
    return ()


def _check_final_turn(value: Json, _context: RuleContext) -> Sequence[Finding]:
    messages = value["messages"]
    role = messages[-1]["role"]
    if role == "user":
        return ()
    message = f"the last message is the {role}'s"
    return (Finding(FINAL_TURN_NOT_USER.code, message, f"/messages/{len(messages) - 1}"),)


def _check_candidates(value: Json, context: RuleContext) -> Sequence[Finding]:
    if not same_text(value["response_a"], value["response_b"]):
        return ()
    if context.policies.get(IDENTICAL_CANDIDATES.code) is Action.ALLOW_TIE:
        severity = None if value["preference"] == "tie" else Severity.REJECT
    else:
        severity = severity_of(IDENTICAL_CANDIDATES, context.policies)
    if severity is None:
        return ()
    message = "response_b is response_a once white space and invisible characters are dropped"
    return (Finding(IDENTICAL_CANDIDATES.code, message, "/response_b", severity=severity),)


def _check_golden_patch(value: Json, _context: RuleContext) -> Sequence[Finding]:
    if value["preference"] != "neither" or value["golden_patch"] is None:
        return ()
    equal = [name for name in _CANDIDATES if same_text(value["golden_patch"], value[name])]
    if not equal:
        return ()
    message = f"the patch is the text of {' and of '.join(equal)}"
    return (Finding(GOLDEN_PATCH_EQUALS_CANDIDATE.code, message, "/golden_patch"),)


def conversation(value: Json) -> tuple[str, ...]:
    """The texts that count against the bounds on a conversation."""
    return *(message["content"] for message in value["messages"]), value["response_a"], value["response_b"]


def _check_size(value: Json, context: RuleContext) -> Sequence[Finding]:
    return size_findings(conversation(value), context.limits)


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((TURN_ORDER,), _check_turn_order),
    Rule((FINAL_TURN_NOT_USER,), _check_final_turn),
    Rule((IDENTICAL_CANDIDATES,), _check_candidates),
    Rule(rationale.CODES, rationale.check),
    Rule((GOLDEN_PATCH_EQUALS_CANDIDATE,), _check_golden_patch),
    rubric_version.RULE,
    Rule((CONVERSATION_TOO_LARGE,), _check_size),
)
