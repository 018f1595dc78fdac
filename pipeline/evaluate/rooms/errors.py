"""How exceptions cross between the rooms: by name and arguments, as classes of the room that they come to."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

Written = Any
Encode = Callable[[Any], Written]
Decode = Callable[[Written], Any]


class ErrorClasses:
    """The classes of exceptions that the two rooms know of each other.

    A class that is not built in is written as its chain of [number, name] down to the built-in one that it derives
    from. A number from 0 is a class of the writer's room, -1 and below one of the reader's.
    """

    def __init__(self) -> None:
        self._own: list[type[BaseException]] = []
        self._theirs: dict[int, type[BaseException]] = {}

    def write_class(self, kind: type[BaseException]) -> Written:
        """An exception's class."""
        chain: list[tuple[int, str]] = []
        for base in kind.__mro__:
            if base.__module__ == "builtins":
                return [chain, base.__name__]
            if issubclass(base, BaseException):
                chain.append((self._number(base), base.__name__))
        raise AssertionError("every class of exceptions derives from a built-in one")

    def _number(self, kind: type[BaseException]) -> int:
        for number, theirs in self._theirs.items():
            if theirs is kind:
                return -1 - number
        if kind not in self._own:
            self._own.append(kind)
        return self._own.index(kind)

    def read_class(self, written: Written) -> type[BaseException]:
        """The class, or one made to stand for it. Raises an exception of any class where it is malformed."""
        chain, name = written
        base: type[BaseException] = _builtin(name)
        for number, its_name in reversed(chain):
            if not isinstance(its_name, str):
                raise TypeError("malformed class")
            if number < 0:
                base = self._own[-1 - number]
            else:
                base = self._theirs.setdefault(number, type(its_name, (base,), {}))
        return base

    def write(self, error: BaseException, encode: Encode) -> Written:
        """An exception: its class, its arguments, and its public attributes."""
        attributes = {name: value for name, value in vars(error).items() if _is_public(name)}
        return [self.write_class(type(error)), encode(tuple(error.args)), encode(attributes)]

    def read(self, written: Written, decode: Decode) -> BaseException:
        """The exception. Raises an exception of any class where it is malformed."""
        kind, arguments, attributes = written
        error = _instance(self.read_class(kind), decode(arguments))
        for name, value in decode(attributes).items():
            if _is_public(name):
                setattr(error, name, value)
        return error


def _builtin(name: Any) -> type[BaseException]:
    """The built-in class; what is none, or would end a test run instead of a test, comes as a plain exception."""
    kind = getattr(builtins, name)
    if not (isinstance(kind, type) and issubclass(kind, BaseException)) or issubclass(kind, KeyboardInterrupt):
        return Exception
    return kind


def _is_public(name: Any) -> bool:
    return isinstance(name, str) and name.isidentifier() and not name.startswith("_")


def _instance(kind: type[BaseException], arguments: tuple[Any, ...]) -> BaseException:
    """The exception, without its constructor where that does not take the arguments."""
    try:
        return kind(*arguments)
    except TypeError:
        return kind.__new__(kind)
