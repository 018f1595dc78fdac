"""A record of an older version, judged by its own schema and migrated; no finding, no change that is not declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from transforms.migrations.members import path_of, pointer_of
from transforms.migrations.operations import Failed, apply
from transforms.migrations.traces import origin, touched
from transforms.reading import Read, read_made
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.structure import Compiled, check, compile_validator
from transforms.terms import Limits, MigrationTerms, StreamTerms

MIGRATION_FAILED = Code(
    "migration-failed",
    Stage.STRUCTURE,
    Severity.REJECT,
    "A declared operation of a migration cannot be applied to the record: its target is taken, or a text does not "
    "come apart as declared.",
    'a split of "name" at " " into two, and a record with the name "Ada"',
    "Mend the record, or declare operations that fit all records; nothing is made up to fill a gap.",
)
CODES: tuple[Code, ...] = (MIGRATION_FAILED,)


@dataclass(frozen=True, slots=True)
class Migrator:
    """A stream's migrations made ready, by the version they start from, with that version's schema compiled.

    `field` is the member in which records of the kind declare their version, None where they declare none.
    """

    field: str | None
    steps: Mapping[str, MigrationTerms]
    compiled: Mapping[str, Compiled]


@dataclass(frozen=True, slots=True)
class Migrated:
    """The target's record as if it had been read; the steps that led to it.

    `touched` are the pointers of the members that an operation changed, in the source or in the result, sorted; none
    where the record fits as it is.
    """

    read: Read
    version: str
    steps: tuple[MigrationTerms, ...]
    touched: tuple[str, ...]


def prepare_migrator(terms: StreamTerms, field: str | None) -> Migrator | None:
    """The migrator of a stream, None for one that migrates nothing."""
    if not terms.migrations:
        return None
    compiled = {
        version: compile_validator(step.schema, terms.validator, terms.registered)
        for version, step in terms.migrations.items()
    }
    return Migrator(field, terms.migrations, compiled)


def declared_source(migrator: Migrator, value: Json, version: str | None) -> str | None:
    """The version that a record is to be migrated from, None for any other.

    `version` is the one that it was read under before, where records of the kind declare none.
    """
    declared = version if migrator.field is None else value.get(migrator.field)
    return declared if isinstance(declared, str) and declared in migrator.steps else None


def migrate(read: Read, version: str, migrator: Migrator, limits: Limits) -> Migrated | tuple[Finding, ...]:
    """The record at the end of the chain of migrations from `version`, or what the first step that fails finds.

    Findings point into the source.
    """
    value, steps, members = read.value, list[MigrationTerms](), set[str]()
    while version in migrator.steps:
        step = migrator.steps[version]
        if broken := check(value, migrator.compiled[version], limits.max_findings_per_record):
            return of_source(broken, tuple(steps))
        found = _apply(step, value, members, migrator.field)
        if isinstance(found, Finding):
            return of_source((found,), tuple(steps))
        value, version = found, step.target
        steps.append(step)
    made = read_made(value, version, limits)
    return (made,) if isinstance(made, Finding) else Migrated(made, version, tuple(steps), tuple(sorted(members)))


def _apply(step: MigrationTerms, value: Json, members: set[str], field: str | None) -> Json | Finding:
    for operation in step.operations:
        changed = apply(operation, value)
        if isinstance(changed, Failed):
            return Finding(
                MIGRATION_FAILED.code, f"{step.source} to {step.target}: {changed.reason}", pointer_of(changed.path)
            )
        if changed is not value:
            members.update(map(pointer_of, touched(operation)))
        value = changed
    if field is None:
        return value
    members.add(f"/{field}")
    return {**value, field: step.target}


def of_source(findings: Iterable[Finding], steps: tuple[MigrationTerms, ...]) -> tuple[Finding, ...]:
    """The findings with their pointers led into the source, which is what its owner can mend."""

    def led(pointer: str) -> str:
        path = path_of(pointer)
        for step in reversed(steps):
            path = origin(step.operations, path)
        return pointer_of(path)

    return tuple(replace(finding, pointer=led(finding.pointer)) for finding in findings)
