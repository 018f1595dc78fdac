"""Objects: what is known of them, reading, writing, removing. All of it raises OSError as `faults.told` says."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from errno import EEXIST, EFBIG, EIO
from pathlib import Path
from typing import Any, BinaryIO

from transforms.storage.client import blob_of, bucket_of, client_for, patience
from transforms.storage.faults import PreconditionUnmet, told
from transforms.storage.location import Remote
from transforms.terms import MIB

# A request for each; a request takes some tens of milliseconds however little it asks for.
_RANGE_BYTES = 8 * MIB
_BUFFER_BYTES = MIB
_FIELDS = "items(name,size,generation,crc32c),nextPageToken"
# Tells one's own upload, repeated after its answer was lost, from another's.
_ATTEMPT = "assay-attempt"


@dataclass(frozen=True, slots=True)
class Status:
    """What the bucket says of an object: size in bytes, generation, CRC32C (base64, as RFC 4648, of 4 bytes)."""

    size: int
    generation: int
    crc32c: str


def status(location: Remote) -> Status:
    """What the bucket says of the object now."""
    blob = blob_of(location)
    with told(location):
        blob.reload(**patience())
    return _status(blob)


def exists(location: Remote) -> bool:
    """Whether there is an object of that key; False too where there is no bucket."""
    try:
        status(location)
    except FileNotFoundError:
        return False
    return True


def listing(folder: Remote, prefix: str | None = None) -> Iterator[tuple[Remote, Status]]:
    """Every object below `folder`, or whose key begins with `prefix`, by key; placeholders of folders left out."""
    with told(folder):
        asked = folder.prefix if prefix is None else prefix
        for blob in client_for(folder).list_blobs(folder.bucket, prefix=asked, fields=_FIELDS, **patience()):
            if not blob.name.endswith("/"):
                yield Remote(folder.bucket, blob.name), _status(blob)


def read(location: Remote, start: int = 0, end: int | None = None, generation: int | None = None) -> Iterator[bytes]:
    """Yield the stored bytes from `start` up to `end` (or the last) in buffers of at most 1 MiB, never decompressed.

    With `generation`, bytes of that generation alone: FileNotFoundError or PreconditionUnmet where it is gone.
    """
    blob = blob_of(location, generation)
    position = start
    while end is None or position < end:
        asked = _RANGE_BYTES if end is None else min(_RANGE_BYTES, end - position)
        data = _range(location, blob, position, asked, generation)
        for at in range(0, len(data), _BUFFER_BYTES):
            yield data[at : at + _BUFFER_BYTES]
        position += len(data)
        if len(data) < asked:
            return


def read_whole(location: Remote, most: int) -> bytes:
    """The object's bytes, checked by their CRC32C. Raises OSError too for an object of more than `most` bytes."""
    seen = status(location)
    if seen.size > most:
        raise OSError(EFBIG, f"is larger than {most} bytes", str(location))
    return b"".join(_checked(location, seen))


def fetch(location: Remote, file: BinaryIO) -> Status:
    """Write the object's bytes into `file`, checked by their CRC32C."""
    seen = status(location)
    for buffer in _checked(location, seen):
        file.write(buffer)
    return seen


def create(location: Remote, source: Path | bytes) -> Status:
    """Create the object in one step, or not at all. Raises FileExistsError where there is one, whatever it holds."""
    return _upload(location, source, 0)


def put(location: Remote, source: Path | bytes, unless: Remote | None = None) -> Status:
    """Create the object, or replace one of other content; one of the same content stays as it is.

    Raises FileExistsError where one of other content is there, and the object `unless` too.
    """
    try:
        return _upload(location, source, 0)
    except FileExistsError:
        seen = status(location)
    if (seen.size, seen.crc32c) == _sum_of(source):
        return seen
    if unless and exists(unless):
        raise FileExistsError(EEXIST, f"holds something else, and there is {unless}", str(location))
    return _upload(location, source, seen.generation)


def replace(location: Remote, data: bytes, generation: int) -> Status:
    """Replace that generation of the object. Raises FileExistsError where it is another by now."""
    return _upload(location, data, generation)


def delete(location: Remote) -> None:
    """Remove the object; none there is as good."""
    try:
        with told(location):
            bucket_of(location).delete_blob(location.key, **patience())
    except FileNotFoundError:
        return


def crc32c_text(checksum: Any) -> str:
    """A finished `google_crc32c.Checksum` as buckets write it."""
    return base64.b64encode(checksum.digest()).decode()


def _range(location: Remote, blob: Any, position: int, asked: int, generation: int | None) -> bytes:
    """At most `asked` bytes from `position` on; none behind the last."""
    from google.api_core.exceptions import RequestRangeNotSatisfiable

    with told(location):
        try:
            data: bytes = blob.download_as_bytes(
                start=position,
                end=position + asked - 1,
                raw_download=True,
                checksum=None,
                if_generation_match=generation,
                **patience(),
            )
        except RequestRangeNotSatisfiable:
            return b""
    return data


def _checked(location: Remote, seen: Status) -> Iterator[bytes]:
    import google_crc32c

    checksum = google_crc32c.Checksum()
    for buffer in read(location, 0, seen.size, seen.generation):
        checksum.update(buffer)
        yield buffer
    if crc32c_text(checksum) != seen.crc32c:
        raise OSError(EIO, "its bytes do not have the CRC32C that the bucket states", str(location))


def _upload(location: Remote, source: Path | bytes, generation: int) -> Status:
    """Write the object if its generation is the given one, 0 for none."""
    blob, attempt = blob_of(location), secrets.token_hex(8)
    blob.metadata = {_ATTEMPT: attempt}
    arguments = {"if_generation_match": generation, "checksum": "crc32c", **patience()}
    try:
        with told(location):
            if isinstance(source, Path):
                blob.upload_from_filename(str(source), content_type="application/octet-stream", **arguments)
            else:
                blob.upload_from_string(source, content_type="application/octet-stream", **arguments)
    except PreconditionUnmet as error:
        with told(location):
            blob = bucket_of(location).get_blob(location.key, **patience())
        if blob is None or (blob.metadata or {}).get(_ATTEMPT) != attempt:
            raise FileExistsError(EEXIST, "exists already", str(location)) from error
    return _status(blob)


def _sum_of(source: Path | bytes) -> tuple[int, str]:
    import google_crc32c

    checksum = google_crc32c.Checksum()
    if isinstance(source, bytes):
        checksum.update(source)
        return len(source), crc32c_text(checksum)
    size = 0
    with source.open("rb") as file:
        while buffer := file.read(_BUFFER_BYTES):
            checksum.update(buffer)
            size += len(buffer)
    return size, crc32c_text(checksum)


def _status(blob: Any) -> Status:
    return Status(int(blob.size), int(blob.generation), str(blob.crc32c))
