"""`assay verify` decides again what a run decided."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from commands import assay, run
from decision_forgeries import DECISIONS, FORGERIES, DecisionForgery, forge
from tampering import seal

from pipeline.sample.acceptance.campaign import write_acceptance_sample


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions")
    return run(write_acceptance_sample(folder / "sample", 1, 1), folder)


def test_what_was_decided_follows(ran: Path) -> None:
    said = assay("verify", ran)
    assert (said.code, said.out, said.err) == (0, f"{ran}: whole\n", "")


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.about)
def test_a_decision_that_does_not_follow(forgery: DecisionForgery, ran: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(ran, tmp_path / "run")
    row = forge(copy, forgery)
    said = assay("verify", copy, "--format", "json")
    assert said.code == 3
    found = json.loads(said.out)
    assert {each["code"] for each in found} == set(forgery.codes)
    assert {each["pointer"] for each in found} == {forgery.path}
    assert any(forgery.names in each["message"] for each in found)
    if forgery.codes == ("decision-differs",):
        assert found[0]["message"].startswith(f"{row['stream']}/{row['shard']} line {row['line']}: ")


def test_decisions_that_are_gone(ran: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(ran, tmp_path / "run")
    (copy / DECISIONS).unlink()
    manifest = json.loads((copy / "manifest.json").read_bytes())
    manifest["outputs"] = [row for row in manifest["outputs"] if row["path"] != DECISIONS]
    (copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    seal(copy)
    if not any((copy / DECISIONS).parent.iterdir()):
        (copy / DECISIONS).parent.rmdir()
    said = assay("verify", copy, "--format", "json")
    found = json.loads(said.out)
    assert (said.code, {each["code"] for each in found}) == (3, {"decision-differs"})
    assert all(each["message"].endswith("accepted, and not decided on") for each in found)
