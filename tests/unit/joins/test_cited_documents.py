"""Citations and evidence against the documents themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from entries import entry_of_record
from joined import judged
from small_records import citation, qa, step, talk

from pipeline.sample.bundles import document
from transforms.joins.documents import JOIN, claim
from transforms.joins.join import Claim, Member
from transforms.joins.parked import Parked
from transforms.records import Finding, Json, Place, Severity
from transforms.terms import Action, OffsetUnit, StreamTerms

UNITS = tuple(OffsetUnit)
ABSENT = "no document of the campaign has this id"
OTHER_VERSION = "the document exists in other versions only"
TEXT = "Né 😀\r\ne\u0301t — fin"
SOURCE = document("d-1", TEXT)
# Quote → its span in code points, bytes of UTF-8 and UTF-16 units, counted by hand.
SPANS = {
    "N": ((0, 1), (0, 1), (0, 1)),
    "é": ((1, 2), (1, 3), (1, 2)),
    "😀": ((3, 4), (4, 8), (3, 5)),
    "\r\n": ((4, 6), (8, 10), (5, 7)),
    "e\u0301t": ((6, 9), (10, 14), (7, 10)),
    "\u0301": ((7, 8), (11, 13), (8, 9)),
    "—": ((10, 11), (15, 18), (11, 12)),
    "fin": ((12, 15), (19, 22), (13, 16)),
    TEXT: ((0, 15), (0, 22), (0, 16)),
}
POLICIES = [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD), (Action.ALLOW, Severity.WARN)]


def terms(unit: OffsetUnit = OffsetUnit.CODE_POINTS, **policies: Action) -> dict[str, StreamTerms]:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    return {
        "answers": StreamTerms("answers", "grounded-qa-v1", {}, policies=renamed, offset_unit=unit),
        "talks": StreamTerms("talks", "agent-trace-v2", {}, policies=renamed),
        "documents": StreamTerms("documents", "document-v1", {}),
    }


def judge(
    folder: Path, answers: Sequence[Json], documents: Sequence[Json], campaign: dict[str, StreamTerms] | None = None
) -> list[tuple[int, Finding]]:
    rows = judged(JOIN, {"answers": answers, "documents": documents}, campaign or terms(), folder)
    assert {stream for stream, _, _ in rows} <= {"answers"}
    return [(line, finding) for _, line, finding in rows]


def fault(
    code: str, message: str, pointer: str, *documents: int, severity: Severity = Severity.REJECT
) -> tuple[int, Finding]:
    """A finding of the first answer that names these documents."""
    places = tuple(Place("documents", "a.jsonl", line) for line in documents)
    return 1, Finding(code, message, pointer, related=places, severity=severity)


def test_the_claims() -> None:
    key = hashlib.sha256(b"d-1").digest()
    version = bytes.fromhex(SOURCE["sha256"])[:8]
    value = qa(citation(SOURCE, 3, 4, "😀"), citation(SOURCE, 12.0, 15.0, "fin"))  # type: ignore[arg-type]
    assert list(claim(entry_of_record("document-v1", SOURCE))) == [Claim(key, b"D" + version, TEXT.encode())]
    numbers = [(0, 3, 4), (1, 12, 15)]
    assert list(claim(entry_of_record("grounded-qa-v1", value))) == [
        Claim(
            key,
            b"C"
            + version
            + index.to_bytes(4, "little")
            + start.to_bytes(8, "little")
            + end.to_bytes(8, "little")
            + hashlib.sha256(quote.encode()).digest()[:8]
            + b"\0",
            quote.encode(),
        )
        for (index, start, end), quote in zip(numbers, ("😀", "fin"), strict=True)
    ]
    conversation = talk((step(), [SOURCE]))
    assert list(claim(entry_of_record("agent-trace-v2", conversation))) == [
        Claim(key, b"E" + version, b"/events/2/evidence/0")
    ]
    assert JOIN.payload_bytes == 38


@pytest.mark.parametrize("domain", ["clinical_qa", "paediatric_qa", ""])
def test_whatever_is_not_plainly_public_is_private(domain: str) -> None:
    """A campaign's own schema may know more domains."""
    (made,) = claim(entry_of_record("grounded-qa-v1", qa(citation(SOURCE, 0, 1, "N"), domain=domain)))
    assert made.payload[-1:] == b"\1"


# quotations


