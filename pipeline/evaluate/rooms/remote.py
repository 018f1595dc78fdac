"""What stands in one room for an object of the other."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

Apply = Callable[..., Any]

_UNARY = ("neg", "pos", "abs", "invert", "index")
_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift")
_ITEMS = ("getitem", "setitem", "delitem")
_BUILTIN = (len, iter, next, reversed, str, repr, int, float, round)
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")


def _call(function: Any, /, *arguments: Any, **named: Any) -> Any:
    return function(*arguments, **named)


def _leave(manager: Any, error: BaseException | None) -> bool:
    return bool(type(manager).__exit__(manager, type(error) if error else None, error, None))


LENT: Mapping[str, Apply] = {"call": _call, "iter": iter, "next": next}
"""What the candidate may do with an object of the tests: call what it was handed, and step through it."""

ALL: Mapping[str, Apply] = {
    **LENT,
    **{name: getattr(operator, f"__{name}__") for name in (*_UNARY, *_BINARY, *_ITEMS, *_COMPARISONS)},
    **{function.__name__: function for function in _BUILTIN},
    "getattr": getattr,
    "setattr": setattr,
    "delattr": delattr,
    "isinstance": isinstance,
    "issubclass": issubclass,
    "truth": operator.truth,
    "enter": lambda manager: type(manager).__enter__(manager),
    "exit": _leave,
}
"""What the tests may do with an object of the candidate's."""


class Remote:
    """Stands for an object of the other room; whatever is done with it is done there.

    One thing is not: comparing it with a plain value. A candidate's object that says that it equals everything, is
    near to everything or contains everything is so asked only where a test calls that very method by its name.
    """

    __slots__ = ("__weakref__", "_assay_apply", "_assay_number")
    _assay_apply: Apply
    _assay_number: int

    def __init__(self, apply: Apply, number: int) -> None:
        object.__setattr__(self, "_assay_apply", apply)
        object.__setattr__(self, "_assay_number", number)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it there."""
        return self._assay_apply("call", self, *arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return self._assay_apply("getattr", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._assay_apply("setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        self._assay_apply("delattr", self, name)

    def __bool__(self) -> bool:
        return self._assay_apply("truth", self) is True

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, Remote) and self._assay_apply("isinstance", value, self) is True

    def __subclasscheck__(self, kind: Any) -> bool:
        return isinstance(kind, Remote) and self._assay_apply("issubclass", kind, self) is True

    def __enter__(self) -> Any:
        return self._assay_apply("enter", self)

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        return self._assay_apply("exit", self, error) is True

    def __hash__(self) -> int:
        return id(self)


def _forwarded(name: str) -> Apply:
    return lambda self, *arguments: self._assay_apply(name, self, *arguments)


def _operated(name: str, *, reflected: bool = False) -> Apply:
    """An operator. With a plain value it gives objects only: a difference from what a test expects is no number."""

    def operate(self: Remote, other: Any) -> Any:
        operands = (other, self) if reflected else (self, other)
        result = self._assay_apply(name, *operands)
        return result if isinstance(other, Remote) or isinstance(result, Remote) else NotImplemented

    return operate


def _compared(name: str) -> Apply:
    return lambda self, other: self._assay_apply(name, self, other) if isinstance(other, Remote) else NotImplemented


_SPECIAL: Mapping[str, Any] = {
    **{f"__{name}__": _forwarded(name) for name in (*_UNARY, *_ITEMS, *(function.__name__ for function in _BUILTIN))},
    **{f"__{name}__": _operated(name) for name in _BINARY},
    **{f"__r{name}__": _operated(name, reflected=True) for name in _BINARY},
    **{f"__{name}__": _compared(name) for name in _COMPARISONS},
    "__doc__": property(lambda self: self._assay_apply("getattr", self, "__doc__")),
}
for _name, _method in _SPECIAL.items():
    setattr(Remote, _name, _method)
