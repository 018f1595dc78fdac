"""What a program imports beyond the standard library and what the campaign approves, read from its syntax tree.

A relative import names nothing that a lone piece of code could have, and counts as unapproved. A known door (`doors`)
through which a module can come whose name cannot be read here is reported as such, unless the campaign approves it.
This reads a program and does not run it; docs/code-gates.md says what it cannot see.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from transforms.acceptance.code.calls import judge_call, short
from transforms.acceptance.code.doors import ATTRIBUTES, BY_NAME, NAMED, NAMESPACES, RUNNERS, approved_door, opaque_door
from transforms.acceptance.code.imports import Unapproved, imported, imported_from, opaque
from transforms.acceptance.code.names import OWN_NAMESPACE, Names, names_of, namespace_step, refers
from transforms.acceptance.code.syntax import parse
from transforms.acceptance.code.texts import Text, texts_evaluated
from transforms.acceptance.values import CodeTerms

# Calls that look at a module or change it, and give nothing of it away.
_LOOK_ONLY = frozenset({"delattr", "hasattr", "isinstance", "setattr"})
_LOOK_ONLY_IMPORTED = frozenset({"importlib.reload", "unittest.mock.patch.object"})


@dataclass(frozen=True, slots=True)
class _Program:
    """A tree to be read. Its findings are given `line` (None: their own) and have `prefix` before their words."""

    tree: ast.Module
    line: int | None = None
    prefix: str = ""


def unapproved(tree: ast.Module, terms: CodeTerms) -> tuple[Unapproved, ...]:
    """Every import of a tree from `syntax.parse` that is not approved or cannot be read, in the order of their lines.

    A text that is run as code is read too; what is found in it is on the line of the call.
    """
    found: set[Unapproved] = set()
    waiting = [_Program(tree)]
    while waiting:
        program = waiting.pop()
        for each in _found(program.tree, terms):
            line = each.line if program.line is None else program.line
            if isinstance(each, Unapproved):
                found.add(Unapproved(line, program.prefix + each.what, each.readable))
            elif isinstance(read := parse(each.text, terms.version), ast.Module):
                waiting.append(_Program(read, line, f"{program.prefix}{each.runner} is given a text that does: "))
            elif not (each.may_fail and read.invalid):
                what = f"{program.prefix}{each.runner} is given a text that cannot be read"
                found.add(Unapproved(line, what, readable=False))
    return tuple(sorted(found))


def _found(tree: ast.Module, terms: CodeTerms) -> Iterator[Unapproved | Text]:
    nodes = list(ast.walk(tree))
    names = names_of(nodes)
    yield from texts_evaluated(nodes, names)
    judged: set[int] = set()  # parents come first, and say which of their parts are judged with them
    for node in nodes:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from _statement(node, terms)
            case ast.Name() | ast.Constant():
                if id(node) not in judged:
                    yield from _reference(node, names, terms)
            case ast.Attribute() | ast.Call() | ast.Compare() | ast.Subscript():
                judged |= _parts(node, names)
                if isinstance(node, ast.Call):
                    yield from judge_call(node, names, terms)
                yield from _taken(node, names, terms)
                if id(node) not in judged:
                    yield from _reference(node, names, terms)


def _statement(node: ast.Import | ast.ImportFrom, terms: CodeTerms) -> Iterator[Unapproved]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield from imported(alias.name, terms, node.lineno)
        elif node.module is not None and not node.level:
            yield from imported_from(node.module, alias.name, terms, node.lineno)
        else:
            yield Unapproved(node.lineno, "imports relatively")


def _parts(node: ast.expr, names: Names) -> set[int]:
    """The parts of an expression that are judged with it, or do no harm in it."""
    match node:
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[right]) if "sys.modules" in refers(right, names):
            return {id(right)}
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return {id(value)}
        case ast.Subscript(value=value, slice=ast.Name(id="__name__")) if "__name__" not in names.stored:
            return {id(value)}
        case ast.Call(func=ast.Name(id="vars"), args=[value]):
            return {id(node.func), id(value)}
    parts = set()
    if isinstance(node, ast.Call):
        parts.add(id(node.func))
        if node.args and _only_looks(node.func, names):
            parts.add(id(node.args[0]))
    if (step := namespace_step(node)) and refers(step.owner, names):
        parts |= {id(step.owner), id(step.key)}
    return parts


def _only_looks(function: ast.expr, names: Names) -> bool:
    if isinstance(function, ast.Name) and function.id in _LOOK_ONLY:
        return function.id not in names.stored and function.id not in names.imported
    return not _LOOK_ONLY_IMPORTED.isdisjoint(refers(function, names))


def _taken(node: ast.expr, names: Names, terms: CodeTerms) -> Iterator[Unapproved]:
    """What leads to a door wherever it stands: an attribute, a loaded module, a computed name of the program's own."""
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in ATTRIBUTES and not _is_door(refers(node, names)):
            yield _leads(name, node)
        case (
            ast.Subscript(value=value, slice=key, ctx=ast.Load())
            | ast.Call(func=ast.Attribute(value=value, attr="get" | "pop" | "__getitem__"), args=[key, *_])
        ) if not refers(value, names).isdisjoint({OWN_NAMESPACE, "sys.modules"}):
            if isinstance(key, ast.Constant) and "sys.modules" in refers(value, names):
                yield from imported(str(key.value), terms, node.lineno)
            elif not isinstance(key, ast.Constant) and OWN_NAMESPACE in refers(value, names):
                yield Unapproved(node.lineno, "takes a name that is known only when it runs", readable=False)


def _reference(node: ast.expr, names: Names, terms: CodeTerms) -> Iterator[Unapproved]:
    """What is amiss where an expression stands by itself: a door, or a module that holds some, is handed on."""
    if isinstance(node, ast.Constant) and node.value in NAMED:
        yield _leads(str(node.value), node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    for name in sorted(refers(node, names)):
        if name in BY_NAME or name in RUNNERS or name in NAMESPACES:
            if not approved_door(name, terms.approved):
                what = "handed on" if name in NAMESPACES else "used without being called"
                yield Unapproved(node.lineno, f"{short(name)} is {what}", readable=False)
        else:
            yield from opaque(name, terms, node.lineno)


def _is_door(names: frozenset[str]) -> bool:
    return any(name in BY_NAME or opaque_door(name) for name in names)


def _leads(name: str, node: ast.expr) -> Unapproved:
    return Unapproved(node.lineno, f"uses {name}, which leads to imports that cannot be read", readable=False)
