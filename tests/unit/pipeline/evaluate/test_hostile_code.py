"""Code that wants more than it may have, or a verdict that it has not earned; and what is recorded of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sandboxed import (
    BROKEN,
    HONEST,
    KILLED,
    LARGE,
    NEEDS_BUBBLEWRAP,
    PASSED,
    TIMED_OUT,
    WRONG,
    ran,
    sandbox,
)

from pipeline.evaluate.execution import Result

pytestmark = NEEDS_BUBBLEWRAP

WRONG_CODE = "def double(number):\n    return 0\n"


def first(*lines: str) -> str:
    """Honest code that does something before it answers."""
    return "def double(number):\n" + "".join(f"    {line}\n" for line in lines) + "    return 2 * number\n"


@pytest.fixture
def others() -> set[str]:
    """Processes of other tests, such as the checker of answers."""
    return children()


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split())


def test_honest_code() -> None:
    assert ran(HONEST) == PASSED


def test_wrong_code() -> None:
    assert ran(WRONG_CODE) == WRONG
    assert ran("def double(number):\n    return number ** 2\n") == Result(1, False, 1, (LARGE,), 0)


@pytest.mark.parametrize("code", ["def double(:", "raise ValueError", "double = 5", "", "def double(number): return x"])
def test_broken_code(code: str) -> None:
    assert ran(code) == BROKEN


# Verdicts that are not earned.

CLAIMS = {
    "print": "print('Ran 2 tests in 0.001s', 'OK', 'all tests passed', sep='\\n')",
    "report": """
import json, os
report = json.dumps({"outcomes": {"test_it.py::Doubling::test_large": "passed",
    "test_it.py::Doubling::test_small": "passed"}, "others": []}).encode() + b"\\n"
os.write(1, report)
os.write(2, report)
open("/scratch/report.json", "wb").write(report)
""",
    "unittest": """
import unittest
unittest.TestCase.assertEqual = lambda *arguments: None
unittest.TestResult.wasSuccessful = lambda self: True
unittest.TestCase.run = lambda self, result=None: result
""",
    "exit at the end": "import atexit, os\natexit.register(os._exit, 0)",
    "exit status": "import sys\nsys.exit = lambda *_: None",
    "builtins": "import builtins\nbuiltins.AssertionError = ZeroDivisionError",
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS.keys())
def test_a_claim_changes_nothing(claim: str) -> None:
    assert ran(claim + "\n" + WRONG_CODE) == WRONG


ENDS = ["import os; os._exit(0)", "import sys; sys.exit(0)", "raise SystemExit(0)", "quit()", "import os; os.abort()"]


@pytest.mark.parametrize("end", ENDS)
def test_an_end_is_no_pass(end: str) -> None:
    assert ran(f"{end}\n{WRONG_CODE}") == BROKEN
    assert ran(f"def double(number):\n    {end}\n") == BROKEN


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "GeneratorExit", "__import__('unittest').SkipTest('no need')"])
def test_an_exception_is_no_pass(error: str) -> None:
    assert ran(f"def double(number):\n    raise {error}\n") == BROKEN


def test_an_end_is_not_the_exception_that_a_test_wants() -> None:
    tests = """
from unittest import TestCase
import solution

class Refusing(TestCase):
    def test_refuses(self):
        with self.assertRaises(Exception):
            solution.check(-1)

    def test_refuses_somehow(self):
        try:
            solution.check(-1)
        except BaseException:
            return
        self.fail()
"""
    assert ran("def check(number):\n    raise ValueError\n", tests) == Result(0, False, 2, (), 0)
    assert ran("import os\ndef check(number):\n    os._exit(1)\n", tests) == Result(1, False, 0, (), 2)


ANYTHING = """
class Anything(int):
    def _yes(self, *others): return True
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = _yes
    def __sub__(self, other): return 0
    __rsub__ = __round__ = __abs__ = __sub__
    __hash__ = int.__hash__
class Thing(Anything): pass
"""


def test_an_object_that_equals_everything() -> None:
    assert ran(ANYTHING + "def double(number):\n    return Anything()\n") == WRONG
    no_number = ANYTHING.replace("(int)", "").replace("int.__hash__", "object.__hash__")
    assert ran(no_number + "def double(number):\n    return Anything()\n") == WRONG


NEAR = """
from unittest import TestCase
import solution

