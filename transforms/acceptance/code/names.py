"""What names, attributes and items of a program refer to, as far as a reader can tell: dotted names of modules.

Names are those that imports of the program bind, in whatever scope, all of them where several bind one name. Nothing
is followed through assignments and calls; who asks must take it amiss where a module is handed on.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from transforms.acceptance.code.doors import BUILTINS, BY_NAME, IMPORTERS, NAMESPACES, OPAQUE, REEXPORTED, RUNNERS

OWN_NAMESPACE = "globals()"
_ITEM_METHODS = frozenset({"get", "pop", "setdefault", "__getitem__", "__getattribute__"})
_Names = frozenset[str]
_NONE: _Names = frozenset()


@dataclass(frozen=True, slots=True)
class Names:
    """`imported` maps each name that imports bind to what it may refer to; `stored` are names bound otherwise.

    `parameters` are the nodes, by identity, that refer to a parameter which has the name of a built-in door.

    `known` remembers what nodes of the tree refer to, by their identity: chains would be walked again at each link.
    """

    imported: Mapping[str, _Names]
    stored: frozenset[str]
    parameters: frozenset[int]
    known: dict[int, _Names] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A member that is taken: the expression that has it, its name, and the node that says the name."""

    owner: ast.expr
    name: str
    key: ast.expr


def names_of(nodes: Sequence[ast.AST]) -> Names:
    """The names that a program binds, by all nodes of its tree."""
    imported: defaultdict[str, set[str]] = defaultdict(set)
    stored = set()
    for node in nodes:
        match node:
            case ast.Import(names=listed):
                for alias in listed:
                    module = alias.name if alias.asname else alias.name.partition(".")[0]
                    imported[alias.asname or module] |= _canonical(module)
            case ast.ImportFrom(level=0, module=str() as module, names=listed):
                for alias in listed:
                    for name, found in _bound(module, alias):
                        imported[name] |= found
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                stored.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                stored.add(name)
    bound = {name: frozenset(found) for name, found in imported.items()}
    return Names(bound, frozenset(stored), frozenset(_parameters(nodes)))


def refers(node: ast.expr, names: Names) -> _Names:
    """The dotted names that an expression may refer to; `x()` for what a call of x gives. Empty where unknown."""
    found = names.known.get(id(node))
    if found is None:
        found = names.known[id(node)] = _refers(node, names)
    return found


def _refers(node: ast.expr, names: Names) -> _Names:
    match node:
        case ast.Name(id=name):
            if id(node) in names.parameters:
                return _NONE
            return names.imported.get(name, _NONE) | _builtin(name)
        case ast.Attribute(value=value, attr="__dict__") | ast.Call(func=ast.Name(id="vars"), args=[value]):
            return refers(value, names)
        case ast.Call(func=ast.Name(id="globals" | "locals" | "vars"), args=[]):
            return frozenset({OWN_NAMESPACE})
        case ast.Attribute(value=value, attr=name):
            return frozenset(each for owner in refers(value, names) for each in _canonical(f"{owner}.{name}"))
    if step := namespace_step(node):
        return _member(refers(step.owner, names), step.name, names)
    if isinstance(node, ast.Call):
        functions = refers(node.func, names)
        return _named_module(node, functions) or frozenset(f"{name}()" for name in functions)
    return _NONE


def namespace_step(node: ast.expr) -> Step | None:
    """What a member is taken from, and how: `x.a`, `x["a"]`, `getattr(x, "a")`, `x.get("a")`."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return Step(value, name, value)
        case ast.Subscript(value=value, slice=ast.Constant(value=str() as name) as key):
            return Step(value, name, key)
        case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str() as name) as key, *_]):
            return Step(value, name, key)
        case ast.Call(
            func=ast.Attribute(value=value, attr=method), args=[ast.Constant(value=str() as name) as key, *_]
        ):
            return Step(value, name, key) if method in _ITEM_METHODS else None
    return None


def _parameters(nodes: Sequence[ast.AST]) -> Iterator[int]:
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)]
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    for node in functions:
        own = {each.arg for each in _all_arguments(node.args)} & BUILTINS - declared
        body = (node.body if isinstance(node.body, list) else [node.body]) if own else []
        for part in body:
            yield from (id(each) for each in ast.walk(part) if isinstance(each, ast.Name) and each.id in own)


def _all_arguments(of: ast.arguments) -> Iterator[ast.arg]:
    yield from (*of.posonlyargs, *of.args, *of.kwonlyargs)
    yield from (each for each in (of.vararg, of.kwarg) if each)


def _builtin(name: str) -> _Names:
    if name in BUILTINS:
        return frozenset({f"builtins.{name}"})
    if name == "__builtins__":
        return frozenset({"builtins"})
    return frozenset({name}) if name == "__loader__" else _NONE


def _member(owners: _Names, name: str, names: Names) -> _Names:
    found: set[str] = set()
    for owner in owners:
        if owner == "sys.modules":
            found |= {name}
        elif owner == OWN_NAMESPACE:
            found |= names.imported.get(name, _NONE) | _builtin(name)
        else:
            found |= _canonical(f"{owner}.{name}")
    return frozenset(found)


def _named_module(call: ast.Call, functions: _Names) -> _Names:
    """The modules that a call of an importer with a constant name gives: `__import__("a.b")` is `a`, or `a.b`."""
    match call.args:
        case [ast.Constant(value=str() as name), *_] if not functions.isdisjoint(IMPORTERS):
            return frozenset({name, name.partition(".")[0]})
    return _NONE


def _canonical(name: str) -> set[str]:
    last = name.rpartition(".")[2]
    return {name, last} if last in REEXPORTED else {name}


def _bound(module: str, alias: ast.alias) -> Iterator[tuple[str, set[str]]]:
    if alias.name != "*":
        yield alias.asname or alias.name, _canonical(f"{module}.{alias.name}")
        return
    for door in (*OPAQUE, *BY_NAME, *RUNNERS, *NAMESPACES):
        owner, _, name = door.rpartition(".")
        if owner == module:
            yield name, {door}
