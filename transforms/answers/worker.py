"""The process that decides symbolic answers: it reads questions from standard input and writes decisions.

A question is {"answer": the text, "expected": the members of SymbolicExpected, "fuel": those of Fuel}, a decision
{"decision": one of Decision}; the first message, {"ready": true}, says that everything is loaded. The process ends
with its input. The system kills it where one question takes more seconds of processor time than its argument says.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import Any

from transforms.answers.expected import Domain, Equivalence, SymbolicExpected
from transforms.answers.fuel import Fuel
from transforms.answers.messages import read_message, write_message
from transforms.answers.question import Decision, read
from transforms.answers.symbolic import decide

_MEMORY_BYTES = 2 << 30
# Takes every step of a proof, so that all is loaded before the first question and costs it nothing.
_WARM_UP = {
    "answer": "sqrt(x + 1) + atan(x) + atan(1/x) + sin(2x) + ln(x)",
    "expected": ["sqrt(x + 1) + π/2 + sin(2x) + ln(x)", [["x", "positive"]], "equal"],
    "fuel": [1_000, 1_000_000, 1_000_000],
}


def answered(question: dict[str, Any]) -> Decision:
    """The decision on a question, whose answer can be read."""
    expression, variables, equivalence = question["expected"]
    named = tuple((name, Domain(domain)) for name, domain in variables)
    expected = SymbolicExpected(expression, named, Equivalence(equivalence))
    try:
        return decide(read(question["answer"], expected), Fuel(*question["fuel"]))
    except (MemoryError, RecursionError):
        return Decision.UNDECIDED


def _limit(which: int, most: int) -> None:
    """Set a limit of the process, or the lower one that it already cannot go beyond."""
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def main() -> None:
    """Answer questions until the input ends."""
    seconds = int(sys.argv[1])
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, _MEMORY_BYTES)
    answered(_WARM_UP)
    write_message(sys.stdout.buffer, {"ready": True})
    while (question := read_message(sys.stdin.buffer)) is not None:
        # So many more seconds of processor time, or one more; then SIGXCPU ends the process.
        _limit(resource.RLIMIT_CPU, int(time.process_time()) + seconds + 1)
        write_message(sys.stdout.buffer, {"decision": answered(question)})


if __name__ == "__main__":
    main()
