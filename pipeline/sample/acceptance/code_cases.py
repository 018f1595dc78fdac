"""Preference pairs whose code decides: every gate for code failing, not answered, and just passing."""

from __future__ import annotations

from pipeline.sample.acceptance.case import Case
from pipeline.sample.acceptance.evidence import MISSING, failed, failing, panel, tested
from pipeline.sample.acceptance.programs import (
    APPROVED_IMPORT,
    COUNTS,
    HIDDEN_IMPORT,
    KEEPS_ORDER,
    NO_COLON,
    ONE_FINDING,
    SORTS,
    TOO_DEEP,
    TOO_NEW,
    TWO_FINDINGS,
    UNAPPROVED_IMPORT,
    branching,
)
from pipeline.sample.acceptance.rubrics import STYLE
from pipeline.sample.acceptance.subjects import pair
from pipeline.sample.pairwise import Record
from transforms.digests import sha256_hex

_PANEL, _PAIR = panel("ann", "ben", "cho"), panel("ann", "ben")
_SYNTAX, _TESTS, _COMPLEX, _IMPORTS, _LINTER = (
    failed("syntax_valid"),
    failed("required_tests_pass"),
    failed("max_cyclomatic_complexity_per_function"),
    failed("unapproved_dependencies"),
    failed("max_linter_findings"),
)
_KILLED: Record = {"exit_status": None, "timed_out": True, "tests": {"passed": 3, "failed": [], "errors": 0}}
_NOT_LOADED: Record = {"exit_status": 2, "tests": {"passed": 0, "failed": [], "errors": 1}}
_NONE_RAN: Record = {"exit_status": 5, "tests": {"passed": 0, "failed": [], "errors": 0}}

_PASSING = (
    Case("complexity-at-the-bound", pair(a=(branching(9),)), (*_PANEL, tested())),
    Case("approved-import", pair("B", b=(APPROVED_IMPORT,)), (*_PANEL, tested())),
    Case("other-candidate-is-not-judged", pair("B", a=(NO_COLON,)), (*_PANEL, tested())),
    Case("tie-with-both-tested", pair("tie"), (*_PANEL, tested(0), tested(1))),
    Case("patch-is-judged", pair("neither", a=(NO_COLON,), b=(TOO_NEW,), patch=(SORTS,)), (*_PANEL, tested())),
    Case("two-blocks", pair(a=(KEEPS_ORDER, SORTS)), (*_PANEL, tested())),
    Case("one-finding-of-the-linter", pair(a=(ONE_FINDING,), rubric=STYLE), _PAIR),
    # Recorded, and no gate of this rubric.
    Case("linter-decides-nothing", pair(a=(TWO_FINDINGS,)), (*_PANEL, tested())),
)
_FAILING = (
    Case("no-colon", pair(a=(NO_COLON,)), (*_PANEL, tested()), _SYNTAX),
    Case("newer-than-pinned", pair("B", b=(TOO_NEW,)), (*_PANEL, tested()), _SYNTAX),
    Case("patch-with-no-colon", pair("neither", patch=(NO_COLON,)), (*_PANEL, tested()), _SYNTAX),
    Case("preferred-and-patched", pair(patch=(NO_COLON,)), (*_PANEL, tested()), _SYNTAX),
    Case("tie-with-no-colon-in-b", pair("tie", b=(NO_COLON,)), (*_PANEL, tested(0), tested(1)), _SYNTAX),
    Case("too-complex", pair(a=(branching(10),)), (*_PANEL, tested()), _COMPLEX),
    Case("tie-with-too-complex-b", pair("tie", b=(branching(10),)), (*_PANEL, tested(0), tested(1)), _COMPLEX),
    Case("unapproved-import", pair(a=(UNAPPROVED_IMPORT,)), (*_PANEL, tested()), _IMPORTS),
    Case("tests-fail", pair(), (*_PANEL, tested(**failing("test_order"))), _TESTS),
    Case("tests-killed", pair(), (*_PANEL, tested(**_KILLED)), _TESTS),
    Case("tests-not-loaded", pair(), (*_PANEL, tested(**_NOT_LOADED)), _TESTS),
    Case("no-tests-ran", pair(), (*_PANEL, tested(**_NONE_RAN)), _TESTS),
    Case("one-run-of-two-fails", pair(), (*_PANEL, tested(), tested(**failing("test_empty"))), _TESTS),
    Case("tie-with-failing-b", pair("tie"), (*_PANEL, tested(0), tested(1, **failing("test_order"))), _TESTS),
    Case("two-findings-of-the-linter", pair(a=(TWO_FINDINGS,), rubric=STYLE), _PAIR, _LINTER),
    Case(
        "three-gates-fail",
        pair(a=(branching(12), UNAPPROVED_IMPORT)),
        (*_PANEL, tested(**failing("test_order", "test_empty"))),
        (*_TESTS, *_COMPLEX, *_IMPORTS),
    ),
    # One gate fails while nothing answers another: what fails decides.
    Case("no-colon-and-not-tested", pair(a=(NO_COLON,)), _PANEL, _SYNTAX),
)
_UNANSWERED = (
    Case("not-tested", pair(), _PANEL, MISSING),
    Case("says-that-it-is-tested", pair(says=" All tests pass."), _PANEL, MISSING),
    Case(
        "other-code-tested",
        pair(),
        (*_PANEL, tested(code_sha256=sha256_hex(COUNTS.format(name="other").encode()))),
        MISSING,
    ),
    Case("tie-with-untested-b", pair("tie"), (*_PANEL, tested(0)), MISSING),
    Case(
        "tested-by-a-stranger",
        pair(),
        (
            *_PANEL,
            tested(
                executor={"name": "laptop", "version": "1", "configuration_sha256": "0" * 64},
                codes=("unauthorized-evidence",),
            ),
        ),
        MISSING,
    ),
    Case("nothing-to-judge", pair(a=()), _PANEL, MISSING),
    Case("nothing-to-lint", pair(a=(), rubric=STYLE), _PAIR, MISSING),
    Case("hidden-import", pair("B", b=(HIDDEN_IMPORT,)), (*_PANEL, tested()), MISSING),
    Case("code-beside", pair(a=(f"{KEEPS_ORDER}```\n\n```text\n{UNAPPROVED_IMPORT}",)), (*_PANEL, tested()), MISSING),
    Case("nested-too-deep", pair(a=(TOO_DEEP,)), (*_PANEL, tested()), MISSING),
)
CASES: tuple[Case, ...] = (*_PASSING, *_FAILING, *_UNANSWERED)
