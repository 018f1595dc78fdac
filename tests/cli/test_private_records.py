"""Clinical answers, and lines of which nobody can say that they are not: no byte of them stands in a refused file."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import assay
from evidence_records import an_execution
from golden_campaigns import STREAM, Ran, write_campaign
from small_records import citation, qa

from pipeline.sample.bundles import document
from pipeline.sample.pairwise import line
from pipeline.verify import verify_run
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json

KIND, SECRET, PUBLIC = "grounded-qa-v1", "Qvortrup", "Zwingli"
SOURCE = document("doc-1", f"The ward of {SECRET} opens at six. {PUBLIC} knows.")
QUOTE = f"ward of {SECRET}"
# A campaign's own schema knows one domain more; nothing says that it is public.
OTHER_DOMAIN = {"properties": {"domain": {"enum": ["general_rag", "clinical_qa", "paediatric_qa"]}}}


def private(**changes: Any) -> Json:
    """A sound clinical answer, full of what must not leave it."""
    cited = citation(SOURCE, 4, 4 + len(QUOTE), QUOTE)
    told = {"question": f"When does {SECRET} come?", "answer": f"{SECRET} comes at six."}
    return qa(cited, task_id=SECRET, domain="clinical_qa", **told) | changes


def cited(**changes: Any) -> Json:
    return private(citations=[private()["citations"][0] | changes])


def without(member: str) -> Json:
    return {name: value for name, value in private().items() if name != member}


def replaced(old: str, new: bytes) -> bytes:
    data = line(private())
    assert old.encode() in data
    return data.replace(old.encode(), new, 1)


SECRET_KEY = f'"{SECRET}": '.encode()
HELD, ENUM = ["clinical-evidence-missing"], ["schema/enum"]
# What is refused when it is judged, and why.
REFUSED: dict[str, tuple[Json | bytes, list[str]]] = {
    "sound": (private(), HELD),
    "nothing said": (private(answer="\u200b"), [*HELD, "empty-text"]),
    "a span backwards": (cited(end=1), [*HELD, "span-order"]),
    "a citation twice": (private(citations=private()["citations"] * 2), [*HELD, "duplicate-citation"]),
    "too much": (private(answer=f"{SECRET} " * 3000), [*HELD, "conversation-too-large"]),
    "an abstention with citations": (private(abstain=True), ["abstain-with-citations", *HELD]),
    "a key of its own": (private(**{SECRET: 1}), ["schema/additionalProperties"]),
    "text for a boolean": (private(abstain=SECRET), ["schema/type"]),
    "a name for a digest": (cited(document_sha256=SECRET), ["schema/pattern"]),
    "a long quote": (cited(quote=f"{SECRET} " * 500), ["schema/maxLength"]),
    "no answer": (without("answer"), ["schema/required"]),
    "no domain": (without("domain"), ["schema/required"]),
    "a misspelt domain": (private(domain="Clinical_QA"), ENUM),
    "a name for a domain": (private(domain=SECRET), ENUM),
    "an offset beyond its column": (replaced('"start": 4', b'"start": 1e300'), ["number-out-of-range"]),
    "an offset beyond 2^53": (replaced('"start": 4', b'"start": 9007199254740993'), ["number-out-of-range"]),
    "cut short": (line(private())[:-1], ["invalid-json"]),
    "more behind it": (line(private()) + SECRET.encode(), ["invalid-json"]),
    "a mark before it": (b"\xef\xbb\xbf" + line(private()), ["byte-order-mark"]),
    "Latin-1": (replaced("comes", b"k\xf6mmt"), ["invalid-utf8"]),
    "half a character": (replaced("comes", b"\\ud83d"), ["lone-surrogate"]),
    "a name twice": (replaced("{", b"{" + SECRET_KEY + b"1, " + SECRET_KEY + b"2, "), ["duplicate-key"]),
    "no number": (replaced("{", b"{" + SECRET_KEY + b"NaN, "), ["non-finite-number"]),
    "a number that no reader keeps": (replaced("{", b"{" + SECRET_KEY + b"1" * 40 + b", "), ["number-out-of-range"]),
    "depth": (replaced("{", b"{" + SECRET_KEY + b"[" * 70 + b"]" * 70 + b", "), ["nesting-too-deep"]),
    "a list": (line([private()]), ["not-an-object"]),
    "a text": (line(SECRET), ["not-an-object"]),
    "too large": (private(answer=f"{SECRET} " * 9000), ["record-too-large"]),
}
# What is refused by the joins, where the domain does not hold it.
JOINED: dict[str, tuple[Json, list[str]]] = {
    "another text": (cited(quote=f"ward for {SECRET}"), ["quote-mismatch"]),
    "other marks": (cited(quote=f"ward\u00a0of {SECRET}"), ["quote-mismatch"]),
    "moved by one": (cited(start=5, end=5 + len(QUOTE)), ["quote-mismatch"]),
    "beyond the end": (cited(start=900, end=900 + len(QUOTE)), ["span-out-of-bounds"]),
    "no such document": (cited(document_id=f"{SECRET}-9"), ["unknown-document"]),
    "another version": (cited(document_sha256="0a" * 32), ["document-digest-mismatch"]),
}


def lines_of() -> Iterator[tuple[bytes, list[str]]]:
    """Each private line, under a task of its own, with its codes; one that the joins repeat; a public one."""
    for value, codes in REFUSED.values():
        yield value if isinstance(value, bytes) else line(value), codes
    for number, (value, codes) in enumerate(JOINED.values()):
        yield line(value | {"domain": "paediatric_qa", "task_id": f"{SECRET}-{number}"}), codes
    repeated = line(private(domain="paediatric_qa", task_id=f"{SECRET}-again"))
    yield repeated, []
    yield repeated, ["duplicate-record"]
    public = qa(citation(SOURCE, 0, 3, PUBLIC), task_id="public", question=PUBLIC)
    yield line(public), ["quote-mismatch"]


WAYS: dict[str, dict[str, Any]] = {
    "raw": {},
    "jcs": {"canonicalisation": "jcs"},
    "digest-only": {"rejects": {"payload": "digest-only"}},
    "formats asserted": {"validator": {"formats": "assert"}},
}


@pytest.fixture(scope="module", params=WAYS)
def ran(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("private")
    shard, documents = folder / "answers.jsonl", folder / "documents.jsonl"
    shard.write_bytes(b"\n".join(data for data, _ in lines_of()) + b"\n")
    documents.write_bytes(line(SOURCE) + b"\n")
    rules = {"streams": {STREAM: {"rules": {"abstain-with-citations": "reject"}}}}
    patch = rules | WAYS[request.param]
    path = write_campaign(folder / "campaign", str(shard), patch, OTHER_DOMAIN, KIND, {"documents": str(documents)})
    said = assay("run", path, "--output", folder, "--run-id", "golden")
    assert said.code == 0
    assert SECRET not in said.out + said.err
    return Ran(0, "", folder / "golden")


def test_every_line_is_refused_for_what_is_wrong_with_it(ran: Ran) -> None:
    assert ran.lines() == {str(number): codes for number, (_, codes) in enumerate(lines_of(), 1) if codes}
    assert ran.manifest["streams"][STREAM]["records"]["accepted"] == 1
    assert verify_run(ran.folder) == ()


def test_no_byte_of_a_private_record_leaves_the_accepted_files(ran: Ran) -> None:
    forms = {SECRET.encode(), *(base64.b64encode(b"-" * shift + SECRET.encode())[4:-4] for shift in range(3))}
    for path in sorted(ran.folder.rglob("*")):
        if path.is_file() and "accepted" not in path.parts:
            data = path.read_bytes().lower()
            assert [form for form in forms if form.lower() in data] == [], path


def test_only_the_public_record_keeps_its_bytes(ran: Ran) -> None:
    rows = [*ran.refused("rejected"), *ran.refused("held")]
    kept = [row for row in rows if row.keys() & {"raw", "raw_base64", "raw_truncated"}]
    public = len(list(lines_of()))
    assert [row["line"] for row in kept] == ([] if ran.manifest["rejects"]["payload"] == "digest-only" else [public])
    assert all(json.loads(row["raw"])["question"] == PUBLIC for row in kept)
    ((said,),) = [row["findings"] for row in rows if row["line"] == public]
    assert PUBLIC in said["message"]


def test_structure_and_parsing_say_nothing_but_the_code(ran: Ran) -> None:
    """Their messages may quote a record, and their pointers name its keys."""
    rows = {row["line"]: row["findings"] for outcome in ("rejected", "held") for row in ran.refused(outcome)}
    for number, (_, codes) in enumerate(REFUSED.values(), 1):
        said = {(each["message"], each["pointer"]) for each in rows[number]}
        withheld = {("withheld: the record may be private", "")}
        assert (said == withheld) == (codes[0] not in HELD and codes[-1] not in HELD)


def test_a_task_that_is_named_like_a_patient_is_not_told(ran: Ran) -> None:
    """`related` names places, and the findings of one record name no other's content."""
    rows = [row for row in ran.refused("rejected") if row["findings"][0]["code"] == "duplicate-record"]
    ((found,),) = [row["findings"] for row in rows]
    first = len(list(lines_of())) - 2
    assert found["related"] == [{"stream": STREAM, "shard": "answers.jsonl", "line": first}]
    assert found["message"] == "the same content stands elsewhere"


