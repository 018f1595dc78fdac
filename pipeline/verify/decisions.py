"""What the rows of decisions say against what follows from their own parts, under the rubrics kept in the run.

The functions that decided decide again. What gates answered is taken as it stands: it needs the records' content.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.committed.folder import open_file
from pipeline.manifest import Manifest
from pipeline.verify.codes import DECISION_DIFFERS, FILE_CHANGED, broken
from transforms.acceptance.clinical import clinical_findings, waiting
from transforms.acceptance.decision import decide
from transforms.acceptance.decision_columns import DECISION_SCHEMA, decision_row
from transforms.acceptance.rubric import check_rubric, loads_rubric, read_rubric
from transforms.acceptance.values import Adjudication, Answer, Evidence, GateAnswer, Review, Rubric, Vote
from transforms.parquet import open_parquet
from transforms.parsing.exact_numbers import bounded_number
from transforms.records import Finding, Outcome, Place
from transforms.storage.location import Location

Row = dict[str, Any]
_FOLDER = "decisions/"
_FOLLOWS = (
    "rubric_version",
    "outcome",
    "codes",
    "gates",
    "criteria",
    "weighted_score",
    "accepting",
    "rejecting",
    "dissent",
)
# The codes that rest on a record's domain too.
_CLINICAL = {"clinical-evidence-missing", "clinical-criteria-missing"}
_PLACE = ("assay_stream", "assay_shard", "assay_line", "assay_record_sha256")
_Key = tuple[Any, ...]
_BROKEN = (pa.ArrowException, OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError)


def check_decisions(run: Location, manifest: Manifest) -> Iterator[Finding]:
    """Each row that does not follow from its parts, and each accepted record without a row that accepts it.

    Memory is bounded by a block's accepted records: their places and digests.
    """
    rubrics = _rubrics(run, manifest)
    deciding = {name for name, stream in manifest["streams"].items() if "decided" in stream.get("acceptance", {})}
    paths = {row["path"] for row in manifest["outputs"]}
    decided = {path for path in paths if path.startswith(_FOLDER)}
    accepted = {path for path in paths if path.startswith("accepted/") and path.split("/")[1] in deciding}
    for path in sorted(decided | {_FOLDER + path.removeprefix("accepted/") for path in accepted}):
        try:
            yield from _check_block(run, path, rubrics, path in decided)
        except _BROKEN as error:
            yield broken(FILE_CHANGED, path, f"cannot be read: {type(error).__name__}")


def _rubrics(run: Location, manifest: Manifest) -> dict[str, Rubric]:
    """The rubrics of the run by version. What is wrong with a document, others report."""
    rubrics = {}
    for document in manifest["documents"]:
        if document["role"] == "rubric" and (data := _read(run, document["path"])) is not None:
            value = loads_rubric(data)
            if not isinstance(value, Finding) and not check_rubric(document["version"], value):
                rubrics[document["version"]] = read_rubric(value)
    return rubrics


def _read(run: Location, name: str) -> bytes | None:
    try:
        with open_file(run, name) as file:
            return file.read()
    except OSError:
        return None


def _check_block(run: Location, path: str, rubrics: Mapping[str, Rubric], is_listed: bool) -> Iterator[Finding]:
    """The rows of a block, and its accepted records."""
    accepted = dict(_accepted(run, "accepted/" + path.removeprefix(_FOLDER)))
    for row in _rows(run, path) if is_listed else ():
        place = f"{row['stream']}/{row['shard']} line {row['line']}"
        domain = accepted.pop((row["stream"], row["shard"], row["line"], row["record_sha256"]), None)
        if row["rubric_version"] not in rubrics:
            yield broken(DECISION_DIFFERS, path, f"{place}: the run has no rubric of this version")
            continue
        again = _decided(row, rubrics[row["rubric_version"]], is_clinical=domain == "clinical_qa")
        differing = [name for name in _FOLLOWS if again[name] != row[name]]
        if differing:
            yield broken(DECISION_DIFFERS, path, f"{place}: does not follow from its parts: {', '.join(differing)}")
        elif domain is not None and row["outcome"] != Outcome.ACCEPTED:
            yield broken(DECISION_DIFFERS, path, f"{place}: accepted, and decided otherwise")
    for stream, shard, line, _ in accepted:
        yield broken(DECISION_DIFFERS, path, f"{stream}/{shard} line {line}: accepted, and not decided on")


@contextmanager
def _opened(run: Location, name: str) -> Iterator[pq.ParquetFile | None]:
    """A file of the run, None where it is missing, which the listing tells of."""
    try:
        file = open_file(run, name)
    except FileNotFoundError:
        yield None
        return
    with file, open_parquet(file) as parquet:
        yield parquet


def _rows(run: Location, name: str) -> Iterator[Row]:
    with _opened(run, name) as file:
        if file is not None:
            for batch in file.iter_batches(batch_size=256, columns=DECISION_SCHEMA.names, use_threads=False):
                yield from batch.to_pylist()


def _accepted(run: Location, name: str) -> Iterator[tuple[_Key, str]]:
    """The accepted records of a block: stream, shard, line and digest, and the domain, "" where they have none."""
    with _opened(run, name) as file:
        if file is None:
            return
        names = [*_PLACE, *(["domain"] if "domain" in file.schema_arrow.names else [])]
        for batch in file.iter_batches(batch_size=1024, columns=names, use_threads=False):
            for row in batch.to_pylist():
                yield tuple(row[name] for name in _PLACE), str(row.get("domain", ""))


def _decided(row: Row, rubric: Rubric, *, is_clinical: bool) -> Row:
    """The row that follows from the gates, reviews and adjudications of `row`."""
    evidence = Evidence(tuple(map(_review, row["reviews"])), tuple(map(_adjudication, row["adjudications"])))
    decision = decide(rubric, tuple(map(_gate, row["gates"])), evidence)
    if is_clinical or _CLINICAL & set(row["codes"]):
        decision = waiting(decision, clinical_findings({"domain": "clinical_qa"}, rubric, evidence))
    return decision_row(Place(row["stream"], row["shard"], row["line"]), row["record_sha256"], decision, evidence)


def _gate(row: Row) -> GateAnswer:
    return GateAnswer(row["gate"], Answer(row["answer"]), row["detail"], row["evidence_sha256"])


def _review(row: Row) -> Review:
    return Review(
        reviewer=row["reviewer"],
        sha256=row["sha256"],
        vote=Vote(row["vote"]),
        scores=_scores(row["scores"]),
        independent=row["independent"],
        automatic=row["automatic"],
    )


def _adjudication(row: Row) -> Adjudication:
    return Adjudication(row["adjudicator"], row["sha256"], row["subject"], Vote(row["vote"]), _scores(row["scores"]))


def _scores(rows: list[Row]) -> dict[str, Decimal]:
    return {row["id"]: _score(row["score"]) for row in rows}


def _score(text: str) -> Decimal:
    number = bounded_number(text)
    if isinstance(number, str):
        raise ValueError(f"a score {number}")
    return number
