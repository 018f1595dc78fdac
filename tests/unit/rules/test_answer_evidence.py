from __future__ import annotations

import pytest

from transforms.records import Severity
from transforms.rules.answer_evidence import CODES, check_answer, gather
from transforms.terms import Action

Result = tuple[bool, tuple[str, ...]]


def said(answer: str, *results: Result, given: tuple[str, ...] = ()) -> list[tuple[Severity, str]]:
    findings = list(check_answer(answer, "/final_answer", gather(results, lambda: given), {}))
    assert {(finding.code, finding.pointer) for finding in findings} <= {(CODES[0].code, "/final_answer")}
    return [(finding.severity, finding.message) for finding in findings]


def returning(*document_ids: str) -> Result:
    return True, document_ids


def failing(*document_ids: str) -> Result:
    return False, document_ids


# documents that only failed calls returned

FAILED = (returning("doc-a"), failing("doc-b", "=1+1", "tides", "17"))


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("See doc-b.", "doc-b"),
        ("Noon (doc-b).", "doc-b"),
        ("doc-b: at noon.", "doc-b"),
        ('As "doc-b" says', "doc-b"),
        ("Noon [tides].", "tides"),
        ("Noon [17].", "17"),
        ("Noon (doc: tides; doc-a).", "tides"),
        ("The document tides gives noon.", "tides"),
        ("Source: 17.", "17"),
        ("Noon [=1+1] [doc-b].", "=1+1"),  # the first by code point
    ],
)
def test_what_only_a_failed_call_returned_may_not_be_cited(answer: str, named: str) -> None:
    message = f'the answer cites "{named}", which only a failed call returned'
    assert said(answer, *FAILED) == [(Severity.REJECT, message)]


@pytest.mark.parametrize(
    "answer",
    [
        "High tide is listed in doc-a.",
        "There are two tides a day, at 17 o'clock too.",  # mere words and numbers
        "See doc-b.pdf, my-doc-b, doc-bcd, doc-b_2, xdoc-b and doc-b/doc-a.",  # longer tokens
        "The call for doc-b failed.",
        "I could not open doc-b; doc-a says noon.",
        "If doc-b is right, it is at noon.",
        "```\nopen('doc-b')\n```",
    ],
)
def test_what_is_no_citation_of_a_failed_call(answer: str) -> None:
    assert said(answer, *FAILED) == []


def test_what_a_successful_call_returned_too_may_be_cited() -> None:
    assert said("High tide is listed in doc-a.", failing("doc-a"), returning("doc-a")) == []
    assert said("High tide is listed in doc-a.", returning("doc-a"), failing("doc-a")) == []


# documents that no call returned


@pytest.mark.parametrize(
    ("ids", "answer", "named"),
    [
        (("doc-a",), "Noon [doc-b].", "doc-b"),
        (("doc-a",), "Noon [doc-a, doc-b].", "doc-b"),
        (("doc-a",), "Noon [doc-almanac].", "doc-almanac"),
        (("doc-a",), "Noon (doc: doc-b).", "doc-b"),
        (("doc-a",), "Noon (see document doc-b).", "doc-b"),
        (("doc-a",), "According to document doc-b, at noon.", "doc-b"),
        (("doc-a",), "Source: doc-b.", "doc-b"),
        (("doc-a",), "doc-b and doc-c agree [doc-d].", "doc-d"),  # no warning beside it
        (("doc-1", "doc-2"), "Noon [doc-31].", "doc-31"),
        (("doc-1",), "Noon [doc-3f].", "doc-3f"),
        (("kb/2023/7",), "Noon [kb/2024/11].", "kb/2024/11"),
        (("d1", "d2"), "Noon [d3].", "d3"),
        ((), "Noon [doc-b].", "doc-b"),
        ((), "Noon (source: src_12).", "src_12"),
    ],
)
def test_what_no_call_returned_may_not_be_cited(ids: tuple[str, ...], answer: str, named: str) -> None:
    message = f'the answer cites "{named}", which no call returned'
    assert said(answer, returning(*ids)) == [(Severity.REJECT, message)]


@pytest.mark.parametrize(
    ("ids", "answer", "named"),
    [
        ((), "High tide is listed in doc-a.", "doc-a"),
        ((), "High tide is listed in document_12.", "document_12"),
        (("doc-a",), "High tide is listed in doc-b.", "doc-b"),
        (("doc-a",), "High tide: [doc-b](https://example.org/doc-b).", "doc-b"),
        (("doc-1",), "doc-1 and doc-2 agree.", "doc-2"),
        (("d1",), "d1 and d4 agree.", "d4"),
    ],
)
def test_an_id_that_is_only_named_gives_a_warning(ids: tuple[str, ...], answer: str, named: str) -> None:
    assert said(answer, returning(*ids)) == [(Severity.WARN, f'the answer names "{named}", which no call returned')]


