from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from code_subjects import PYTHON, execution, pairwise, subject

from transforms.acceptance.code.gates import EVALUATORS, linter_findings
from transforms.acceptance.gate_names import GATE_NAMES
from transforms.acceptance.values import Answer, CodeTerms, Execution, Gate, GateAnswer, GateSubject

PASS, FAIL, MISSING = Answer.PASS, Answer.FAIL, Answer.MISSING
SYNTAX = Gate("syntax_valid", True)
COMPLEXITY = Gate("max_cyclomatic_complexity_per_function", 2)
DEPENDENCIES = Gate("unapproved_dependencies", False)
LINTER = Gate("max_linter_findings", 1)
TESTS = Gate("required_tests_pass", True)
GATES = (SYNTAX, COMPLEXITY, DEPENDENCIES, LINTER, TESTS)

SEED = "def unique_values(values):\n return list(dict.fromkeys(values))"
BROKEN = "def f(:\n    pass"
DEEP = "import os\nx = " + "-" * 200 + "1"
TOO_DEEP = "nested deeper than 100 levels, which is beyond what is judged"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def both(first: str, second: str) -> str:
    return sha256(f"{sha256(first)}\n{sha256(second)}\n")


def fenced(*programs: str) -> str:
    return "\n".join(f"```python\n{program}```" for program in programs)


def answer(gate: Gate, given: GateSubject) -> GateAnswer:
    return EVALUATORS[gate.name](given, gate)


def test_every_gate_for_code_has_an_evaluator() -> None:
    assert list(EVALUATORS) == [
        "syntax_valid",
        "required_tests_pass",
        "max_cyclomatic_complexity_per_function",
        "unapproved_dependencies",
        "max_linter_findings",
    ]
    assert EVALUATORS.keys() == {row.name for row in GATE_NAMES if "pairwise-v2" in row.kinds}


NOTHING = [
    (subject(pairwise()), "no code of the campaign's language in /response_a: nothing to judge"),
    (
        subject(pairwise(SEED, golden_patch="Handle None too.")),
        "no code of the campaign's language in /golden_patch: nothing to judge",
    ),
    (subject(pairwise(SEED, "Words.", "tie")), "no code of the campaign's language in /response_b: nothing to judge"),
    (
        subject(pairwise("Words.", "Words.", "tie")),
        "no code of the campaign's language in /response_a and /response_b: nothing to judge",
    ),
    (subject(pairwise(SEED), None), "the campaign does not say what language code is in"),
]


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.name)
@pytest.mark.parametrize(("given", "detail"), NOTHING)
def test_without_code_no_gate_is_answered(gate: Gate, given: GateSubject, detail: str) -> None:
    assert answer(gate, given) == GateAnswer(gate.name, MISSING, detail)
    assert linter_findings(given) == {}


UNJUDGED = [
    (CodeTerms("rust", (1, 80)), 'code in "rust" is not judged, only Python'),
    (CodeTerms("python", (3, 99), linter_rules=("E",)), "Python 3.99 is not judged here, only 3.8 to 3.11"),
    (CodeTerms("python", (3, 7), linter_rules=("E",)), "Python 3.7 is not judged here, only 3.8 to 3.11"),
    (CodeTerms("python", (2, 7), linter_rules=("E",)), "Python 2.7 is not judged here, only 3.8 to 3.11"),
]


@pytest.mark.parametrize("gate", GATES[:4], ids=lambda gate: gate.name)
@pytest.mark.parametrize(("terms", "detail"), UNJUDGED)
def test_other_languages_and_versions_are_not_judged(gate: Gate, terms: CodeTerms, detail: str) -> None:
    given = subject(pairwise("```\nx = 1\n```"), terms)
    assert answer(gate, given) == GateAnswer(gate.name, MISSING, detail, sha256("x = 1\n"))
    assert linter_findings(given) == {}


