"""One emulator of each sort for a file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from emulators import EMULATORS, STRICT, bucket, emulator, move, needed, use

from transforms.storage import client
from transforms.storage.location import Remote


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an emulator does not answer at once, it will not answer."""
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 5.0)


@pytest.fixture(autouse=True)
def own_machine(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Temporary files in a folder of the test's own, for processes that it starts too."""
    move(tmp_path_factory.mktemp("machine"), monkeypatch)


@pytest.fixture(scope="module", params=EMULATORS)
def either(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the emulator in use: a test with it runs against both, with a bucket `data`."""
    needed()
    with emulator(request.param) as url, use(url):
        bucket("data")
        yield request.param


@pytest.fixture(scope="module")
def strict() -> Iterator[Remote]:
    """A bucket of the emulator that enforces preconditions."""
    needed()
    with emulator(STRICT) as url, use(url):
        bucket("data")
        yield Remote("data")
