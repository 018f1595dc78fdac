"""The folder of this machine for a run in a bucket: one for each run, and of this user alone."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest

from pipeline.exits import RunError
from pipeline.work_folder import work_folder
from transforms.blocks.layout import Sealing
from transforms.storage.location import Remote

RUN, SEALING = Remote("data", "out/r"), Sealing("terms", "work")


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"assay-{os.getuid()}"


def test_one_for_each_run(temporary: Path) -> None:
    with work_folder(RUN, SEALING) as one, work_folder(Remote("data", "out/s"), SEALING) as other:
        assert one != other
        assert {one.parent, other.parent} == {temporary}
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o700
    assert list(temporary.iterdir()) == []
    with work_folder(RUN, SEALING) as again:
        assert again == one


def test_another_process_waits_for_no_one() -> None:
    with work_folder(RUN, SEALING), pytest.raises(RunError) as told, work_folder(RUN, SEALING):
        pass
    assert (told.value.exit_code, told.value.reason) == (2, "another process is writing the run r")


def test_what_is_sealed_stays_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError), work_folder(RUN, SEALING) as root:
        (root / ".staging" / "x.staged").write_bytes(b"")
        _ = 1 / 0
    assert (root / ".staging" / "x.staged").exists()
    with pytest.raises(ZeroDivisionError), work_folder(Remote("data", "out/s"), SEALING) as other:
        _ = 1 / 0
    assert not other.exists()


def test_without_seals_nothing_stays(temporary: Path) -> None:
    with work_folder(RUN, None) as one, work_folder(RUN, None) as other:
        assert one != other
        assert one.parent == other.parent == temporary.parent
    assert list(temporary.parent.iterdir()) == []


@pytest.mark.parametrize("kind", ["open to others", "a link", "a file"])
def test_what_may_be_of_another_user_is_not_used(kind: str, temporary: Path, tmp_path: Path) -> None:
    if kind == "open to others":
        temporary.mkdir()
        temporary.chmod(0o770)
    elif kind == "a link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        temporary.symlink_to(tmp_path / "theirs")
    else:
        temporary.touch()
    with pytest.raises(RunError) as told, work_folder(RUN, SEALING):
        pass
    reason = "is not a folder that only this user may use; remove it, or set TMPDIR to another place"
    cannot = f"cannot create the folder {temporary}: File exists"
    assert (told.value.exit_code, told.value.reason) == (2, cannot if kind == "a file" else f"{temporary} {reason}")