SAID = [
    # gate, text of the preferred candidate, answer, detail
    (SYNTAX, SEED, PASS, "the code is valid Python 3.11"),
    (SYNTAX, BROKEN, FAIL, '/response_a is not valid Python 3.11: "invalid syntax" (line 1 of the code)'),
    (
        SYNTAX,
        fenced("return 1\n"),
        FAIL,
        "/response_a is not valid Python 3.11: \"'return' outside function\" (line 1 of the code)",
    ),
    (SYNTAX, DEEP, MISSING, f"not told of /response_a, which cannot be read: {TOO_DEEP}"),
    (
        COMPLEXITY,
        SEED,
        PASS,
        'functions beyond 2: 0 of 1; the most complex, "unique_values" in /response_a (line 1 of the code), has 1',
    ),
    (COMPLEXITY, "x = 1", PASS, "the code has no function"),
    (
        COMPLEXITY,
        "def f(a):\n return a and a and a\ndef g(a):\n return a or a or a or a\ndef h(): pass",
        FAIL,
        'functions beyond 2: 2 of 3; the most complex, "g" in /response_a (line 3 of the code), has 4',
    ),
    (
        COMPLEXITY,
        "def f(a):\n return a and a",
        PASS,
        'functions beyond 2: 0 of 1; the most complex, "f" in /response_a (line 1 of the code), has 2',
    ),
    (
        COMPLEXITY,
        BROKEN,
        MISSING,
        'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)',
    ),
    (COMPLEXITY, DEEP, MISSING, f"not told of /response_a, which cannot be read: {TOO_DEEP}"),
    (DEPENDENCIES, SEED, PASS, "every import is of the standard library or approved"),
    (DEPENDENCIES, "import numpy\nimport json", PASS, "every import is of the standard library or approved"),
    (DEPENDENCIES, "import requests", FAIL, '/response_a imports "requests" (line 1 of the code)'),
    (
        DEPENDENCIES,
        "import ujson\nimport requests\nfrom . import a",
        FAIL,
        '/response_a imports "ujson" (line 1 of the code) and 2 more',
    ),
    (DEPENDENCIES, "from .a import b", FAIL, "/response_a imports relatively (line 1 of the code)"),
    (
        DEPENDENCIES,
        "x = __import__(y)",
        MISSING,
        "/response_a __import__ is given what is known only when it runs (line 1 of the code)",
    ),
    (
        DEPENDENCIES,
        "x = __import__(y)\nimport requests",
        FAIL,
        '/response_a imports "requests" (line 2 of the code)',
    ),
    (
        DEPENDENCIES,
        BROKEN,
        MISSING,
        'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)',
    ),
    (LINTER, SEED, PASS, "findings: 0, at most 1 are allowed"),
    (LINTER, "import os", PASS, "findings: 1, at most 1 are allowed"),
    (LINTER, "import os, sys", FAIL, "findings in /response_a: 3, at most 1 are allowed"),
    (LINTER, BROKEN, MISSING, 'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)'),
]


@pytest.mark.parametrize(("gate", "text", "says", "detail"), SAID, ids=lambda value: repr(value)[:30])
def test_what_is_said_of_one_piece_of_code(gate: Gate, text: str, says: Answer, detail: str) -> None:
    code = text.removeprefix("```python\n").removesuffix("```")
    assert answer(gate, subject(pairwise(text))) == GateAnswer(gate.name, says, detail, sha256(code))


