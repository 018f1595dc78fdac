"""One Prism and one worker pool for all tests that leave them whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from other_engines import Server, build_prism, prism_server, worker_pool


@pytest.fixture(scope="session")
def binary() -> Path:
    return build_prism()


@pytest.fixture(scope="session")
def prism(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with prism_server(binary, tmp_path_factory.mktemp("prism")) as server:
        yield server


@pytest.fixture(scope="session")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with worker_pool(tmp_path_factory.mktemp("pool")) as server:
        yield server
