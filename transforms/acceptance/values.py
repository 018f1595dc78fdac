"""The plain values of stage 6: a rubric, the evidence on a record, and what is decided of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from transforms.records import Finding, Json, Outcome


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion of a rubric: its share of the weighted score, and the least that its own score must be.

    With a `qualification` it is scored by adjudicators qualified for that subject, and by nobody else.
    """

    id: str
    weight: Decimal
    minimum: Decimal
    qualification: str | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """A hard gate of a rubric: `wanted` is what must hold, a truth value or the greatest number allowed."""

    name: str
    wanted: bool | int


class Disagreement(StrEnum):
    """What becomes of a record whose reviewers disagree."""

    ADJUDICATE = "adjudicate"
    REJECT = "reject"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class ReviewPolicy:
    """How many independent reviews a record needs, and how many of their votes must accept it."""

    independent_reviews: int = 1
    minimum_accept_votes: int = 1
    disagreement: Disagreement = Disagreement.HOLD


@dataclass(frozen=True, slots=True)
class Rubric:
    """A rubric, read from its document. `minimum` and `maximum` bound every score."""

    version: str
    minimum: Decimal
    maximum: Decimal
    criteria: tuple[Criterion, ...]
    acceptance: Decimal
    gates: tuple[Gate, ...] = ()
    policy: ReviewPolicy = field(default_factory=ReviewPolicy)


@dataclass(frozen=True, slots=True)
class Judge:
    """An automatic reviewer as the campaign pins it; digests are SHA-256 in hexadecimal."""

    model: str
    prompt_sha256: str
    parameters_sha256: str
    counts_as_independent: bool = False


@dataclass(frozen=True, slots=True)
class Executor:
    """A service that runs tests, as the campaign pins it: its version, and the digest of its configuration."""

    version: str
    configuration_sha256: str
    interpreter: str
    timeout_seconds: int


@dataclass(frozen=True, slots=True)
class Suite:
    """The tests of one task: SHA-256 over them, and who supplied them ("sponsor", "contributor", "generated")."""

    sha256: str
    origin: str


@dataclass(frozen=True, slots=True)
class EvidenceTerms:
    """Whose evidence counts. `reviewers` None admits every human reviewer; the rest is by name.

    Reviewers, adjudicators and judges go by the form of their name that `people.person` gives, executors by the name.
    `adjudicators` maps a name to what it is qualified for; `suites` a task's id to its tests; `safety_policies` the
    version of a safety policy to the ids of its exceptions, `classifier_labels` that of one that says so to what labels
    signal: harm, or none. `anyone` asks for no name at all: fixtures are judged so,
    since they belong to no campaign, and nothing else may be.
    """

    reviewers: frozenset[str] | None = None
    adjudicators: Mapping[str, frozenset[str]] = field(default_factory=dict)
    judges: Mapping[str, Judge] = field(default_factory=dict)
    executors: Mapping[str, Executor] = field(default_factory=dict)
    suites: Mapping[str, Suite] = field(default_factory=dict)
    safety_policies: Mapping[str, frozenset[str]] = field(default_factory=dict)
    classifier_labels: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    anyone: bool = False


@dataclass(frozen=True, slots=True)
class CodeTerms:
    """How code in records is judged: language, its version, approved packages, the linter's rules (none: not run)."""

    language: str
    version: tuple[int, int]
    approved: frozenset[str] = frozenset()
    linter_rules: tuple[str, ...] = ()


class EvidencePolicy(StrEnum):
    """Which material claims without support are penalised.

    CITED: all that the cited evidence does not support. CITED_OR_FACTUAL: not those of them that the evidence is
    silent about and the reviewer holds to be true.
    """

    CITED = "cited"
    CITED_OR_FACTUAL = "cited-or-factual"


@dataclass(frozen=True, slots=True)
class AcceptanceTerms:
    """What a stream's records must meet: `rubric` is the version that binds kinds that declare none themselves."""

    rubric: str | None = None
    code: CodeTerms | None = None
    evidence_policy: EvidencePolicy = EvidencePolicy.CITED


class Vote(StrEnum):
    """A reviewer's or an adjudicator's word on a record."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer as a reviewer judged it.

    `support` is what the cited evidence says of it ("supported", "unsupported", "contradicted"), `factual` whether it
    is true whatever was cited, None where the reviewer does not say.
    """

    text: str
    material: bool
    support: str
    factual: bool | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A review that counts as evidence. `sha256` is that of the review's archival bytes; `automatic` is a judge's.

    `independent` reviews are those that the review policy counts; `gates` is what the reviewer says of gates.
    """

    reviewer: str
    sha256: str
    vote: Vote
    scores: Mapping[str, Decimal]
    gates: Mapping[str, bool] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    independent: bool = True
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Adjudication:
    """The word of a named adjudicator: on `subject` "acceptance", "clinical", "privacy" or "source".

    Whoever speaks of another subject than acceptance is qualified for it. `scores` are those of the criteria that the
    adjudicator was asked about, by id; most have none.
    """

    adjudicator: str
    sha256: str
    subject: str
    vote: Vote
    scores: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Execution:
    """A trusted record of tests that ran: over which code, with which tests, and how it ended.

    `exit_status` is None where the process was killed; `failed` are the names of failed tests (the first 256),
    `errors` how many tests could not be run to an end.
    """

    executor: str
    sha256: str
    code_sha256: str
    suite: Suite
    exit_status: int | None
    timed_out: bool
    passed: int
    failed: tuple[str, ...] = ()
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that counts on one record, each in the order (stream, shard, line).

    `contributor_known` says whether an assignment names who handed the record in; nobody's review of their own record
    is found without.
    """

    reviews: tuple[Review, ...] = ()
    adjudications: tuple[Adjudication, ...] = ()
    executions: tuple[Execution, ...] = ()
    contributor_known: bool = False


class Answer(StrEnum):
    """What a gate's evaluator says."""

    PASS = "pass"
    FAIL = "fail"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class GateAnswer:
    """A gate's answer, in words of ours (at most 200 characters), and the SHA-256 (hex) of the evidence for it.

    The evidence is the code that was judged, or the record that says so; None where there is none.
    """

    gate: str
    answer: Answer
    detail: str
    evidence_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class GateSubject:
    """What an evaluator looks at: a valid record of `kind`, its warnings so far, and the evidence on it.

    `facts` says what this very record was held against: "documents" where its citations were, "expected-answer" where
    its task states one and the final answer was compared with it.
    """

    kind: str
    value: Json
    findings: tuple[Finding, ...]
    evidence: Evidence
    code: CodeTerms | None = None
    facts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CriterionResult:
    """A criterion's scores, their median, and the least that it must be.

    The scores are those of the reviews that count or, where the criterion asks for a qualification, of the adjudicators
    that have it, in the order of either.
    """

    id: str
    scores: tuple[Decimal, ...]
    aggregate: Decimal
    minimum: Decimal


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided of one record, and all that it was decided by.

    `weighted` and `criteria` are there once all gates passed and enough reviews were in.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    rubric: str
    answers: tuple[GateAnswer, ...]
    criteria: tuple[CriterionResult, ...] = ()
    weighted: Decimal | None = None
    accepting: tuple[str, ...] = ()
    rejecting: tuple[str, ...] = ()
