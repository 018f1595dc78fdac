from __future__ import annotations

from typing import Any

import pytest
from evidence_records import CONFIGURATION, ELSE, SUITE, an_execution, findings, found

from transforms.records import Finding, Json
from transforms.rules import code_execution

EXECUTOR = {"name": "sandbox-1", "version": "1.4.0", "configuration_sha256": CONFIGURATION}
LIMITS = an_execution()["limits"]


# whose runs count


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        (
            {"executor": EXECUTOR | {"name": "laptop"}},
            "/executor/name",
            '"laptop" is none of the campaign\'s executors',
        ),
        (
            {"executor": EXECUTOR | {"version": "1.4.1"}},
            "/executor/version",
            'the campaign pins "1.4.0" for "sandbox-1"',
        ),
        (
            {"executor": EXECUTOR | {"configuration_sha256": ELSE}},
            "/executor/configuration_sha256",
            f'the campaign pins "{CONFIGURATION[:40]}"... for "sandbox-1"',
        ),
        ({"interpreter": "CPython 3.12.0"}, "/interpreter", 'the campaign pins "CPython 3.11.9" for "sandbox-1"'),
        (
            {"limits": LIMITS | {"timeout_seconds": 61}},
            "/limits/timeout_seconds",
            'the campaign pins 60 for "sandbox-1"',
        ),
        ({"task_id": "t-3"}, "/test_suite", 'no tests are pinned for task "t-3"'),
        (
            {"test_suite": {"sha256": ELSE, "origin": "sponsor"}},
            "/test_suite/sha256",
            "the campaign pins other tests for the task",
        ),
        (
            {"test_suite": {"sha256": SUITE, "origin": "contributor"}},
            "/test_suite/origin",
            'the campaign says that the task\'s tests are of origin "sponsor"',
        ),
        (
            {"task_id": "t-2"},
            "/test_suite/origin",
            'the campaign says that the task\'s tests are of origin "generated"',
        ),
    ],
)
def test_whose_runs_do_not_count(changes: dict[str, Any], pointer: str, message: str) -> None:
    assert findings(an_execution(**changes)) == (Finding("unauthorized-evidence", message, pointer),)


def test_every_difference_is_named() -> None:
    value = an_execution(
        executor=EXECUTOR | {"version": "2", "configuration_sha256": ELSE},
        interpreter="PyPy",
        limits=LIMITS | {"timeout_seconds": 1},
        test_suite={"sha256": ELSE, "origin": "generated"},
    )
    assert [pointer for _, pointer in found(value)] == [
        "/executor/version",
        "/executor/configuration_sha256",
        "/interpreter",
        "/limits/timeout_seconds",
        "/test_suite/sha256",
        "/test_suite/origin",
    ]


def test_what_is_not_pinned_may_differ() -> None:
    limits = LIMITS | {"cpu_seconds": 1, "memory_bytes": 1, "processes": 1, "timeout_seconds": 60.0}
    assert found(an_execution(limits=limits, dependencies={"numpy": "2.1"}, code_sha256=ELSE)) == []


# how it ended


def ended(status: int | float | None, passed: float, failed: int = 0, errors: int = 0, *, late: bool = False) -> Json:
    tests = {"passed": passed, "failed": [f"test_{number}" for number in range(failed)], "errors": errors}
    return an_execution(exit_status=status, timed_out=late, tests=tests)


@pytest.mark.parametrize(
    "value",
    [
        ended(0, 1),
        ended(0.0, 12.0),
        ended(1, 10, failed=2),
        ended(1, 0, failed=256, errors=3),
        ended(2, 0, errors=1),
        ended(1, 12),  # a runner may fail for other reasons, such as too little coverage
        ended(5, 0),  # nothing collected
        ended(None, 3),  # killed for its memory, say
        ended(None, 3, late=True),
        ended(124, 0, late=True),
        ended(1, 3, failed=1, late=True),
    ],
)
def test_endings_that_can_be(value: Json) -> None:
    assert found(value) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ended(0, 3, late=True), [("/timed_out", "exit status 0 although it timed out")]),
        (ended(0, 3, failed=1), [("/tests", "exit status 0 with 1 failed and 0 that could not be run")]),
        (ended(0.0, 3, errors=2), [("/tests", "exit status 0 with 0 failed and 2 that could not be run")]),
        (ended(0, 0), [("/tests", "exit status 0 although no test ran")]),
        (
            ended(0, 0, late=True),
            [("/timed_out", "exit status 0 although it timed out"), ("/tests", "exit status 0 although no test ran")],
        ),
    ],
)
def test_endings_that_cannot_be(value: Json, expected: list[tuple[str, str]]) -> None:
    wanted = tuple(Finding("contradictory-execution", message, pointer) for pointer, message in expected)
    assert findings(value) == wanted


def test_text_with_nothing_visible() -> None:
    coverage = {"value": 1, "unit": "lines", "scope": "\u200b"}
    tests = {"passed": 0, "failed": ["test_a", " "], "errors": 0}
    value = an_execution(coverage=coverage, tests=tests, exit_status=1)
    assert found(value) == [("empty-text", "/coverage/scope"), ("empty-text", "/tests/failed/1")]


# what may be written of a refused one


COVERAGE = {"value": 1, "unit": "lines", "scope": "all of it"}


@pytest.mark.parametrize(
    ("value", "private"),
    [
        (an_execution(), False),
        (an_execution(exit_status=1, tests={"passed": 0, "failed": [], "errors": 3}), False),
        ({}, False),
        ({"tests": {"errors": 1}}, False),
        (an_execution(tests={"passed": 1, "failed": ["test_words"], "errors": 0}), True),
        (an_execution(tests={"passed": 1, "failed": "test_words", "errors": 0}), True),
        (an_execution(tests={"passed": 1, "failed": [], "errors": 0, "first": "test_words"}), True),
        (an_execution(tests=["test_words"]), True),
        (an_execution(tests="test_words"), True),
        (an_execution(coverage=COVERAGE), True),
        (an_execution(log="Words."), True),
        (None, True),
    ],
)
def test_executions_with_text_of_tests_are_private(value: Json | None, private: bool) -> None:
    assert code_execution.private(value) is private
