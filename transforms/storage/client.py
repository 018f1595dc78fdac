"""The client of the storage service: made when it is first needed, one for each process."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from transforms.storage.faults import told
from transforms.storage.location import Remote

# For one request with its retries, as google-cloud-storage repeats what may be repeated, with growing pauses.
DEADLINE_SECONDS = 120.0
# To connect, and to wait for the next bytes.
_TIMEOUT_SECONDS = (10.0, 60.0)


def blob_of(location: Remote, generation: int | None = None) -> Any:
    """The client's handle for an object, at one of its generations. Raises PermissionError without credentials."""
    return bucket_of(location).blob(location.key, generation=generation)


def bucket_of(location: Remote) -> Any:
    """The client's handle for a bucket. Raises PermissionError without credentials."""
    return client_for(location).bucket(location.bucket)


def client_for(location: Remote) -> Any:
    """The client. Raises PermissionError, which names `location`, without credentials."""
    with told(location):
        return _client(os.environ.get("STORAGE_EMULATOR_HOST"))


def patience() -> dict[str, Any]:
    """How long a request may take, and how it is repeated: arguments of every request."""
    from google.cloud.storage.retry import DEFAULT_RETRY

    return {"timeout": _TIMEOUT_SECONDS, "retry": DEFAULT_RETRY.with_timeout(DEADLINE_SECONDS)}


@cache
def _client(_emulator: str | None) -> Any:
    """The client reads the emulator's address itself, and then needs no credentials."""
    from google.cloud import storage

    return storage.Client()
