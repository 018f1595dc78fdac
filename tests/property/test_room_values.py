"""What crosses between the rooms: plain values unchanged, and of anything else that comes nothing but values."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluate.rooms.values import FUNCTIONS, TYPES, Values

PLAIN = (type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range)


class NoObjects:
    """A room in which nothing stays where it is."""

    def write_object(self, value: Any) -> Any:
        raise AssertionError(value)

    def read_object(self, written: Any) -> Any:
        raise ValueError("no object")


TESTS, CODE = Values(NoObjects(), FUNCTIONS, TYPES), Values(NoObjects(), TYPES, FUNCTIONS)

hashable = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4),
    max_leaves=8,
)
values = st.recursive(
    hashable
    | st.fractions()
    | st.dates()
    | st.datetimes()
    | st.times()
    | st.timedeltas()
    | st.complex_numbers(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(hashable, inner, max_size=4) | st.sets(hashable, max_size=4)
    ),
    max_leaves=12,
)


def same(left: Any, right: Any) -> bool:
    """Equal, and of one type all the way down where order is told."""
    if type(left) is not type(right) or left != right:
        return False
    if isinstance(left, list | tuple):
        return all(map(same, left, right))
    return not isinstance(left, dict) or all(same(left[key], right[key]) for key in left)


@given(values)
def test_plain_values_cross_unchanged(value: Any) -> None:
    for sender, receiver in ((TESTS, CODE), (CODE, TESTS)):
        assert same(receiver.read(json.loads(json.dumps(sender.write(value)))), value)


tags = st.sampled_from(
    [
        "list",
        "dict",
        "set",
        "tuple",
        "int",
        "float",
        "bytes",
        "Decimal",
        "range",
        "complex",
        "named",
        "class",
        "error",
        "object",
        "namedtuple",
        "datetime",
        "eval",
        "__import__",
    ]
)
names = st.sampled_from(
    ["eval", "exec", "getattr", "print", "type", "int", "object", "Exception", "SystemExit", "5", ""]
)
answers = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | names | tags,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(tags, inner).map(list)
        | st.tuples(tags, inner, inner, inner).map(list)
        | st.dictionaries(names, inner, max_size=2)
    ),
    max_leaves=12,
)


def harmless(value: Any) -> bool:
    if isinstance(value, type):
        return value in TYPES.values() or issubclass(value, BaseException)
    if isinstance(value, BaseException):
        return harmless(value.args)
    if isinstance(value, dict):
        return all(harmless(part) for pair in value.items() for part in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(harmless, value))
    return isinstance(value, PLAIN) or type(value).__module__ in ("datetime", "decimal", "fractions")


@given(answers)
def test_whatever_comes_is_a_value_or_refused(answer: Any) -> None:
    """No function, no class but those that only hold what they are given, and no exception that would end more."""
    with suppress(Exception):
        assert harmless(TESTS.read(json.loads(json.dumps(answer))))
