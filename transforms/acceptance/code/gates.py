"""The evaluators of the gates for code: what of the judged code, or of trusted runs of it, answers each gate.

Where there is no code, or it cannot be judged, a gate is not answered and the record is held: none passes for want of
anything to look at. All pieces of code must hold; one that fails decides, even where another cannot be judged.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from transforms.acceptance.code.compiled import compile_fault
from transforms.acceptance.code.complexity import functions
from transforms.acceptance.code.dependencies import unapproved
from transforms.acceptance.code.extract import PYTHON, Gated, Snippet, code_sha256, extract
from transforms.acceptance.code.linter import TIMEOUT_SECONDS, Counts, linted
from transforms.acceptance.code.newer import newer_construct
from transforms.acceptance.code.required_tests import tests_pass
from transforms.acceptance.code.syntax import NEWEST, OLDEST, Unreadable, parse
from transforms.acceptance.values import Answer, CodeTerms, Gate, GateAnswer, GateSubject
from transforms.rules.text import excerpt

_LONGEST_DETAIL = 200
_Said = tuple[Answer, str]
_Trees = tuple[tuple[tuple[Snippet, ast.Module], ...], tuple[tuple[Snippet, Unreadable], ...]]
_Judge = Callable[[tuple[Snippet, ...], CodeTerms, Gate], _Said]


def syntax_valid(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether each piece of code is a program of the pinned version."""
    return _judged(subject, gate, _syntax)


