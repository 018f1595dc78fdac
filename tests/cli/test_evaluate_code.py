"""`assay evaluate`: from a run whose code waits for tests to the executions that the next run takes as evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from code_campaign import (
    BAD,
    GOOD,
    NAME,
    NOTHING,
    SECONDS,
    answer,
    code_campaign,
    pinned_digest,
    record,
    run_without_rubrics,
    shard,
    write_tests,
)
from commands import Said, assay
from evidence_records import a_review
from golden_campaigns import STREAM, Ran, by_plain_functions
from sandboxed import NEEDS_BUBBLEWRAP, sandbox

import schemas
from pipeline.evaluate.configuration import Identity, identity_of
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json
from transforms.structure import check, compile_validator
from transforms.terms import Validator

pytestmark = NEEDS_BUBBLEWRAP

TASKS = ("t-1", "t-2", "t-3")
TIE = {"preference": "tie", "rationale": "Both of them answer it in the same way."}


@pytest.fixture(scope="module")
def identity() -> Identity:
    return identity_of(sandbox())


@pytest.fixture
def tests(tmp_path: Path) -> Path:
    return write_tests(tmp_path / "tests", TASKS)


def evaluated(tmp_path: Path, campaign: Path, run: Path, tests: Path, *flags: str) -> Said:
    return assay(
        "evaluate", "code", campaign, "--run", run, "--tests", tests, "--output", tmp_path / "executions.jsonl", *flags
    )


def executions(tmp_path: Path) -> list[Json]:
    return [json.loads(line) for line in (tmp_path / "executions.jsonl").read_bytes().splitlines()]


def expected(identity: Identity, suites: Path, value: Json, code: str, **ending: Any) -> Json:
    return {
        "schema_version": "code-execution-v1",
        "task_id": value["task_id"],
        "record_sha256": sha256_hex(canonical_json(value)),
        "code_sha256": sha256_hex(code.encode()),
        "executor": {
            "name": NAME,
            "version": identity.version,
            "configuration_sha256": identity.configuration_sha256,
        },
        "interpreter": identity.interpreter,
        "dependencies": {},
        "test_suite": {"sha256": pinned_digest(suites, value["task_id"]), "origin": "sponsor"},
        "limits": {
            "timeout_seconds": SECONDS,
            "cpu_seconds": SECONDS + 1,
            "memory_bytes": 1 << 30,
            "processes": 32,
            "file_bytes": 64 << 20,
            "output_bytes": 1 << 20,
        },
        "exit_status": 0,
        "timed_out": False,
        "tests": {"passed": 1, "failed": [], "errors": 0},
    } | ending


def test_executions_of_accepted_and_held_records(identity: Identity, tests: Path, tmp_path: Path) -> None:
    good = record("t-1", GOOD)
    again = {**good, "ratings": {**good["ratings"], "style": 1}}
    bad, tie = record("t-2", BAD), {**record("t-3", "raise ValueError\n"), **TIE, "response_b": answer("x = 1\n")}
    left_out = (record("t-4", "y = 2\n"), record("t-5", "", response_a="Words."))
    run = run_without_rubrics(
        tmp_path / "run", {"b.jsonl": shard(good, bad, left_out[0]), "a.jsonl": shard(again, left_out[1], tie)}
    )
    campaign = code_campaign(tmp_path / "c", tests, identity)
    said = evaluated(tmp_path, campaign, run, tests)
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "5 executions, 2 with all tests passed; left out 1 records without code, 1 without pinned tests\n"
    )
    failed = {"exit_status": 1, "tests": {"passed": 0, "failed": ["test_it.py::test_it"], "errors": 0}}
    broken = {"exit_status": 1, "tests": {"passed": 0, "failed": [], "errors": 1}}
    assert executions(tmp_path) == [
        expected(identity, tests, again, GOOD),
        expected(identity, tests, tie, "raise ValueError\n", **broken),
        expected(identity, tests, tie, "x = 1\n", **broken),
        expected(identity, tests, good, GOOD),
        expected(identity, tests, bad, BAD, **failed),
    ]
    assert sorted(path.name for path in tmp_path.glob("*exec*")) == ["executions.jsonl"]


def test_the_lines_are_canonical_and_valid_and_always_the_same(identity: Identity, tests: Path, tmp_path: Path) -> None:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD), record("t-2", BAD))})
    campaign = code_campaign(tmp_path / "c", tests, identity)
    output = tmp_path / "executions.jsonl"
    assert evaluated(tmp_path, campaign, run, tests).code == 0
    first = output.read_bytes()
    validator = compile_validator(schemas.load_schema("records", "code-execution-v1"), Validator())
    for line in first.splitlines():
        assert canonical_json(json.loads(line)) == line
        assert check(json.loads(line), validator, 10) == ()
    output.unlink()
    assert evaluated(tmp_path, campaign, run, tests).code == 0
    assert output.read_bytes() == first


def gated(folder: Path, tests: Path, identity: Identity, without: list[str]) -> Path:
    """A campaign whose rubric wants passed tests and one review."""
    rubric = json.dumps(
        {
            "rubric_version": "code-review-v1",
            "scale": {"minimum": 1, "maximum": 5},
            "criteria": [{"id": "correctness", "weight": 1, "minimum_score": 3}],
            "weighted_acceptance_score": 4,
            "hard_gates": {"required_tests_pass": True},
            "review_policy": {"independent_reviews": 1, "minimum_accept_votes": 1, "disagreement_action": "hold"},
        }
    ).encode()
    evidence: dict[str, Any] = {
        fact: {"kind": kind, "versions": [kind], "input": f"{fact}/*.jsonl"}
        for fact, kind in (("reviews", "review-v1"), ("code-executions", "code-execution-v1"))
        if fact not in without
    }
    shipped = {
        stream["kind"]: {
            "path": f"assay:{stream['kind']}",
            "sha256": sha256_hex(schemas.schema_path("records", stream["kind"]).read_bytes()),
        }
        for stream in evidence.values()
    }
    patch = {
        "rubrics": {"code-review-v1": {"path": "gated.json", "sha256": sha256_hex(rubric)}},
        "schemas": shipped,
        "streams": {**evidence, STREAM: {"input": "shards/*.jsonl"}},
        "without": without,
    }
    path = code_campaign(folder, tests, identity, patch)
    (folder / "gated.json").write_bytes(rubric)
    return path


def review(value: Json) -> Json:
    named = {"task_id": value["task_id"], "record_sha256": sha256_hex(canonical_json(value))}
    return a_review(**named, scores={"correctness": 5}, gates={})


def test_what_waits_for_tests_is_decided_by_them(identity: Identity, tests: Path, tmp_path: Path) -> None:
    good, bad = record("t-1", GOOD), record("t-2", BAD)
    folder = tmp_path / "c"
    for name, data in (("shards", shard(good, bad)), ("reviews", shard(review(good), review(bad)))):
        (folder / name).mkdir(parents=True)
        (folder / name / "a.jsonl").write_bytes(data)
    waiting: Ran = by_plain_functions(
        gated(folder, tests, identity, ["code-executions", "tasks"]), tmp_path / "out" / "first"
    )
    assert waiting.lines() == {"1": ["gate-evidence-missing"], "2": ["gate-evidence-missing"]}
    assert evaluated(tmp_path, folder / "campaign.json", waiting.folder, tests).code == 0
    (folder / "code-executions").mkdir()
    (tmp_path / "executions.jsonl").rename(folder / "code-executions" / "a.jsonl")
    decided = by_plain_functions(gated(folder, tests, identity, ["tasks"]), tmp_path / "out" / "second")
    assert decided.lines("reviews") == {}
    assert decided.lines() == {"2": ["gate-failed/required_tests_pass"]}
    assert decided.manifest["streams"]["code-executions"]["records"]["accepted"] == 2


# What is refused, before anything is run.


def refused(tmp_path: Path, identity: Identity, tests: Path, patch: Mapping[str, Any] = NOTHING, *flags: str) -> Said:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD))})
    said = evaluated(tmp_path, code_campaign(tmp_path / "c", tests, identity, patch), run, tests, *flags)
    assert said.out == ""
    assert not (tmp_path / "executions.jsonl").exists()
    return said


def test_other_tests_than_the_pinned(identity: Identity, tests: Path, tmp_path: Path) -> None:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD))})
    campaign = code_campaign(tmp_path / "c", tests, identity)
    pinned = pinned_digest(tests, "t-1")
    (tests / "t-1" / "test_it.py").write_text("def test_it(): pass\n", encoding="utf-8")
    said = evaluated(tmp_path, campaign, run, tests)
    reason = f"assay: task 't-1': its tests have SHA-256 {pinned_digest(tests, 't-1')}, pinned is {pinned}\n"
    assert (said.code, said.err) == (2, reason)
    (tests / "t-1" / "test_it.py").unlink()
    assert evaluated(tmp_path, campaign, run, tests).err == f"assay: {tests}/t-1: holds no tests\n"
    (tests / "t-1").rmdir()
    said = evaluated(tmp_path, campaign, run, tests)
    assert (said.code, said.err) == (2, f"assay: {tests}/t-1: is no folder of tests\n")
    assert not (tmp_path / "executions.jsonl").exists()


def test_another_executor_than_the_pinned(identity: Identity, tests: Path, tmp_path: Path) -> None:
    patch = {"evidence": {"executors": {NAME: {"configuration_sha256": "ab" * 32}}}}
    said = refused(tmp_path, identity, tests, patch)
    own = identity.configuration_sha256
    reason = f"the campaign pins {NAME!r} with configuration_sha256 {'ab' * 32}; this one has {own}"
    assert (said.code, said.err) == (2, f"assay: {reason}\n")
    said = refused(tmp_path / "b", identity, tests, NOTHING, "--executor", "other")
    assert (said.code, said.err) == (2, f"assay: 'other' is none of the campaign's executors ({NAME})\n")


def test_another_language_version(identity: Identity, tests: Path, tmp_path: Path) -> None:
    patch = {"streams": {STREAM: {"acceptance": {"code": {"version": "3.12"}}}}}
    said = refused(tmp_path, identity, tests, patch)
    reason = f"stream {STREAM!r}: its code is Python 3.12, not {identity.interpreter}"
    assert (said.code, said.err) == (2, f"assay: {reason}\n")


def test_a_campaign_that_does_not_load(tests: Path, identity: Identity, tmp_path: Path) -> None:
    patch = {"evidence": {"test_suites": {"sha256": "ab" * 32}}}
    said = refused(tmp_path, identity, tests, patch)
    path = tmp_path / "c" / "campaign.json"
    assert said.code == 2
    assert said.err.startswith(
        f"assay: {path}: digest-mismatch: /evidence/test_suites/sha256: suites.json has SHA-256 "
    )
    assert said.err.endswith(f" (see `assay check {path}`)\n")


def test_nothing_to_run(identity: Identity, tests: Path, tmp_path: Path) -> None:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-9", GOOD))})
    said = evaluated(tmp_path, code_campaign(tmp_path / "c", tests, identity), run, tests)
    assert (said.code, said.out, said.err) == (1, "", f"assay: {run}: no record has code and pinned tests\n")
    assert not (tmp_path / "executions.jsonl").exists()


def test_a_file_that_is_there_is_never_replaced(identity: Identity, tests: Path, tmp_path: Path) -> None:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD))})
    output = tmp_path / "executions.jsonl"
    output.write_bytes(b"mine\n")
    said = evaluated(tmp_path, code_campaign(tmp_path / "c", tests, identity), run, tests)
    assert (said.code, said.err, output.read_bytes()) == (2, f"assay: {output}: exists already\n", b"mine\n")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none/executions.jsonl", "No such file or directory"),
        ("file/executions.jsonl", "Not a directory"),
        ("x" * 250, "File name too long"),
    ],
    ids=["no folder", "a file", "a long name"],
)
def test_an_output_that_cannot_be_created(
    name: str, why: str, identity: Identity, tests: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_bytes(b"")
    # That room would not open.
    monkeypatch.setattr("pipeline.evaluate.sandbox.find_bubblewrap", lambda: "/none")
    said = refused(tmp_path, identity, tests, NOTHING, "--output", str(tmp_path / name))
    assert (said.code, said.err) == (2, f"assay: {tmp_path / name}: cannot be created: {why}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "file", "run", "tests"]


def test_no_folder_of_tests(identity: Identity, tests: Path, tmp_path: Path) -> None:
    said = refused(tmp_path, identity, tests, NOTHING, "--tests", str(tmp_path / "none"))
    assert (said.code, said.err) == (2, f"assay: {tmp_path / 'none'}: is no folder\n")


def test_no_sandbox(identity: Identity, tests: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = refused(tmp_path, identity, tests)
    reason = "assay: no bwrap on the path: code runs only in its sandbox; install bubblewrap\n"
    assert (said.code, said.err) == (2, reason)


def test_a_sandbox_that_does_not_open(
    identity: Identity, tests: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no permissions' >&2\nexit 1\n", encoding="utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    said = refused(tmp_path, identity, tests)
    assert (said.code, said.err) == (3, "assay: the sandbox does not open: bwrap: no permissions\n")


def test_a_suite_with_a_file_that_the_harness_would_import(identity: Identity, tests: Path, tmp_path: Path) -> None:
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(record("t-1", GOOD))})
    campaign = code_campaign(tmp_path / "c", tests, identity)
    (tests / "t-1" / "json.py").write_text("raise SystemExit\n", encoding="utf-8")
    said = evaluated(tmp_path, campaign, run, tests)
    reason = f"assay: {tests}/t-1: json.py cannot be imported: there is another module 'json'\n"
    assert (said.code, said.err) == (2, reason)
    assert assay("evaluate", "suites", tests).err == reason


# For pinning.


def test_the_configuration_to_pin(identity: Identity) -> None:
    said = assay("evaluate", "configuration", "--timeout", "30")
    assert said.code == 0
    assert json.loads(said.out) == {
        "assay-sandbox": {
            "version": identity.version,
            "configuration_sha256": identity.configuration_sha256,
            "interpreter": identity.interpreter,
            "timeout_seconds": 30,
        }
    }


def test_the_suites_to_pin(tests: Path) -> None:
    said = assay("evaluate", "suites", tests, "--origin", "generated")
    assert said.code == 0
    document = json.loads(said.out)
    assert document["suites"]["t-2"] == {"sha256": pinned_digest(tests, "t-2"), "origin": "generated"}
    validator = compile_validator(schemas.load_schema("documents", "test-suites-v1"), Validator())
    assert check(document, validator, 10) == ()


def test_several_pieces_are_one_program(identity: Identity, tests: Path, tmp_path: Path) -> None:
    value = record("t-1", "", response_a=f"{answer('factor = 2' + chr(10))}\n{answer(GOOD.replace('2', 'factor'))}")
    run = run_without_rubrics(tmp_path / "run", {"a.jsonl": shard(value)})
    assert evaluated(tmp_path, code_campaign(tmp_path / "c", tests, identity), run, tests).code == 0
    [execution] = executions(tmp_path)
    pieces = ("factor = 2\n", "def double(number):\n    return factor * number\n")
    digests = "".join(f"{sha256_hex(piece.encode())}\n" for piece in pieces)
    assert execution["code_sha256"] == sha256_hex(digests.encode())
    assert execution["tests"] == {"passed": 1, "failed": [], "errors": 0}
