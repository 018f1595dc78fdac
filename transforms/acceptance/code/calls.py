"""Calls that import what they are given by name, or run what they are given as text: what can be read of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from transforms.acceptance.code.doors import (
    BY_NAME,
    OPAQUE_CALLS,
    RUNNERS,
    TAKES_OBJECTS,
    approved_door,
)
from transforms.acceptance.code.imports import Unapproved, imported, imported_from, opaque
from transforms.acceptance.code.names import Names, namespace_step, refers
from transforms.acceptance.code.texts import Text
from transforms.acceptance.values import CodeTerms

_LEVEL = 4
"""The place of the parameter of `__import__` that makes it relative."""
_PATCH = "unittest.mock.patch"


def judge_call(call: ast.Call, names: Names, terms: CodeTerms) -> Iterator[Unapproved | Text]:
    """What a call imports that is not approved or cannot be read, and the texts that it runs."""
    if (step := namespace_step(call)) and refers(step.owner, names):
        return  # it gives a member, and is judged as one
    for name in sorted(refers(call.func, names)):
        if name in BY_NAME:
            yield from _by_name(name, call, names, terms)
        elif name in RUNNERS:
            yield from _runs(name, call, names, terms)
        elif name in OPAQUE_CALLS and not approved_door(name, terms.approved):
            yield _unknown(name, call)
        else:
            yield from opaque(name, terms, call.lineno)


def _by_name(name: str, call: ast.Call, names: Names, terms: CodeTerms) -> Iterator[Unapproved]:
    match _arguments(call, (BY_NAME[name],))[:1]:
        case [ast.Constant(value=str() as module)]:
            yield from _named(name, module, call, terms)
        case [ast.Name() | ast.Attribute() as given] if name in TAKES_OBJECTS and refers(given, names):
            return
        case _ if not approved_door(name, terms.approved):
            yield _unknown(name, call)


def _named(name: str, module: str, call: ast.Call, terms: CodeTerms) -> Iterator[Unapproved]:
    if any(keyword.arg is None for keyword in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args):
        yield _unknown(name, call)
    elif module.startswith(".") or len(call.args) > _LEVEL or any(keyword.arg == "level" for keyword in call.keywords):
        yield Unapproved(call.lineno, "imports relatively")
    elif name.startswith(_PATCH):
        owner, _, member = module.rpartition(".")
        yield from imported_from(owner or module, member, terms, call.lineno)
    else:
        yield from imported(module, terms, call.lineno)


def _runs(name: str, call: ast.Call, names: Names, terms: CodeTerms) -> Iterator[Unapproved | Text]:
    given = _arguments(call, RUNNERS[name])
    for argument in given:
        match argument:
            case ast.Constant(value=str() as text):
                text = text.lstrip(" \t") if name == "builtins.eval" else text
                yield Text(call.lineno, short(name), text)
            case ast.Call(func=func) if "builtins.compile" in refers(func, names):
                continue  # judged by itself
            case ast.Lambda() if name.startswith("timeit."):
                continue
            case _ if not approved_door(name, terms.approved):
                yield _unknown(name, call)
    if not given and not name.startswith("timeit.") and not approved_door(name, terms.approved):
        yield _unknown(name, call)


def _arguments(call: ast.Call, parameters: Sequence[str]) -> list[ast.expr]:
    """What is given for the first parameters; for one that `*` or `**` may give, that."""
    given: list[ast.expr] = list(call.args[: len(parameters)])
    given += [keyword.value for keyword in call.keywords if keyword.arg is None or keyword.arg in parameters]
    return given


def _unknown(name: str, call: ast.Call) -> Unapproved:
    return Unapproved(call.lineno, f"{short(name)} is given what is known only when it runs", readable=False)


def short(name: str) -> str:
    """A door as programs write it."""
    return name.removeprefix("builtins.").removeprefix("importlib.")
