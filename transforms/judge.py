"""One record from bytes to verdict: stages 1 to 4 of the contract, in order, in one function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from transforms.adapters.translate import Translator, in_source, prepare_translator, translate
from transforms.columns.provenance import NOT_MIGRATED
from transforms.columns.stream_columns import StreamColumns
from transforms.digests import canonical_json, digest, sha256_hex
from transforms.joins.join import Join
from transforms.joins.table import joins_for
from transforms.kinds import KINDS, Kind
from transforms.migrations.migrate import Migrator, declared_source, migrate, of_source, prepare_migrator
from transforms.parsing.json_reference import NUMBER_OUT_OF_RANGE
from transforms.parsing.json_strict import parse
from transforms.reading import Read
from transforms.records import Finding, Line, MigratedFrom, Outcome, Verdict, outcome_of
from transforms.rules.rule import RuleContext, apply
from transforms.rules.text import excerpt
from transforms.shards.lines import BLANK_RECORD, BYTES_NOT_KEPT, RECORD_TOO_LARGE
from transforms.structure import UNSUPPORTED_VERSION, Compiled, check, compile_validator, declared_version
from transforms.terms import StreamTerms

_WHITE_SPACE = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Bench:
    """A stream's terms made ready for judging. Built once per process: compiled validators do not pickle."""

    terms: StreamTerms
    kind: Kind
    compiled: Mapping[str, Compiled]
    columns: StreamColumns
    joins: tuple[Join, ...]
    context: RuleContext
    translator: Translator | None = None
    migrator: Migrator | None = None


def prepare(terms: StreamTerms) -> Bench:
    """Compile the stream's schemas and look up its kind."""
    compiled = {
        version: compile_validator(schema, terms.validator, terms.registered)
        for version, schema in terms.schemas.items()
    }
    context = RuleContext(
        terms.limits,
        terms.policies,
        terms.tools,
        terms.fingerprint,
        terms.rubrics,
        terms.evidence,
        terms.acceptance is not None,
    )
    columns, translator = StreamColumns(terms), prepare_translator(terms)
    kind = KINDS[terms.kind]
    migrator = prepare_migrator(terms, kind.version_field)
    return Bench(terms, kind, compiled, columns, joins_for(terms), context, translator, migrator)


def judge(line: Line, bench: Bench) -> Verdict:
    """What stages 1 to 4 say of one record that is not a skipped blank."""
    terms = bench.terms
    if line.oversized:
        bound = terms.limits.max_record_bytes
        if line.length <= bound:
            return _reject(
                Finding(BYTES_NOT_KEPT.code, f"the earlier run kept the digest of {line.length} bytes alone")
            )
        return _reject(Finding(RECORD_TOO_LARGE.code, f"{line.length} bytes, the campaign allows {bound}"))
    if is_blank(line):
        return _reject(Finding(BLANK_RECORD.code, "nothing but white space"))
    if bench.translator:
        return _judge_translated(line, bench, bench.translator)
    read = bench.kind.read(line, terms.limits)
    if isinstance(read, Finding):
        return _reject(read)
    if not _is_listed(line.version, bench):
        listed = ", ".join(sorted(bench.compiled))
        message = f"an earlier run read it as {excerpt(line.version or '')}, the campaign lists {listed}"
        return _reject(Finding(UNSUPPORTED_VERSION.code, message))
    if bench.migrator:
        return _judge_migrated(read, line, bench, bench.migrator)
    if line.is_judged:
        return _judge_again(read, line, bench)
    return _judge_read(read, line.data, bench)


def _judge_again(read: Read, line: Line, bench: Bench) -> Verdict:
    """What rubrics decide of a record that was accepted; its structure and its archival bytes are as they were."""
    version = declared_version(read.value, bench.kind.version_field, bench.compiled)
    assert isinstance(version, str), "an accepted record is of a listed version"
    findings = apply(tuple(rule for rule in bench.kind.rules if rule.by_rubric), read.exact, bench.context)
    return Verdict(outcome_of(findings), findings, read.value, line.data, version, read.plain, (), read.exact)


