"""Can the records of a campaign's streams be accepted at all? What stands in the way, told before a record is read.

The checks follow the order in which records are decided (docs/rubrics.md): gates, reviews, votes; then what clinical
answers wait for, and whether evidence can count. What a campaign declares to go without it knows about, so that is
never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.acceptance import TESTS
from pipeline.campaign_codes import ACCEPTANCE_LIMITED, ACCEPTANCE_UNREACHABLE, problem
from transforms.acceptance.clinical import QUALIFICATIONS, clinical_gap, lacking_qualifications
from transforms.acceptance.code.gates import not_judged
from transforms.acceptance.gate_names import BY_NAME, misplaced
from transforms.acceptance.values import CodeTerms, Disagreement, EvidenceTerms, Gate, Rubric
from transforms.joins.evidence import REVIEW_OF_UNKNOWN_RECORD
from transforms.joins.join import policy
from transforms.kinds import ANNOTATIONS, EVIDENCE_KINDS, KINDS
from transforms.records import Finding
from transforms.terms import Action, StreamTerms

_ANSWERS, _CLINICAL = "grounded-qa-v1", "clinical_qa"


@dataclass(frozen=True, slots=True)
class Gap:
    """Why records cannot be accepted; `pointer` into the manifest.

    `every`: no record can, whatever it says and whoever speaks for it, and the campaign has not declared so.
    """

    pointer: str
    message: str
    every: bool = True


Streams = Mapping[str, StreamTerms]


def limits_of_acceptance(streams: Streams, without: frozenset[str]) -> Iterator[Finding]:
    """What keeps records of a stream from acceptance: an error where it keeps all of them, else a warning.

    `streams` are the campaign's by name, `without` what it declares to go without. What several streams share is told
    once for each rubric.
    """
    told: set[tuple[str, str]] = set()
    for terms in streams.values():
        for gap in _of_stream(terms, streams, without):
            if (gap.pointer, gap.message) not in told:
                told.add((gap.pointer, gap.message))
                yield problem(ACCEPTANCE_UNREACHABLE if gap.every else ACCEPTANCE_LIMITED, gap.message, gap.pointer)


def _of_stream(terms: StreamTerms, streams: Streams, without: frozenset[str]) -> Iterator[Gap]:
    yield from _evidence_gaps(terms, streams)
    if terms.kind == _ANSWERS:
        yield from _clinical_gaps(terms, streams, declared="adjudications" in without)
    if terms.acceptance is None:
        return
    by_rubric = {rubric.version: tuple(_rubric_gaps(terms, rubric)) for rubric in _own_rubrics(terms, streams)}
    # A record that names its rubric itself may name one of those that can be met.
    escapes = not all(any(gap.every for gap in gaps) for gaps in by_rubric.values())
    for gaps in by_rubric.values():
        yield from (Gap(gap.pointer, gap.message, every=gap.every and not escapes) for gap in gaps)


def _own_rubrics(terms: StreamTerms, streams: Streams) -> tuple[Rubric, ...]:
    """The rubrics that decide a stream's records: the one it names, or those that are not plainly for other streams."""
    assert terms.acceptance is not None
    if terms.acceptance.rubric:
        return (terms.rubrics[terms.acceptance.rubric],)
    others = [other for other in streams.values() if other.acceptance and other.name != terms.name]
    named = {other.acceptance.rubric for other in others if other.acceptance}
    own = [
        rubric
        for rubric in terms.rubrics.values()
        if rubric.version not in named and not (misplaced(rubric, terms.kind) and _fits_another(rubric, others))
    ]
    return tuple(own or terms.rubrics.values())


def _fits_another(rubric: Rubric, others: list[StreamTerms]) -> bool:
    """Whether another stream, whose records name their rubrics too, can answer each gate of this one."""
    return any(KINDS[other.kind].rubric_field and not misplaced(rubric, other.kind) for other in others)


def _rubric_gaps(terms: StreamTerms, rubric: Rubric) -> Iterator[Gap]:
    place = f"/streams/{terms.name}/acceptance"
    for gate in rubric.gates:
        for gap in _gate_gaps(terms, gate, place):
            yield Gap(gap.pointer, f"rubric {rubric.version!r}, gate {gate.name}: {gap.message}", gap.every)
    for gap in (*_review_gaps(terms, rubric), *_score_gaps(terms, rubric), *_vote_gaps(terms, rubric)):
        yield Gap(gap.pointer, f"rubric {rubric.version!r}: {gap.message}", gap.every)