SEVERAL = [
    (
        SYNTAX,
        ("x = 1\n", "def f(:\n"),
        FAIL,
        '/response_a is not valid Python 3.11: "invalid syntax" (line 1 of the code)',
    ),
    (
        SYNTAX,
        (DEEP + "\n", "def f(:\n"),
        FAIL,
        '/response_a is not valid Python 3.11: "invalid syntax" (line 1 of the code)',
    ),
    (SYNTAX, ("x = 1\n", DEEP + "\n"), MISSING, f"not told of /response_a, which cannot be read: {TOO_DEEP}"),
    (
        COMPLEXITY,
        ("def f(:\n", "def g(a):\n return a and a and a\n"),
        FAIL,
        'functions beyond 2: 1 of 1; the most complex, "g" in /response_a (line 1 of the code), has 3',
    ),
    (
        COMPLEXITY,
        ("def f(:\n", "def g(): pass\n"),
        MISSING,
        'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)',
    ),
    (DEPENDENCIES, ("def f(:\n", "import a\n"), FAIL, '/response_a imports "a" (line 1 of the code)'),
    (
        DEPENDENCIES,
        ("import os\n", "def f(:\n"),
        MISSING,
        'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)',
    ),
    (LINTER, ("import os\n", "import sys\n"), FAIL, "findings in /response_a: 2, at most 1 are allowed"),
    (LINTER, ("import os, sys\n", "def f(:\n"), FAIL, "findings in /response_a: 3, at most 1 are allowed"),
    (
        LINTER,
        ("import os\n", "def f(:\n"),
        MISSING,
        'not told of /response_a, which cannot be read: "invalid syntax" (line 1 of the code)',
    ),
]


@pytest.mark.parametrize(("gate", "programs", "says", "detail"), SEVERAL, ids=lambda value: repr(value)[:30])
def test_of_several_pieces_the_worst_decides(gate: Gate, programs: tuple[str, str], says: Answer, detail: str) -> None:
    given = subject(pairwise(fenced(*programs)))
    assert answer(gate, given) == GateAnswer(gate.name, says, detail, both(*programs))


def test_both_candidates_of_a_tie_are_judged() -> None:
    given = subject(pairwise("x = 1", BROKEN, "tie"))
    detail = '/response_b is not valid Python 3.11: "invalid syntax" (line 1 of the code)'
    assert answer(SYNTAX, given) == GateAnswer("syntax_valid", FAIL, detail, both("x = 1", BROKEN))
    one_each = subject(pairwise("import os", "import sys", "tie"))
    passed = GateAnswer(
        "max_linter_findings", PASS, "findings: 1, at most 1 are allowed", both("import os", "import sys")
    )
    assert answer(LINTER, one_each) == passed
    assert linter_findings(one_each) == {"/response_a": (("F401", 1),), "/response_b": (("F401", 1),)}


def test_a_gate_goes_by_the_version() -> None:
    match = "def f(x):\n    match x:\n        case 1: pass"
    given = subject(pairwise(match), replace(PYTHON, version=(3, 9)))
    detail = (
        '/response_a is not valid Python 3.9: "Pattern matching is only supported in Python 3.10 and greater" '
        "(line 3 of the code)"
    )
    assert answer(SYNTAX, given) == GateAnswer("syntax_valid", FAIL, detail, sha256(match))


def test_a_detail_is_cut() -> None:
    name = "a" * 100
    patch = fenced(f"def f():\n    {name} = 1\n    nonlocal {name}\n")
    (detail,) = {answer(SYNTAX, subject(pairwise(golden_patch=patch))).detail}
    assert detail.startswith("/golden_patch is not valid Python 3.11: \"name 'aaaaa")
    assert len(detail) <= 200


def test_without_rules_the_linter_does_not_run() -> None:
    given = subject(pairwise(SEED), replace(PYTHON, linter_rules=()))
    detail = "the campaign selects no rules of the linter"
    assert answer(LINTER, given) == GateAnswer("max_linter_findings", MISSING, detail, sha256(SEED))
    assert linter_findings(given) == {}


def test_code_that_cannot_be_read_is_not_linted() -> None:
    assert linter_findings(subject(pairwise(BROKEN))) == {}
    assert linter_findings(subject(pairwise(fenced("import os\n", "def f(:\n")))) == {"/response_a": (("F401", 1),)}


