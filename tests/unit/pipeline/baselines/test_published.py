"""The accepted baselines of a run, and what is said of a run that cannot be asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from baseline_records import VERSION, signed
from baseline_runs import ALL_STAND, APART, measured, run_of_documents, run_of_lines, stopped
from golden_campaigns import STREAM, by_plain_functions, merged
from small_campaign import write_small
from tampering import cells, seal

from pipeline.baselines.published import Published, baselines, read_record
from pipeline.exits import Exit, RunError
from transforms.baselines.identity import Identity
from transforms.baselines.instants import parse_instant
from transforms.digests import sha256_hex
from transforms.records import Place

SMALL, LARGE = measured({"model": "small-4"}), measured({"model": "large-1", "": "=\x1b"})
NAMED = {"properties": {"covariateProfile": {"properties": {"model": {"type": "string"}}}}}


def all_of(run: Path) -> list[Published]:
    return [baseline for group in baselines(run) for baseline in group]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return run_of_documents(
        tmp_path, {"b.yaml": SMALL, "a/a.yaml": stopped(LARGE), "refused.yaml": {"schemaVersion": 5}}
    )


def accepted(run: Path) -> Path:
    [path] = (run / "accepted" / STREAM).iterdir()
    return path


def test_what_is_known_of_each(run: Path) -> None:
    first, second = all_of(run)
    assert first.place == Place(STREAM, "a/a.yaml", 1)
    assert first.candidate.identity == Identity(
        "contract", "service", "3fd0a91c4e77b2085a1d", (("", "=\x1b"), ("model", "large-1"))
    )
    assert (first.candidate.completed, first.reason) == (False, "BUDGET_TIME_EXHAUSTED")
    assert (first.run.folder / first.output.path, first.group, first.row) == (accepted(run), 0, 0)
    assert second.place == Place(STREAM, "b.yaml", 1)
    assert (second.candidate.completed, second.reason, second.row) == (True, "COMPLETED", 1)
    assert second.candidate.instant == parse_instant("2026-08-03T12:00:00Z")


def test_the_record_itself(run: Path, tmp_path: Path) -> None:
    record = read_record(all_of(run)[1])
    assert record.sha256 == sha256_hex((tmp_path / "documents" / "b.yaml").read_bytes())
    assert record.fingerprint_form == "text"
    assert json.loads(json.dumps(record.value, default=float)) == signed(SMALL)
    assert str(record.value["criteria"]["c"]["observedPassRate"]) == "0.800000"


def test_the_record_of_a_line(tmp_path: Path) -> None:
    run = run_of_lines(tmp_path, [LARGE, SMALL], APART)
    first, second = all_of(run)
    assert [baseline.place.line for baseline in (first, second)] == [1, 2]
    assert first.output.path < second.output.path
    record = read_record(second)
    assert record.fingerprint_form == "emitter-text"
    assert json.loads(json.dumps(record.value, default=float)) == signed(SMALL)
    assert str(record.value["criteria"]["c"]["observedPassRate"]) == "0.8"


def test_the_text_of_a_line(tmp_path: Path) -> None:
    [baseline] = all_of(run_of_lines(tmp_path, [SMALL], as_text=True))
    record = read_record(baseline)
    assert record.fingerprint_form == "text"
    assert json.loads(json.dumps(record.value, default=float)) == signed(SMALL)


def test_records_in_several_row_groups(run: Path) -> None:
    pq.write_table(pq.read_table(accepted(run), partitioning=None), accepted(run), row_group_size=1)
    seal(run)
    first, second = all_of(run)
    assert [(baseline.group, baseline.row) for baseline in (first, second)] == [(0, 0), (1, 0)]
    assert read_record(second).value["covariateProfile"] == SMALL["covariateProfile"]


def test_covariates_that_the_campaigns_schema_names(tmp_path: Path) -> None:
    plain = run_of_documents(tmp_path / "a", {"a.yaml": SMALL, "b.yaml": stopped(LARGE)})
    named = run_of_documents(tmp_path / "b", {"a.yaml": SMALL, "b.yaml": stopped(LARGE)}, {}, NAMED)
    assert not pq.read_schema(accepted(named)).equals(pq.read_schema(accepted(plain)))
    assert [(b.place, b.candidate, b.reason) for b in all_of(named)] == [
        (b.place, b.candidate, b.reason) for b in all_of(plain)
    ]


def test_a_time_that_is_none_is_before_all_others(tmp_path: Path) -> None:
    lenient = merged(ALL_STAND, {"streams": {STREAM: {"rules": {"timestamp": "allow", "expiry-mismatch": "allow"}}}})
    early, never = (
        measured(generatedAt="0001-01-01T00:00Z", expiration={"expiresInDays": 1}),
        measured(generatedAt="soon"),
    )
    run = run_of_documents(tmp_path, {"a.yaml": never, "b.yaml": early}, lenient)
    first, second = all_of(run)
    assert first.candidate.instant < second.candidate.instant


# Runs that cannot be asked.


def refused(run: Path) -> tuple[Exit, str]:
    with pytest.raises(RunError) as raised:
        for baseline in all_of(run):
            read_record(baseline)
    return raised.value.exit_code, raised.value.reason


def test_no_run(tmp_path: Path) -> None:
    reason = f"manifest-missing: manifest.json: {tmp_path} is no committed run: No such file or directory"
    assert refused(tmp_path) == (Exit.USAGE, reason)


def test_a_manifest_that_was_changed(run: Path) -> None:
    manifest = run / "manifest.json"
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    code, reason = refused(run)
    assert code == Exit.INTEGRITY
    assert reason == (
        "manifest-invalid: manifest.json: not in canonical form (RFC 8785 and a final line feed) "
        f"(and 2 more; see `assay verify {run}`)"
    )


def test_a_run_without_such_a_stream(tmp_path: Path) -> None:
    run = by_plain_functions(write_small(tmp_path / "c"), tmp_path / "out").folder
    assert refused(run) == (Exit.USAGE, f"{run}: none of its streams holds baselines")


def test_nothing_accepted(tmp_path: Path) -> None:
    assert all_of(run_of_documents(tmp_path, {"a.yaml": {"schemaVersion": VERSION}})) == []


def another_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("tamper", "said"),
    [(another_byte, "its SHA-256 is not the listed one"), (Path.unlink, "listed, but not there")],
    ids=["a byte", "the file"],
)
def test_an_accepted_file_that_was_changed(run: Path, tamper: Callable[[Path], None], said: str) -> None:
    tamper(accepted(run))
    assert refused(run) == (Exit.INTEGRITY, f"{accepted_name(run)}: {said}")


def accepted_name(run: Path) -> Path:
    return run / "accepted" / STREAM / "documents-b00000.parquet"


@pytest.mark.parametrize("data", [b"", b"PAR1 but no more", b"x" * 100])
def test_an_accepted_file_that_is_no_parquet_with_all_digests_replaced(run: Path, data: bytes) -> None:
    accepted(run).write_bytes(data)
    seal(run)
    assert refused(run) == (Exit.INTEGRITY, f"{accepted_name(run)}: cannot be read: ArrowInvalid")


def test_a_column_that_is_gone(run: Path) -> None:
    table = pq.read_table(accepted(run), partitioning=None)
    pq.write_table(table.drop_columns("serviceName"), accepted(run))
    seal(run)
    assert refused(run) == (Exit.INTEGRITY, f"{accepted_name(run)}: cannot be read: KeyError")


@pytest.mark.parametrize("column", ["inputsIdentity", "assay_record_sha256"])
def test_columns_that_are_not_the_records(run: Path, column: str) -> None:
    table = pq.read_table(accepted(run), partitioning=None)
    pq.write_table(cells(column, lambda values: [values[0], "other"])(table), accepted(run))
    seal(run)
    assert refused(run) == (Exit.INTEGRITY, f"{accepted_name(run)}: the record of b.yaml line 1 was changed")