class Near(TestCase):
    def test_almost(self):
        self.assertAlmostEqual(solution.double(1.5), 3.0)
    def test_close(self):
        assert abs(solution.double(1.5) - 3.0) < 1e-9
    def test_contains(self):
        self.assertIn(3, solution.double([3]))
    def test_greater(self):
        self.assertGreater(solution.double(1.5), 2)
    def test_in_order(self):
        self.assertLess(2, solution.double(1.5))
"""


def test_an_object_that_is_near_everything() -> None:
    tests = tuple(f"test_it.py::Near::test_{name}" for name in ("almost", "close", "contains", "greater", "in_order"))
    assert ran(HONEST, NEAR) == Result(0, False, 5, (), 0)
    no_number = ANYTHING.replace("(int)", "").replace("int.__hash__", "object.__hash__")
    # What is subtracted, compared or looked for here is refused as a plain value would not refuse it: none passes.
    result = ran(no_number + "def double(number):\n    return Anything()\n", NEAR)
    assert (result.exit_status, result.passed, len(result.failed) + result.errors) == (1, 0, len(tests))


ANSWERS = """
import json, os, stat
line = next(fd for fd in range(3, 64) if stat.S_ISSOCK(os.fstat(fd).st_mode))
def send(**message):
    data = json.dumps(message).encode()
    os.write(line, len(data).to_bytes(4, "big") + data)
send(loaded=True, module=0)
while head := os.read(line, 4):
    asked = json.loads(os.read(line, int.from_bytes(head, "big")))
    ANSWER
"""
CONSTANT = 'send(changed=[], raised=False, value=4 if asked["apply"] == "call" else ["object", 1])'


def test_speaking_for_itself_it_can_only_give_answers() -> None:
    """It has taken over all of its room, and is right where its constant is."""
    assert ran(ANSWERS.replace("ANSWER", CONSTANT)) == Result(1, False, 1, (LARGE,), 0)


MALFORMED = [
    "{}", '{"outcomes": {}}', "[]", "5", '{"changed": 5, "value": 4, "raised": false}',
    '{"changed": [[0, 5]], "value": 4, "raised": false}', '{"changed": [], "value": 4, "raised": true}',
    '{"changed": [], "same": 0}', '{"changed": [], "value": ["object", -99], "raised": false}',
    '{"changed": [], "value": ["named", "eval"], "raised": false}',
    '{"changed": [], "value": ["class", [[], "eval"]], "raised": true}',
    '{"changed": [], "value": 4.5, "raised": false}',
    '{"changed": [], "value": ' + "[" * 2000 + "]" * 2000 + ', "raised": false}',
    '{"apply": "getattr", "given": [[0, ["object", -1]], [1, "__globals__"]]}',
    '{"apply": "call", "given": [[0, ["object", -1]]]}',
]  # fmt: skip


@pytest.mark.parametrize("message", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_malformed_is_no_answer(message: str) -> None:
    sent = f"data = {message.encode()!r}; os.write(line, len(data).to_bytes(4, 'big') + data)"
    result = ran(ANSWERS.replace("ANSWER", sent))
    assert (result.exit_status, result.passed) == (1, 0)


def test_bytes_on_every_descriptor() -> None:
    code = "import os\nfor fd in range(64):\n    try: os.write(fd, bytes(100))\n    except OSError: pass\n"
    assert ran(code + HONEST) == BROKEN


def test_what_a_test_hands_over_can_only_be_called() -> None:
    tests = """
from unittest import TestCase
import solution

SECRET = 42

class Lending(TestCase):
    def test_lent(self):
        self.assertEqual(solution.use(lambda number: number + 1), 42)
"""
    assert ran("def use(function):\n    return function(41)\n", tests).exit_status == 0
    for reach in ("function.__globals__['SECRET']", "function.__closure__", "function.__code__"):
        assert ran(f"def use(function):\n    return {reach}\n", tests) == Result(1, False, 0, (), 1)


def test_what_cannot_be_told() -> None:
    """Code that knows the tests' answers by heart passes them."""
    assert ran("def double(number):\n    return {2: 4, 40: 80}[number]\n") == PASSED


# What is beyond its bounds.


def test_time(others: set[str]) -> None:
    assert ran(first("import time", "time.sleep(1000)"), seconds=1) == TIMED_OUT
    assert ran(first("while True: pass"), seconds=1) == TIMED_OUT
    assert ran("while True: pass", seconds=1) == TIMED_OUT
    assert ran("import time\ntime.sleep(1000)", seconds=1) == TIMED_OUT
    assert children() <= others