def test_what_tests_are_named_and_what_coverage_is_of_stays_out_too(tmp_path: Path) -> None:
    """A program that contributes its tests may write anything into both."""
    failed = {"passed": 0, "failed": [f"test_{SECRET}"], "errors": 0}
    covered = {"value": 1, "unit": "lines", "scope": SECRET}
    lines = [
        *(line(an_execution(tests=failed)), line(an_execution(exit_status=1, tests=failed))),
        *(line(an_execution(coverage=covered)), line(an_execution(exit_status=1, task_id=PUBLIC)), line(SECRET)),
        line(an_execution(exit_status=256, tests=failed, **{SECRET: 1})),
    ]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    suite = {"sha256": "0" * 64, "origin": "sponsor"}
    suites = canonical_json({"suites_version": "test-suites-v1", "suites": {PUBLIC: suite}})
    (tmp_path / "suites.json").write_bytes(suites)
    other = {"version": "1", "configuration_sha256": "0" * 64, "interpreter": "CPython", "timeout_seconds": 1}
    pin = {"path": str(tmp_path / "suites.json"), "sha256": sha256_hex(suites)}
    patch = {
        "evidence": {"executors": {"other": other}, "test_suites": pin},
        "streams": {STREAM: {"joins": {"review-of-unknown-record": "allow"}}},
    }
    path = write_campaign(tmp_path / "campaign", str(tmp_path / "a.jsonl"), patch, {}, "code-execution-v1")
    said = assay("run", path, "--output", tmp_path, "--run-id", "golden")
    assert (said.code, SECRET in said.out + said.err) == (0, False)
    ran = Ran(0, "", tmp_path / "golden")
    assert ran.lines() == {
        "1": ["contradictory-execution", "unauthorized-evidence"],
        **{str(number): ["unauthorized-evidence"] for number in (2, 3, 4)},
        "5": ["not-an-object"],
        "6": ["schema/additionalProperties", "schema/maximum"],
    }
    files = [path for path in ran.folder.rglob("*") if path.is_file()]
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []
    assert [row["line"] for row in ran.refused("rejected") if "raw" in row] == [4]
