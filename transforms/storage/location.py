"""Where a file is: a path of this machine, or an object in a bucket of Google Cloud Storage."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

SCHEME = "gs://"
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True, order=True)
class Remote:
    """An object, or what stands for a folder of objects: its bucket, and its key without a slash at either end."""

    bucket: str
    key: str = ""

    def __str__(self) -> str:
        return f"{SCHEME}{self.bucket}/{self.key}" if self.key else f"{SCHEME}{self.bucket}"

    def __truediv__(self, relative: str) -> Remote:
        key = posixpath.normpath(posixpath.join(self.key, relative))
        return Remote(self.bucket, "" if key == "." else key)

    @property
    def name(self) -> str:
        """The last part of the key."""
        return self.key.rpartition("/")[2]

    @property
    def parent(self) -> Remote:
        """What holds it; the bucket holds itself."""
        return Remote(self.bucket, self.key.rpartition("/")[0])

    @property
    def prefix(self) -> str:
        """What the keys of everything below it begin with."""
        return f"{self.key}/" if self.key else ""


Location = Path | Remote


def is_remote(text: str) -> bool:
    """Whether a path as people write it names an object."""
    return text.startswith(SCHEME)


def locate(text: str) -> Location:
    """The location that a person named. Raises ValueError for a URL that is none of a bucket's."""
    if is_remote(text):
        return remote(text)
    if _URL.match(text):
        raise ValueError(f"{text}: of URLs, only gs:// ones are known")
    return Path(text)


def remote(text: str) -> Remote:
    """The object, or folder of objects, that a gs:// URL names. Raises ValueError for one without a bucket."""
    bucket, _, key = text.removeprefix(SCHEME).partition("/")
    if not bucket:
        raise ValueError(f"{text}: names no bucket")
    return Remote(bucket, key.rstrip("/"))


def within(folder: Location, text: str) -> Location:
    """What `text` names when it stands in a file of `folder`: it is relative to that, or a path or URL of its own."""
    if is_remote(text):
        return remote(text)
    return Path(text) if text.startswith("/") else folder / text
