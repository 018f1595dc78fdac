"""Synthetic baselines: what a measuring run would record of a service that sometimes fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from pipeline.sample.baselines.services import SERVICES, Service
from pipeline.sample.pairwise import Record
from transforms.baselines import wilson
from transforms.baselines.percentiles import PERCENTILES, nearest_rank
from transforms.digests import sha256_hex

VERSION = "mavai-baseline-1"

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
_CAUSES = ("unreachable", "client-deadline", "peer-timeout", "server-error", "unusable-response")
_REASONS = ("condition", "transform/no-value")
_THRESHOLD = 0.75


@dataclass(frozen=True, slots=True)
class Run:
    """How a run went: `samples` of them, `lost` without an answer; of the others `failed` did not hold, by criterion.

    The second criterion is observational. `unused` samples were planned and not taken. `level` is the confidence of the
    bounds and `days` the window of expiry.
    """

    samples: int
    failed: tuple[int, ...]
    lost: int = 0
    unused: int = 0
    level: float = 0.95
    days: int = 90


@dataclass(frozen=True, slots=True)
class _Sample:
    """One sample: the input it was taken of, the criteria it failed, how long it took. A lost one failed all."""

    asked: int
    lost: bool
    failed: frozenset[int]
    milliseconds: float


def baseline(random: Random, number: int, run: Run) -> Record:
    """A sound baseline with every member there is and two unknown ones, not signed.

    `number` makes its identity unlike every other's.
    """
    service = SERVICES[number % len(SERVICES)]
    samples = _samples(random, number, run, len(service.inputs))
    generated = _EPOCH + timedelta(minutes=37 * number, microseconds=random.randint(1, 999_999))
    value: Record = {
        "schemaVersion": VERSION,
        "serviceContractId": service.contract,
        "serviceName": service.name,
        "generatedAt": generated.isoformat(),
        "confidenceLevel": run.level,
        "inputsIdentity": sha256_hex("\n".join(sorted(service.inputs)).encode())[:20],
        "footprint": sha256_hex(f"{service.contract} {number}".encode())[:16],
        "inputs": [{"inputIndex": index, "inputExcerpt": text} for index, text in enumerate(service.inputs)],
        "covariateProfile": {
            "model": random.choice(("small-4", "large-9")),
            "revision": f"r{number:06d}",
            "temperature": random.choice(("0", "0.0", "0.7")),
        },
        "factorRecord": {"runMode": "measure", "taskFile": f"{service.name}.yaml"},
        "execution": {
            "samplesPlanned": run.samples + run.unused,
            "samplesExecuted": run.samples,
            "terminationReason": "BUDGET_TIME_EXHAUSTED" if run.unused else "COMPLETED",
        },
        "views": {"täble": {"outputSchemaFingerprint": f"{number:08x}"}},
        "criteria": dict(_criteria(service, samples, run)),
        "cost": {"totalTimeMs": 120 * run.samples, "currency": None, "tokens": {"in": 80 * run.samples, "out": 0}},
    }
    if latency := _latency(samples):
        value["latency"] = latency
    expires = (generated + timedelta(days=run.days)).isoformat().replace("+00:00", "Z")
    return value | {"expiration": {"expiresInDays": run.days, "expiresAt": expires}}


def _samples(random: Random, number: int, run: Run, inputs: int) -> list[_Sample]:
    lost = set(random.sample(range(run.samples), run.lost))
    answered = [index for index in range(run.samples) if index not in lost]
    failed = [{*lost, *random.sample(answered, count)} for count in run.failed]
    fine = number % 4 == 3  # one clock in four counts quarters
    return [
        _Sample(
            index % inputs,
            index in lost,
            frozenset(criterion for criterion, those in enumerate(failed) if index in those),
            random.randint(40, 900) + (random.randrange(4) / 4 if fine else 0),
        )
        for index in range(run.samples)
    ]


def _criteria(service: Service, samples: list[_Sample], run: Run) -> Iterator[tuple[str, Record]]:
    for index, (name, check) in zip(range(len(run.failed)), service.checks, strict=False):
        trials, successes = len(samples), sum(index not in sample.failed for sample in samples)
        counts = {"trials": trials, "successes": successes}
        if index == 1:
            value: Record = {"mode": "observational", **counts}
        else:
            procedure = "COMPLIANCE" if index else "REGRESSION"
            value = {
                "mode": "inferential",
                "procedure": procedure,
                **counts,
                **_proportion(successes, trials, run.level),
            }
        if successes < trials:
            value["failureDistribution"] = list(_failures(index, check, samples))
        if index == 2:
            state = "met" if trials and successes / trials >= _THRESHOLD else "not-met"
            value["normativeJudgement"] = {"state": state, "stipulatedThreshold": _THRESHOLD, "confidence": 0.9}
        if samples and index == 0:
            value["standings"] = {"rows": list(_standings(check, samples, service))}
        yield name, value


def _proportion(successes: int, trials: int, level: float) -> Record:
    if not trials:
        return {"wilsonLowerBound": None}
    bound = wilson.lower_bound(successes, trials, level)
    return {"observedPassRate": round(successes / trials, 6), "wilsonLowerBound": round(bound, 6)}


def _failures(index: int, check: str, samples: list[_Sample]) -> Iterator[Record]:
    """What was judged, by input, and then what was lost."""
    judged = Counter(sample.asked for sample in samples if index in sample.failed and not sample.lost)
    for asked, count in sorted(judged.items()):
        row = {"condition": check, "count": count, "inputIndex": asked, "kind": "evaluated"}
        yield row | {"reason": _REASONS[index % len(_REASONS)]}
    if lost := sum(sample.lost for sample in samples):
        yield {"condition": _CAUSES[lost % len(_CAUSES)], "count": lost, "kind": "delivery"}


def _standings(check: str, samples: list[_Sample], service: Service) -> Iterator[Record]:
    """How each input stands with the first criterion."""
    for asked in range(len(service.inputs)):
        own = [sample for sample in samples if sample.asked == asked]
        skipped = sum(sample.lost for sample in own)
        passed = sum(0 not in sample.failed for sample in own)
        counts = {"passed": passed, "failed": len(own) - passed - skipped, "skipped": skipped}
        row = {"inputIndex": asked, "check": check, "optional": False, **counts}
        fraction = round(passed / len(own), 6) if own else None
        seen = [{"excerpt": service.answer, "count": passed, "held": True}] if passed else []
        yield row | {"observedFraction": fraction, "observed": seen}


def _latency(samples: list[_Sample]) -> Record | None:
    vector = sorted(sample.milliseconds for sample in samples if not sample.failed and not sample.lost)
    if not vector:
        return None
    admitted = [row for row in PERCENTILES if row.admitted(len(vector))]
    block = {"basis": "passing-samples", "contributingSamples": len(vector), "totalSamples": len(samples)}
    percentiles = {row.key: nearest_rank(vector, row.percent) for row in admitted}
    return {**block, **percentiles, "sortedPassingLatenciesMs": vector, "spreadMs": vector[-1] - vector[0]}
