import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import schemas
from transforms.parsing.json_strict import parse
from transforms.records import Finding, Severity, Stage
from transforms.rules import grounded_qa, text
from transforms.rules.rule import RuleContext, apply
from transforms.schema_check import check_schema
from transforms.structure import check, compile_validator
from transforms.terms import Action, Limits, Validator

FOLDER = schemas.schema_path("records", "grounded-qa-v1").parent
SCHEMA = schemas.load_schema("records", "grounded-qa-v1")
INDEX: dict[str, list[str]] = json.loads((FOLDER / "reject" / "index.json").read_bytes())
DIGEST, OTHER = "0a" * 32, "1b" * 32


def citation(start: int = 4, end: int = 11, **changes: Any) -> dict[str, Any]:
    value = {"document_id": "tides", "document_sha256": DIGEST, "start": start, "end": end, "quote": "harbour"}
    return value | changes


def record(*citations: dict[str, Any], **changes: Any) -> dict[str, Any]:
    value: dict[str, Any] = {
        "task_id": "q-1",
        "domain": "general_rag",
        "question": "What opens at six?",
        "answer": "The harbour.",
        "citations": list(citations) or [citation()],
        "abstain": False,
    }
    return value | changes


def found(value: dict[str, Any], context: RuleContext | None = None) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in apply(grounded_qa.RULES, value, context or RuleContext())]


def messages(value: dict[str, Any]) -> list[str]:
    return [finding.message for finding in apply(grounded_qa.RULES, value, RuleContext())]


def test_a_sound_record_has_no_findings() -> None:
    assert found(record()) == []
    assert found(record(citations=[], abstain=True)) == []


# empty-text


@pytest.mark.parametrize("blank", [" ", "\u200b", "\u2800\n", "\u0301"])
def test_a_text_with_nothing_visible_is_empty(blank: str) -> None:
    assert found(record(question=blank)) == [("empty-text", "/question")]
    assert found(record(answer=blank)) == [("empty-text", "/answer")]
    assert found(record(citation(), citation(12, 13, quote=blank))) == [("empty-text", "/citations/1/quote")]


def test_a_short_quote_is_a_quote() -> None:
    assert found(record(citation(4, 5, quote="."), citation(5, 6, quote="🚲"))) == []


# span-order


@pytest.mark.parametrize(("start", "end"), [(4, 4), (11, 4), (2**53 - 1, 1), (1.0, 1)])
def test_a_span_must_not_be_empty_or_backwards(start: int, end: int) -> None:
    assert found(record(citation(), citation(start, end))) == [("span-order", "/citations/1")]


def test_a_span_of_one_is_in_order() -> None:
    assert found(record(citation(0, 1))) == []


def test_the_message_of_a_span_has_plain_integers() -> None:
    assert messages(record(citation(46.0, 27))) == ["the span ends at 27, not after its start at 46"]  # type: ignore[arg-type]


# duplicate-citation


def test_the_same_span_twice_is_a_duplicate() -> None:
    value = record(citation(), citation(1, 2), citation(quote="HARBOUR"), citation())
    assert found(value) == [("duplicate-citation", "/citations/2"), ("duplicate-citation", "/citations/3")]
    assert messages(value) == ["cites the same span of the same document as citation 0, counted from 0"] * 2


def test_offsets_are_compared_as_numbers() -> None:
    assert found(record(citation(4, 11), citation(4.0, 11))) == [("duplicate-citation", "/citations/1")]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other", [citation(3), citation(end=12), citation(document_id="ferry"), citation(document_sha256=OTHER)]
)
def test_another_span_document_or_version_is_no_duplicate(other: dict[str, Any]) -> None:
    assert found(record(citation(), other)) == []


# abstain-with-citations


@pytest.mark.parametrize(
    ("action", "expected"),
    [(None, []), (Action.ALLOW, []), (Action.HOLD, [Severity.HOLD]), (Action.REJECT, [Severity.REJECT])],
)
def test_abstaining_with_citations_follows_the_policy(action: Action | None, expected: list[Severity]) -> None:
    context = RuleContext(policies={"abstain-with-citations": action} if action else {})
    findings = apply(grounded_qa.RULES, record(abstain=True), context)
    assert [(finding.code, finding.severity) for finding in findings] == [
        ("abstain-with-citations", severity) for severity in expected
    ]


def test_the_policy_concerns_nothing_else() -> None:
    context = RuleContext(policies={"abstain-with-citations": Action.REJECT})
    assert found(record(), context) == []
    assert found(record(citations=[], abstain=True), context) == []
    (finding,) = apply(grounded_qa.RULES, record(abstain=True), context)
    assert (finding.pointer, finding.message) == ("/citations", "the answer abstains; number of citations: 1")


def test_a_policy_without_meaning_here_is_a_bug() -> None:
    context = RuleContext(policies={"abstain-with-citations": Action.KEEP_FIRST})
    with pytest.raises(ValueError, match="has no meaning"):
        found(record(abstain=True), context)


