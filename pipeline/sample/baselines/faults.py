"""Faults of what a baseline states: one change each, after which it is signed anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from pipeline.sample.baselines.forms import Form, Rewrite, as_is, exported, signed
from pipeline.sample.baselines.measures import Run, baseline
from pipeline.sample.pairwise import Record, put
from transforms.baselines import wilson

Change = Callable[[Record], object]

# Each criterion has a lost sample and some that it failed, and the latencies suffice for two percentiles.
RUN = Run(samples=14, failed=(2, 1), lost=1)


def _unchanged(_: Record) -> None:
    return


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one baseline and the code that it must get.

    `change` is made to the sound value before it is signed, `rewrite` to what is exported. It is exported in each of
    `forms`, or where there are none in some form.
    """

    code: str
    change: Change = _unchanged
    rewrite: Rewrite = as_is
    forms: tuple[Form, ...] = ()

    def spoilt(self, random: Random, number: int, form: Form) -> bytes:
        """A baseline with this fault."""
        value = baseline(random, number, RUN)
        self.change(value)
        return exported(signed(value), form, self.rewrite)


def _drop(name: str) -> Change:
    return lambda value: value.pop(name)


def _criterion(index: int, change: Change) -> Change:
    """A change of the criterion that stands at `index`: 0 is inferential, 1 observational."""
    return lambda value: change(list(value["criteria"].values())[index])


def _fewer_trials(criterion: Record) -> None:
    criterion["trials"] -= 1
    criterion["successes"] -= 1


def _too_many_successes(criterion: Record) -> None:
    criterion["successes"] = criterion["trials"] + 1


def _wrong_rate(criterion: Record) -> None:
    criterion["observedPassRate"] = round(criterion["observedPassRate"] - 0.001, 6)


def _two_sided(criterion: Record) -> None:
    level = (1 + RUN.level) / 2
    criterion["wilsonLowerBound"] = round(wilson.lower_bound(criterion["successes"], criterion["trials"], level), 6)


def _one_failure_more(criterion: Record) -> None:
    criterion["failureDistribution"][0]["count"] += 1


def _renumbered(value: Record) -> None:
    value["inputs"][0]["inputIndex"], value["inputs"][1]["inputIndex"] = 1, 0


def _one_descent(value: Record) -> None:
    """Percentiles are those of the sorted vector, and stay what they were."""
    vector = value["latency"]["sortedPassingLatenciesMs"]
    at = next(index for index in range(len(vector) - 1) if vector[index] < vector[index + 1])
    vector[at], vector[at + 1] = vector[at + 1], vector[at]


def _next_rank(value: Record) -> None:
    value["latency"]["p50Ms"] += 0.5


def _one_latency_less(value: Record) -> None:
    value["latency"]["sortedPassingLatenciesMs"].pop()


def _nothing_contributes(value: Record) -> None:
    block = {"basis": "passing-samples", "contributingSamples": 0, "totalSamples": RUN.samples}
    value["latency"] = {**block, "sortedPassingLatenciesMs": []}


def _another_delivery(key: str, to: str) -> Change:
    """The lost sample is the last entry of every distribution."""
    return _criterion(0, put("failureDistribution", -1, key, to=to))


_LONG = "x" * 257
_TOO_LONG_FOR_A_RECORD = "retried " * 1500

CHANGES: tuple[Fault, ...] = (
    Fault("record-too-large", put("factorRecord", "log", to=_TOO_LONG_FOR_A_RECORD), forms=(Form.YAML,)),
    Fault("missing-schema-version", _drop("schemaVersion")),
    Fault("unsupported-schema-version", put("schemaVersion", to="mavai-baseline-2")),
    Fault("unsupported-schema-version", put("schemaVersion", to="mavai-explore-1")),
    Fault("schema/required", _drop("serviceName")),
    Fault("schema/required", _criterion(0, lambda criterion: criterion.pop("trials"))),
    Fault("schema/type", put("covariateProfile", "temperature", to=0.7)),
    Fault("schema/type", _criterion(0, put("trials", to="14"))),
    Fault("schema/enum", _criterion(1, put("mode", to="informal"))),
    Fault("schema/enum", _another_delivery("condition", "it never came back")),
    Fault("schema/const", put("latency", "basis", to="responded-samples")),
    Fault("schema/minimum", put("expiration", "expiresInDays", to=0)),
    Fault("schema/maximum", _criterion(0, put("observedPassRate", to=1.5))),
    Fault("schema/exclusiveMinimum", put("confidenceLevel", to=0)),
    Fault("schema/exclusiveMaximum", put("confidenceLevel", to=1)),
    Fault("schema/minLength", put("serviceContractId", to="")),
    Fault("schema/maxLength", put("inputs", 0, "inputExcerpt", to=_LONG)),
    Fault("schema/minProperties", put("criteria", to={})),
    Fault("execution-count", put("execution", "samplesPlanned", to=RUN.samples - 1)),
    Fault("execution-count", put("execution", "samplesPlanned", to=RUN.samples + 1)),
    Fault("inputs-index", _renumbered),
    Fault("trials-not-executed", _criterion(1, _fewer_trials)),
    Fault("successes-exceed-trials", _criterion(1, _too_many_successes)),
    Fault("pass-rate", _criterion(0, _wrong_rate)),
    Fault("pass-rate", _criterion(1, put("observedPassRate", to=0.9))),
    Fault("wilson-bound", _criterion(0, _two_sided)),
    Fault("wilson-bound", _criterion(1, put("wilsonLowerBound", to=None))),
    Fault("procedure-on-observational", _criterion(1, put("procedure", to="REGRESSION"))),
    Fault("failure-count", _criterion(0, _one_failure_more)),
    Fault("failure-count", _criterion(1, lambda criterion: criterion.pop("failureDistribution"))),
    Fault("delivery-with-reason", _another_delivery("reason", "condition")),
    Fault("failure-input-unknown", _criterion(0, put("failureDistribution", 0, "inputIndex", to=7))),
    Fault("standings-shape", _criterion(0, put("standings", "rows", to=[]))),
    Fault("standings-shape", _criterion(0, put("standings", "rows", 0, "observedFraction", to=0.5001))),
    Fault("latency-order", _one_descent),
    Fault("latency-length", _one_latency_less),
    Fault("latency-population", put("latency", "totalSamples", to=RUN.samples - 2)),
    Fault("latency-without-pass", _nothing_contributes),
    Fault("percentile-gate", put("latency", "p99Ms", to=900)),
    Fault("percentile-gate", lambda value: value["latency"].pop("p90Ms")),
    Fault("percentile-value", _next_rank),
    Fault("timestamp", put("generatedAt", to="2026-02-30T12:00:00+00:00")),
    Fault("timestamp", put("expiration", "expiresAt", to="2026-11-01T14:00:00+02:00")),
    Fault("expiry-mismatch", put("expiration", "expiresInDays", to=RUN.days + 1)),
)
