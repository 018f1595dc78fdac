from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

import transforms
from transforms.answers import checker, verdict
from transforms.answers.checker import Checker, check_answer
from transforms.answers.expected import ChoiceExpected, Domain, Equivalence, Expected, SymbolicExpected, parse_expected
from transforms.answers.fuel import Fuel
from transforms.answers.verdict import RIGHT, AnswerVerdict
from transforms.records import Finding, Severity, Stage

REAL = (("x", Domain.REAL),)
SQUARE = SymbolicExpected("(x + 1)^2", REAL, Equivalence.EQUAL)
NUMBER = parse_expected(
    {
        "type": "numeric",
        "value": "9.81",
        "unit": "m/s^2",
        "absolute_tolerance": "0.01",
        "relative_tolerance": "0",
        "rounding": None,
    }
)
PRIMES = (2, 3, 5, 7, 11)
# Equal, and far beyond what a proof by minimal polynomials can do in a second.
SUM_OF_ROOTS = "+".join(f"√{prime}" for prime in PRIMES)
ROOT_OF_SUM = f"√({sum(PRIMES)} + 2*({'+'.join(f'√{p * q}' for p, q in combinations(PRIMES, 2))}))"
UNLIMITED = Fuel(calls=10**12, calls_per_step=10**12)


def code(answer: str, expected: Expected) -> str | None:
    found = check_answer(answer, expected)
    assert len(found.message) < 200
    return found.code.code if found.code else None


@pytest.fixture
def small() -> Iterator[Checker]:
    """A checker whose fuel never ends, so that only the system's limit does."""
    own = Checker(UNLIMITED, cpu_seconds=1)
    yield own
    own.close()


def test_each_kind_of_expected_answer() -> None:
    assert check_answer("9.81 m/s^2", NUMBER) == RIGHT
    assert code("9.7 m/s^2", NUMBER) == "numeric-answer-mismatch"
    assert code("9.81", NUMBER) == "unit-mismatch"
    assert code("fast", NUMBER) == "unparsable-answer"
    assert check_answer("x^2 + 2x + 1", SQUARE) == RIGHT
    assert check_answer("(x + 1)^2", SQUARE) == RIGHT
    assert code("x^2 + 1", SQUARE) == "symbolic-answer-mismatch"
    assert code("x^2 +", SQUARE) == "unparsable-answer"
    assert check_answer("B", ChoiceExpected("B")) == RIGHT
    assert code("C", ChoiceExpected("B")) == "symbolic-answer-mismatch"


@pytest.mark.parametrize("answer", ["B", "b", " B. ", "(B)", "B)", "$B$", "\u200bB", "\\boxed{B}"])
def test_a_choice(answer: str) -> None:
    assert code(answer, ChoiceExpected("B")) is None


@pytest.mark.parametrize("answer", ["A", "", "B or C", "A, B", "Β", "BB", "B" * 2000])
def test_another_choice(answer: str) -> None:
    found = code(answer, ChoiceExpected("B"))
    assert found == ("unparsable-answer" if len(answer) > 1000 else "symbolic-answer-mismatch")


def test_a_choice_by_its_text() -> None:
    assert code("isosceles  Triangle.", ChoiceExpected("Isosceles triangle")) is None


@pytest.mark.parametrize(
    "answer",
    [
        "9**9**9",
        "9^9^9^9^9",
        "10^10^10",
        "x**(10**9)",
        "x^" * 300 + "x",
        "(" * 900,
        "(" * 400 + "x" + ")" * 400,
        "sqrt(" * 180 + "x" + ")" * 180,
        "-" * 999 + "x",
        "*".join(["(x+1)"] * 1000),
        "*".join(["x"] * 500),
        "1" * 1000,
        "1" * 100_000,
        "x" * 100_000,
        "٣" * 10,
        "x²³⁴⁵⁶⁷⁸⁹",
        "1000!",
        "\\frac{" * 150,
        "{" * 500,
        "|" * 999,
        "±" * 500 + "1",
        "\x00",
        "__import__('os').system('true')",
    ],
)
@pytest.mark.parametrize("equivalence", Equivalence)
def test_hostile_answers_are_refused_before_any_work(answer: str, equivalence: Equivalence) -> None:
    assert code(answer, SymbolicExpected("x + 1", REAL, equivalence)) == "unparsable-answer"
    assert code(answer, NUMBER) == "unparsable-answer"


