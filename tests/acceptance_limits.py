"""Campaigns in which records cannot be accepted, or settings do nothing, with the findings of `assay check`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from golden_campaigns import RUBRIC, RUBRIC_DOCUMENT, STREAM, merged, write_campaign

from pipeline.sample.manifest import shipped_pins
from transforms.digests import sha256_hex

PAIRS, TRACES, ANSWERS, DERIVATIONS = "pairwise-v2", "agent-trace-v2", "grounded-qa-v1", "math-derivation-v1"
UNREACHABLE, LIMITED, UNKNOWN, FOREIGN, UNUSED = (
    "acceptance-unreachable",
    "acceptance-limited",
    "contributors-unknown",
    "foreign-setting",
    "unused-setting",
)
ABSENT = {
    PAIRS: ["tasks"],
    TRACES: ["documents", "executions", "tasks"],
    ANSWERS: ["documents", "tasks"],
    DERIVATIONS: ["tasks"],
}
PLACE = f"/streams/{STREAM}/acceptance"
PYTHON = {"language": "python", "version": "3.11"}
EXECUTOR = {"version": "1", "configuration_sha256": "b" * 64, "interpreter": "i", "timeout_seconds": 9}
JUDGE = {"model": "m", "prompt_sha256": "a" * 64, "parameters": {}}
_CLINICAL = {"weight": 0.5, "minimum_score": 3, "qualification": "clinical"}
CLINICAL = {"criteria": [{"id": "evidence_quality"} | _CLINICAL, {"id": "applicability"} | _CLINICAL]}
QUALIFIED = {"lead": {"qualifications": ["clinical", "privacy", "source"]}}

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Limit:
    """A campaign of one stream of `kind` with reviews, and the (code, pointer) found in it.

    `acceptance` and `stream` are the stream's, `rubric` is a patch of its rubric, `evidence` the manifest's;
    `streams` are the kinds of further streams, and `without` is what is declared beside the facts. Where a rubric
    decides there are assignments as well, unless `assigned` is false.
    """

    name: str
    kind: str
    found: tuple[tuple[str, str], ...]
    acceptance: Json | None = field(default_factory=dict)
    rubric: Json = field(default_factory=dict)
    evidence: Json = field(default_factory=dict)
    streams: tuple[str, ...] = ("review-v1",)
    without: tuple[str, ...] = ()
    stream: Json = field(default_factory=dict)
    assigned: bool = True

    def write(self, folder: Path) -> Path:
        """The campaign's manifest; its shards are empty."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "none.jsonl").write_bytes(b"")
        kinds = (*self.streams, *(("assignment-v1",) if self.assigned and self.acceptance is not None else ()))
        patch = {
            "schemas": shipped_pins(kinds),
            "streams": {
                STREAM: {**self.stream, **({} if self.acceptance is None else {"acceptance": self.acceptance})},
                **{kind: {"kind": kind, "versions": [kind], "input": "none.jsonl"} for kind in kinds},
            },
            "evidence": self.evidence,
            "without": [*ABSENT[self.kind], *self.without],
        }
        path = write_campaign(folder, "none.jsonl", patch, {}, self.kind)
        rubric = json.dumps(merged(RUBRIC_DOCUMENT, self.rubric)).encode()
        (folder / "rubric.json").write_bytes(rubric)
        pinned = merged(json.loads(path.read_bytes()), {"rubrics": {RUBRIC: {"sha256": sha256_hex(rubric)}}})
        pinned["schemas"][self.kind] = shipped_pins([self.kind])[self.kind]
        path.write_text(json.dumps(pinned), encoding="utf-8")
        return path


def gates(**wanted: Any) -> Json:
    return {"hard_gates": wanted}


def votes(reviews: int = 1, action: str = "hold") -> Json:
    policy = {"independent_reviews": reviews, "minimum_accept_votes": 1, "disagreement_action": action}
    return {"review_policy": policy}