# clinical-evidence-missing


@pytest.mark.parametrize("action", [None, *Action])
def test_a_clinical_record_is_held_whatever_the_policy(action: Action | None) -> None:
    policies = {"clinical-evidence-missing": action} if action else {}
    findings = apply(grounded_qa.RULES, record(domain="clinical_qa"), RuleContext(policies=policies))
    assert [(each.code, each.pointer, each.severity) for each in findings] == [
        ("clinical-evidence-missing", "/domain", Severity.HOLD)
    ]


def test_no_finding_of_a_clinical_record_quotes_it() -> None:
    blank = "\u2800" * 3
    value = record(
        citation(9, 4, quote=blank),
        citation(9, 4, quote="Zolpidem 5"),
        domain="clinical_qa",
        question=blank,
        answer="Zolpidem 5",
    )
    context = RuleContext(Limits(max_conversation_characters=3))
    findings = apply(grounded_qa.RULES, value, context)
    assert [each.code for each in findings] == [
        "empty-text",
        "empty-text",
        "span-order",
        "span-order",
        "duplicate-citation",
        "clinical-evidence-missing",
        "conversation-too-large",
    ]
    content = ("Zolpidem", blank, "tides", DIGEST, "q-1")
    assert [each for each in findings if any(part in repr(each) for part in content)] == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (record(), False),
        (record(domain="clinical_qa"), True),
        ({"domain": "general_rag"}, False),
        ({"domain": "Clinical_QA"}, True),
        ({"domain": "general_rag "}, True),
        ({"domain": ["clinical_qa"]}, True),
        ({"domain": None}, True),
        ({}, True),
        (None, True),
    ],
)
def test_what_does_not_plainly_say_general_is_private(value: dict[str, Any] | None, expected: bool) -> None:
    assert grounded_qa.private(value) is expected


# conversation-too-large


@pytest.mark.parametrize(
    ("quote", "limits", "expected"),
    [
        ("x" * 10, Limits(max_conversation_characters=40), []),
        ("x" * 11, Limits(max_conversation_characters=40), [("conversation-too-large", "")]),
        ("é" * 10, Limits(max_conversation_bytes=60), []),
        ("é" * 11, Limits(max_conversation_bytes=60), [("conversation-too-large", "")]),
    ],
)
def test_question_answer_and_quotes_are_bounded_together(
    quote: str, limits: Limits, expected: list[tuple[str, str]]
) -> None:
    value = record(citation(quote=quote), citation(1, quote=quote), question="q" * 10, answer="a" * 10)
    assert found(value, RuleContext(limits=limits)) == expected


# the table


def test_every_row_of_the_modules_belongs_to_a_rule() -> None:
    rows = {code for rule in grounded_qa.RULES for code in rule.codes}
    assert rows == {*grounded_qa.CODES, *text.CODES}
    assert {row.stage for row in rows} == {Stage.RULES}


# the fixtures


def judged(data: bytes, engine: str) -> list[str]:
    parsed = parse(data.rstrip(b"\n"), Limits().max_depth)
    if isinstance(parsed, Finding):
        return [parsed.code]
    findings = check(parsed.value, compile_validator(SCHEMA, Validator(engine)), 100)
    findings = findings or apply(grounded_qa.RULES, parsed.value, RuleContext())
    return sorted({finding.code for finding in findings})


def test_the_schema_is_sound_and_names_itself() -> None:
    assert check_schema("grounded-qa-v1", SCHEMA) == ()
    assert SCHEMA["$id"] == "urn:assay:schema:grounded-qa-v1"


@pytest.mark.parametrize("engine", ["jsonschema-rs", "jsonschema"])
@pytest.mark.parametrize("path", sorted((FOLDER / "accept").iterdir()), ids=lambda path: path.stem)
def test_accepted_fixtures(path: Path, engine: str) -> None:
    assert judged(path.read_bytes(), engine) == []


@pytest.mark.parametrize("engine", ["jsonschema-rs", "jsonschema"])
@pytest.mark.parametrize("name", INDEX)
def test_rejected_fixtures(name: str, engine: str) -> None:
    assert judged((FOLDER / "reject" / name).read_bytes(), engine) == INDEX[name]


def test_the_index_lists_the_rejected_files() -> None:
    assert sorted(path.name for path in (FOLDER / "reject").iterdir()) == sorted([*INDEX, "index.json"])
    assert list(INDEX) == sorted(INDEX)
    # By default nothing is said of an abstention with citations.
    shown = {code for codes in INDEX.values() for code in codes}
    assert {row.code for row in grounded_qa.CODES} - shown == {"abstain-with-citations"}


def test_abstaining_with_citations_is_shown_by_an_accepted_fixture() -> None:
    value = json.loads((FOLDER / "accept" / "abstains-with-citations.json").read_bytes())
    context = replace(RuleContext(), policies={"abstain-with-citations": Action.HOLD})
    assert found(value, context) == [("abstain-with-citations", "/citations")]