def test_what_is_not_decided_within_bounds_is_held() -> None:
    found = check_answer(SUM_OF_ROOTS, SymbolicExpected(ROOT_OF_SUM, (), Equivalence.EQUAL))
    assert found == AnswerVerdict(
        verdict.ANSWER_CHECK_TIMEOUT,
        'whether "√2+√3+√5+√7+√11" is what the task expects was not decided within bounds',
    )
    assert found.findings() == (
        Finding("answer-check-timeout", found.message, "/final_answer", severity=Severity.HOLD),
    )


def test_a_worker_that_takes_too_long_is_killed_and_replaced(small: Checker) -> None:
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT
    first = small._process
    assert first is not None
    held = small.check(SUM_OF_ROOTS, SymbolicExpected(ROOT_OF_SUM, (), Equivalence.EQUAL))
    assert held.code == verdict.ANSWER_CHECK_TIMEOUT
    assert first.poll() is not None
    assert first.returncode < 0
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT
    assert small._process is not None
    assert small._process.pid != first.pid


def test_a_worker_that_was_killed_while_idle_costs_nothing(small: Checker) -> None:
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT
    assert small._process is not None
    small._process.kill()
    small._process.wait()
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT


def test_many_questions_are_answered_by_one_worker(small: Checker) -> None:
    for number in range(2, 12):
        assert small.check(f"x^2 + {2 * number}x + {number**2}", SQUARE).code == verdict.SYMBOLIC_ANSWER_MISMATCH
    first = small._process
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT
    assert small._process is first


def test_closing_ends_the_worker_and_may_be_repeated(small: Checker) -> None:
    small.check("1 + 2x + x^2", SQUARE)
    process = small._process
    assert process is not None
    small.close()
    small.close()
    assert process.returncode == 0
    assert small.check("1 + 2x + x^2", SQUARE) == RIGHT


def test_an_answer_that_is_the_expected_one_to_the_letter_needs_no_worker(small: Checker) -> None:
    assert small.check("(x+1)^{2}", SQUARE) == RIGHT
    assert small._process is None


def test_threads_share_a_worker() -> None:
    found: list[AnswerVerdict] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(check_answer(f"x^2 + 2x + {n}", SQUARE)))  # type: ignore[misc]
        for n in (1, 1, 2, 2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.code.code if each.code else "" for each in found) == ["", ""] + ["symbolic-answer-mismatch"] * 2


def test_a_forked_process_has_a_worker_of_its_own() -> None:
    check_answer("x^2 + 2x + 1", SQUARE)
    parents = checker._checker_of(os.getpid())._process
    child = os.fork()
    if not child:
        right = check_answer("2x + 1 + x^2", SQUARE) == RIGHT
        own = checker._checker_of(os.getpid())
        elsewhere = own._process is not None and parents is not None and own._process.pid != parents.pid
        own.close()
        os._exit(0 if right and elsewhere else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert check_answer("2x + x^2 + 1", SQUARE) == RIGHT
    assert checker._checker_of(os.getpid())._process is parents


def test_a_worker_that_does_not_start_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(RuntimeError, match="did not start: it ended with 1"):
        Checker().check("x^2 + 2x + 1", SQUARE)


def test_nothing_is_left_behind_at_exit() -> None:
    script = (
        "from transforms.answers.checker import check_answer, _checker_of\n"
        "from transforms.answers.expected import *\n"
        "import os\n"
        "expected = SymbolicExpected('(x + 1)^2', (('x', Domain.REAL),), Equivalence.EQUAL)\n"
        "print(check_answer('1 + 2x + x^2', expected).code, _checker_of(os.getpid())._process.pid)\n"
    )
    root = Path(transforms.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    outcome, pid = done.stdout.split()
    assert (outcome, done.stderr) == ("None", "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def test_the_rows() -> None:
    assert {code.code: code.severity for code in verdict.CODES} == {
        "numeric-answer-mismatch": Severity.REJECT,
        "unit-mismatch": Severity.REJECT,
        "symbolic-answer-mismatch": Severity.REJECT,
        "unparsable-answer": Severity.REJECT,
        "answer-check-timeout": Severity.HOLD,
    }
    assert {code.stage for code in verdict.CODES} == {Stage.JOINS}
    for row in verdict.CODES:
        assert all(10 <= len(text) <= 400 for text in (row.summary, row.example, row.remedy))
        assert row.remedy.endswith(".")


def test_findings_point_where_they_are_told() -> None:
    assert RIGHT.findings() == ()
    found = AnswerVerdict(verdict.UNIT_MISMATCH, "the answer has no unit, the task asks for one")
    assert found.findings("/answer") == (Finding("unit-mismatch", found.message, "/answer"),)