A, B = "a" * 64, "b" * 64
RIGHT = sha256(SEED)
UNTESTED = "no trusted run of tests over the code in /response_a"
TWELVE = "12 tests passed over /response_a (suite of origin sponsor)"
STATUS = "the tests of /response_a ended with exit status"
RUNS = [
    ((), MISSING, UNTESTED, None),
    ((execution("0" * 64),), MISSING, UNTESTED, None),
    ((execution("0" * 64, failed=("test_order",)),), MISSING, UNTESTED, None),
    ((execution(RIGHT, passed=0),), MISSING, UNTESTED, None),
    ((execution(RIGHT, A),), PASS, TWELVE, A),
    ((execution(RIGHT, A), execution(RIGHT, B)), PASS, TWELVE, A),
    ((execution(RIGHT, A, passed=0), execution(RIGHT, B)), PASS, TWELVE, B),
    ((execution(RIGHT, A, exit_status=1),), FAIL, f"{STATUS} 1", A),
    ((execution(RIGHT, A, exit_status=5, passed=0),), FAIL, f"{STATUS} 5", A),
    ((execution(RIGHT, A, exit_status=None),), FAIL, "the tests of /response_a were killed", A),
    (
        (execution(RIGHT, A, timed_out=True, exit_status=None),),
        FAIL,
        "the tests of /response_a timed out, were killed",
        A,
    ),
    ((execution(RIGHT, A, timed_out=True),), FAIL, "the tests of /response_a timed out", A),
    (
        (execution(RIGHT, A, exit_status=1, failed=("test_order", "test_empty"), errors=1),),
        FAIL,
        f'{STATUS} 1, failed: 2, the first is "test_order", could not be run to an end: 1',
        A,
    ),
    (
        (execution(RIGHT, A, failed=("t" * 300,)),),
        FAIL,
        f'the tests of /response_a failed: 1, the first is "{"t" * 40}"...',
        A,
    ),
    ((execution(RIGHT, A, errors=2),), FAIL, "the tests of /response_a could not be run to an end: 2", A),
    ((execution(RIGHT, A), execution(RIGHT, B, exit_status=1)), FAIL, f"{STATUS} 1", B),
]


@pytest.mark.parametrize(("runs", "says", "detail", "evidence"), RUNS, ids=lambda value: repr(value)[:30])
def test_only_trusted_runs_over_this_very_code_count(
    runs: tuple[Execution, ...], says: Answer, detail: str, evidence: str | None
) -> None:
    given = subject(pairwise(SEED), PYTHON, *runs)
    assert answer(TESTS, given) == GateAnswer("required_tests_pass", says, detail, evidence)


def test_runs_over_several_pieces_of_code_name_their_common_digest() -> None:
    value = pairwise(fenced("x = 1\n", "y = 2\n"))
    apart = (execution(sha256("x = 1\n"), A), execution(sha256("y = 2\n"), B))
    assert answer(TESTS, subject(value, PYTHON, *apart)).answer is MISSING
    together = execution(both("x = 1\n", "y = 2\n"), A)
    assert answer(TESTS, subject(value, PYTHON, together)).answer is PASS


def test_the_tests_of_both_candidates_of_a_tie_must_pass() -> None:
    value = pairwise("x = 1", "y = 2", "tie")
    first, second = execution(sha256("x = 1"), A), execution(sha256("y = 2"), B, passed=3)
    passed = f"{TWELVE}; 3 tests passed over /response_b (suite of origin sponsor)"
    for runs, expected in [
        ((first,), (MISSING, "no trusted run of tests over the code in /response_b", None)),
        ((first, second), (PASS, passed, A)),
        ((first, replace(second, exit_status=2)), (FAIL, "the tests of /response_b ended with exit status 2", B)),
        ((replace(second, exit_status=2),), (FAIL, "the tests of /response_b ended with exit status 2", B)),
    ]:
        assert answer(TESTS, subject(value, PYTHON, *runs)) == GateAnswer("required_tests_pass", *expected)


def test_tests_count_for_any_language() -> None:
    value = pairwise("```rust\nfn main() {}\n```")
    given = subject(value, CodeTerms("rust", (1, 80)), execution(sha256("fn main() {}\n"), A))
    assert answer(TESTS, given).answer is PASS
