"""Whether the tests of a task passed over the judged code, by trusted records of runs and by nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from transforms.acceptance.code.extract import Snippet, code_sha256
from transforms.acceptance.values import Answer, Execution
from transforms.rules.text import excerpt


def tests_pass(snippets: Sequence[Snippet], executions: Sequence[Execution]) -> tuple[Answer, str, str | None]:
    """The answer, the words for it, and the digest of the record that it rests on.

    The code of each gated text is asked for by its own digest: for a tie both candidates' must have passed. One run
    that failed decides, whatever others say. A run in which no test ran is no evidence.
    """
    passed: list[tuple[str, Execution]] = []
    untested: list[str] = []
    for pointer, group in groupby(snippets, key=lambda snippet: snippet.pointer):
        digest = code_sha256(tuple(group))
        runs = [execution for execution in executions if execution.code_sha256 == digest]
        for run in runs:
            if fault := _fault(run):
                return Answer.FAIL, f"the tests of {pointer} {fault}", run.sha256
        green = next((run for run in runs if run.passed), None)
        if green is None:
            untested.append(pointer)
        else:
            passed.append((pointer, green))
    if untested:
        return Answer.MISSING, f"no trusted run of tests over the code in {' and '.join(untested)}", None
    said = [f"{run.passed} tests passed over {pointer} (suite of origin {run.suite.origin})" for pointer, run in passed]
    return Answer.PASS, "; ".join(said), passed[0][1].sha256


def _fault(run: Execution) -> str:
    """How a run failed, in words; empty where it did not."""
    faults = [
        *(["timed out"] if run.timed_out else []),
        *(["were killed"] if run.exit_status is None else []),
        *([f"ended with exit status {run.exit_status}"] if run.exit_status else []),
        *([f"failed: {len(run.failed)}, the first is {excerpt(run.failed[0])}"] if run.failed else []),
        *([f"could not be run to an end: {run.errors}"] if run.errors else []),
    ]
    return ", ".join(faults)
