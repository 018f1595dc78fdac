"""A second attempt at a run in a bucket: what it takes over, from this machine's files or from the bucket's."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from errno import ENOSPC
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from commands import assay
from crashes import Counts, Crash, crash
from emulators import download
from golden_campaigns import plain_engine
from processes import sample, start, wait_for

from pipeline import graph
from pipeline.campaign import Campaign, load_campaign
from pipeline.exits import RunError
from pipeline.options import beam_options
from pipeline.run import run
from transforms.storage import objects
from transforms.storage.location import Remote

ENGINE = partial(graph.execute, beam_options([]), progress=False)
SHARED = {"workers of this machine": True, "workers elsewhere": False}
PUBLISH, SETTLE = "pipeline.run.publish", "transforms.blocks.resume.settle_block"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("resume") / "campaign", 300)


@pytest.fixture(scope="module")
def campaign(path: Path) -> Campaign:
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    return campaign


@pytest.fixture(scope="module")
def plain(campaign: Campaign, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = run(campaign, tmp_path_factory.mktemp("plain"), plain_engine, run_id="r").folder
    assert isinstance(folder, Path)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def output(strict: Remote, request: pytest.FixtureRequest) -> Remote:
    return strict / request.node.name.replace(" ", "-")


def work() -> list[Path]:
    """The files of this machine that attempts left."""
    return [path for path in Path(tempfile.gettempdir()).rglob("*") if path.is_file()]


def crashed(
    campaign: Campaign, output: Remote, shared: bool, monkeypatch: pytest.MonkeyPatch, at: str = PUBLISH
) -> None:
    """An attempt that crashed when all blocks were finished, or elsewhere."""
    with monkeypatch.context() as patch, pytest.raises((Crash, RuntimeError), match=r"^$|Crash"):
        patch.setattr(at, crash)
        run(campaign, output, ENGINE, run_id="r", shared=shared)


def finish(
    campaign: Campaign, output: Remote, shared: bool, monkeypatch: pytest.MonkeyPatch, plain: dict[str, bytes]
) -> Counts:
    """What another attempt does anew; the run is whole, and nothing else is left."""
    counts = Counts(monkeypatch)
    run(campaign, output, ENGINE, run_id="r", shared=shared)
    assert download(output / "r") == plain
    assert work() == []
    return counts


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_all_that_is_finished_is_taken_over(
    shared: bool, campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(campaign, output, shared, monkeypatch)
    counts = finish(campaign, output, shared, monkeypatch, plain)
    assert (counts.staged, counts.settled) == ([], [])


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_what_was_judged_is_taken_over_where_nothing_is_settled(
    shared: bool, campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(campaign, output, shared, monkeypatch, SETTLE)
    counts = finish(campaign, output, shared, monkeypatch, plain)
    assert counts.staged == []
    assert len(counts.settled) > 5


@pytest.mark.parametrize("damage", [objects.delete, lambda one: objects.put(one, b"x")], ids=["gone", "changed"])
@pytest.mark.parametrize("suffix", [".arrow", ".claims", ".staged", ".settled", ".parquet"])
def test_damaged_objects_are_made_anew(
    suffix: str,
    damage: Callable[[Remote], None],
    campaign: Campaign,
    plain: dict[str, bytes],
    output: Remote,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crashed(campaign, output, False, monkeypatch)
    victim = [one for one, _ in objects.listing(output / "r") if one.key.endswith(suffix)][1]
    damage(victim)
    counts = finish(campaign, output, False, monkeypatch, plain)
    done = (counts.settled, counts.staged) if suffix in (".settled", ".parquet") else (counts.staged, counts.settled)
    assert done == ([victim.name.removesuffix(suffix)], [])


def test_a_delivered_file_that_is_gone_is_made_anew(
    campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(campaign, output, True, monkeypatch)
    victim = [one for one, _ in objects.listing(output / "r") if one.key.endswith(".parquet")][1]
    objects.delete(victim)
    counts = finish(campaign, output, True, monkeypatch, plain)
    assert (counts.staged, counts.settled) == ([], [victim.name.removesuffix(".parquet")])


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_without_resuming(
    shared: bool, campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed: list[str] = []

    def engine(*arguments: Any, earlier: Any) -> Any:
        settled = ENGINE(*arguments, earlier=earlier)
        names = [*map(str, work()), *(one.key for one, _ in objects.listing(output / "r"))]
        sealed.extend(name for name in names if name.endswith((".staged", ".settled")))
        return settled

    counts = Counts(monkeypatch)
    run(campaign, output, engine, run_id="r", shared=shared, resume=False)
    assert download(output / "r") == plain
    assert len(counts.staged) == len(counts.settled) > 5
    assert (sealed, work()) == ([], [])


def full(*_: object, **__: object) -> NoReturn:
    raise OSError(ENOSPC, "No space left on device")


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_an_attempt_that_fails_says_from_where_the_next_goes_on(
    shared: bool, campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(RunError) as told:
        patch.setattr(PUBLISH, full)
        run(campaign, output, ENGINE, run_id="r", shared=shared)
    folder = next(Path(tempfile.gettempdir()).glob("assay-*/*"), output / "r")
    going_on = f"the same command goes on from what {folder} holds"
    assert (told.value.exit_code, told.value.reason) == (3, f"No space left on device; {going_on}")
    counts = finish(campaign, output, shared, monkeypatch, plain)
    assert (counts.staged, counts.settled) == ([], [])


@pytest.mark.parametrize("shared", SHARED.values(), ids=SHARED)
def test_nothing_is_left_where_an_input_changed(
    shared: bool, output: Remote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other inputs are other work."""
    own = load_campaign(sample(tmp_path / "campaign", 300))
    assert isinstance(own, Campaign)

    def engine(*arguments: Any, earlier: Any) -> Any:
        settled = ENGINE(*arguments, earlier=earlier)
        with next((tmp_path / "campaign/shards").glob("*.jsonl")).open("ab") as shard:
            shard.write(b"{}\n")
        return settled

    with pytest.raises(RunError, match=r"jsonl: it changed while it was read$"):
        run(own, output, engine, run_id="r", shared=shared)
    assert (download(output / "r"), work()) == ({}, [])


def test_a_killed_process(path: Path, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("run", path, "--output", output, "--run-id", "r", "--quiet")
    process = start(*arguments, environment={}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(Path(tempfile.gettempdir()), "*.staged", process)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not objects.exists(output / "r/manifest.json")
    counts = Counts(monkeypatch)
    assert assay(*arguments).code == 0
    assert download(output / "r") == plain
    assert len(counts.staged) < len(counts.settled)
    assert work() == []


def test_nothing_is_kept_of_an_attempt_at_a_run_that_another_committed(
    campaign: Campaign, plain: dict[str, bytes], output: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(campaign, output, True, monkeypatch)
    assert work() != []
    run(campaign, output, ENGINE, run_id="r", shared=False)
    with pytest.raises(RunError, match="is committed already"):
        run(campaign, output, ENGINE, run_id="r")
    assert (download(output / "r"), work()) == (plain, [])