def _gate_gaps(terms: StreamTerms, gate: Gate, place: str) -> Iterator[Gap]:
    if terms.kind not in BY_NAME[gate.name].kinds:
        yield Gap(place, f"no record of kind {terms.kind} can answer it")
    elif check := _GATES.get(gate.name):
        yield from check(terms, gate, place)


def _judged_code(terms: StreamTerms, gate: Gate, place: str) -> Iterator[Gap]:
    """A gate that looks at code: its language must be stated, and should be one that is judged, in such a version."""
    code = _code(terms)
    if code is None:
        yield Gap(place, "`code` is not there to say what language code is in, so nothing answers it")
    elif reason := not_judged(code):
        # Declared as it is, and answered by no evaluator of this release: nothing is rejected for that, nor accepted.
        yield Gap(f"{place}/code", f"{reason}: every record is held", every=False)
    elif gate.name == "max_linter_findings" and not code.linter_rules:
        yield Gap(f"{place}/code", "no `linter_rules` are selected, so the linter does not run")
    elif gate.name == "max_cyclomatic_complexity_per_function" and gate.wanted < 1:
        yield Gap(f"{place}/code", "a function has a complexity of at least 1: code with a function is rejected", False)


def _tests(terms: StreamTerms, _gate: Gate, place: str) -> Iterator[Gap]:
    if _code(terms) is None:
        yield Gap(place, "`code` is not there to say what language code is in, so nothing answers it")
    if "code-executions" not in terms.facts:
        yield Gap("/without", "the campaign goes without code-executions: every record is held", every=False)
    if not terms.evidence.executors:
        yield Gap("/evidence", "there are no `executors`, so no execution counts", every=_has(terms, "code-executions"))
    if not terms.evidence.suites:
        yield Gap(
            "/evidence", "`test_suites` names no task's tests, so no execution counts", _has(terms, "code-executions")
        )


def _code(terms: StreamTerms) -> CodeTerms | None:
    return terms.acceptance.code if terms.acceptance else None


def _has(terms: StreamTerms, fact: str) -> bool:
    return fact in terms.facts


def _documents(terms: StreamTerms, _gate: Gate, _place: str) -> Iterator[Gap]:
    if not _has(terms, "documents"):
        yield Gap("/without", "the campaign goes without documents: every record that cites one is held", every=False)


def _expected_answers(terms: StreamTerms, _gate: Gate, _place: str) -> Iterator[Gap]:
    if not _has(terms, "tasks"):
        yield Gap("/without", "the campaign goes without tasks: no answer is expected, every record is held", False)


# The gates that reviews answer are left out: without reviews no record gets that far, whatever its gates.
_GATES: Mapping[str, Callable[[StreamTerms, Gate, str], Iterator[Gap]]] = {
    "syntax_valid": _judged_code,
    "max_cyclomatic_complexity_per_function": _judged_code,
    "unapproved_dependencies": _judged_code,
    "max_linter_findings": _judged_code,
    TESTS: _tests,
    "source_integrity": _documents,
    "quote_alignment": _documents,
    "answer_matches": _expected_answers,
}


def _review_gaps(terms: StreamTerms, rubric: Rubric) -> Iterator[Gap]:
    wanted = rubric.policy.independent_reviews
    if not _has(terms, "reviews"):
        yield Gap("/without", "the campaign goes without reviews: every record is held", every=False)
    elif (most := most_reviews(terms.evidence)) is not None and most < wanted:
        message = f"{wanted} independent reviews are wanted, and the campaign names {most} whose reviews count as such"
        yield Gap("/evidence/reviewers", message)


def most_reviews(evidence: EvidenceTerms) -> int | None:
    """How many independent reviews one record can have at most; None where anybody may review."""
    if evidence.reviewers is None:
        return None
    # A judge is none of the reviewers: `evidence_names.misnamed` refuses such a campaign.
    return len(evidence.reviewers) + sum(judge.counts_as_independent for judge in evidence.judges.values())


