"""What the storage service answers, told as the errors that files of this machine raise: OSError with one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EEXIST, EIO, ENOENT

from transforms.storage.location import Remote


class PreconditionUnmet(OSError):
    """The object is not in the state that was asked for: it exists already, or it is another generation."""


@contextmanager
def told(location: Remote) -> Iterator[None]:
    """Turn what the client raises into an OSError that names `location`.

    FileNotFoundError for an object or a bucket that is not there, PermissionError for missing or insufficient
    credentials, PreconditionUnmet where a generation is not the one asked for, OSError for the rest.
    """
    # Loaded already by whoever calls the client.
    from google.api_core import exceptions
    from google.auth.exceptions import GoogleAuthError
    from google.cloud.storage.exceptions import DataCorruption
    from requests.exceptions import RequestException

    url = str(location)
    try:
        yield
    except exceptions.NotFound as error:
        raise FileNotFoundError(ENOENT, "no such object, or no such bucket", url) from error
    except (exceptions.Forbidden, exceptions.Unauthorized) as error:
        raise PermissionError(EACCES, "the credentials do not allow it", url) from error
    except exceptions.PreconditionFailed as error:
        raise PreconditionUnmet(EEXIST, "another generation than expected", url) from error
    except GoogleAuthError as error:
        raise PermissionError(EACCES, f"no usable credentials ({type(error).__name__})", url) from error
    except DataCorruption as error:
        raise OSError(EIO, "the bytes were damaged on their way (CRC32C)", url) from error
    except exceptions.GoogleAPICallError as error:
        raise OSError(EIO, f"the storage service answered {error.code}", url) from error
    except (exceptions.RetryError, RequestException, ConnectionError) as error:
        raise OSError(EIO, f"the storage service cannot be reached ({type(error).__name__})", url) from error
