"""What a criterion states about its proportion: the observed rate, the Wilson bound, the procedure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from transforms.baselines import wilson
from transforms.baselines.stated import Number, agrees, shown
from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

PASS_RATE = Code(
    "pass-rate",
    Stage.RULES,
    Severity.REJECT,
    "observedPassRate is not successes/trials to the digits it is stated in, is missing, or is stated where no rate "
    "can be: without trials, or by an observational criterion.",
    '"trials": 1000, "successes": 982, "observedPassRate": 0.983',
    "State the rate with at least 4 digits, rounded; leave it out where there are no trials.",
)
WILSON_BOUND = Code(
    "wilson-bound",
    Stage.RULES,
    Severity.REJECT,
    "wilsonLowerBound is not the one-sided Wilson bound at confidenceLevel to the digits it is stated in, is missing, "
    "is not null without trials, or is stated by an observational criterion.",
    '"trials": 300, "successes": 293, "wilsonLowerBound": 0.952628 (two-sided at 95 %; one-sided it is 0.957512)',
    "Compute the bound with z = Φ⁻¹(confidenceLevel), not with the quantile of a two-sided interval.",
)
PROCEDURE_ON_OBSERVATIONAL = Code(
    "procedure-on-observational",
    Stage.RULES,
    Severity.REJECT,
    "An observational criterion states an inferential procedure.",
    '"mode": "observational", "procedure": "REGRESSION"',
    "Leave the procedure out, or declare the criterion inferential.",
)
CODES: tuple[Code, ...] = (PASS_RATE, WILSON_BOUND, PROCEDURE_ON_OBSERVATIONAL)

_RATE, _BOUND = "observedPassRate", "wilsonLowerBound"
_OBSERVATIONAL = "observational"


def _check_rate(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, criterion in value["criteria"].items():
        if message := _rate_fault(criterion):
            yield Finding(PASS_RATE.code, message, _place(name, criterion, _RATE))


def _rate_fault(criterion: Json) -> str | None:
    """What is wrong with a criterion's rate. Impossible successes are successes-exceed-trials' affair."""
    successes, trials = int(criterion["successes"]), int(criterion["trials"])
    if criterion["mode"] == _OBSERVATIONAL:
        return "an observational criterion states no rate" if _RATE in criterion else None
    if trials == 0:
        return "there is no rate without trials" if _RATE in criterion else None
    if _RATE not in criterion:
        return "the rate is missing"
    if successes > trials or agrees(criterion[_RATE], Fraction(successes, trials)):
        return None
    return f"{successes}/{trials} is {successes / trials:.6f}, not {shown(criterion[_RATE])}"


def _check_bound(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, criterion in value["criteria"].items():
        if message := _bound_fault(criterion, value["confidenceLevel"]):
            yield Finding(WILSON_BOUND.code, message, _place(name, criterion, _BOUND))


def _bound_fault(criterion: Json, level: Number) -> str | None:
    stated = criterion.get(_BOUND)
    successes, trials = int(criterion["successes"]), int(criterion["trials"])
    if criterion["mode"] == _OBSERVATIONAL:
        return "an observational criterion states no bound, not even null" if _BOUND in criterion else None
    if _BOUND not in criterion:
        return "the bound is missing"
    if trials == 0:
        return "the bound must be null without trials" if stated is not None else None
    if stated is None:
        return f"the bound is null after {trials} trials"
    if successes > trials:
        return None
    return _deviation(stated, successes, trials, float(level))


def _deviation(stated: Number, successes: int, trials: int, level: float) -> str | None:
    if successes == 0:
        return f"without successes the bound is exactly 0, not {shown(stated)}" if stated else None
    bound, doubt = wilson.lower_bound(successes, trials, level), wilson.doubt(level)
    if agrees(stated, bound, doubt):
        return None
    message = f"{successes} of {trials} at {level!r} give {bound:.6f}, not {shown(stated)}"
    if (other := (1 + level) / 2) < 1 and agrees(stated, wilson.lower_bound(successes, trials, other), doubt):
        message += ", the lower end of a two-sided interval"
    return message


def _check_procedure(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, criterion in value["criteria"].items():
        if criterion["mode"] == _OBSERVATIONAL and "procedure" in criterion:
            message = "an observational criterion has no procedure"
            yield Finding(PROCEDURE_ON_OBSERVATIONAL.code, message, pointer(("criteria", name, "procedure")))


def _place(name: str, criterion: Json, member: str) -> str:
    """The member, or the criterion where it is missing."""
    return pointer(("criteria", name, member) if member in criterion else ("criteria", name))


RULES: tuple[Rule, ...] = (
    Rule((PASS_RATE,), _check_rate),
    Rule((WILSON_BOUND,), _check_bound),
    Rule((PROCEDURE_ON_OBSERVATIONAL,), _check_procedure),
)
