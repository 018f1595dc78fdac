from __future__ import annotations

import pytest

from transforms.storage.faults import PreconditionUnmet, told
from transforms.storage.location import Remote

pytest.importorskip("google.cloud.storage", reason="OBJECT STORAGE IS NOT TESTED: there is no google-cloud-storage")
from google.api_core import exceptions
from google.auth.exceptions import DefaultCredentialsError, RefreshError
from google.cloud.storage.exceptions import DataCorruption
from requests.exceptions import ConnectionError as NoConnection
from requests.exceptions import ReadTimeout


@pytest.mark.parametrize(
    ("raised", "kind", "reason"),
    [
        (exceptions.NotFound("x"), FileNotFoundError, "no such object, or no such bucket"),
        (exceptions.Forbidden("x"), PermissionError, "the credentials do not allow it"),
        (exceptions.Unauthorized("x"), PermissionError, "the credentials do not allow it"),
        (exceptions.PreconditionFailed("x"), PreconditionUnmet, "another generation than expected"),
        (exceptions.TooManyRequests("x"), OSError, "the storage service answered 429"),
        (exceptions.ServiceUnavailable("x"), OSError, "the storage service answered 503"),
        (exceptions.RetryError("x", None), OSError, "the storage service cannot be reached (RetryError)"),
        (ReadTimeout(), OSError, "the storage service cannot be reached (ReadTimeout)"),
        (NoConnection(), OSError, "the storage service cannot be reached (ConnectionError)"),
        (DefaultCredentialsError(), PermissionError, "no usable credentials (DefaultCredentialsError)"),
        (RefreshError(), PermissionError, "no usable credentials (RefreshError)"),
        (DataCorruption(None), OSError, "the bytes were damaged on their way (CRC32C)"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_what_the_client_raises_is_told_in_a_line(raised: Exception, kind: type[OSError], reason: str) -> None:
    with pytest.raises(OSError) as caught, told(Remote("b", "k")):
        raise raised
    assert type(caught.value) is kind
    assert (caught.value.strerror, caught.value.filename) == (reason, "gs://b/k")


def test_a_bug_stays_a_bug() -> None:
    with pytest.raises(KeyError), told(Remote("b", "k")):
        raise KeyError("x")
