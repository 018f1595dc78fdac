"""Settings of a stream that nothing would read: those for other kinds of record, and those for facts that are absent.

A setting that can touch no record of the stream's kind is an error: whoever wrote it expects it to do something. One
that only this campaign has no use for is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.acceptance import stated_facts
from pipeline.campaign_codes import FOREIGN_SETTING, UNUSED_SETTING, problem
from transforms.acceptance.gate_names import BY_NAME
from transforms.acceptance.values import Rubric
from transforms.joins.join import Join
from transforms.joins.table import JOINS
from transforms.kinds import ANNOTATIONS, EVIDENCE_KINDS, KINDS
from transforms.records import Finding, Json

Kinds = frozenset[str]

_ALL: Kinds = frozenset(KINDS)
_TRACES: Kinds = frozenset(("agent-trace-v1", "agent-trace-v2"))
_GROUNDED: Kinds = frozenset(("grounded-qa-v1",))
_CODE: Kinds = frozenset(("pairwise-v2",))
_WITH_SUBJECT: Kinds = frozenset(kind.name for kind in KINDS.values() if kind.subject)
# Settings, by their path in the stream, and the kinds that know them. What is not here is for all kinds.
_SETTINGS: Mapping[tuple[str, ...], Kinds] = {
    ("tools",): _TRACES,
    ("latency_tolerance_ms",): _TRACES,
    ("offsets",): _GROUNDED,
    ("fingerprint",): frozenset(("mavai-baseline-1",)),
    ("identity", "annotations_per_task"): _WITH_SUBJECT,
    ("acceptance", "code"): _CODE,
    ("acceptance", "evidence_policy"): _GROUNDED,
}
# Codes that fewer kinds can get than take part in their join.
_NARROWER: Mapping[str, Kinds] = {
    "task-conflict": _WITH_SUBJECT,
    "repeated-annotation": _WITH_SUBJECT,
    "look-alike-id": _ALL - {"mavai-baseline-1"},
    "document-digest-mismatch": _GROUNDED,
    "span-out-of-bounds": _GROUNDED,
    "quote-mismatch": _GROUNDED,
    "evidence-digest-mismatch": frozenset(("agent-trace-v2",)),
    "undeclared-tool": _TRACES,
    "duplicate-review": frozenset(("review-v1",)),
    "self-review": frozenset(("review-v1", "adjudication-v1")),
    "review-of-other-rubric": frozenset(("review-v1", "adjudication-v1")),
}


def foreign_settings(manifest: Json) -> Iterator[Finding]:
    """The settings and policies of each stream that are for other kinds; streams of unknown kinds are passed over."""
    for name, row in sorted(manifest["streams"].items()):
        if row["kind"] not in KINDS:
            continue
        for path, kinds in _stated(row):
            if row["kind"] not in kinds:
                others = ", ".join(sorted(kinds))
                message = f"{path[-1]!r} is nothing for records of kind {row['kind']}, only for {others}"
                yield problem(FOREIGN_SETTING, message, "/".join(("", "streams", name, *path)))


def unused_settings(manifest: Json, rubrics: Mapping[str, Rubric]) -> Iterator[Finding]:
    """The settings of each stream that this campaign has no use for; none is foreign, by `foreign_settings`."""
    facts = stated_facts(manifest) | {"evidence"}
    for name, row in sorted(manifest["streams"].items()):
        for code in sorted(row.get("joins", {})):
            wanted = {join.fact for join in _joins(code) if row["kind"] in _judged(join)}
            if None not in wanted and not wanted & facts:
                absent = " or ".join(sorted(filter(None, wanted)))
                message = f"the campaign has no {absent}, so no record gets this code"
                yield problem(UNUSED_SETTING, message, f"/streams/{name}/joins/{code}")
        code_terms = row.get("acceptance", {}).get("code")
        if code_terms is not None and not code_terms.get("linter_rules") and not _gates_code(rubrics):
            message = "no rubric has a gate for code and no linter runs, so nothing looks at it"
            yield problem(UNUSED_SETTING, message, f"/streams/{name}/acceptance/code")


def raised_by(code: str) -> Kinds:
    """The kinds whose records a rule across records may name under a code; empty for a code of no such rule."""
    kinds = frozenset[str]().union(*(_judged(join) for join in _joins(code)))
    return kinds & _NARROWER.get(code, _ALL)


def _stated(row: Json) -> Iterator[tuple[tuple[str, ...], Kinds]]:
    """The settings that a stream states, by their path in it, each with the kinds that know it."""
    for path, kinds in _SETTINGS.items():
        within = row if len(path) == 1 else row.get(path[0], {})
        if path[-1] in within:
            yield path, kinds
    for member in _POLICIES:
        for code in sorted(row.get(member, {}).keys() & _CODES.keys()):
            yield (member, code), _CODES[code]


def _joins(code: str) -> tuple[Join, ...]:
    return tuple(join for join in JOINS if any(code == row.code for row in join.codes))


def _judged(join: Join) -> Kinds:
    """The kinds that a join judges: facts are what others are held against, and evidence is held against records."""
    kinds = _ALL if join.kinds is None else join.kinds
    if join.fact is None:
        return kinds
    return kinds & (EVIDENCE_KINDS if join.fact == "evidence" else ANNOTATIONS)


def _gates_code(rubrics: Mapping[str, Rubric]) -> bool:
    return any(BY_NAME[gate.name].kinds[0] in _CODE for rubric in rubrics.values() for gate in rubric.gates)


_POLICIES = ("identity", "joins", "rules")


def _by_code() -> Mapping[str, Kinds]:
    """The kinds that can get each code that a campaign may set a policy for. Where both do, joins go before rules."""
    kinds: dict[str, Kinds] = {}
    for kind in KINDS.values():
        for code in {code.code for rule in kind.rules for code in rule.codes}:
            kinds[code] = kinds.get(code, frozenset()) | {kind.name}
    return kinds | {code.code: raised_by(code.code) for join in JOINS for code in join.codes}


_CODES = _by_code()