def _is_listed(version: str | None, bench: Bench) -> bool:
    """Whether the campaign knows the version that an earlier run read a record under which declares none itself."""
    migrated = bench.migrator.steps if bench.migrator else {}
    return version is None or version in bench.compiled or version in migrated


def _judge_migrated(read: Read, line: Line, bench: Bench, migrator: Migrator) -> Verdict:
    """A migrated record is judged as any other of its target; what is found is told of the source."""
    source = declared_source(migrator, read.value, line.version)
    if source is None:
        verdict = _judge_read(read, line.data, bench)
        return replace(verdict, derived=(*verdict.derived, *NOT_MIGRATED))
    migrated = migrate(read, source, migrator, bench.terms.limits)
    if isinstance(migrated, tuple):
        return Verdict(Outcome.REJECTED, migrated)
    # A record that fits as it is keeps its bytes; one that was changed has none of its own.
    verdict = _judge_read(migrated.read, line.data, bench, jcs=bool(migrated.touched))
    sha256 = digest(line.data)
    return replace(
        verdict,
        findings=of_source(verdict.findings, migrated.steps),
        derived=(*verdict.derived, line.data, sha256.hex(), source, migrated.touched),
        migrated=MigratedFrom(source, sha256),
    )


def _judge_translated(line: Line, bench: Bench, translator: Translator) -> Verdict:
    """A record that an adapter makes is judged as any other; what is found is told of the source."""
    translated = translate(line, translator, bench.terms.limits)
    if isinstance(translated, tuple):
        return Verdict(Outcome.REJECTED, translated)
    verdict = _judge_read(translated.read, line.data, bench)
    findings = in_source(verdict.findings, translated.source, translator.adapter)
    return replace(verdict, findings=findings, derived=(line.data, sha256_hex(line.data)))


def _judge_read(read: Read, own: bytes, bench: Bench, *, jcs: bool = False) -> Verdict:
    """What stages 3 and 4 say of a record; `own` are its bytes, kept unless the campaign or `jcs` asks for RFC 8785."""
    terms = bench.terms
    version = declared_version(read.value, bench.kind.version_field, bench.compiled)
    if isinstance(version, Finding):
        return _reject(version)
    broken = check(read.value, bench.compiled[version], terms.limits.max_findings_per_record)
    if broken:
        return Verdict(Outcome.REJECTED, broken, read.value)
    if not read.plain and (column := bench.columns.misfit(read.value, version)):
        message = f"the integer column {excerpt(column)} cannot hold the number exactly"
        return _reject(Finding(NUMBER_OUT_OF_RANGE.code, message))
    findings = apply(bench.kind.rules, read.exact, bench.context)
    derived = bench.kind.derive(read, bench.context) if bench.kind.derive else ()
    if isinstance(derived, Finding):
        findings, derived = (*findings, derived), ()
    jcs = jcs or terms.canonicalisation == "jcs"
    archival = canonical_json(read.value, plain=read.plain) if jcs else own
    if jcs and not read.plain and isinstance(parse(archival, terms.limits.max_depth), Finding):
        # RFC 8785 writes 1e16 as an integer that RFC 7493 forbids: such a record could not be read back.
        return _reject(Finding(NUMBER_OUT_OF_RANGE.code, "a number's canonical form is beyond ±(2^53 − 1)"))
    return Verdict(outcome_of(findings), findings, read.value, archival, version, read.plain, derived, read.exact)


def is_blank(line: Line) -> bool:
    """Whether the line, or the document, holds nothing but JSON white space."""
    return not line.oversized and not line.data.strip(_WHITE_SPACE)


def _reject(finding: Finding) -> Verdict:
    return Verdict(Outcome.REJECTED, (finding,))
