"""`assay check` on spoilt campaigns, `assay run` on the same, and campaigns that are fit."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import NoReturn

import pytest
from campaign_faults import CAMPAIGN_FAULTS
from commands import assay
from golden_campaigns import merged
from spoilt_campaigns import REMOTE, SCHEMA, CampaignFault, with_schema, write_sound

ROOT = Path(__file__).parents[2]
EARLY = [fault for fault in CAMPAIGN_FAULTS if fault.early]


def by_name(fault: CampaignFault) -> str:
    return fault.name


def test_a_sound_campaign(tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    said = assay("check", path)
    assert (said.code, said.out, said.err) == (0, f"{path}: fit to run\n", "")
    assert assay("check", path, "--format", "json").findings == []


def test_the_committed_sample() -> None:
    assert assay("check", ROOT / "manifests" / "sample" / "campaign.json").code == 0


@pytest.mark.parametrize("fault", CAMPAIGN_FAULTS, ids=by_name)
def test_a_spoilt_campaign(fault: CampaignFault, tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    fault.spoil(tmp_path)
    said = assay("check", path, "--format", "json")
    assert (said.code, said.findings, said.err) == (2, list(fault.found), "")


@pytest.mark.parametrize("fault", EARLY, ids=by_name)
def test_a_spoilt_campaign_is_not_run(fault: CampaignFault, tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    fault.spoil(tmp_path)
    said = assay("run", path, "--output", tmp_path / "out")
    code, pointer = fault.found[0]
    place = f"{pointer}: " if pointer else ""
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(f"assay: {path}: {code}: {place}")
    more = len(fault.found) - 1
    assert (f"(and {more} more; see `assay check {path}`)\n" in said.err) == bool(more)
    assert not (tmp_path / "out").exists()


def test_findings_as_text(tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    (tmp_path / "rubric.json").unlink()
    said = assay("check", path)
    assert said.code == 2
    assert said.out == ("document-unreadable: /rubrics/code-review-v1/path: rubric.json: No such file or directory\n")


def test_the_message_says_which_rubric(tmp_path: Path) -> None:
    path = write_sound(tmp_path)
    next(fault for fault in CAMPAIGN_FAULTS if fault.name == "weights beyond one").spoil(tmp_path)
    said = assay("check", path)
    assert said.out == "invalid-rubric: /criteria: rubric 'code-review-v1': the weights sum to 1.01, not to 1\n"


def test_nothing_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/remote.json"

        def refuse(*_: object) -> NoReturn:
            raise AssertionError("a connection was attempted")

        monkeypatch.setattr(socket, "socket", refuse)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)
        path = write_sound(tmp_path)
        for reference in (url, REMOTE["properties"]["task_id"]["$ref"], "https://json-schema.org/draft/2020-12/schema"):
            schema = merged(SCHEMA, {"properties": {"task_id": {"$ref": reference}}})
            with_schema(schema)(tmp_path)
            said = assay("check", path, "--format", "json")
            assert (said.code, said.findings) == (2, [("unresolvable-reference", "/properties/task_id/$ref")])
        with pytest.raises(BlockingIOError):
            server.accept()
