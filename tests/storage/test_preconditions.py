from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from transforms.storage import objects
from transforms.storage.location import Remote


def test_an_object_is_created_once(strict: Remote) -> None:
    objects.create(strict / "once", b"first")
    with pytest.raises(FileExistsError, match="exists already") as caught:
        objects.create(strict / "once", b"first")
    assert caught.value.filename == "gs://data/once"
    assert objects.read_whole(strict / "once", 10) == b"first"


def test_of_many_that_create_an_object_one_does(strict: Remote) -> None:
    def create(number: int) -> bool:
        try:
            objects.create(strict / "raced", str(number).encode())
        except FileExistsError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        created = list(pool.map(create, range(8)))
    assert created.count(True) == 1
    assert objects.read_whole(strict / "raced", 10) == str(created.index(True)).encode()


def test_the_same_content_is_not_written_again(strict: Remote) -> None:
    first = objects.put(strict / "same", b"text")
    assert objects.put(strict / "same", b"text") == first
    other = objects.put(strict / "same", b"more")
    assert other.generation != first.generation
    assert objects.read_whole(strict / "same", 10) == b"more"


def test_only_the_generation_seen_is_replaced(strict: Remote) -> None:
    first = objects.put(strict / "replaced", b"1")
    objects.replace(strict / "replaced", b"2", first.generation)
    with pytest.raises(FileExistsError):
        objects.replace(strict / "replaced", b"3", first.generation)
    assert objects.read_whole(strict / "replaced", 10) == b"2"


def test_another_generation_is_not_read(strict: Remote) -> None:
    first = objects.put(strict / "changed", b"first")
    assert b"".join(objects.read(strict / "changed", generation=first.generation)) == b"first"
    objects.put(strict / "changed", b"other")
    with pytest.raises(OSError, match="gs://data/changed"):
        list(objects.read(strict / "changed", generation=first.generation))
