from typing import Any

import pytest
from evidence_records import rubric

from transforms.records import Severity, Stage
from transforms.rules import pairwise, rationale, text
from transforms.rules.rule import RuleContext, apply
from transforms.terms import Action, Limits

ROLES = {"s": "system", "u": "user", "a": "assistant"}
REASON = "Thirteen has no divisors besides one and itself."


def record(**changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "task_id": "t-1",
        "messages": [{"role": "user", "content": "Which number is prime?"}],
        "response_a": "Thirteen is prime.",
        "response_b": "Fifteen is prime.",
        "preference": "A",
        "rationale": REASON,
        "golden_patch": None,
        "schema_version": "pairwise-v2",
        "rubric_version": "code-review-v1",
        "ratings": {"factuality": 5, "reasoning": 4, "instruction_adherence": 5, "style": 4},
    }
    return value | changes


def conversation(roles: str) -> list[dict[str, str]]:
    return [{"role": ROLES[role], "content": f"turn {index}"} for index, role in enumerate(roles)]


def found(value: dict[str, Any], context: RuleContext | None = None) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in apply(pairwise.RULES, value, context or RuleContext())]


def severities(value: dict[str, Any], **policies: Action) -> list[Severity]:
    context = RuleContext(policies={code.replace("_", "-"): action for code, action in policies.items()})
    return [finding.severity for finding in apply(pairwise.RULES, value, context)]


def test_a_sound_record_has_no_findings() -> None:
    assert found(record()) == []
    assert found(record(preference="neither", golden_patch="A better answer is seventeen.")) == []


# empty-text


@pytest.mark.parametrize("blank", [" " * 20, "\u200b" * 20, "\u2800" * 20, "\u0301" * 20, "\U000e0041" * 20])
@pytest.mark.parametrize("field", ["response_a", "response_b", "rationale", "golden_patch"])
def test_a_field_with_nothing_visible_is_empty(field: str, blank: str) -> None:
    assert found(record(**{field: blank})) == [("empty-text", f"/{field}")]


def test_a_message_with_nothing_visible_is_empty() -> None:
    messages = conversation("uau")
    messages[1]["content"] = "\u200d"
    messages[2]["content"] = "\n"
    assert found(record(messages=messages)) == [
        ("empty-text", "/messages/1/content"),
        ("empty-text", "/messages/2/content"),
    ]


def test_a_rationale_of_dots_is_empty() -> None:
    assert found(record(rationale="." * 20)) == [("empty-text", "/rationale")]


@pytest.mark.parametrize("answer", ["{}", "...", "?", "👍"])
def test_a_short_answer_is_an_answer(answer: str) -> None:
    assert found(record(response_a=answer)) == []


def test_joined_emoji_are_text() -> None:
    assert found(record(rationale="👨\u200d👩\u200d👧" * 5)) == []
    assert found(record(rationale="Family emoji 👨\u200d👩\u200d👧 appears; the text is real.")) == []


def test_two_invisible_candidates_are_also_identical() -> None:
    assert found(record(response_a="\u200b\u200b", response_b="\u2060")) == [
        ("empty-text", "/response_a"),
        ("empty-text", "/response_b"),
        ("identical-candidates", "/response_b"),
    ]


# turn-order and final-turn-not-user


@pytest.mark.parametrize("roles", ["u", "su", "uau", "suau", "uauau"])
def test_turns_in_order(roles: str) -> None:
    assert found(record(messages=conversation(roles))) == []


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("a", [("turn-order", 0), ("final-turn-not-user", 0)]),
        ("s", [("final-turn-not-user", 0)]),
        ("uu", [("turn-order", 1)]),
        ("us", [("turn-order", 1), ("final-turn-not-user", 1)]),
        ("ua", [("final-turn-not-user", 1)]),
        ("sua", [("final-turn-not-user", 2)]),
        ("sa", [("turn-order", 1), ("final-turn-not-user", 1)]),
        ("sau", [("turn-order", 1)]),
        ("ssu", [("turn-order", 1)]),
        ("usu", [("turn-order", 1)]),
        ("uasu", [("turn-order", 2)]),
        ("uaau", [("turn-order", 2)]),
        ("uauu", [("turn-order", 3)]),
        ("auau", [("turn-order", 0)]),
        ("uusaau", [("turn-order", 1)]),  # the first break only
    ],
)
def test_turns_out_of_order(roles: str, expected: list[tuple[str, int]]) -> None:
    assert found(record(messages=conversation(roles))) == [(code, f"/messages/{at}") for code, at in expected]


def test_messages_name_the_roles() -> None:
    findings = apply(pairwise.RULES, record(messages=conversation("us")), RuleContext())
    assert [finding.message for finding in findings] == [
        "the system's message stands where the assistant's belongs",
        "the last message is the system's",
    ]


# identical-candidates

SAME = {"response_a": "Thirteen is prime: café.", "response_b": "Thirteen  is prime:\u200b cafe\u0301.\n"}


def test_candidates_equal_after_normalisation_are_identical() -> None:
    assert found(record(**SAME)) == [("identical-candidates", "/response_b")]
    assert found(record(response_a="same", response_b="same")) == [("identical-candidates", "/response_b")]


