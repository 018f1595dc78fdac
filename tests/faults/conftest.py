"""A campaign of several blocks, what an undisturbed run of it publishes, and a file system that fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from failing_files import FailingFiles
from fault_trials import Trial
from processes import digests, sample

RECORDS = 60


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FailingFiles]:
    server = FailingFiles(tmp_path_factory.mktemp("server"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def undisturbed(files: FailingFiles, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    folder = tmp_path_factory.mktemp("undisturbed")
    trial = Trial(files, sample(folder / "campaign", RECORDS), folder / "out" / "r", {})
    assert trial.run("--no-resume").code == 0
    trial.plain = digests(trial.folder)
    return trial


@pytest.fixture
def trial(undisturbed: Trial, tmp_path: Path) -> Trial:
    return Trial(undisturbed.files, undisturbed.campaign, tmp_path / "out" / "r", undisturbed.plain)
