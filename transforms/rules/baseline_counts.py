"""Counts of a baseline that must fit together: samples, trials, successes, inputs."""

from __future__ import annotations

from collections.abc import Iterator

from transforms.parsing.json_reference import pointer
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

EXECUTION_COUNT = Code(
    "execution-count",
    Stage.RULES,
    Severity.REJECT,
    "More samples were executed than planned, or the run says COMPLETED without having executed all of them.",
    '"samplesPlanned": 10, "samplesExecuted": 7, "terminationReason": "COMPLETED"',
    "Correct the emitter: a run that stopped early states its budget or abort reason.",
)
INPUTS_INDEX = Code(
    "inputs-index",
    Stage.RULES,
    Severity.REJECT,
    "The inputs are not numbered from 0 upwards, each once and in order.",
    "inputs with inputIndex 0, 2, 1",
    "List every input the run drove, in the order of its index.",
)
TRIALS_NOT_EXECUTED = Code(
    "trials-not-executed",
    Stage.RULES,
    Severity.REJECT,
    "A criterion's trials are not the number of samples executed: every sample is a trial of every criterion.",
    '"samplesExecuted": 7 and a criterion with "trials": 6',
    "Count a sample that produced nothing to judge as a failed trial; never leave it out.",
)
SUCCESSES_EXCEED_TRIALS = Code(
    "successes-exceed-trials",
    Stage.RULES,
    Severity.REJECT,
    "A criterion has more successes than trials.",
    '"trials": 30, "successes": 31',
    "Correct the emitter's counts.",
)
CODES: tuple[Code, ...] = (EXECUTION_COUNT, INPUTS_INDEX, TRIALS_NOT_EXECUTED, SUCCESSES_EXCEED_TRIALS)

_COMPLETED = "COMPLETED"


def completed(value: Json) -> bool:
    """Whether the run says that it came to its planned end."""
    return bool(value["execution"]["terminationReason"] == _COMPLETED)


def _check_execution(value: Json, _context: RuleContext) -> Iterator[Finding]:
    planned, executed = (int(value["execution"][name]) for name in ("samplesPlanned", "samplesExecuted"))
    if executed > planned:
        message = f"{executed} samples were executed, {planned} planned"
        yield Finding(EXECUTION_COUNT.code, message, "/execution/samplesExecuted")
    elif executed < planned and completed(value):
        message = f"the run says COMPLETED after {executed} of {planned} samples"
        yield Finding(EXECUTION_COUNT.code, message, "/execution/terminationReason")


def _check_inputs(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """The first input out of place."""
    for place, row in enumerate(value.get("inputs", ())):
        if row["inputIndex"] != place:
            message = f"index {int(row['inputIndex'])} stands where {place} belongs"
            yield Finding(INPUTS_INDEX.code, message, f"/inputs/{place}/inputIndex")
            return


def _check_trials(value: Json, _context: RuleContext) -> Iterator[Finding]:
    executed = int(value["execution"]["samplesExecuted"])
    for name, criterion in value["criteria"].items():
        if (trials := int(criterion["trials"])) != executed:
            message = f"{trials} trials of {executed} executed samples"
            yield Finding(TRIALS_NOT_EXECUTED.code, message, pointer(("criteria", name, "trials")))


def _check_successes(value: Json, _context: RuleContext) -> Iterator[Finding]:
    for name, criterion in value["criteria"].items():
        successes, trials = int(criterion["successes"]), int(criterion["trials"])
        if successes > trials:
            message = f"{successes} successes in {trials} trials"
            yield Finding(SUCCESSES_EXCEED_TRIALS.code, message, pointer(("criteria", name, "successes")))


RULES: tuple[Rule, ...] = (
    Rule((EXECUTION_COUNT,), _check_execution),
    Rule((INPUTS_INDEX,), _check_inputs),
    Rule((TRIALS_NOT_EXECUTED,), _check_trials),
    Rule((SUCCESSES_EXCEED_TRIALS,), _check_successes),
)
