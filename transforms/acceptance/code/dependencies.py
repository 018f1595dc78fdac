"""What a program imports beyond the standard library and what the campaign approves, read from its syntax tree.

A relative import names nothing that a lone piece of code could have, and an import that is computed when the program
runs names nothing that can be approved: both count as unapproved. This reads a program and does not run it; who wants
to hide an import from it can. That a package is not there is for the sandbox to see to.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from transforms.acceptance.code.standard_library import standard_library
from transforms.acceptance.code.syntax import parse
from transforms.acceptance.values import CodeTerms
from transforms.rules.text import excerpt

LOADERS = frozenset(
    {"code", "codeop", "imp", "importlib.machinery", "importlib.util", "pkgutil", "runpy", "zipimport"},
)
"""Modules of the standard library that load or run code by name or from text. They need the campaign's approval."""
_IMPORTERS = frozenset({"__import__", "import_module"})
_RUNNERS = frozenset({"eval", "exec"})
_BUILTINS = frozenset({"builtins", "__builtins__"})
_LEVEL = 4
"""The place of the parameter of `__import__` that makes it relative."""


@dataclass(frozen=True, order=True, slots=True)
class Unapproved:
    """An import that is not approved: the line it stands on, and what it is, in words."""

    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.what} (line {self.line} of the code)"


def unapproved(tree: ast.Module, terms: CodeTerms) -> tuple[Unapproved, ...]:
    """Every import of a tree from `syntax.parse` that is not approved, in the order of their lines."""
    return tuple(sorted(set(_found(tree, terms))))


def is_approved(module: str, terms: CodeTerms) -> bool:
    """Whether a module, by its dotted name, is approved itself or as part of a package that is."""
    parts = module.split(".")
    packages = {".".join(parts[: end + 1]) for end in range(len(parts))}
    if not packages.isdisjoint(terms.approved):
        return True
    return parts[0] in standard_library(terms.version) and packages.isdisjoint(LOADERS)


def _found(tree: ast.Module, terms: CodeTerms) -> Iterator[Unapproved]:
    seen: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield from _import(alias.name, terms, node.lineno)
            case ast.ImportFrom(level=0, module=str() as module, names=names):
                for alias in names:
                    yield from _import_from(module, alias, terms, node.lineno)
            case ast.ImportFrom():
                yield _relative(node.lineno)
            case ast.Call(func=func) if name := _dynamic(func):
                seen.add(id(func))
                yield from _call(name, node, terms)
            case ast.Name() | ast.Attribute() if (name := _dynamic(node)) and id(node) not in seen:
                yield Unapproved(node.lineno, f"{name} is used without being called")


def _import(module: str, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    if not is_approved(module, terms):
        yield Unapproved(line, f"imports {excerpt(module)}")


def _import_from(module: str, alias: ast.alias, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    if alias.name in _IMPORTERS | _RUNNERS and module in {"importlib", *_BUILTINS}:
        if alias.asname not in {None, alias.name}:
            yield Unapproved(line, f"{alias.name} is given another name")
    elif not is_approved(module, terms):
        # What is imported may be a module of the package, and approved by its own name.
        if not is_approved(f"{module}.{alias.name}", terms):
            yield Unapproved(line, f"imports {excerpt(module)}")
    else:
        yield from _import(f"{module}.{alias.name}", terms, line)


def _relative(line: int) -> Unapproved:
    return Unapproved(line, "imports relatively")


def _dynamic(node: ast.expr) -> str | None:
    """The name of what imports or runs what it is given, if that is what an expression refers to."""
    match node:
        case ast.Name(id=name) if name in _IMPORTERS | _RUNNERS:
            return name
        case ast.Attribute(attr=name) if name in _IMPORTERS:
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in _RUNNERS and owner in _BUILTINS:
            return name
    return None


def _call(name: str, call: ast.Call, terms: CodeTerms) -> Iterator[Unapproved]:
    match call.args:
        case [ast.Constant(value=str() as text), *_]:
            yield from _run(name, text, terms, call.lineno) if name in _RUNNERS else _named(text, call, terms)
        case _:
            yield Unapproved(call.lineno, f"{name} is given what is known only when it runs")


def _named(module: str, call: ast.Call, terms: CodeTerms) -> Iterator[Unapproved]:
    level = len(call.args) > _LEVEL or any(keyword.arg in {"level", None} for keyword in call.keywords)
    if module.startswith(".") or level:
        yield _relative(call.lineno)
    else:
        yield from _import(module, terms, call.lineno)


def _run(name: str, text: str, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    """What a text imports that is run by `eval` or `exec`; all on the line of the call."""
    tree = parse(text.lstrip(" \t") if name == "eval" else text, terms.version)
    if not isinstance(tree, ast.Module):
        yield Unapproved(line, f"{name} is given a text that cannot be read")
        return
    for inner in unapproved(tree, terms):
        yield Unapproved(line, f"{name} is given a text that does: {inner.what}")
