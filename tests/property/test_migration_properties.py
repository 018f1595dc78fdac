"""Operations undo themselves, invent nothing, and leave the record they are given alone."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.migrations.members import ABSENT, get, path_of, pointer_of
from transforms.migrations.operations import (
    Copy,
    Drop,
    Failed,
    Operation,
    Rename,
    Split,
    Wrap,
    WrapInArray,
    apply,
    undo,
)
from transforms.migrations.traces import destination, moves, origin, touched

KEYS = st.sampled_from(["a", "b", "c", "/", "~"])
PATHS = st.lists(KEYS, min_size=1, max_size=3).map(tuple)
SCALARS = st.none() | st.booleans() | st.integers(-9, 9) | st.text("xy-", max_size=6)
RECORDS = st.dictionaries(
    KEYS,
    st.recursive(SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=3) | st.lists(inner, max_size=2)),
    max_size=5,
)
TARGETS = st.lists(PATHS, min_size=2, max_size=3, unique=True).map(tuple)
SOURCES = st.lists(PATHS, min_size=1, max_size=3, unique_by=lambda path: path[-1]).map(tuple)
WITH_INVERSE: st.SearchStrategy[Operation] = st.one_of(
    st.builds(Rename, PATHS, PATHS),
    st.builds(Copy, PATHS, PATHS),
    st.builds(Wrap, SOURCES, PATHS),
    st.builds(WrapInArray, PATHS),
    st.builds(Split, PATHS, st.sampled_from(["-", "xy"]), TARGETS),
)
OPERATIONS = WITH_INVERSE | st.builds(Drop, PATHS, st.just("a reason"))


def scalars(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from scalars(member)
    else:
        yield value


@given(WITH_INVERSE, RECORDS)
def test_an_operation_can_be_undone(operation: Operation, record: dict[str, Any]) -> None:
    changed = apply(operation, record)
    if not isinstance(changed, Failed):
        assert undo(operation, changed) == record


@given(OPERATIONS, RECORDS)
def test_nothing_is_invented(operation: Operation, record: dict[str, Any]) -> None:
    before = deepcopy(record)
    changed = apply(operation, record)
    assert record == before
    if isinstance(changed, Failed):
        return
    known = [(type(value), value) for value in scalars(record)]
    texts = [value for value in scalars(record) if isinstance(value, str)]
    for value in scalars(changed):
        part = isinstance(operation, Split) and isinstance(value, str) and any(value in text for text in texts)
        assert (type(value), value) in known or part
    if isinstance(operation, Drop | Rename | WrapInArray):
        assert len(list(scalars(changed))) <= len(list(scalars(record)))


@given(OPERATIONS, RECORDS)
def test_what_an_operation_moves_is_where_its_trace_says(operation: Operation, record: dict[str, Any]) -> None:
    changed = apply(operation, record)
    if isinstance(changed, Failed) or isinstance(operation, Split | WrapInArray):
        return
    for source, target in moves(operation):
        if (member := get(record, source)) is not ABSENT:
            assert get(changed, target) == member
            assert target in set(touched(operation))
            assert origin((operation,), target) == source
            if not isinstance(operation, Copy):
                assert destination((operation,), source) == target


@given(PATHS)
def test_pointers(path: tuple[str, ...]) -> None:
    assert path_of(pointer_of(path)) == path


def test_what_is_dropped_stays_dropped() -> None:
    with pytest.raises(ValueError, match="cannot be brought back"):
        undo(Drop(("a",), "a reason"), {})
