"""Consistent baselines of every shape, and what is found in one, whatever form it comes in."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import ceil

from baseline_records import VERSION, signed
from hypothesis import strategies as st

import schemas
from transforms.baselines.emitted_text import emitted_text
from transforms.baselines.wilson import lower_bound
from transforms.judge import judge, prepare
from transforms.records import Json, Line, Syntax
from transforms.terms import StreamTerms

BENCH = prepare(StreamTerms("baselines", VERSION, {VERSION: schemas.load_schema("records", VERSION)}))

# What a YAML 1.1 reader takes as it stands between quotes.
CHARACTERS = st.characters(max_codepoint=0xFFFD, exclude_categories=("C", "Zl", "Zp"))
TEXTS = st.text(CHARACTERS, max_size=6)
NAMES = st.text(CHARACTERS, min_size=1, max_size=6)
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999])
GATES = {"p50Ms": (50, 5), "p90Ms": (90, 10), "p95Ms": (95, 20), "p99Ms": (99, 100)}


def stated(number: float) -> float:
    """As an emitter writes it."""
    return float(f"{number:.6f}")


@st.composite
def failures(draw: st.DrawFn, failed: int, inputs: int) -> list[Json]:
    entries = []
    while failed:
        count = draw(st.integers(1, failed))
        entry: Json = {"condition": draw(NAMES), "count": count}
        kind = draw(st.sampled_from(["evaluated", "delivery", None]))
        if kind == "delivery":
            entry |= {"condition": draw(st.sampled_from(["unreachable", "peer-timeout"])), "kind": kind}
        elif draw(st.booleans()):
            entry |= {"reason": draw(st.sampled_from(["condition", "transform/no-value"]))}
        if draw(st.booleans()) and inputs:
            entry |= {"inputIndex": draw(st.integers(0, inputs - 1))}
        entries.append(entry)
        failed -= count
        if len(entries) == 4:
            entries[-1]["count"] += failed
            break
    return entries


@st.composite
def rows(draw: st.DrawFn) -> Json:
    passed, failed, skipped = (draw(st.integers(0, 40)) for _ in range(3))
    trials = passed + failed + skipped
    row = {"inputIndex": draw(st.integers(0, 3)), "check": draw(NAMES), "optional": draw(st.booleans())}
    row |= {"passed": passed, "failed": failed, "skipped": skipped}
    row |= {"observedFraction": round(passed / trials, 6) if trials else 0.0}
    if passed:
        row |= {"observed": [{"excerpt": draw(TEXTS), "count": draw(st.integers(1, passed)), "held": True}]}
    return row


@st.composite
def criteria(draw: st.DrawFn, trials: int, level: float, inputs: int, mode: str, least: int = 0) -> Json:
    """A criterion; with `least` successes there is also a failure, and standings."""
    successes = draw(st.integers(least, trials - bool(least)))
    criterion: Json = {"mode": mode}
    if mode == "inferential" and draw(st.booleans()):
        criterion |= {"procedure": draw(st.sampled_from(["REGRESSION", "COMPLIANCE"]))}
    criterion |= {"trials": trials, "successes": successes}
    if mode == "inferential" and trials:
        criterion |= {"observedPassRate": stated(successes / trials)}
        criterion |= {"wilsonLowerBound": stated(lower_bound(successes, trials, level))}
    elif mode == "inferential":
        criterion |= {"wilsonLowerBound": None}
    if successes < trials:
        criterion |= {"failureDistribution": draw(failures(trials - successes, inputs))}
    if least or draw(st.booleans()):
        criterion |= {"standings": {"rows": draw(st.lists(rows(), min_size=1, max_size=3))}}
    return criterion


@st.composite
def latencies(draw: st.DrawFn, least: int, fewest: int, executed: int) -> Json:
    contributing = draw(st.integers(least, fewest))
    random = draw(st.randoms(use_true_random=False))
    vector = sorted(random.choices(range(draw(st.sampled_from([2, 5000]))), k=contributing))
    block: Json = {"basis": "passing-samples", "contributingSamples": contributing, "totalSamples": executed}
    for key, (percent, least) in GATES.items():
        if contributing >= least:
            block[key] = vector[ceil(Fraction(percent, 100) * contributing) - 1]
    return block | {"sortedPassingLatenciesMs": vector}


@st.composite
def baselines(draw: st.DrawFn, full: bool = False) -> Json:
    """A consistent record; a `full` one has every block, a failure, five passing samples and both modes."""
    executed = draw(st.integers(7 if full else 0, 30) | st.sampled_from([99, 100, 120]))
    generated = draw(st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))).replace(tzinfo=UTC)
    level, inputs = draw(LEVELS), draw(st.integers(2 if full else 0, 4))
    names = draw(st.lists(NAMES, min_size=2 if full else 1, max_size=3, unique=True))
    first = draw(st.sampled_from(["inferential", "observational"]))
    modes = (first, "inferential" if first == "observational" else "observational", first)
    least = 6 if full else 0
    judged = {
        name: draw(criteria(executed, level, inputs, *each, least)) for name, *each in zip(names, modes, strict=False)
    }
    value: Json = {"schemaVersion": VERSION, "serviceContractId": draw(NAMES), "serviceName": draw(NAMES)}
    value |= {"generatedAt": generated.isoformat(), "confidenceLevel": level, "inputsIdentity": draw(NAMES)}
    if inputs:
        value |= {"inputs": [{"inputIndex": index, "inputExcerpt": draw(TEXTS)} for index in range(inputs)]}
    value |= {"covariateProfile": draw(st.dictionaries(NAMES, TEXTS, max_size=2))}
    complete = draw(st.booleans())
    planned = executed if complete else executed + draw(st.integers(0, 9))
    reason = "COMPLETED" if complete else "BUDGET_TIME_EXHAUSTED"
    value |= {"execution": {"samplesPlanned": planned, "samplesExecuted": executed, "terminationReason": reason}}
    value |= {"criteria": judged}
    fewest = min(criterion["successes"] for criterion in judged.values())
    if full or (fewest and draw(st.booleans())):
        value |= {"latency": draw(latencies(5 if full else 1, fewest, executed))}
    if full or draw(st.booleans()):
        days = draw(st.integers(1, 4000))
        expires = (generated + timedelta(days=days)).isoformat()
        value |= {"expiration": {"expiresInDays": days, "expiresAt": expires}}
    return value


def codes(value: Json) -> set[str]:
    """What is found in a signed record, which is the same whether it is a file, a text in a line, or a line itself."""
    value = signed(value)
    text = emitted_text(value)
    forms = (
        (text.encode(), Syntax.YAML),
        (text.replace("\n", "\r\n").encode(), Syntax.YAML),
        (json.dumps({"document": text}).encode(), Syntax.JSON),
        (json.dumps(value, ensure_ascii=False).encode(), Syntax.JSON),
    )
    verdicts = [judge(Line(1, 0, len(data), data, syntax=syntax), BENCH) for data, syntax in forms]
    found = [{finding.code for finding in verdict.findings} for verdict in verdicts]
    assert all(each == found[0] for each in found)
    form = [verdict.derived[0] for verdict in verdicts]
    assert form == ["text", "text", "text", "emitter-text"]
    return found[0]