@pytest.mark.parametrize(("unit", "column"), [(unit, column) for column, unit in enumerate(UNITS)])
def test_quotes_in_every_unit(unit: OffsetUnit, column: int, tmp_path: Path) -> None:
    citations = [citation(SOURCE, *spans[column], quote) for quote, spans in SPANS.items()]
    assert judge(tmp_path, [qa(*citations)], [SOURCE], terms(unit)) == []


CROSSED = [
    (quote, declared, counted)
    for quote, spans in SPANS.items()
    for declared in range(3)
    for counted in range(3)
    if spans[declared] != spans[counted]
]


@pytest.mark.parametrize(("quote", "declared", "counted"), CROSSED)
def test_offsets_counted_in_another_unit(quote: str, declared: int, counted: int, tmp_path: Path) -> None:
    (start, end), length = SPANS[quote][counted], SPANS[TEXT][declared][1]
    value = qa(citation(SOURCE, start, end, quote))
    ((line, found),) = judge(tmp_path, [value], [SOURCE], terms(UNITS[declared]))
    expected = "span-out-of-bounds" if end > length else "quote-mismatch"
    assert (line, found.code, found.pointer) == (1, expected, "/citations/0")
    assert found.related == (Place("documents", "a.jsonl", 1),)
    name = ("code points", "bytes of UTF-8", "UTF-16 units")[counted]
    assert f"as {name}" in found.message
    start, end = SPANS[quote][declared]
    # Where the span holds the quote and white space, that is what is said.
    assert f"the quote stands from {start} to {end}" in found.message or "white space at its ends" in found.message


@pytest.mark.parametrize(
    ("start", "end", "quote", "code", "message"),
    [
        (
            19,
            22,
            "fin",
            "span-out-of-bounds",
            "the span is 19 to 22, the document has 15 code points; the offsets fit as bytes of UTF-8; "
            "the quote stands from 12 to 15",
        ),
        (
            6,
            8,
            "é",
            "quote-mismatch",
            'the span reads "e\u0301", the quote "é"; the two differ only in Unicode normalisation',
        ),
        (
            10,
            11,
            "-",
            "quote-mismatch",
            'the span reads "—", the quote "-"; the two differ only in typographic marks',
        ),
        (
            4,
            6,
            "\n",
            "quote-mismatch",
            'the span reads "\\r\\n", the quote "\\n"; the two differ only in line ends; '
            "the offsets fit with the start one more",
        ),
        (
            0,
            5,
            "Keine",
            "quote-mismatch",
            'the span reads "Né 😀\\r", the quote "Keine"; the quote stands nowhere in the document',
        ),
    ],
)
def test_what_is_said(start: int, end: int, quote: str, code: str, message: str, tmp_path: Path) -> None:
    value = qa(citation(SOURCE, start, end, quote))
    assert judge(tmp_path, [value], [SOURCE]) == [fault(code, message, "/citations/0", 1)]


def test_each_citation_has_its_own_finding(tmp_path: Path) -> None:
    right, wrong, far = (0, 1, "N"), (0, 1, "M"), (15, 16, "N")
    value = qa(*(citation(SOURCE, *each) for each in (wrong, right, far)))
    found = judge(tmp_path, [value], [SOURCE])
    codes = [(finding.code, finding.pointer) for _, finding in found]
    assert codes == [("quote-mismatch", "/citations/0"), ("span-out-of-bounds", "/citations/2")]


def test_each_stream_counts_in_its_own_unit(tmp_path: Path) -> None:
    streams = {unit.value: StreamTerms(unit.value, "grounded-qa-v1", {}, offset_unit=unit) for unit in UNITS}
    answers = {unit.value: [qa(citation(SOURCE, *spans, "fin")) for spans in SPANS["fin"]] for unit in UNITS}
    rows = judged(JOIN, {**answers, "documents": [SOURCE]}, {**streams, **terms()}, tmp_path)
    refused = {(stream, line) for stream, line, _ in rows}
    assert refused == {(unit.value, line) for own, unit in enumerate(UNITS) for line in (1, 2, 3) if line != own + 1}


def test_a_long_text(tmp_path: Path) -> None:
    long = document("d-1", "ü" * 1_000_000 + TEXT)
    value = qa(citation(long, 1_000_012, 1_000_015, "fin"), citation(long, 12, 15, "fin"))
    ((_, found),) = judge(tmp_path, [value], [long])
    assert found.pointer == "/citations/1"
    assert found.message.endswith("the quote stands from 1000012 to 1000015")


# documents that are not there, or in other versions