@pytest.mark.parametrize(
    ("ids", "answer"),
    [
        (("doc-a",), "Noon [DOC-A]."),
        (("doc-A", "doc-b"), "Noon [doc-a], [doc-B]."),  # case does not matter
        (("doc-a",), "Noon [doc-a.pdf], [doc-a#p3], [doc-a:12]."),  # parts of what was returned
        (("doc-a",), "Noon [1], [note 2], [sic]."),
        (("doc-a",), "The doc-string is doc-like."),
        (("doc-a",), "I found no [doc-b]."),
        (("doc-a",), "These were not found:\n- doc-b\n- doc-c"),
        (("doc-a",), "Read https://example.org/doc-b or mail me@doc-b or see /srv/doc-b."),
        (("doc-a",), "```python\nx[doc-b]\n```"),
        (("d1",), "H2O, v2 and 3d4 agree."),
        (("17",), "Noon [18]."),  # a bare number may be a footnote
        (("Tafel 3",), "Noon [Tafel 4], [doc-b]."),  # no form to compare with
        ((), "A well-known source-based, document-level rule, e.g. in 2024-05."),
    ],
)
def test_what_is_no_citation_of_an_unreturned_document(ids: tuple[str, ...], answer: str) -> None:
    assert said(answer, returning(*ids)) == []


def test_what_the_agent_was_given_is_not_its_invention() -> None:
    assert said("Noon [doc-b].", returning("doc-a"), given=("When?", "Compare doc-a with Doc-B.pdf.")) == []
    assert said("Noon [DOC-B].", returning("DOC-A"), given=("Compare DOC-A with doc-b.",)) == []


def test_a_few_ids_are_looked_at_only() -> None:
    given = " ".join(f"doc-{number}" for number in range(64))
    assert said(f"{given} [doc-64]", returning("doc-a1"), given=(given,)) == []
    assert said("[doc-64]", returning("doc-a1"), given=(given,)) != []


# claims of evidence where there is none

NOTHING = (returning(), failing())


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("The retrieved document confirms high tide at noon.", '"The retrieved document confirms"'),
        ("At noon. The returned sources clearly show it.", '"The returned sources clearly show"'),
        ("According to the retrieved documents, at noon.", '"According to the retrieved documents"'),
        ("Based on the retrieved evidence it is noon.", '"Based on the retrieved evidence"'),
        ("At noon, as stated in the retrieved source.", '"as stated in the retrieved source"'),
        ("The document I found says noon.", '"The document I found says"'),
        ("The sources that we retrieved agree; the pages we fetched list noon.", '"the pages we fetched list"'),
        ("I found a document that states noon.", '"I found a document that states"'),
        ("We retrieved two sources confirming noon.", '"We retrieved two sources confirming"'),
        ("The search results indicate noon.", '"The search results indicate"'),
        ("As described in the looked-up articles, noon.", '"As described in the looked-up articles"'),
        ("THE RETRIEVED RECORDS EXPLICITLY DEMONSTRATE IT", '"THE RETRIEVED RECORDS EXPLICITLY DEMONST"...'),
    ],
)
def test_a_claim_of_evidence_where_there_is_none_is_held(answer: str, claim: str) -> None:
    assert said(answer, *NOTHING) == [(Severity.HOLD, f"no call returned a document, yet the answer says {claim}")]
    assert said(answer, *NOTHING, returning("doc-a")) == []
    assert said(answer, failing("doc-b"), returning("doc-a")) == []


def test_a_claim_after_failed_calls_with_documents_is_held_too() -> None:
    assert said("doc-a is clear. The retrieved document confirms it.", failing("doc-a")) == [
        (Severity.REJECT, 'the answer cites "doc-a", which only a failed call returned'),
        (Severity.HOLD, 'no call returned a document, yet the answer says "The retrieved document confirms"'),
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "High tide is at noon.",
        "According to the tide table, at noon.",
        "The document confirms noon.",  # perhaps one in the prompt
        "The retrieved documents do not mention it.",
        "The search results show nothing.",
        "If the retrieved document confirms noon, it is noon.",
        "The retrieved result contains an error.",
        "You may only write “the retrieved document confirms” when there is one.",
        "I found the question interesting.",
        "Das gefundene Dokument bestätigt es.",
    ],
)
def test_what_is_no_claim(answer: str) -> None:
    assert said(answer, *NOTHING) == []


# the policy


@pytest.mark.parametrize(
    ("action", "expected"),
    [(Action.REJECT, [Severity.REJECT]), (Action.HOLD, [Severity.HOLD]), (Action.ALLOW, [])],
)
@pytest.mark.parametrize("answer", ["Noon [doc-b].", "Noon by doc-b.", "The retrieved document confirms noon."])
def test_a_policy_holds_for_all_three(answer: str, action: Action, expected: list[Severity]) -> None:
    policies = {"answer-cites-failed-call": action}
    findings = check_answer(answer, "/final_answer", gather([returning()], tuple), policies)
    assert [finding.severity for finding in findings] == expected


# hostile answers: each of these would take minutes with a quadratic pattern or search

HOSTILE = (
    *("[" * 32000, "[a" * 16000, "a-" * 16000, "doc-1 " * 5000, "`" * 32000, '"' * 31999, "\n" * 32000, "\n " * 16000),
    *("(doc " * 6400, "the retrieved " * 2000, "d" * 32000, "e.g. " * 6400, "“" * 32000, "a1" * 16000, "- " * 16000),
    " ".join(f"doc-{number}" for number in range(4000)),
)


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_answers_end(answer: str) -> None:
    results = (returning("doc-a", "d1"), failing("a-" * 63 + "a1", "-" * 100 + "x"))
    assert len(said(answer, *results, given=(answer,))) <= 2
    assert len(said(answer, returning(), given=("-" * 500_000,))) <= 2
