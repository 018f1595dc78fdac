"""A line of a source, read strictly, judged by the source's own schema, and adapted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from transforms.adapters.adapter import Adapter
from transforms.adapters.table import ADAPTERS
from transforms.reading import Read, read_made, read_record
from transforms.records import Finding, Json, Line
from transforms.structure import Compiled, check, compile_validator, declared_version
from transforms.terms import Limits, StreamTerms

_VERSION_FIELD = "schema_version"


@dataclass(frozen=True, slots=True)
class Translator:
    """A stream's adapter made ready: its source's schema compiled, and what the campaign leaves in the source."""

    adapter: Adapter
    compiled: Compiled
    left_in_source: frozenset[str]


@dataclass(frozen=True, slots=True)
class Translated:
    """The target's record as if it had been read, and the value of the source."""

    read: Read
    source: Json


def prepare_translator(terms: StreamTerms) -> Translator | None:
    """The translator of a stream, None for one whose records are of their kind already."""
    if terms.adapter is None:
        return None
    compiled = compile_validator(terms.adapter.schema, terms.validator, terms.registered)
    return Translator(ADAPTERS[terms.adapter.source], compiled, terms.adapter.left_in_source)


def translate(line: Line, translator: Translator, limits: Limits) -> Translated | tuple[Finding, ...]:
    """The target's value of one line, or all findings of the first stage that refuses it; pointers into the source."""
    read = read_record(line, limits)
    if isinstance(read, Finding):
        return (read,)
    adapter = translator.adapter
    version = declared_version(read.value, _VERSION_FIELD, (adapter.source,))
    if isinstance(version, Finding):
        return (version,)
    if broken := check(read.value, translator.compiled, limits.max_findings_per_record):
        return broken
    value = adapter.adapt(read.value, translator.left_in_source)
    if isinstance(value, tuple):
        return value
    made = read_made(value, adapter.target, limits)
    return (made,) if isinstance(made, Finding) else Translated(made, read.value)


def in_source(findings: Iterable[Finding], source: Json, adapter: Adapter) -> tuple[Finding, ...]:
    """The findings with their pointers led into the source, which is what its owner can mend."""
    return tuple(replace(finding, pointer=adapter.origin(finding.pointer, source)) for finding in findings)