def test_candidates_that_differ_in_case_or_punctuation_are_distinct() -> None:
    assert found(record(response_a="Prime", response_b="prime")) == []
    assert found(record(response_a="Prime", response_b="Prime.")) == []


@pytest.mark.parametrize(
    ("policy", "preference", "expected"),
    [
        (Action.REJECT, "tie", [Severity.REJECT]),
        (Action.HOLD, "A", [Severity.HOLD]),
        (Action.ALLOW, "A", []),
        (Action.ALLOW_TIE, "tie", []),
        (Action.ALLOW_TIE, "A", [Severity.REJECT]),
        (Action.ALLOW_TIE, "B", [Severity.REJECT]),
    ],
)
def test_identical_candidates_follow_the_policy(policy: Action, preference: str, expected: list[Severity]) -> None:
    assert severities(record(**SAME, preference=preference), identical_candidates=policy) == expected


def test_identical_candidates_are_rejected_by_default() -> None:
    assert severities(record(**SAME, preference="tie")) == [Severity.REJECT]


# rationale-contradicts-preference


def test_a_contradicting_rationale_is_held() -> None:
    value = record(rationale="Response B is better because it is right.")
    assert found(value) == [("rationale-contradicts-preference", "/rationale")]
    assert severities(value) == [Severity.HOLD]
    assert severities(value, rationale_contradicts_preference=Action.REJECT) == [Severity.REJECT]
    assert severities(value, rationale_contradicts_preference=Action.ALLOW) == []


# golden-patch-equals-candidate


@pytest.mark.parametrize("field", ["response_a", "response_b"])
def test_a_golden_patch_may_not_be_a_candidate(field: str) -> None:
    value = record(preference="neither")
    value["golden_patch"] = f" {value[field]}\u200b\n"
    assert found(value) == [("golden-patch-equals-candidate", "/golden_patch")]
    (finding,) = apply(pairwise.RULES, value, RuleContext())
    assert finding.message == f"the patch is the text of {field}"
    assert finding.severity is Severity.REJECT


def test_a_golden_patch_equal_to_both_candidates_is_one_finding() -> None:
    value = record(preference="neither", response_a="Fifteen is prime.", golden_patch="Fifteen is prime.")
    context = RuleContext(policies={"identical-candidates": Action.ALLOW})
    (finding,) = apply(pairwise.RULES, value, context)
    assert finding.message == "the patch is the text of response_a and of response_b"


@pytest.mark.parametrize("preference", ["A", "B", "tie"])
def test_beside_another_preference_the_patch_may_repeat_a_candidate(preference: str) -> None:
    assert found(record(preference=preference, golden_patch="Thirteen is prime.")) == []


# unsupported-rubric-version


def test_a_rubric_version_must_be_pinned() -> None:
    context = RuleContext(rubrics={version: rubric(version, "a") for version in ("code-review-v1", "code-review-v2")})
    assert found(record(), context) == []
    value = record(rubric_version="code-review-v0")
    assert found(value, context) == [("unsupported-rubric-version", "/rubric_version")]
    (finding,) = apply(pairwise.RULES, value, context)
    assert finding.message == 'the campaign does not list rubric "code-review-v0"'


def test_a_campaign_without_rubrics_judges_no_rubric_version() -> None:
    assert found(record(rubric_version="whatever")) == []


# conversation-too-large


@pytest.mark.parametrize(
    ("content", "limits", "expected"),
    [
        ("x" * 20, Limits(max_conversation_characters=40), []),
        ("x" * 21, Limits(max_conversation_characters=40), [("conversation-too-large", "")]),
        ("é" * 10, Limits(max_conversation_bytes=40), []),
        ("é" * 11, Limits(max_conversation_bytes=40), [("conversation-too-large", "")]),
    ],
)
def test_messages_and_candidates_are_bounded_together(
    content: str, limits: Limits, expected: list[tuple[str, str]]
) -> None:
    messages = [{"role": "user", "content": content}]
    value = record(messages=messages, response_a="a" * 10, response_b="b" * 10, golden_patch="c" * 100)
    assert found(value, RuleContext(limits=limits)) == expected


# the table


def test_findings_of_several_rules_come_in_rule_order() -> None:
    value = record(
        messages=conversation("ua"),
        rationale="." * 20,
        response_b="Thirteen is prime. ",
        preference="neither",
        golden_patch="Thirteen is prime.\n",
        rubric_version="v0",
    )
    context = RuleContext(Limits(max_conversation_characters=5), rubrics={"v1": rubric("v1", "a")})
    assert [code for code, _ in found(value, context)] == [
        "empty-text",
        "final-turn-not-user",
        "identical-candidates",
        "golden-patch-equals-candidate",
        "unsupported-rubric-version",
        "conversation-too-large",
    ]


def test_every_row_of_the_modules_belongs_to_a_rule() -> None:
    rows = {code for rule in pairwise.RULES for code in rule.codes}
    assert rows == {*pairwise.CODES, *rationale.CODES, *text.CODES}
    assert all(row.stage is Stage.RULES for row in rows)
    assert len({row.code for row in rows}) == len(rows) == 8
