"""The rules within one code-execution-v1 record: tests that ran over an annotation's code, as their executor tells it.

A statement that tests passed counts only where the campaign pins who made it, how, and with which tests. Nothing here
executes anything. No finding quotes the names of tests or the scope of coverage: they may be a contributor's prose.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.acceptance.values import EvidenceTerms
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules import evidence
from transforms.rules.rule import Rule, RuleContext
from transforms.rules.text import EMPTY_TEXT, empty_text, excerpt, has_visible

CONTRADICTORY_EXECUTION = Code(
    "contradictory-execution",
    Stage.RULES,
    Severity.REJECT,
    "An execution contradicts itself: its exit status says success although it ran out of time, tests failed or could "
    "not be run, or none ran at all.",
    '"exit_status": 0 with "tests": {"passed": 3, "failed": ["test_order"], "errors": 0}',
    "Run the tests again and record what the test runner itself reported; do not patch the record.",
)
CODES: tuple[Code, ...] = (CONTRADICTORY_EXECUTION,)

# Every member that holds no text of tests or code: not `coverage`, and `tests` only without names.
_PLAIN = frozenset({"schema_version", "task_id", "record_sha256", "code_sha256", "executor", "interpreter"}) | {
    "dependencies", "test_suite", "limits", "exit_status", "timed_out", "tests"
}  # fmt: skip
_COUNTS = frozenset({"passed", "failed", "errors"})


def private(value: Json | None) -> bool:
    """Whether the execution's bytes must stay out of refused files.

    Names of tests and the scope of coverage are free text that a contributor's program may have chosen. `value` is any
    parsed object, valid or not, or None for a line that could not be parsed.
    """
    if value is None or not value.keys() <= _PLAIN:
        return True
    tests = value.get("tests", {})
    return not isinstance(tests, dict) or not tests.keys() <= _COUNTS or bool(tests.get("failed"))


def _check_text(value: Json, _context: RuleContext) -> Iterator[Finding]:
    if not has_visible(value["interpreter"]):
        yield empty_text("/interpreter")
    if "coverage" in value and not has_visible(value["coverage"]["scope"]):
        yield empty_text("/coverage/scope")
    for index, name in enumerate(value["tests"]["failed"]):
        if not has_visible(name):
            yield empty_text(f"/tests/failed/{index}")


def _check_executor(value: Json, context: RuleContext) -> Iterator[Finding]:
    """An executor that the campaign names, exactly as it pins it."""
    terms, stated = context.evidence, value["executor"]
    if terms.anyone:
        return
    pinned = terms.executors.get(stated["name"])
    if pinned is None:
        message = f"{excerpt(stated['name'])} is none of the campaign's executors"
        yield evidence.unauthorized("/executor/name", message)
        return
    for pointer, given, wanted in (
        ("/executor/version", stated["version"], pinned.version),
        ("/executor/configuration_sha256", stated["configuration_sha256"], pinned.configuration_sha256),
        ("/interpreter", value["interpreter"], pinned.interpreter),
        ("/limits/timeout_seconds", value["limits"]["timeout_seconds"], pinned.timeout_seconds),
    ):
        if given != wanted:
            shown = excerpt(wanted) if isinstance(wanted, str) else wanted
            yield evidence.unauthorized(pointer, f"the campaign pins {shown} for {excerpt(stated['name'])}")


def _check_suite(value: Json, context: RuleContext) -> Iterator[Finding]:
    """The tests that the campaign pins for the task, supplied by whom it says."""
    if not context.evidence.anyone:
        yield from _suite_faults(value, context.evidence)


def _suite_faults(value: Json, terms: EvidenceTerms) -> Iterator[Finding]:
    pinned, stated = terms.suites.get(value["task_id"]), value["test_suite"]
    if pinned is None:
        yield evidence.unauthorized("/test_suite", f"no tests are pinned for task {excerpt(value['task_id'])}")
        return
    if stated["sha256"] != pinned.sha256:
        yield evidence.unauthorized("/test_suite/sha256", "the campaign pins other tests for the task")
    if stated["origin"] != pinned.origin:
        message = f"the campaign says that the task's tests are of origin {excerpt(pinned.origin)}"
        yield evidence.unauthorized("/test_suite/origin", message)


def _check_ending(value: Json, _context: RuleContext) -> Iterator[Finding]:
    """Exit status 0 means that tests ran and none failed; what another one means is for the executor to say."""
    if value["exit_status"] != 0:
        return
    tests = value["tests"]
    passed, failed, errors = int(tests["passed"]), len(tests["failed"]), int(tests["errors"])
    if value["timed_out"]:
        yield Finding(CONTRADICTORY_EXECUTION.code, "exit status 0 although it timed out", "/timed_out")
    if failed or errors:
        message = f"exit status 0 with {failed} failed and {errors} that could not be run"
        yield Finding(CONTRADICTORY_EXECUTION.code, message, "/tests")
    elif not passed:
        yield Finding(CONTRADICTORY_EXECUTION.code, "exit status 0 although no test ran", "/tests")


RULES: tuple[Rule, ...] = (
    Rule((EMPTY_TEXT,), _check_text),
    Rule((evidence.UNAUTHORIZED_EVIDENCE,), _check_executor),
    Rule((evidence.UNAUTHORIZED_EVIDENCE,), _check_suite),
    Rule((CONTRADICTORY_EXECUTION,), _check_ending),
)