def test_a_document_that_is_not_there(tmp_path: Path) -> None:
    value = qa(citation(SOURCE, 0, 1, "N"))
    other = document("d-2", TEXT)
    for documents in ([], [other]):
        assert judge(tmp_path, [value], documents) == [fault("unknown-document", ABSENT, "/citations/0")]


def test_a_document_that_was_refused_is_not_there(tmp_path: Path) -> None:
    """A line that claims nothing is no fact, and shifts no line."""
    streams = {"answers": [qa(citation(SOURCE, 0, 1, "M"))], "documents": [None, SOURCE]}
    ((_, _, found),) = judged(JOIN, streams, terms(), tmp_path)  # type: ignore[arg-type]
    assert found.related == (Place("documents", "a.jsonl", 2),)


@pytest.mark.parametrize("kind", ["document-v1", "grounded-qa-v1", "agent-trace-v2"])
def test_without_documents_nothing_is_asked(kind: str) -> None:
    others = frozenset(("tasks", "executions"))
    assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=others))
    assert JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("documents",))))


def test_kinds_that_name_no_version_take_no_part() -> None:
    for kind in ("pairwise-v2", "agent-trace-v1", "math-derivation-v1", "input-task-v1", "tool-execution-v1"):
        assert not JOIN.runs_for(StreamTerms("records", kind, {}, facts=frozenset(("documents",))))


def test_a_version_that_is_not_there(tmp_path: Path) -> None:
    versions = [document("d-1", TEXT + more) for more in ("!", "?")]
    value = qa(citation(SOURCE, 0, 1, "N"))
    found = fault("document-digest-mismatch", OTHER_VERSION, "/citations/0", 1, 2)
    assert judge(tmp_path, [value], versions) == [found]


def test_each_citation_is_held_against_the_version_that_it_names(tmp_path: Path) -> None:
    first, second = document("d-1", "one two"), document("d-1", "two one")
    value = qa(
        citation(first, 0, 3, "one"),
        citation(first, 0, 3, "two"),
        citation(second, 0, 3, "two"),
        citation(second, 0, 3, "one"),
        citation(SOURCE, 0, 3, "one"),
    )
    found = judge(tmp_path, [value], [first, second])
    said = [(finding.code, finding.pointer, [place.line for place in finding.related]) for _, finding in found]
    assert said == [
        ("document-digest-mismatch", "/citations/4", [1, 2]),
        ("quote-mismatch", "/citations/1", [1]),
        ("quote-mismatch", "/citations/3", [2]),
    ]


def test_the_versions_named_are_bounded(tmp_path: Path) -> None:
    versions = [document("d-1", f"{number}") for number in range(18)]
    ((_, found),) = judge(tmp_path, [qa(citation(SOURCE, 0, 1, "N"))], versions)
    assert found.related == tuple(Place("documents", "a.jsonl", line) for line in range(1, 17))
    assert found.message == f"{OTHER_VERSION} (the first 16 of 18 are named)"


def test_a_document_that_stands_twice(tmp_path: Path) -> None:
    assert judge(tmp_path, [qa(citation(SOURCE, 0, 1, "N"))], [SOURCE, SOURCE]) == []
    ((_, found),) = judge(tmp_path, [qa(citation(SOURCE, 0, 1, "M"))], [SOURCE, SOURCE])
    assert found.related == (Place("documents", "a.jsonl", 1),)


# evidence


def evidence(folder: Path, value: Json, documents: Sequence[Json], **policies: Action) -> list[Finding]:
    rows = judged(JOIN, {"talks": [value], "documents": documents}, terms(**policies), folder)
    assert [(stream, line) for stream, line, _ in rows] == [("talks", 1)] * len(rows)
    return [finding for _, _, finding in rows]


def test_evidence_that_is_there(tmp_path: Path) -> None:
    other = document("d-2", "Other.")
    assert evidence(tmp_path, talk((step(1), [SOURCE, other]), (step(2), [other])), [other, SOURCE]) == []


def test_evidence_that_is_not_there(tmp_path: Path) -> None:
    value = talk((step(1), [SOURCE]), (step(2), [document("d-2", "Other."), SOURCE]))
    revised = document("d-1", TEXT + "!")
    places = (Place("documents", "a.jsonl", 1),)
    assert evidence(tmp_path, value, [revised]) == [
        Finding("evidence-digest-mismatch", OTHER_VERSION, "/events/2/evidence/0", related=places),
        Finding("evidence-digest-mismatch", OTHER_VERSION, "/events/4/evidence/1", related=places),
        Finding("unknown-document", ABSENT, "/events/4/evidence/0"),
    ]


# privacy


