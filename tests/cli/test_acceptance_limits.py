"""`assay check` and `assay run` on campaigns whose records cannot be accepted, or whose settings do nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from acceptance_limits import ERRORS, FIT, LIMITED, WARNINGS, Limit
from commands import assay

from transforms.digests import sha256_hex


def written(limit: Limit, folder: Path) -> Path:
    path = limit.write(folder)
    suites = json.dumps(
        {"suites_version": "test-suites-v1", "suites": {"t": {"sha256": "c" * 64, "origin": "sponsor"}}}
    ).encode()
    manifest = json.loads(path.read_bytes())
    if "test_suites" in manifest["evidence"]:
        (folder / "suites.json").write_bytes(suites)
        manifest["evidence"]["test_suites"]["sha256"] = sha256_hex(suites)
        path.write_text(json.dumps(manifest), encoding="utf-8")
    return path


@pytest.mark.parametrize("limit", (*ERRORS, *WARNINGS, *FIT), ids=lambda limit: limit.name)
def test_what_check_says(limit: Limit, tmp_path: Path) -> None:
    said = assay("check", written(limit, tmp_path), "--format", "json")
    # Of a campaign that cannot be run only the errors are told, until they are mended.
    found = [row for row in limit.found if limit in WARNINGS or row[0] != LIMITED]
    assert (sorted(said.findings), said.err) == (sorted(found), "")
    assert said.code == (2 if limit in ERRORS else 0)
    severity = "error" if limit in ERRORS else "warning"
    assert {row["severity"] for row in json.loads(said.out)} <= {severity}


def test_a_warning_as_text(tmp_path: Path) -> None:
    path = written(WARNINGS[0], tmp_path)
    said = assay("check", path)
    assert said.out == (
        "warning: acceptance-limited: /without: rubric 'code-review-v1': the campaign goes without reviews: every "
        f"record is held\n{path}: fit to run\n"
    )


def test_a_foreign_policy_names_code_and_kinds(tmp_path: Path) -> None:
    limit = next(one for one in ERRORS if one.name.startswith("rules/wilson-bound"))
    assert assay("check", written(limit, tmp_path)).out == (
        "foreign-setting: /streams/annotations/rules/wilson-bound: 'wilson-bound' is nothing for records of kind "
        "pairwise-v2, only for mavai-baseline-1\n"
    )


def test_a_run_and_its_backfill_warn_once_and_commit(tmp_path: Path) -> None:
    path = written(WARNINGS[0], tmp_path / "campaign")
    said = assay("run", path, "--output", tmp_path / "out", "--run-id", "r", "--quiet", "--format", "json")
    assert said.code == 0
    assert said.err.count("assay: warning: acceptance-limited: /without: ") == 1
    assert [row["code"] for row in json.loads(said.out)["campaign_warnings"]] == [LIMITED]
    again = assay(
        "revalidate",
        path,
        "--from",
        tmp_path / "out" / "r",
        "--held",
        "--output",
        tmp_path / "again",
        "--format",
        "json",
    )
    assert (again.code, json.loads(again.out)["streams"]["annotations"]["codes"]) == (
        0,
        json.loads(said.out)["streams"]["annotations"]["codes"],
    )
    assert again.err.count("assay: warning: acceptance-limited: /without: ") == 1
    assert [row["code"] for row in json.loads(again.out)["campaign_warnings"]] == [LIMITED]


def test_an_unreachable_campaign_is_not_run(tmp_path: Path) -> None:
    path = written(ERRORS[0], tmp_path / "campaign")
    said = assay("run", path, "--output", tmp_path / "out", "--quiet")
    assert (said.code, said.out, (tmp_path / "out").exists()) == (2, "", False)
    assert said.err.startswith(f"assay: {path}: acceptance-unreachable: /streams/annotations/acceptance: ")
