"""Each operation on records that it fits, that it has nothing to do in, and that it cannot be applied to."""

from __future__ import annotations

from typing import Any

import pytest

from transforms.migrations.operations import Failed, apply, undo
from transforms.migrations.read_operations import read_operations

RENAME = {"op": "rename", "from": "/a", "to": "/b"}
INTO = {"op": "rename", "from": "/a", "to": "/o/b"}
COPY = {"op": "copy", "from": "/a", "to": "/b"}
DROP = {"op": "drop", "from": "/o/a", "reason": "nobody reads it"}
WRAP = {"op": "wrap", "from": ["/a", "/b"], "to": "/o"}
ARRAY = {"op": "wrap-in-array", "from": "/a"}
SPLIT = {"op": "split", "from": "/a", "separator": ", ", "to": ["/b", "/a"]}


@pytest.mark.parametrize(
    ("operation", "before", "after"),
    [
        (RENAME, {"a": None}, {"b": None}),
        (RENAME, {"c": 1}, {"c": 1}),
        (INTO, {"a": 1, "o": {"c": 2}}, {"o": {"b": 1, "c": 2}}),
        (COPY, {"a": [1]}, {"a": [1], "b": [1]}),
        (DROP, {"o": {"a": 1, "b": 2}}, {"o": {"b": 2}}),
        (DROP, {"o": 1}, {"o": 1}),
        (WRAP, {"a": 1, "b": 2, "c": 3}, {"o": {"a": 1, "b": 2}, "c": 3}),
        (WRAP, {"b": 2}, {"o": {"b": 2}}),
        (WRAP, {}, {}),
        (ARRAY, {"a": [1]}, {"a": [[1]]}),
        (SPLIT, {"a": "x, y"}, {"b": "x", "a": "y"}),
        (SPLIT, {}, {}),
    ],
)
def test_what_it_gives(operation: dict[str, Any], before: dict[str, Any], after: dict[str, Any]) -> None:
    [read] = read_operations([operation])
    assert apply(read, before) == after
    if operation is not DROP:
        assert undo(read, after) == before


@pytest.mark.parametrize(
    ("operation", "record", "reason"),
    [
        (RENAME, {"a": 1, "b": 2}, "is there already"),
        (RENAME, {"b": 2}, "is there already"),
        (INTO, {"a": 1}, "the object that is to hold it is not there"),
        (COPY, {"a": 1, "b": 2}, "is there already"),
        (WRAP, {"a": 1, "o": {}}, "is there already"),
        (SPLIT, {"a": "x"}, "', ' must part it into 2, not 1"),
        (SPLIT, {"a": "x, y, z"}, "', ' must part it into 2, not 3"),
        (SPLIT, {"a": 5}, "', ' must part it into 2; it is no text"),
        (SPLIT, {"b": "x"}, "is there already"),
    ],
)
def test_what_it_cannot_do(operation: dict[str, Any], record: dict[str, Any], reason: str) -> None:
    [read] = read_operations([operation])
    found = apply(read, record)
    assert isinstance(found, Failed)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("operation", "record"),
    [
        (WRAP, {"o": {"c": 1}}),
        (WRAP, {"o": 1}),
        (ARRAY, {"a": [1, 2]}),
        (SPLIT, {"a": "x"}),
        (SPLIT, {"a": 1, "b": "x"}),
    ],
)
def test_what_it_never_gave_is_not_undone(operation: dict[str, Any], record: dict[str, Any]) -> None:
    [read] = read_operations([operation])
    assert isinstance(undo(read, record), Failed)
