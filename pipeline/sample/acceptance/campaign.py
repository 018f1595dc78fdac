"""A synthetic campaign that binds rubrics: every way in which a record is decided, and what a run must find."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from pipeline.sample.acceptance import (
    answer_cases,
    clinical_cases,
    code_cases,
    derivation_cases,
    evidence_faults,
    vote_cases,
)
from pipeline.sample.acceptance.case import Case, Row
from pipeline.sample.acceptance.honest import honest
from pipeline.sample.acceptance.rubrics import CLINICAL, DERIVATION, GROUNDED, POLICIES, RUBRICS
from pipeline.sample.acceptance.safety import safety_rows
from pipeline.sample.acceptance.trusted import REVIEWERS, evidence_member, suite
from pipeline.sample.manifest import (
    empty_folder,
    manifest,
    shipped_pins,
    write_json,
    write_lines,
    write_manifest,
    write_pinned,
)
from pipeline.sample.pairwise import Record, line
from transforms.answers.verdict import CODES as ANSWER_CODES
from transforms.people import person

CASES: tuple[Case, ...] = (
    *code_cases.CASES,
    *vote_cases.CASES,
    *answer_cases.CASES,
    *clinical_cases.CASES,
    *derivation_cases.CASES,
    *evidence_faults.CASES,
)
"""The cases that every campaign has, beside the honest ones."""
_KINDS = {
    "annotations": "pairwise-v2",
    "answers": "grounded-qa-v1",
    "clinical": "grounded-qa-v1",
    "derivations": "math-derivation-v1",
    "tasks": "input-task-v1",
    "assignments": "assignment-v1",
    "documents": "document-v1",
    "reviews": "review-v1",
    "adjudications": "adjudication-v1",
    "code-executions": "code-execution-v1",
    "safety-annotations": "safety-annotation-v1",
}
_CODE = {
    "language": "python",
    "version": "3.11",
    "approved_dependencies": ["numpy"],
    "linter_rules": ["E711", "F401"],
}
# Such findings are warnings here, so that the gates are what decides.
_ALLOWED = {
    "answers": ("unknown-document", "document-digest-mismatch", "span-out-of-bounds", "quote-mismatch"),
    "derivations": tuple(code.code for code in ANSWER_CODES),
}
# Of adjudications that are exported twice none is believed.
_IDENTITY: Mapping[str, Record] = {"adjudications": {"duplicate-record": "reject"}}
_ACCEPTANCE: Mapping[str, Record] = {
    "annotations": {"code": _CODE},
    "answers": {"rubric": GROUNDED, "evidence_policy": "cited-or-factual"},
    "clinical": {"rubric": CLINICAL},
    "derivations": {"rubric": DERIVATION},
}
_SAFETY_SUBJECTS = ("accepted-with-dissent", "incidental-claim-unsupported", "cleared")
_SHARD, _SUITES = "{stream}-{number:05d}.jsonl", "test-suites.json"

_Shards = dict[str, list[Row]]


def write_acceptance_sample(output: Path, records: int, seed: int) -> Path:
    """Write a campaign of `records` acceptable annotations, and every case, under `output`; its manifest's path.

    `expected.json` names stream, shard, line and code of each finding that refuses a record. Same arguments, same
    bytes. Raises RunError where `output` is not empty.
    """
    empty_folder(output)
    random = Random(seed)
    cases = (*(honest(random, number) for number in range(records)), *CASES)
    shards: defaultdict[str, list[Row]] = defaultdict(list)
    for row in _rows(cases, random):
        shards[_shard(row)].append(row)
    for shard, rows in shards.items():
        write_lines(output / "shards" / shard, (line(row.value) for row in rows))
    write_json(output / "expected.json", list(_expected(shards)))
    return write_manifest(output / "campaign.json", _manifest(output, shards))


def _rows(cases: tuple[Case, ...], random: Random) -> Iterator[Row]:
    subjects = {}
    for case in cases:
        subject = case.build(random, case.name)
        yield from case.rows(subject)
        subjects[case.name] = subject
    yield from safety_rows([subjects[name] for name in _SAFETY_SUBJECTS])


def _shard(row: Row) -> str:
    """Where a record stands: reviews are in two shards, those of one reviewer in one."""
    reviewer = person(row.value.get("reviewer", ""))
    number = REVIEWERS.index(reviewer) % 2 if reviewer in REVIEWERS else 0
    return _SHARD.format(stream=row.stream, number=number)


def _expected(shards: _Shards) -> Iterator[Record]:
    for shard, rows in sorted(shards.items()):
        for number, row in enumerate(rows, start=1):
            for code in sorted(row.codes):
                yield {"stream": row.stream, "shard": shard, "line": number, "code": code}


def _manifest(output: Path, shards: _Shards) -> Record:
    campaign = manifest(
        "acceptance",
        "Annotations under rubrics with the evidence on them; each way to be decided at least once.",
        rubrics=_pinned(output, "rubrics", RUBRICS),
        pins=shipped_pins(_KINDS.values()),
        streams={stream: _stream(stream, kind) for stream, kind in _KINDS.items()},
        without=[],
    )
    issued = [row.value["task_id"] for rows in shards.values() for row in rows if row.stream == "annotations"]
    suites = {name: suite(name) for name in issued if name != evidence_faults.UNPINNED}
    pin = write_pinned(output, _SUITES, {"suites_version": "test-suites-v1", "suites": suites})
    campaign["evidence"] = evidence_member() | {"test_suites": pin}
    campaign["safety_policies"] = _pinned(output, "safety_policies", POLICIES)
    return campaign


def _stream(stream: str, kind: str) -> Record:
    row: Record = {"kind": kind, "versions": [kind], "input": f"shards/{stream}-*.jsonl"}
    if stream in _ACCEPTANCE:
        row["acceptance"] = _ACCEPTANCE[stream]
    if stream in _ALLOWED:
        row["joins"] = dict.fromkeys(_ALLOWED[stream], "allow")
    if stream in _IDENTITY:
        row["identity"] = _IDENTITY[stream]
    return row


def _pinned(output: Path, folder: str, documents: Mapping[str, Record]) -> Record:
    """Write documents and give their pins by version."""
    (output / folder).mkdir()
    return {
        version: write_pinned(output, f"{folder}/{version}.json", document) for version, document in documents.items()
    }
