from __future__ import annotations

from pathlib import Path

import pytest

from transforms.storage.location import Location, Remote, locate, within


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gs://b/a/c.json", Remote("b", "a/c.json")),
        ("gs://b", Remote("b")),
        ("gs://b/a/", Remote("b", "a")),
        ("a/c.json", Path("a/c.json")),
        ("/a", Path("/a")),
        ("a//b", Path("a/b")),
    ],
)
def test_what_people_name(text: str, expected: Location) -> None:
    assert locate(text) == expected


@pytest.mark.parametrize("text", ["gs://", "gs:///a", "s3://b/a", "https://example.org/a"])
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=text):
        locate(text)


def test_a_url_is_written_as_it_was_read() -> None:
    assert str(locate("gs://b/a/c d.json")) == "gs://b/a/c d.json"
    assert str(Remote("b")) == "gs://b"


def test_parts() -> None:
    there = Remote("b", "a/c.json")
    assert (there.name, there.parent, there.prefix) == ("c.json", Remote("b", "a"), "a/c.json/")
    assert (there.parent / "../d/./e", Remote("b") / "a", Remote("b").parent) == (
        Remote("b", "d/e"),
        Remote("b", "a"),
        Remote("b"),
    )
    assert (Remote("b", "a") / "..", Remote("b").prefix) == (Remote("b"), "")


@pytest.mark.parametrize(
    ("folder", "text", "expected"),
    [
        (Remote("b", "c"), "s/*.jsonl", Remote("b", "c/s/*.jsonl")),
        (Remote("b", "c"), "gs://d/x", Remote("d", "x")),
        (Remote("b", "c"), "/x", Path("/x")),
        (Path("/c"), "gs://d/x", Remote("d", "x")),
        (Path("/c"), "x", Path("/c/x")),
        (Path("/c"), "/x", Path("/x")),
    ],
)
def test_what_a_file_names(folder: Location, text: str, expected: Location) -> None:
    assert within(folder, text) == expected
