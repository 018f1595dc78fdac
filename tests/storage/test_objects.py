from __future__ import annotations

import gzip
import os
from io import BytesIO
from pathlib import Path

import pytest

from transforms.storage import client, objects
from transforms.storage.location import Remote
from transforms.terms import MIB

pytestmark = pytest.mark.usefixtures("either")
DATA = Remote("data")


def test_what_is_put_is_read(tmp_path: Path) -> None:
    big = os.urandom(9 * MIB + 5)
    (tmp_path / "big").write_bytes(big)
    objects.put(DATA / "r/big", tmp_path / "big")
    assert b"".join(objects.read(DATA / "r/big")) == big
    assert b"".join(objects.read(DATA / "r/big", 7, 8 * MIB + 9)) == big[7 : 8 * MIB + 9]
    assert max(map(len, objects.read(DATA / "r/big"))) == MIB
    assert objects.read_whole(DATA / "r/big", 10 * MIB) == big
    file = BytesIO()
    assert objects.fetch(DATA / "r/big", file).size == len(big)
    assert file.getvalue() == big


@pytest.mark.parametrize(("start", "end"), [(0, None), (0, 0), (0, 10), (5, None), (5, 9)])
def test_nothing_is_read_where_there_is_nothing(start: int, end: int | None) -> None:
    objects.put(DATA / "empty", b"")
    assert list(objects.read(DATA / "empty", start, end)) == []


def test_too_large_an_object_is_not_read() -> None:
    objects.put(DATA / "eleven", b"hello world")
    with pytest.raises(OSError, match="is larger than 10 bytes"):
        objects.read_whole(DATA / "eleven", 10)


def test_stored_bytes_are_not_decompressed() -> None:
    packed = gzip.compress(b"one line\n")
    blob = client.blob_of(DATA / "x.gz")
    blob.content_encoding = "gzip"
    blob.upload_from_string(packed, content_type="text/plain")
    assert b"".join(objects.read(DATA / "x.gz")) == packed


def test_status_says_size_and_crc32c() -> None:
    seen = objects.put(DATA / "hello", b"hello world")
    # RFC 3720's polynomial; the value that `gsutil hash` gives for these bytes.
    assert (seen.size, seen.crc32c) == (11, "yZRlqg==")
    assert objects.status(DATA / "hello") == seen


def test_a_listing_has_what_lies_below_in_order() -> None:
    for key in ("l/b", "l/a/ü #?%x.jsonl", "l/a/", "lx"):
        objects.put(Remote("data", key), b"1")
    assert [one.key for one, _ in objects.listing(DATA / "l")] == ["l/a/ü #?%x.jsonl", "l/b"]
    assert [one.key for one, _ in objects.listing(DATA, "l/a/ü")] == ["l/a/ü #?%x.jsonl"]
    assert list(objects.listing(DATA / "nowhere")) == []


def test_deleting_twice_is_as_good_as_once() -> None:
    objects.put(DATA / "gone", b"1")
    objects.delete(DATA / "gone")
    objects.delete(DATA / "gone")
    assert not objects.exists(DATA / "gone")


@pytest.mark.parametrize("location", [DATA / "none", Remote("no-such-bucket", "none")], ids=str)
def test_what_is_not_there(location: Remote) -> None:
    with pytest.raises(FileNotFoundError, match="no such object, or no such bucket") as caught:
        objects.status(location)
    assert caught.value.filename == str(location)
    with pytest.raises(FileNotFoundError):
        list(objects.read(location))
    assert not objects.exists(location)


def test_no_bucket_can_be_written_to() -> None:
    with pytest.raises(FileNotFoundError, match="gs://no-such-bucket/x"):
        objects.put(Remote("no-such-bucket", "x"), b"1")
    with pytest.raises(FileNotFoundError, match="gs://no-such-bucket"):
        list(objects.listing(Remote("no-such-bucket")))


def test_a_service_that_cannot_be_reached_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", "http://127.0.0.1:9")
    monkeypatch.setattr(client, "DEADLINE_SECONDS", 0.5)
    with pytest.raises(OSError, match="cannot be reached"):
        objects.status(DATA / "x")
