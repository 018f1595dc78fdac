"""Is a schema document fit to judge records? Asked once, before any record is read; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Severity, Stage
from transforms.schema_engines.applicators import IN_PLACE, REFERENCES, subschemas
from transforms.schema_engines.interface import Path
from transforms.schema_engines.location import Resolver, root_resolver
from transforms.schema_engines.messages import quoted
from transforms.schema_engines.patterns import unsupported
from transforms.structure import NONE_REGISTERED, Compiled, check, compile_validator
from transforms.terms import Validator

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_MOST_FINDINGS = 32

INVALID_SCHEMA = Code(
    "invalid-schema",
    Stage.CAMPAIGN,
    Severity.CAMPAIGN,
    "a schema document is not a valid schema of draft 2020-12",
    '{"properties": {"style": {"maximum": "5"}}}: a bound must be a number',
    "Correct the schema where the pointer leads; the draft is declared by `$schema`.",
)
UNRESOLVABLE_REFERENCE = Code(
    "unresolvable-reference",
    Stage.CAMPAIGN,
    Severity.CAMPAIGN,
    "a `$ref` leads to nothing inside the document or the schemas registered beside it",
    '{"$ref": "https://example.org/person.json"} without that schema in the campaign',
    "Register the schema in the campaign under its `$id`, or correct the reference. Nothing is fetched.",
)
UNSUPPORTED_PATTERN = Code(
    "unsupported-pattern",
    Stage.CAMPAIGN,
    Severity.CAMPAIGN,
    "a regular expression cannot be matched in linear time with the meaning of ECMA-262",
    '{"pattern": "^(?=.*[0-9])[a-z0-9]+$"}',
    "Do without lookaround, backreferences, `\\b` and inline flags; patterns under `allOf` can replace a lookahead.",
)
CODES: tuple[Code, ...] = (INVALID_SCHEMA, UNRESOLVABLE_REFERENCE, UNSUPPORTED_PATTERN)

# Keywords of earlier drafts, which this one would pass over in silence.
_REPLACED = {
    "$recursiveRef": "$dynamicRef",
    "additionalItems": "items",
    "dependencies": "dependentRequired or dependentSchemas",
}


def check_schema(name: str, schema: Any, registered: Mapping[str, Any] = NONE_REGISTERED) -> tuple[Finding, ...]:
    """Give what is wrong with a parsed schema document; `name` is for the messages.

    `registered` maps `$id`s to the documents that it may refer to; they are to be checked on their own.
    Codes `invalid-schema`, `unresolvable-reference`, `unsupported-pattern`, each with a pointer into `schema`.
    """
    if not isinstance(schema, dict):
        return (_finding(INVALID_SCHEMA, name, "", "is no JSON object"),)
    if schema.get("$schema") != DRAFT:
        return (_finding(INVALID_SCHEMA, name, "/$schema", f"must be {quoted(DRAFT, len(DRAFT))}"),)
    broken = check(schema, _metaschema(), _MOST_FINDINGS)
    if broken:
        # The parts of the metaschema repeat each other: one place and message is one finding.
        return tuple(dict.fromkeys(_finding(INVALID_SCHEMA, name, each.pointer, each.message) for each in broken))
    findings = tuple(
        _finding(code, name, pointer(path), message)
        for code, path, message in _faults((), schema, root_resolver(schema, registered))
    )
    return findings or tuple(_refused(name, schema, registered))


def _finding(code: Code, name: str, where: str, message: str) -> Finding:
    return Finding(code.code, f"schema {quoted(name)}: {message}", where, severity=Severity.CAMPAIGN)


@cache
def _metaschema() -> Compiled:
    documents = {uri: REGISTRY.contents(uri) for uri in REGISTRY if "/draft/2020-12/" in uri}
    return compile_validator(documents[DRAFT], Validator("jsonschema"), documents)


_Fault = tuple[Code, Path, str]


def _faults(path: Path, schema: Any, resolver: Resolver) -> Iterator[_Fault]:
    """Give what the metaschema cannot see in a schema and all those inside it."""
    if not isinstance(schema, dict):
        return
    if schema.get("$schema", DRAFT) != DRAFT:
        yield INVALID_SCHEMA, (*path, "$schema"), "the draft cannot change inside a document"
    for keyword in sorted(_REPLACED.keys() & schema.keys()):
        yield INVALID_SCHEMA, (*path, keyword), f"{keyword} is of an earlier draft: write {_REPLACED[keyword]}"
    yield from _pattern_faults(path, schema)
    unresolved = tuple(_reference_faults(path, schema, resolver))
    yield from unresolved
    if not unresolved and _comes_back(schema, resolver):
        yield INVALID_SCHEMA, path, "its references lead back to it without going into the value: they never end"
    for step, subschema in subschemas(schema):
        inner = resolver.in_subresource(DRAFT202012.create_resource(subschema))
        yield from _faults((*path, *step), subschema, inner)


def _pattern_faults(path: Path, schema: Mapping[str, Any]) -> Iterator[_Fault]:
    patterns: list[tuple[Path, str]] = [
        (("patternProperties", pattern), pattern) for pattern in schema.get("patternProperties", ())
    ]
    if "pattern" in schema:
        patterns.append((("pattern",), schema["pattern"]))
    for step, pattern in patterns:
        reason = unsupported(pattern)
        if reason is not None:
            yield UNSUPPORTED_PATTERN, (*path, *step), f"pattern {quoted(pattern)} cannot be used: {reason}"


def _reference_faults(path: Path, schema: Mapping[str, Any], resolver: Resolver) -> Iterator[_Fault]:
    for keyword in sorted(REFERENCES & schema.keys()):
        reference = schema[keyword]
        if not isinstance(_target(reference, resolver), dict | bool):
            message = f"{quoted(reference, 80)} leads to no schema in the document or registered beside it"
            yield UNRESOLVABLE_REFERENCE, (*path, keyword), message


def _target(reference: str, resolver: Resolver) -> Any:
    """Give what a reference leads to, or None."""
    try:
        return resolver.lookup(reference).contents
    except (Unresolvable, TypeError, ValueError):
        # The last two: a pointer that goes on inside a string or a list, a URI that cannot be parsed.
        return None


def _comes_back(schema: Mapping[str, Any], resolver: Resolver) -> bool:
    """Whether judging a value by `schema` means judging the same value by `schema`, and so on for ever."""
    seen: set[int] = set()
    waiting = list(_in_place(schema, resolver))
    while waiting:
        target, its_resolver = waiting.pop()
        if target is schema:
            return True
        if id(target) not in seen:
            seen.add(id(target))
            waiting.extend(_in_place(target, its_resolver))
    return False


def _in_place(schema: Any, resolver: Resolver) -> Iterator[tuple[Any, Resolver]]:
    for step, subschema in subschemas(schema):
        if step[0] in IN_PLACE:
            yield subschema, resolver.in_subresource(DRAFT202012.create_resource(subschema))
    for keyword in REFERENCES & schema.keys() if isinstance(schema, dict) else ():
        if _target(schema[keyword], resolver) is not None:
            resolved = resolver.lookup(schema[keyword])
            yield resolved.contents, resolved.resolver


def _refused(name: str, schema: Any, registered: Mapping[str, Any]) -> Iterator[Finding]:
    """Let the default engine have the last word, on whatever the checks above do not know of."""
    try:
        compile_validator(schema, Validator(), registered)
    except ValueError as error:
        yield _finding(INVALID_SCHEMA, name, "", quoted(str(error), 200))