@pytest.mark.parametrize("domain", ["clinical_qa", "paediatric_qa"])
@pytest.mark.parametrize("unit", UNITS)
def test_findings_of_private_records_hold_no_content(domain: str, unit: OffsetUnit, tmp_path: Path) -> None:
    """Neither of the quote nor of the document: no letter of either is one that our words have."""
    text = "ЖЩ’ЮЖ\u00a0ЩЮЖЩ 😀 ЮЩЖЮ\r\nЩЖ ЖЮЩ. " * 3
    source = document("d-1", text)
    quotes = ["ЖЩ'ЮЖ", "жщ’юж", "ЮЖ ЩЮЖЩ", "ЩЖ\nЖЮЩ", "ЖЖЖЖ", "ЮЩ", text[:40], "😀 ЮЩЖЮ\r\n", "ЮЩЖЮ\n", "ЩЖЩЖ" * 20]
    spans = [(start, start + width) for start in (0, 2, 7, 12, 60, 400) for width in (1, 4, 5, 9, 40)]
    answers = [qa(*(citation(source, *span, quote) for span in spans), domain=domain) for quote in quotes]
    private = judge(tmp_path, answers, [source], terms(unit))
    public = judge(tmp_path, [{**each, "domain": "general_rag"} for each in answers], [source], terms(unit))
    assert len(private) == len(public) > 250
    assert [(line, each.code, each.pointer) for line, each in private] == [
        (line, each.code, each.pointer) for line, each in public
    ]
    assert sum(any(char in each.message for char in "ЖЩЮ😀’") for _, each in public) > 50
    assert [each.message for _, each in private if any(char in each.message for char in "ЖЩЮжщю😀’'")] == []


def test_what_is_said_of_a_private_record(tmp_path: Path) -> None:
    value = qa(citation(SOURCE, 10, 11, "-"), citation(SOURCE, 13, 16, "fin"), domain="clinical_qa")
    assert judge(tmp_path, [value], [SOURCE]) == [
        fault(
            "quote-mismatch",
            "another text stands at the span; the two differ only in typographic marks",
            "/citations/0",
            1,
        ),
        fault(
            "span-out-of-bounds",
            "the span is 13 to 16, the document has 15 code points; the offsets fit as UTF-16 units, or counted "
            "from 1; the quote stands from 12 to 15",
            "/citations/1",
            1,
        ),
    ]


# policies and the environment


CASES: dict[str, tuple[Json, list[Json]]] = {
    "unknown-document": (qa(citation(SOURCE, 0, 1, "N")), []),
    "document-digest-mismatch": (qa(citation(SOURCE, 0, 1, "N")), [document("d-1", "Other.")]),
    "span-out-of-bounds": (qa(citation(SOURCE, 15, 16, "N")), [SOURCE]),
    "quote-mismatch": (qa(citation(SOURCE, 0, 1, "M")), [SOURCE]),
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize(("action", "severity"), POLICIES)
def test_policies_for_citations(code: str, action: Action, severity: Severity, tmp_path: Path) -> None:
    value, documents = CASES[code]
    ((_, found),) = judge(tmp_path, [value], documents, terms(**{code.replace("-", "_"): action}))
    assert (found.code, found.severity) == (code, severity)
    ((_, default),) = judge(tmp_path, [value], documents)
    assert default.severity is Severity.REJECT


@pytest.mark.parametrize(("action", "severity"), POLICIES)
def test_policies_for_evidence(action: Action, severity: Severity, tmp_path: Path) -> None:
    value, documents = talk((step(), [SOURCE])), [document("d-1", "Other.")]
    (found,) = evidence(tmp_path, value, documents, evidence_digest_mismatch=action)
    assert (found.code, found.severity) == ("evidence-digest-mismatch", severity)
    (unknown,) = evidence(tmp_path, value, [], unknown_document=action)
    assert (unknown.code, unknown.severity) == ("unknown-document", severity)


def test_a_text_that_is_gone_is_an_environment_failure(tmp_path: Path) -> None:
    members = []
    for kind, value in (("document-v1", SOURCE), ("grounded-qa-v1", qa(citation(SOURCE, 0, 1, "N")))):
        (made,) = claim(entry_of_record(kind, value))
        stream = "documents" if kind == "document-v1" else "answers"
        parked = Parked(str(tmp_path / "gone"), 0, len(made.text))
        members.append(Member(Place(stream, "a.jsonl", 1), made.payload, parked))
    with pytest.raises(FileNotFoundError):
        list(JOIN.judge(members, terms()))
