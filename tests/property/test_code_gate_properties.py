"""Properties of the gates for code: an answer to any text, nothing passed without code, and no more than the code."""

from __future__ import annotations

import ast
import keyword

import pytest
from code_subjects import PYTHON, execution, pairwise, subject
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.acceptance.code.compiled import compile_fault
from transforms.acceptance.code.extract import extract, find_code
from transforms.acceptance.code.gates import EVALUATORS
from transforms.acceptance.code.syntax import Unreadable, parse
from transforms.acceptance.values import Answer, Gate
from transforms.records import Json

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")]
FEW = settings(max_examples=300, deadline=None)
MANY = settings(max_examples=100_000, deadline=None)
# The linter is a process of its own: its properties are ruff's.
GATES = tuple(
    Gate(name, wanted)
    for name, wanted in {
        "syntax_valid": True,
        "max_cyclomatic_complexity_per_function": 3,
        "unapproved_dependencies": False,
        "required_tests_pass": True,
    }.items()
)

PIECES = st.sampled_from(
    [
        *keyword.kwlist,
        *keyword.softkwlist,
        *"()[]{}:;,.=+-*@~'\"\\`>#\n\t\f\0",
        *(
            " ",
            "\n ",
            "\n  ",
            "\r\n",
            "\r",
            "x",
            "y",
            "1",
            "0x",
            "1.",
            "f'{",
            "}'",
            "'''",
            "...",
            ":=",
            "->",
            "**",
            "é",
            "’",
        ),
        *("```", "```python\n", "\n```\n", "~~~", "> ", "- ", "1. ", "    ", ">>> ", "Use this.", "Answer: yes"),
        *(
            "def f(x):\n",
            "class C:\n",
            "import os\n",
            "__import__(x)",
            "exec('x')",
            "try:\n",
            "finally:\n",
            "except* E:\n",
        ),
    ]
)
TEXTS = st.text(max_size=80) | st.lists(PIECES, max_size=30).map("".join) | st.lists(PIECES, max_size=30).map(" ".join)
RECORDS = st.builds(pairwise, TEXTS, TEXTS, st.sampled_from(["A", "B", "tie"]), st.none() | TEXTS) | st.builds(
    pairwise, TEXTS, TEXTS, st.just("neither"), TEXTS
)

LEAVES = st.sampled_from(
    ["x = 1", "return x", "break", "yield", "f(x)", "x = 1 + 2 * 'a'", "global x", "pass", "await y"]
)
HEADS = st.sampled_from(
    [
        "if x:", "while x:", "for x in y:", "with x:", "def f(x):", "async def f():", "class C:", "try:{}finally:",
        "try:{}except E:", "try:{}except* E:", "match x:\n case 1 + 2j:",
    ]
)  # fmt: skip


def _indented(text: str, by: int = 2) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def _block(head: str, body: str) -> str:
    if "{}" in head:
        return head.replace("{}", "\n" + _indented(body)) + "\n" + _indented(body)
    return head + "\n" + _indented(body)


PROGRAMS = st.recursive(
    LEAVES,
    lambda inner: st.builds(_block, HEADS, inner) | st.lists(inner, min_size=1, max_size=3).map("\n".join),
    max_leaves=12,
)


def check_answers(value: Json) -> None:
    gated = extract(value, PYTHON)
    for gate in GATES:
        said = EVALUATORS[gate.name](subject(value), gate)
        assert said.gate == gate.name
        assert len(said.detail) <= 200
        assert said.detail.isprintable()
        if gated.without:
            assert (said.answer, said.evidence_sha256) == (Answer.MISSING, None)
        if said.answer is Answer.PASS:
            assert gated.snippets
            assert all(snippet.text.strip() for snippet in gated.snippets)


def check_code(text: str) -> None:
    """Each piece of code is the text, or made of its lines, less what stands before them; white space apart."""
    lines = ["".join(line.split()) for line in text.replace("\0", "\ufffd").replace("\r", "\n").split("\n")]
    for code in find_code(text, PYTHON).pieces:
        assert code == text or all(any("".join(line.split()) in whole for whole in lines) for line in code.split("\n"))


@FEW
@given(RECORDS)
def test_every_text_has_an_answer_and_none_passes_without_code(value: Json) -> None:
    check_answers(value)


@pytest.mark.slow
@MANY
@given(RECORDS)
def test_every_text_has_an_answer_and_none_passes_without_code_at_length(value: Json) -> None:
    check_answers(value)


@FEW
@given(TEXTS)
def test_code_is_taken_from_the_text(text: str) -> None:
    check_code(text)


@pytest.mark.slow
@MANY
@given(TEXTS)
def test_code_is_taken_from_the_text_at_length(text: str) -> None:
    check_code(text)


@FEW
@given(st.text(alphabet="abc(:=\n \t", min_size=1).filter(lambda text: "```" not in text))
def test_what_is_fenced_is_code_as_it_stands(text: str) -> None:
    fenced = f"```python\n{text}\n```"
    assert find_code(fenced, PYTHON).pieces == ((f"{text}\n",) if text.strip() else ())


def check_against_the_compiler(program: str) -> None:
    """The tree that is relieved of what costs the compiler dearly is refused exactly where the program is."""
    tree = parse(program, (3, 11))
    ours = tree if isinstance(tree, Unreadable) else compile_fault(tree)
    try:
        compile(program, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        assert ours is not None
        assert ours.invalid
        assert message[:30] in ours.reason
    else:
        assert ours is None


@FEW
@given(PROGRAMS)
def test_the_verdict_is_the_compilers(program: str) -> None:
    check_against_the_compiler(program)


@pytest.mark.slow
@MANY
@given(PROGRAMS)
def test_the_verdict_is_the_compilers_at_length(program: str) -> None:
    check_against_the_compiler(program)


@FEW
@given(st.text(alphabet="xyz =1\n", min_size=1), st.integers(-3, 3), st.booleans(), st.integers(0, 2))
def test_no_run_over_other_code_counts(text: str, status: int, timed_out: bool, passed: int) -> None:
    value = pairwise("```python\nx = 1\n```")
    other = execution("0" * 64, exit_status=status, timed_out=timed_out, passed=passed)
    said = EVALUATORS["required_tests_pass"](subject(value, PYTHON, other), Gate("required_tests_pass", True))
    assert (said.answer, said.evidence_sha256) == (Answer.MISSING, None)


def test_programs_parse_often_enough() -> None:
    assert isinstance(parse(_block("try:{}finally:", "x = 1"), (3, 11)), ast.Module)
