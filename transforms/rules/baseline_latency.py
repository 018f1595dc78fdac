"""The latency block of a baseline: whose durations it holds, in which order, and the percentiles drawn from them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from transforms.baselines.percentiles import PERCENTILES, nearest_rank
from transforms.baselines.stated import shown
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

LATENCY_ORDER = Code(
    "latency-order",
    Stage.RULES,
    Severity.REJECT,
    "The latencies do not ascend.",
    '"sortedPassingLatenciesMs": [100, 300, 200]',
    "Sort the vector before it is written.",
)
LATENCY_LENGTH = Code(
    "latency-length",
    Stage.RULES,
    Severity.REJECT,
    "The number of latencies is not contributingSamples.",
    '"contributingSamples": 30 and a vector of 29 values',
    "Write every contributing duration, each once.",
)
LATENCY_POPULATION = Code(
    "latency-population",
    Stage.RULES,
    Severity.REJECT,
    "More samples contribute than passed the criterion with the fewest successes, or totalSamples is not the number "
    "of samples executed.",
    '"contributingSamples": 30 where a criterion has 28 successes',
    "Only samples that pass every criterion contribute; the total is that of the run.",
)
LATENCY_WITHOUT_PASS = Code(
    "latency-without-pass",
    Stage.RULES,
    Severity.REJECT,
    "There is a latency block although no sample passed.",
    'a latency block beside a criterion with "successes": 0',
    "Leave the block out as a whole: it describes passing samples.",
)
PERCENTILE_GATE = Code(
    "percentile-gate",
    Stage.RULES,
    Severity.REJECT,
    "A percentile is stated over too few samples, or missing over enough: p50 needs 5, p90 10, p95 20, p99 100.",
    '"p99Ms" beside "contributingSamples": 99',
    "State each percentile exactly from its number of samples on; leave it out below, and never write zero.",
)
PERCENTILE_VALUE = Code(
    "percentile-value",
    Stage.RULES,
    Severity.REJECT,
    "A percentile is not the value at its nearest rank in the vector.",
    '"p50Ms": 150 of the latencies 100, 100, 140, 160, 200, 300 (interpolated; the rank gives 140)',
    "Take the value at rank ⌈p·n⌉; do not interpolate.",
)
CODES: tuple[Code, ...] = (
    LATENCY_ORDER,
    LATENCY_LENGTH,
    LATENCY_POPULATION,
    LATENCY_WITHOUT_PASS,
    PERCENTILE_GATE,
    PERCENTILE_VALUE,
)

_VECTOR = "sortedPassingLatenciesMs"


def _check_population(value: Json, _context: RuleContext) -> Iterator[Finding]:
    block = value.get("latency")
    if block is None:
        return
    fewest = min(int(criterion["successes"]) for criterion in value["criteria"].values())
    contributing = int(block["contributingSamples"])
    total, executed = int(block["totalSamples"]), int(value["execution"]["samplesExecuted"])
    if fewest == 0 or contributing == 0:
        reason = "a criterion has no successes" if fewest == 0 else "no sample contributes"
        yield Finding(LATENCY_WITHOUT_PASS.code, f"{reason}, so the block must be absent", "/latency")
    elif contributing > fewest:
        message = f"{contributing} samples contribute, and a criterion has {fewest} successes"
        yield Finding(LATENCY_POPULATION.code, message, "/latency/contributingSamples")
    if total != executed:
        message = f"the block is over {total} samples, {executed} were executed"
        yield Finding(LATENCY_POPULATION.code, message, "/latency/totalSamples")


def _check_vector(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The first descent, and a wrong length."""
    if "latency" not in value:
        return
    vector, contributing = value["latency"][_VECTOR], int(value["latency"]["contributingSamples"])
    if len(vector) != contributing:
        message = f"{len(vector)} latencies of {contributing} contributing samples"
        yield Finding(LATENCY_LENGTH.code, message, f"/latency/{_VECTOR}")
    if vector == sorted(vector):
        return
    for place, (earlier, later) in enumerate(pairwise(vector), start=1):
        if later < earlier:
            message = f"{shown(later)} follows {shown(earlier)}"
            yield Finding(LATENCY_ORDER.code, message, f"/latency/{_VECTOR}/{place}")
            return


def _check_percentiles(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Not asked where the vector is not as long as it says: then neither number is the one that counts."""
    block = value.get("latency")
    if block is None or len(block[_VECTOR]) != block["contributingSamples"]:
        return
    vector = sorted(block[_VECTOR])
    for percentile in PERCENTILES:
        key, stated = percentile.key, block.get(percentile.key)
        if not percentile.admitted(len(vector)):
            if stated is not None:
                message = f"{key} needs {percentile.fewest} samples, not {len(vector)}"
                yield Finding(PERCENTILE_GATE.code, message, f"/latency/{key}")
        elif stated is None:
            message = f"{key} is missing, {len(vector)} samples admit it"
            yield Finding(PERCENTILE_GATE.code, message, "/latency")
        elif stated != (found := nearest_rank(vector, percentile.percent)):
            message = f"the nearest rank gives {shown(found)}, not {shown(stated)}"
            yield Finding(PERCENTILE_VALUE.code, message, f"/latency/{key}")


RULES: tuple[Rule, ...] = (
    Rule((LATENCY_WITHOUT_PASS, LATENCY_POPULATION), _check_population),
    Rule((LATENCY_LENGTH, LATENCY_ORDER), _check_vector),
    Rule((PERCENTILE_GATE, PERCENTILE_VALUE), _check_percentiles),
)
