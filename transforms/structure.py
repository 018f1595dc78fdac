"""Stage 3: the schema version a record declares, then JSON Schema (contract, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import islice
from types import MappingProxyType
from typing import Any

from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.schema_engines.interface import Engine, Path, SchemaError
from transforms.schema_engines.keyword_codes import KEYWORD_CODES
from transforms.schema_engines.location import Location, Locator
from transforms.schema_engines.messages import quoted, say, several
from transforms.schema_engines.python_engine import PythonEngine
from transforms.schema_engines.rust_engine import RustEngine
from transforms.terms import Validator

# Above this many values in a record its errors are taken one by one from the lazy engine, and no more of
# them than this: jsonschema-rs builds all at once, gigabytes for an array of some million wrong numbers.
_LARGE_RECORD = 50_000
_MOST_ERRORS = 10_000

_MOST_VERSIONS = 8

MISSING_VERSION = Code(
    "missing-schema-version",
    Stage.STRUCTURE,
    Severity.REJECT,
    "the record does not say which schema version it was written for",
    'a pairwise record without "schema_version"',
    "Have the exporter write the version the task was issued under; it is never guessed.",
)
UNSUPPORTED_VERSION = Code(
    "unsupported-schema-version",
    Stage.STRUCTURE,
    Severity.REJECT,
    "the record declares a schema version that the campaign does not list",
    '{"schema_version": "pairwise-v1"} in a campaign that lists "pairwise-v2"',
    "List the version in the campaign with its schema, or migrate the records under a declared policy.",
)
CODES: tuple[Code, ...] = (MISSING_VERSION, UNSUPPORTED_VERSION, *KEYWORD_CODES)

NONE_REGISTERED: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Compiled:
    """A schema ready to judge records. It cannot be pickled: compile it in each process.

    `locate` looks a keyword location up in the schema; `lister` is the lazy engine (it may be `engine`).
    """

    engine: Engine
    lister: PythonEngine
    is_valid: Callable[[Any], bool]
    locate: Callable[[Path], Location]

    def errors(self, value: Any) -> tuple[SchemaError, ...]:
        """Give every broken keyword, in no particular order; of a very large record only the first 10,000."""
        if not _larger_than(value, _LARGE_RECORD):
            errors = self.engine.errors(value)
            return tuple(self.lister.errors(value) if errors is None else errors)
        return tuple(islice(self.lister.errors(value), _MOST_ERRORS))


def compile_validator(schema: Any, validator: Validator, registered: Mapping[str, Any] = NONE_REGISTERED) -> Compiled:
    """Compile a schema document for the pinned engine.

    `registered` maps URIs to the schema documents that references may lead to beside `schema` itself.
    Raises ValueError for an unknown engine or a schema that does not compile: `check_schema` tells why.
    """
    lister = PythonEngine(schema, validator.assert_formats, registered)
    engine: Engine
    if validator.engine == "jsonschema-rs":
        engine = RustEngine(schema, validator.assert_formats, registered)
    elif validator.engine == "jsonschema":
        engine = lister
    else:
        raise ValueError(f"unknown JSON Schema engine {validator.engine!r}")
    return Compiled(engine, lister, engine.is_valid, Locator(schema, registered).locate)


def engine_versions() -> dict[str, str]:
    """Give the installed version of each engine, by the name campaigns pin it with."""
    return {name: version(name) for name in ("jsonschema", "jsonschema-rs")}


def declared_version(value: Json, field: str | None, accepted: Collection[str]) -> str | Finding:
    """Give the schema version a record declares in `field`, or the finding that it declares none of `accepted`.

    Without a field it is the only accepted version; raises ValueError where there are several.
    """
    if field is None:
        if len(accepted) != 1:
            raise ValueError(f"a kind without a version field takes one version, not {len(accepted)}")
        return next(iter(accepted))
    wanted = f"the campaign lists {several(sorted(accepted), _MOST_VERSIONS)}"
    if field not in value:
        return Finding(MISSING_VERSION.code, f"is missing {quoted(field)}; {wanted}")
    declared = value[field]
    if isinstance(declared, str) and declared in accepted:
        return declared
    found = quoted(declared) if isinstance(declared, str) else "no string"
    return Finding(UNSUPPORTED_VERSION.code, f"declares {found}; {wanted}", pointer((field,)))


def check(value: Json, compiled: Compiled, max_findings: int) -> tuple[Finding, ...]:
    """Judge a parsed record by its schema: () for a valid one, else a finding for every broken keyword.

    Sorted by instance pointer, schema pointer, message; at most `max_findings` (1 or more), and then the
    last message says how many were left out. `schema_pointer` is the keyword location, which goes through
    `$ref` where the evaluation did. Both engines give the same findings.
    """
    if compiled.is_valid(value):
        return ()
    errors = compiled.errors(value)
    located = [(error, compiled.locate(error.schema_path)) for error in errors]
    findings = {_finding(error, location) for error, location in _without_vacuous(located)}
    ordered = sorted(findings, key=lambda each: (each.pointer, each.schema_pointer, each.message))
    left_out = len(ordered) - max_findings
    if left_out <= 0:
        return tuple(ordered)
    more = f"{left_out} or more" if len(errors) == _MOST_ERRORS else str(left_out)
    last = ordered[max_findings - 1]
    return *ordered[: max_findings - 1], replace(last, message=f"{last.message} ({more} further findings left out)")


def _finding(error: SchemaError, location: Location) -> Finding:
    return Finding(
        f"schema/{error.keyword}",
        say(error.keyword, location.value, location.schema, error.names),
        pointer(error.instance_path),
        pointer(error.schema_path),
    )


_Located = tuple[SchemaError, Location]


def _without_vacuous(located: list[_Located]) -> list[_Located]:
    """Drop what a conditional says only because a property is missing, where that is an error of its own.

    An `if` about a property that is not there is true in JSON Schema (or false, if it asks for it), so its
    `then` or `else` speaks of a case the record never stated. Such an error goes when a `required` error
    stands at the same object for a property that the `if` reads, and that error surely stays: it has
    itself no missing property above it to be excused by.
    """
    required = [pair for pair in located if pair[0].keyword == "required"]
    missing = {(error.instance_path, error.names[0]) for error, _ in required}
    staying = {
        (error.instance_path, error.names[0])
        for error, location in required
        if _excuses(error, location).isdisjoint(missing)
    }
    return [pair for pair in located if _excuses(*pair).isdisjoint(staying)]


def _excuses(error: SchemaError, location: Location) -> set[tuple[Path, str]]:
    """Give the object and name of each property read by a conditional that led to an error."""
    return {
        (error.instance_path[: conditional.depth], name)
        for conditional in location.conditionals
        for name in conditional.reads
    }


def _larger_than(value: Any, bound: int) -> bool:
    """Whether a value holds more than `bound` values, at all depths."""
    seen, waiting = 0, [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list):
            seen += len(item)
            if seen > bound:
                return True
            waiting.extend(item.values() if isinstance(item, dict) else item)
    return False