_SYNTAX, _TESTS, _NAMED = gates(syntax_valid=True), gates(required_tests_pass=True), {"rubric": RUBRIC}
_RUNS, _JUDGED = ("review-v1", "code-execution-v1"), ("review-v1", "adjudication-v1")

ERRORS = (
    Limit("code gates and no code", PAIRS, ((UNREACHABLE, PLACE),), rubric=_SYNTAX),
    Limit(
        "qualified criteria, and nobody qualified to score them",
        DERIVATIONS,
        ((UNREACHABLE, "/evidence/adjudicators"),),
        _NAMED,
        CLINICAL,
        {"adjudicators": {"lead": {"qualifications": ["privacy", "source"]}}},
        _JUDGED,
    ),
    Limit(
        "a linter without rules",
        PAIRS,
        ((UNREACHABLE, f"{PLACE}/code"),),
        {"code": PYTHON},
        gates(max_linter_findings=0),
    ),
    Limit(
        "tests, and nobody who runs any",
        PAIRS,
        (
            (UNREACHABLE, "/evidence"),
            (UNREACHABLE, "/evidence"),
            (UNREACHABLE, "/streams/code-execution-v1"),
        ),
        {"code": PYTHON},
        _TESTS,
        streams=_RUNS,
    ),
    Limit(
        "an executor and no tests",
        PAIRS,
        ((UNREACHABLE, "/evidence"), (UNREACHABLE, "/streams/code-execution-v1")),
        {"code": PYTHON},
        _TESTS,
        {"executors": {"sandbox": EXECUTOR}},
        _RUNS,
    ),
    Limit("a gate for other kinds", TRACES, ((UNREACHABLE, PLACE),), rubric=_SYNTAX),
    Limit(
        "no reviewers at all",
        ANSWERS,
        (
            (LIMITED, f"/streams/{STREAM}"),
            (UNREACHABLE, "/evidence/reviewers"),
            (UNREACHABLE, "/streams/review-v1"),
        ),
        _NAMED,
        evidence={"reviewers": []},
    ),
    Limit(
        "fewer reviewers than reviews",
        DERIVATIONS,
        ((UNREACHABLE, "/evidence/reviewers"),),
        _NAMED,
        votes(3),
        {"reviewers": ["ann", "ben"], "judges": {"j": JUDGE}},
    ),
    Limit(
        "a reviewer by the name of a judge",
        DERIVATIONS,
        (("evidence-misnamed", "/evidence/reviewers/1"),),
        _NAMED,
        votes(2),
        {"reviewers": ["ann", "j"], "judges": {"j": JUDGE}},
    ),
    Limit(
        "adjudications by nobody",
        PAIRS,
        ((UNREACHABLE, "/streams/adjudication-v1"),),
        None,
        streams=("adjudication-v1",),
    ),
    *(
        Limit(
            f"{name} on {kind}", kind, ((FOREIGN, f"/streams/{STREAM}/{name}"),), None, streams=(), stream={**setting}
        )
        for kind, name, setting in (
            (PAIRS, "rules/wilson-bound", {"rules": {"wilson-bound": "hold"}}),
            (PAIRS, "joins/quote-mismatch", {"joins": {"quote-mismatch": "hold"}}),
            (PAIRS, "joins/self-review", {"joins": {"self-review": "hold"}}),
            (PAIRS, "identity/superseded-baseline", {"identity": {"superseded-baseline": "hold"}}),
            (PAIRS, "tools", {"tools": {"search": ["1"]}}),
            (PAIRS, "fingerprint", {"fingerprint": "rfc8785"}),
            (DERIVATIONS, "offsets", {"offsets": "code-points"}),
            (ANSWERS, "latency_tolerance_ms", {"latency_tolerance_ms": 5}),
            (ANSWERS, "rules/identical-candidates", {"rules": {"identical-candidates": "allow-tie"}}),
        )
    ),
    Limit("code in answers", ANSWERS, ((FOREIGN, f"{PLACE}/code"),), {"code": PYTHON, **_NAMED}),
    Limit("grounding of pairs", PAIRS, ((FOREIGN, f"{PLACE}/evidence_policy"),), {"evidence_policy": "cited"}),
)
WARNINGS = (
    Limit("without reviews", PAIRS, ((LIMITED, "/without"),), streams=(), without=("reviews",)),
    Limit(
        "a language without evaluator",
        PAIRS,
        ((LIMITED, f"{PLACE}/code"),),
        {"code": PYTHON | {"language": "cobol"}},
        _SYNTAX,
    ),
    Limit("a version too new", PAIRS, ((LIMITED, f"{PLACE}/code"),), {"code": PYTHON | {"version": "3.99"}}, _SYNTAX),
    Limit("a version too old", PAIRS, ((LIMITED, f"{PLACE}/code"),), {"code": PYTHON | {"version": "2.7"}}, _SYNTAX),
    Limit(
        "without executions",
        PAIRS,
        ((LIMITED, "/without"),),
        {"code": PYTHON},
        _TESTS,
        {"executors": {"sandbox": EXECUTOR}, "test_suites": {"path": "suites.json", "sha256": ""}},
        without=("code-executions",),
    ),
    Limit(
        "functions that cannot be simple enough",
        PAIRS,
        ((LIMITED, f"{PLACE}/code"),),
        {"code": PYTHON},
        gates(max_cyclomatic_complexity_per_function=0),
    ),
    Limit(
        "disagreements nobody adjudicates",
        DERIVATIONS,
        ((LIMITED, "/without"),),
        _NAMED,
        votes(action="adjudicate"),
        without=("adjudications",),
    ),
    Limit(
        "clinical answers without clinicians",
        ANSWERS,
        ((LIMITED, "/evidence"),),
        _NAMED,
        evidence={"adjudicators": {"lead": {"qualifications": ["privacy"]}}},
        streams=("review-v1", "adjudication-v1"),
    ),
    Limit(
        "citations without documents",
        ANSWERS,
        ((LIMITED, "/without"),),
        _NAMED,
        gates(source_integrity=True) | CLINICAL,
        {"adjudicators": QUALIFIED},
        _JUDGED,
    ),
    Limit(
        "clinical answers under a rubric that is not made for them",
        ANSWERS,
        ((LIMITED, f"{PLACE}/rubric"),),
        _NAMED,
        evidence={"adjudicators": QUALIFIED},
        streams=_JUDGED,
    ),
    Limit(
        "qualified criteria without adjudications",
        DERIVATIONS,
        ((LIMITED, "/without"),),
        _NAMED,
        CLINICAL,
        without=("adjudications",),
    ),
    Limit("nothing expected", DERIVATIONS, ((LIMITED, "/without"),), _NAMED, gates(answer_matches=True)),
    Limit(
        "records that nobody is known to have handed in", DERIVATIONS, ((UNKNOWN, "/streams"),), _NAMED, assigned=False
    ),
    Limit("code that nothing looks at", PAIRS, ((UNUSED, f"{PLACE}/code"),), {"code": PYTHON}),
    Limit(
        "a policy about tasks without tasks",
        PAIRS,
        ((UNUSED, f"/streams/{STREAM}/joins/unknown-task"),),
        None,
        streams=(),
        stream={"joins": {"unknown-task": "hold"}},
    ),
)
FIT = (
    Limit("no rubric decides, so it does not matter whose records are", PAIRS, (), None),
    Limit("code gates with code", PAIRS, (), {"code": PYTHON}, _SYNTAX),
    Limit("linted and not gated", PAIRS, (), {"code": PYTHON | {"linter_rules": ["E1"]}}),
    Limit(
        "judges that count",
        DERIVATIONS,
        (),
        _NAMED,
        votes(2),
        {"reviewers": ["ann"], "judges": {"j": JUDGE | {"counts_as_independent": True}}},
    ),
    Limit(
        "clinical answers under a rubric for them",
        ANSWERS,
        (),
        _NAMED,
        CLINICAL,
        {"adjudicators": QUALIFIED},
        _JUDGED,
    ),
    Limit("anybody may review", DERIVATIONS, (), _NAMED, votes(100)),
)