def max_cyclomatic_complexity_per_function(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether no function is more complex than `gate.wanted`."""
    return _judged(subject, gate, _complexity)


def unapproved_dependencies(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether nothing is imported but the standard library and what the campaign approves."""
    return _judged(subject, gate, _dependencies)


def max_linter_findings(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether the linter finds at most `gate.wanted` faults in each gated text."""
    return _judged(subject, gate, _linter)


def linter_findings(subject: GateSubject) -> Mapping[str, Counts | None]:
    """How often each rule of the linter finds fault, by the pointer of the gated text, to be recorded with a decision.

    Empty where the campaign selects no rules or the code cannot be linted, None for a text that the linter crashed on.
    """
    terms = subject.code
    if terms is None or not terms.linter_rules or not_judged(terms) or isinstance(gated := _gated(subject), str):
        return {}
    trees, _ = _read(gated.snippets, terms)
    return linted([snippet for snippet, _ in trees], terms)


def required_tests_pass(subject: GateSubject, gate: Gate) -> GateAnswer:
    """Whether trusted runs of the task's tests over this very code all passed, and there is one."""
    gated = _gated(subject)
    if isinstance(gated, str):
        return GateAnswer(gate.name, Answer.MISSING, gated)
    answer, detail, evidence = tests_pass(gated.snippets, subject.evidence.executions)
    return _answer(gate, gated, (answer, detail), evidence)


EVALUATORS: Mapping[str, Callable[[GateSubject, Gate], GateAnswer]] = MappingProxyType(
    {
        "syntax_valid": syntax_valid,
        "required_tests_pass": required_tests_pass,
        "max_cyclomatic_complexity_per_function": max_cyclomatic_complexity_per_function,
        "unapproved_dependencies": unapproved_dependencies,
        "max_linter_findings": max_linter_findings,
    }
)


def _gated(subject: GateSubject) -> Gated | str:
    """The code to judge, or why there is none, in words."""
    if subject.code is None:
        return "the campaign does not say what language code is in"
    gated = extract(subject.value, subject.code)
    if gated.without:
        return f"no code of the campaign's language in {' and '.join(gated.without)}: nothing to judge"
    return gated


def _judged(subject: GateSubject, gate: Gate, judge: _Judge) -> GateAnswer:
    gated, terms = _gated(subject), subject.code
    if isinstance(gated, str) or terms is None:
        return GateAnswer(gate.name, Answer.MISSING, str(gated))
    reason = not_judged(terms)
    said = (Answer.MISSING, reason) if reason else judge(gated.snippets, terms, gate)
    return _answer(gate, gated, said, code_sha256(gated.snippets))


def _answer(gate: Gate, gated: Gated, said: _Said, evidence: str | None) -> GateAnswer:
    """What is said of the judged code; it does not pass where there may be more."""
    answer, detail = said
    if answer is Answer.PASS and gated.beside:
        answer = Answer.MISSING
        detail = f"there may be more code in {' and '.join(gated.beside)} than the blocks that are judged"
    return GateAnswer(gate.name, answer, _cut(detail), evidence)


def not_judged(terms: CodeTerms) -> str:
    """Why code under these terms cannot be looked at, in words; empty where it can."""
    if terms.language != PYTHON:
        return f"code in {excerpt(terms.language)} is not judged, only Python"
    if not OLDEST <= terms.version <= NEWEST:
        return f"{_python(terms)} is not judged here, only {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    return ""


def _syntax(snippets: tuple[Snippet, ...], terms: CodeTerms, gate: Gate) -> _Said:
    trees, unread = _read(snippets, terms)
    faults = list(unread)
    for snippet, tree in trees:
        fault = newer_construct(tree, terms.version) or compile_fault(tree)
        if fault is not None:
            faults.append((snippet, fault))
    for snippet, fault in faults:
        if fault.invalid:
            return Answer.FAIL, f"{snippet.pointer} is not valid {_python(terms)}: {fault}"
    return _unread(faults) or (Answer.PASS, f"the code is valid {_python(terms)}")


def _complexity(snippets: tuple[Snippet, ...], terms: CodeTerms, gate: Gate) -> _Said:
    trees, faults = _read(snippets, terms)
    found = [(function, snippet) for snippet, tree in trees for function in functions(tree)]
    if not found:
        return _unread(faults) or (Answer.PASS, "the code has no function")
    most, snippet = max(found, key=lambda each: each[0].complexity)
    beyond = sum(function.complexity > gate.wanted for function, _ in found)
    where = f"{excerpt(most.name)} in {snippet.pointer} (line {most.line} of the code)"
    detail = (
        f"functions beyond {gate.wanted}: {beyond} of {len(found)}; the most complex, {where}, has {most.complexity}"
    )
    return (Answer.FAIL, detail) if beyond else _unread(faults) or (Answer.PASS, detail)


def _dependencies(snippets: tuple[Snippet, ...], terms: CodeTerms, gate: Gate) -> _Said:
    trees, faults = _read(snippets, terms)
    found = [(snippet, one) for snippet, tree in trees for one in unapproved(tree, terms)]
    for answer, readable in ((Answer.FAIL, True), (Answer.MISSING, False)):
        said = [f"{snippet.pointer} {one}" for snippet, one in found if one.readable is readable]
        if said:
            return answer, said[0] if len(said) == 1 else f"{said[0]} and {len(said) - 1} more"
    return _unread(faults) or (Answer.PASS, "every import is of the standard library or approved")


def _linter(snippets: tuple[Snippet, ...], terms: CodeTerms, gate: Gate) -> _Said:
    if not terms.linter_rules:
        return Answer.MISSING, "the campaign selects no rules of the linter"
    trees, faults = _read(snippets, terms)
    counts = linted([snippet for snippet, _ in trees], terms)
    totals = {pointer: sum(count for _, count in rules) for pointer, rules in counts.items() if rules is not None}
    for pointer, total in totals.items():
        if total > gate.wanted:
            return Answer.FAIL, f"findings in {pointer}: {total}, at most {gate.wanted} are allowed"
    if len(totals) < len(counts):
        return Answer.MISSING, f"the linter crashed, or did not end within {TIMEOUT_SECONDS} seconds"
    return _unread(faults) or (Answer.PASS, f"findings: {max(totals.values())}, at most {gate.wanted} are allowed")


@lru_cache(maxsize=2)  # all gates of a record ask, one after the other
def _read(snippets: tuple[Snippet, ...], terms: CodeTerms) -> _Trees:
    """The trees of the pieces of code that can be read, and the faults of the others."""
    trees, faults = [], []
    for snippet in snippets:
        read = parse(snippet.text, terms.version)
        if isinstance(read, Unreadable):
            faults.append((snippet, read))
        else:
            trees.append((snippet, read))
    return tuple(trees), tuple(faults)


def _unread(faults: Sequence[tuple[Snippet, Unreadable]]) -> _Said | None:
    """What is said where some code could not be read and none of the rest fails."""
    if not faults:
        return None
    snippet, fault = faults[0]
    return Answer.MISSING, f"not told of {snippet.pointer}, which cannot be read: {fault}"


def _python(terms: CodeTerms) -> str:
    return f"Python {terms.version[0]}.{terms.version[1]}"


def _cut(detail: str) -> str:
    return detail if len(detail) <= _LONGEST_DETAIL else f"{detail[: _LONGEST_DETAIL - 3]}..."
