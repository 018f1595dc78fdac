"""A small consistent baseline, and how tests change it."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from pathlib import Path
from typing import Any

from transforms.baselines.emitted_text import emitted_text
from transforms.records import Finding, Json
from transforms.rules import mavai_baseline
from transforms.rules.rule import RuleContext, apply

GOLDEN = Path(__file__).parent / "golden" / "baselines"
VERSION = "mavai-baseline-1"

DROP = object()


def baseline() -> Json:
    """Ten samples, one inferential criterion (c) and one observational (seen), every block there is."""
    return {
        "schemaVersion": VERSION,
        "serviceContractId": "contract",
        "serviceName": "service",
        "generatedAt": "2026-08-03T12:00:00+00:00",
        "confidenceLevel": 0.95,
        "inputsIdentity": "3fd0a91c4e77b2085a1d",
        "inputs": [{"inputIndex": 0, "inputExcerpt": "a"}, {"inputIndex": 1, "inputExcerpt": "b"}],
        "covariateProfile": {"model": "small-4", "temperature": "0.0"},
        "execution": {"samplesPlanned": 10, "samplesExecuted": 10, "terminationReason": "COMPLETED"},
        "criteria": {
            "c": {
                "mode": "inferential",
                "procedure": "REGRESSION",
                "trials": 10,
                "successes": 8,
                "observedPassRate": 0.8,
                "wilsonLowerBound": 0.540793,
                "failureDistribution": [{"condition": "x", "count": 2, "inputIndex": 1, "kind": "evaluated"}],
                "standings": {"rows": [row()]},
            },
            "seen": {"mode": "observational", "trials": 10, "successes": 10},
        },
        "latency": latency([100, 110, 120, 130, 140, 150, 160, 170], 10),
        "expiration": {"expiresInDays": 90, "expiresAt": "2026-11-01T12:00:00Z"},
        "contentFingerprint": "sha256:" + 64 * "0",
    }


def row(**changes: Any) -> Json:
    """A row of standings, with a sample of what was observed."""
    value = {"inputIndex": 0, "check": "x", "optional": False, "passed": 8, "failed": 2, "skipped": 0}
    return {**value, "observedFraction": 0.8, "observed": [{"excerpt": "ok", "count": 8, "held": True}], **changes}


def latency(vector: list[Any], executed: int, **percentiles: Any) -> Json:
    """A latency block over `vector`; p50 is that of the nearest rank, others are given."""
    stated = {"p50Ms": vector[(len(vector) + 1) // 2 - 1]} if len(vector) >= 5 else {}
    block = {"basis": "passing-samples", "contributingSamples": len(vector), "totalSamples": executed}
    return {**block, **stated, **percentiles, "sortedPassingLatenciesMs": vector}


def changed(value: Json, *path_and_new: Any) -> Json:
    """A copy of `value` where the member at the path is the last argument, or gone where that is `DROP`."""
    *path, new = path_and_new
    copy = deepcopy(value)
    at: Any = copy
    for step in path[:-1]:
        at = at[step]
    if new is DROP:
        del at[path[-1]]
    else:
        at[path[-1]] = new
    return copy


def signed(value: Json) -> Json:
    """`value` with the fingerprint over the text that an emitter would write of it."""
    rest = {key: member for key, member in value.items() if key != "contentFingerprint"}
    return {**rest, "contentFingerprint": "sha256:" + hashlib.sha256(emitted_text(rest).encode()).hexdigest()}


def findings(value: Json, context: RuleContext | None = None) -> tuple[Finding, ...]:
    return apply(mavai_baseline.RULES, value, context or RuleContext())


def found(value: Json) -> list[tuple[str, str]]:
    """Code and pointer of each finding of the rules."""
    return [(finding.code, finding.pointer) for finding in findings(value)]