def _score_gaps(terms: StreamTerms, rubric: Rubric) -> Iterator[Gap]:
    """Criteria that only qualified adjudicators score: without one every record is held."""
    if not any(criterion.qualification for criterion in rubric.criteria):
        return
    if not _has(terms, "adjudications"):
        message = "the campaign goes without adjudications: nobody scores its qualified criteria, every record is held"
        yield Gap("/without", message, every=False)
    elif lacking := lacking_qualifications(rubric, terms.evidence):
        message = f"no adjudicator is qualified to score its criteria of {', '.join(lacking)}"
        yield Gap("/evidence/adjudicators", message)


def _vote_gaps(terms: StreamTerms, rubric: Rubric) -> Iterator[Gap]:
    if rubric.policy.disagreement is not Disagreement.ADJUDICATE:
        return
    if not _has(terms, "adjudications"):
        message = "the campaign goes without adjudications: records that reviewers disagree on stay held"
        yield Gap("/without", message, every=False)
    elif not terms.evidence.adjudicators:
        message = "there are no `adjudicators`: records that reviewers disagree on stay held"
        yield Gap("/evidence", message, every=False)


def _clinical_gaps(terms: StreamTerms, streams: Streams, *, declared: bool) -> Iterator[Gap]:
    """Clinical answers wait for three adjudications, which stage 6 alone looks at, and want a rubric made for them."""
    domains = _domains(terms)
    if domains is not None and _CLINICAL not in domains:
        return
    place, every = f"/streams/{terms.name}", domains == frozenset((_CLINICAL,))
    if terms.acceptance is None:
        # Where only some are clinical, a campaign that binds no rubric is taken to know that those wait.
        if every:
            yield Gap(place, "clinical records stay held: without `acceptance` no evidence on them is looked at")
    elif not _has(terms, "adjudications"):
        yield Gap(place, "clinical records stay held: there is no stream of adjudications", every and not declared)
    elif lacking := sorted(QUALIFICATIONS - frozenset[str]().union(*terms.evidence.adjudicators.values())):
        message = f"clinical records stay held: no adjudicator is qualified for {', '.join(lacking)}"
        yield Gap("/evidence", message, every)
    elif (gap := _unfit_for_clinical(terms)) and (every or all(map(_unfit_for_clinical, streams.values()))):
        # Where another stream's rubric is made for clinical records, they are taken to go there.
        yield Gap(f"{place}/acceptance/rubric", f"clinical records stay held: {gap}", every)


def _unfit_for_clinical(terms: StreamTerms) -> str | None:
    """Why a stream's rubric accepts no clinical record, None where it may."""
    if terms.kind != _ANSWERS or terms.acceptance is None or terms.acceptance.rubric is None:
        return "no rubric names the criteria that they need"
    return clinical_gap(terms.rubrics[terms.acceptance.rubric])


def _domains(terms: StreamTerms) -> frozenset[str] | None:
    """The domains that a stream's schemas list; None where one does not say."""
    listed: set[str] = set()
    for schema in terms.schemas.values():
        domain = schema.get("properties", {}).get("domain", {})
        if not isinstance(domain, dict) or not domain.keys() & {"enum", "const"}:
            return None
        listed.update(domain.get("enum", [domain.get("const")]))
    return frozenset(listed)


def _evidence_gaps(terms: StreamTerms, streams: Streams) -> Iterator[Gap]:
    """Evidence that no record of its stream can be: nobody may give it, or nothing is there that it speaks of."""
    place, evidence = f"/streams/{terms.name}", terms.evidence
    if terms.kind not in EVIDENCE_KINDS:
        return
    subjects = any(other.kind in ANNOTATIONS for other in streams.values())
    if not subjects and policy(REVIEW_OF_UNKNOWN_RECORD, terms) is not Action.ALLOW:
        yield Gap(place, "there is no stream of annotations that its records could be about")
    if terms.kind == "review-v1" and evidence.reviewers is not None:
        if not evidence.reviewers and not evidence.judges:
            yield Gap(place, "the campaign admits no reviewers and names no judges: every review is rejected")
    elif terms.kind == "adjudication-v1" and not evidence.adjudicators:
        yield Gap(place, "the campaign names no adjudicators: every adjudication is rejected")
    elif terms.kind == "code-execution-v1" and not (evidence.executors and evidence.suites):
        lacking = "executors" if not evidence.executors else "test suites"
        yield Gap(place, f"the campaign names no {lacking}: every execution is rejected")