def test_output() -> None:
    for stream in (1, 2):
        flood = f"while True: os.write({stream}, bytes(1 << 16))"
        assert ran(first("import os", flood)) == KILLED
        assert ran("import os\n" + flood) == KILLED


def test_output_within_the_bound_does_not_matter() -> None:
    most = sandbox().bounds.output_bytes
    assert ran(f"import os\nos.write(1, bytes({most // 2}))\n" + HONEST) == PASSED
    assert ran(first("import os", f"os.write(1, bytes({most // 2 + 1}))")) == KILLED


def test_memory() -> None:
    assert ran(first("bytearray(1 << 40)")) == BROKEN
    assert ran(first("held = []", "while True: held.append(bytearray(1 << 20))")) == BROKEN
    assert ran(first("try: bytearray(1 << 30)", "except MemoryError: pass")) == PASSED


def test_processes() -> None:
    assert ran("import os\nwhile True: os.fork()\n" + HONEST) == BROKEN
    assert ran(first("import subprocess, sys", "subprocess.run([sys.executable, '-c', ''])")) == BROKEN
    assert ran(first("import multiprocessing", "multiprocessing.get_context('fork').Process().start()")) == BROKEN
    assert ran(first("import os", "os.system('true')", "os.popen('true').read()")) == BROKEN


def test_threads_without_end(others: set[str]) -> None:
    without_end = "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(1000,)).start()\n"
    assert ran(without_end) == BROKEN
    assert children() <= others


def test_what_is_left_behind_is_ended(others: set[str]) -> None:
    lingering = "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n"
    assert ran(lingering + HONEST) == PASSED
    assert children() <= others


def test_files() -> None:
    assert ran(first("open('full', 'wb').write(bytes(1 << 27))")) == BROKEN
    assert ran(first("for n in range(100): open(str(n), 'wb').write(bytes(1 << 20))")) == BROKEN
    assert ran(first("open('kept', 'wb').write(bytes(1 << 20))", "open('kept', 'rb').read()")) == PASSED
    assert ran(first("for n in range(10 ** 7): open(str(n), 'w').close()")) == KILLED
    assert ran(first("for _ in range(100): __import__('os').dup(0)")) == BROKEN


PLACES = [
    "/etc/shadow",
    "/etc/passwd",
    str(Path.home()),
    str(Path(__file__)),
    "/proc/self/status",
    "/suite/test_it.py",
    "/room/nothing",
]


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_reading(place: str) -> None:
    assert ran(first("import os", f"os.stat({place!r})")) == BROKEN


@pytest.mark.parametrize("place", ["/", "/room/", "/candidate/", "/python/", "/usr/lib/", "/dev/", "/suite/"])
def test_writing(place: str) -> None:
    assert ran(first(f"open('{place}new', 'w')")) == BROKEN


def test_its_own_files_are_read_only() -> None:
    for file in ("/candidate/solution.py", "/room/pipeline/evaluate/rooms/peer.py", "/room/plan.json"):
        assert ran(first(f"open({file!r}).close()")) == PASSED
        assert ran(first(f"open({file!r}, 'a').close()")) == BROKEN
        assert ran(first("import os", f"os.remove({file!r})")) == BROKEN


NETWORK = [
    "socket.create_connection(('127.0.0.1', 80))",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "socket.socket(socket.AF_UNIX)",
    "socket.getaddrinfo('localhost', 80)",
    "__import__('urllib.request').request.urlopen('http://127.0.0.1')",
]


@pytest.mark.parametrize("attempt", NETWORK)
def test_network(attempt: str) -> None:
    assert ran(first("import socket", attempt)) == BROKEN


def test_no_variables_of_ours() -> None:
    os.environ["ASSAY_SECRET"] = "secret"
    try:
        assert ran(first("import os", "assert 'ASSAY_SECRET' not in os.environ")) == PASSED
    finally:
        del os.environ["ASSAY_SECRET"]


def test_signals_to_its_parent_and_to_all() -> None:
    signals = first(
        "import contextlib, os, signal",
        "with contextlib.suppress(OSError): os.kill(os.getppid(), signal.SIGKILL)",
        "with contextlib.suppress(OSError): os.kill(-1, signal.SIGKILL)",
    )
    assert ran(signals) == PASSED


def test_a_crash() -> None:
    assert ran(first("import ctypes", "ctypes.string_at(0)")) == BROKEN
    assert ran(first("f = lambda: f()", "f()")) == BROKEN
