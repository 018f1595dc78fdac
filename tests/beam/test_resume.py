"""A second attempt at a run: what it takes over, what it does anew, and that the files are the same."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from crashes import Counts, Crash, crash
from golden_campaigns import plain_engine
from processes import digests, sample

from pipeline import graph
from pipeline.campaign import Campaign, load_campaign
from pipeline.options import beam_options
from pipeline.run import run

MANIFESTS = Path(__file__).parents[2] / "manifests"
SAMPLES = ["sample", "kinds", "baselines", "acceptance", "workbench"]
ENGINE = partial(graph.execute, beam_options([]), progress=False)


def loaded(path: Path) -> Campaign:
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    return campaign


def crashed(
    campaign: Campaign, output: Path, monkeypatch: pytest.MonkeyPatch, at: str = "pipeline.run.publish"
) -> Path:
    """The folder of a run that crashed when all blocks were finished, or elsewhere."""
    with monkeypatch.context() as patch, pytest.raises((Crash, RuntimeError), match=r"^$|Crash"):
        patch.setattr(at, crash)
        run(campaign, output, ENGINE, run_id="r")
    return output / "r"


@pytest.mark.parametrize("name", SAMPLES)
def test_all_that_is_finished_is_taken_over(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For every kind of record and of evidence; nothing of the second attempt is judged or written anew."""
    campaign = loaded(MANIFESTS / name / "campaign.json")
    plain = digests(run(campaign, tmp_path / "plain", plain_engine, run_id="r").folder)
    crashed(campaign, tmp_path, monkeypatch)
    counts = Counts(monkeypatch)
    assert digests(run(campaign, tmp_path, ENGINE, run_id="r").folder) == plain
    assert (counts.staged, counts.settled) == ([], [])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("resume") / "campaign", 300)


@pytest.fixture(scope="module")
def plain(path: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return digests(run(loaded(path), tmp_path_factory.mktemp("plain"), plain_engine, run_id="r").folder)


def test_what_was_judged_is_taken_over_where_nothing_is_settled(
    path: Path, plain: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(loaded(path), tmp_path, monkeypatch, "transforms.blocks.resume.settle_block")
    counts = Counts(monkeypatch)
    assert digests(run(loaded(path), tmp_path, ENGINE, run_id="r").folder) == plain
    assert counts.staged == []
    assert len(counts.settled) > 5


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


@pytest.mark.parametrize("damage", [flip, halve, Path.unlink])
@pytest.mark.parametrize("suffix", [".arrow", ".claims", ".staged", ".settled", ".parquet"])
def test_damaged_files_are_made_anew(
    suffix: str,
    damage: Callable[[Path], None],
    path: Path,
    plain: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    victim = sorted(crashed(loaded(path), tmp_path, monkeypatch).rglob(f"*{suffix}"))[1]
    damage(victim)
    counts = Counts(monkeypatch)
    assert digests(run(loaded(path), tmp_path, ENGINE, run_id="r").folder) == plain
    done = (counts.settled, counts.staged) if suffix in (".settled", ".parquet") else (counts.staged, counts.settled)
    assert done == ([victim.stem], [])


def test_without_resuming(path: Path, plain: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed(loaded(path), tmp_path, monkeypatch)
    counts = Counts(monkeypatch)
    kept: list[Path] = []

    def engine(*arguments, earlier):  # type: ignore[no-untyped-def]
        settled = ENGINE(*arguments, earlier=earlier)
        kept.extend(tmp_path.rglob("*.staged"))
        return settled

    assert digests(run(loaded(path), tmp_path, engine, run_id="r", resume=False).folder) == plain
    assert len(counts.staged) == len(counts.settled) > 5
    assert kept == []


def test_other_inputs_under_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of the unchanged shards are not judged again, and none is settled by what another input said."""
    path = sample(tmp_path / "campaign", 300)
    crashed(loaded(path), tmp_path, monkeypatch)
    [changed, *_] = sorted((path.parent / "shards").glob("*.jsonl"))
    lines = changed.read_bytes().splitlines(keepends=True)
    changed.write_bytes(b"".join(lines[:5]))
    plain = digests(run(loaded(path), tmp_path / "plain", plain_engine, run_id="r").folder)
    counts = Counts(monkeypatch)
    assert digests(run(loaded(path), tmp_path, ENGINE, run_id="r").folder) == plain
    assert counts.staged == [f"{changed.name}-b00000"]
    assert len(counts.settled) > 5


def test_other_terms_under_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = sample(tmp_path / "campaign", 300)
    crashed(loaded(path), tmp_path, monkeypatch)
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["limits"]["max_depth"] = 8
    path.write_text(json.dumps(manifest), encoding="utf-8")
    plain = digests(run(loaded(path), tmp_path / "plain", plain_engine, run_id="r").folder)
    counts = Counts(monkeypatch)
    assert digests(run(loaded(path), tmp_path, ENGINE, run_id="r").folder) == plain
    assert len(counts.staged) == len(counts.settled) > 5


def test_another_place_of_the_run(
    path: Path, plain: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that is sealed names the folder that it is in."""
    crashed(loaded(path), tmp_path / "here", monkeypatch).parent.rename(tmp_path / "there")
    counts = Counts(monkeypatch)
    assert digests(run(loaded(path), tmp_path / "there", ENGINE, run_id="r").folder) == plain
    assert (counts.staged, counts.settled) == ([], [])
