"""How values cross between the rooms: as JSON that says what each is, never as anything that could act when read.

Plain values are copied. Built-in types, exceptions and their classes stand for themselves on the other side. Every
other object stays where it is, and crosses as a number that the other side can only send back.
"""

from __future__ import annotations

import base64
import builtins
import operator
from collections import namedtuple
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import BuiltinFunctionType
from typing import Any, Protocol

from pipeline.evaluate.rooms.errors import ErrorClasses

Written = Any

_SAFE = 1 << 53

TYPES: Mapping[str, Any] = {
    kind.__name__: kind
    for kind in (bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, object)
}
"""What the candidate's room may name: types that only hold what they are given."""
FUNCTIONS: Mapping[str, Any] = {**vars(operator), **vars(builtins)}
"""What the tests may name; the candidate's room takes its own."""

_TO_TEXT: Mapping[type, Callable[[Any], str]] = {
    int: hex,
    float: float.hex,
    bytes: lambda value: base64.b64encode(value).decode(),
    bytearray: lambda value: base64.b64encode(value).decode(),
    Decimal: str,
    Fraction: str,
    date: date.isoformat,
    datetime: datetime.isoformat,
    time: time.isoformat,
    timedelta: lambda value: f"{value.days} {value.seconds} {value.microseconds}",
}
_FROM_TEXT: Mapping[str, Callable[[str], Any]] = {
    "int": lambda text: int(text, 16),
    "float": float.fromhex,
    "bytes": base64.b64decode,
    "bytearray": lambda text: bytearray(base64.b64decode(text)),
    "Decimal": Decimal,
    "Fraction": Fraction,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda text: timedelta(*map(int, text.split())),
}
_FROM_ITEMS: Mapping[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "dict": dict,
    "complex": lambda parts: complex(*parts),
    "range": lambda parts: range(*parts),
}


class Objects(Protocol):
    """The objects that stay where they are."""

    def write_object(self, value: Any) -> Written:
        """What stands for an object of this room, or of the other."""

    def read_object(self, written: Written) -> Any:
        """The object of this room, or what stands here for one of the other's."""


class Values:
    """Writes and reads values. Of built-in types and functions those in `sends` and `takes` cross by name."""

    def __init__(self, objects: Objects, sends: Mapping[str, Any], takes: Mapping[str, Any]) -> None:
        self._objects = objects
        self._sends, self._takes = sends, takes
        self._errors = ErrorClasses()

    def write(self, value: Any) -> Written:
        """A value as JSON."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Enum):
            return ["object", self._objects.write_object(value)]
        if isinstance(value, str):
            return str.__str__(value)
        if isinstance(value, int) and -_SAFE < value < _SAFE:
            return int(value)
        for kind in (type(value), int, float, bytes, bytearray):
            if isinstance(value, kind) and kind in _TO_TEXT:
                return [kind.__name__, _TO_TEXT[kind](value)]
        return self._items(value) or self._other(value)

    def _items(self, value: Any) -> Written:
        """A container's items, or None."""
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["namedtuple", type(value).__name__, list(value._fields), [self.write(item) for item in value]]
        if isinstance(value, dict):
            return ["dict", [self.write(pair) for pair in dict.items(value)]]
        for kind in (list, tuple, set, frozenset):
            if isinstance(value, kind):
                return [kind.__name__, list(map(self.write, value))]
        if type(value) is range:
            return ["range", [self.write(part) for part in (value.start, value.stop, value.step)]]
        return ["complex", [self.write(part) for part in (value.real, value.imag)]] if type(value) is complex else None

    def _other(self, value: Any) -> Written:
        if isinstance(value, type) and issubclass(value, BaseException):
            return ["class", self._errors.write_class(value)]
        if isinstance(value, BaseException):
            return ["error", self._errors.write(value, self.write)]
        if isinstance(value, type | BuiltinFunctionType) and self._sends.get(value.__name__, self) is value:
            return ["named", value.__name__]
        return ["object", self._objects.write_object(value)]

    def read(self, written: Written) -> Any:
        """The value. Raises an exception of any class where it is malformed."""
        if not isinstance(written, list):
            if isinstance(written, float | dict):
                raise TypeError("malformed value")
            return written
        tag, *rest = written
        if tag == "namedtuple":
            name, fields, items = rest
            return _named(name, fields, [self.read(item) for item in items])
        [content] = rest
        if tag in _FROM_TEXT:
            return _FROM_TEXT[tag](content)
        if tag in _FROM_ITEMS:
            return _FROM_ITEMS[tag]([self.read(item) for item in content])
        if tag == "named":
            return self._takes[content]
        if tag == "class":
            return self._errors.read_class(content)
        if tag == "error":
            return self._errors.read(content, self.read)
        if tag == "object":
            return self._objects.read_object(content)
        raise ValueError("malformed value")


def _named(name: Any, fields: Any, items: list[Any]) -> Any:
    """A tuple with names; a plain one where the names cannot be had."""
    try:
        return namedtuple(name, fields)(*items)
    except Exception:
        return tuple(items)
