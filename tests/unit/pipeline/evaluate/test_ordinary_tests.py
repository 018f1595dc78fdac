"""What ordinary files of tests may do with the code of another room, and what they may not."""

from __future__ import annotations

import pytest
from sandboxed import HONEST, NEEDS_BUBBLEWRAP, SECONDS, ran, sandbox, suite

from pipeline.evaluate.execution import Result, execute
from pipeline.evaluate.program import joined
from pipeline.exits import Exit, RunError

pytestmark = NEEDS_BUBBLEWRAP

CODE = '''
"""Everything that code has."""
import datetime, enum, fractions, collections, dataclasses
from decimal import Decimal

LIMIT = 7
Pair = collections.namedtuple("Pair", "left right")

class Colour(enum.Enum):
    RED = 1

class Refused(ValueError):
    def __init__(self, text, code):
        super().__init__(text, code)
        self.code = code

class Worse(Refused):
    pass

@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int = 0
    def __add__(self, other): return Point(self.x + other.x, self.y + other.y)
    def __mul__(self, factor): return Point(self.x * factor, self.y * factor)
    __rmul__ = __mul__
    def __neg__(self): return Point(-self.x, -self.y)

class Stack:
    """Last in, first out."""
    def __init__(self, *items): self.items = list(items)
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __getitem__(self, at): return self.items[at]
    def __setitem__(self, at, item): self.items[at] = item
    def __delitem__(self, at): del self.items[at]
    def __contains__(self, item): return item in self.items
    def __bool__(self): return bool(self.items)
    def __str__(self): return "a stack"
    def __enter__(self): return self
    def __exit__(self, kind, error, trace):
        self.left_by = kind and kind.__name__
        return kind is ValueError

def identity(value): return value
def kind(value): return type(value).__name__
def sort(values): values.sort()
def update(values, **named): values.update(named); return values
def apply(function, *arguments): return [function(argument) for argument in arguments]
def numbers(most):
    for number in range(most): yield number
def squares(numbers):
    for number in numbers: yield number * number
def refuse(kind=Refused): raise kind("no", 3)
def helper(): return "own"
def uses_helper(): return helper()
def classes(): return [int, ValueError, Refused]
'''

TESTS = """
import math
import unittest
from collections import OrderedDict
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from unittest import mock

import solution
from solution import LIMIT, Point, Stack, Refused, Worse, identity

class Values(unittest.TestCase):
    def test_plain_values_are_copied(self):
        for value in (None, True, 0, -1, 2 ** 200, -2 ** 60, 1.5, float("inf"), 1e-320, 2 + 3j, "", "\\u00e4\\ud800\\n",
                      b"\\x00\\xff", bytearray(b"ab"), [1, [2]], (1, (2,)), {"a": {1: 2}, (1, 2): 3}, {1, 2},
                      frozenset({3}), range(1, 9, 2), Decimal("1.10"), Fraction(1, 3), date(2024, 2, 29),
                      datetime(2024, 2, 29, 1, 2, 3, 4), timedelta(-1, 5, 7)):
            with self.subTest(value=value):
                copy = identity(value)
                self.assertEqual(copy, value)
                self.assertIs(type(copy), type(value))
        self.assertTrue(math.isnan(identity(float("nan"))))
        self.assertEqual(math.copysign(1, identity(-0.0)), -1)

    def test_what_code_sees(self):
        for value in (5, 5.0, "5", b"5", [5], (5,), {5: 5}, {5}, Decimal(5)):
            self.assertEqual(solution.kind(value), type(value).__name__)

    def test_constants(self):
        self.assertEqual(LIMIT, 7)

    def test_tuples_with_names(self):
        pair = solution.Pair(1, right=2)
        self.assertEqual(pair, (1, 2))
        self.assertEqual(pair.right, 2)

    def test_enumerations(self):
        self.assertIs(identity(solution.Colour.RED), solution.Colour.RED)
        self.assertEqual(solution.Colour(1), solution.Colour.RED)
        self.assertEqual(solution.Colour.RED.value, 1)

    def test_types(self):
        self.assertEqual(solution.classes(), [int, ValueError, Refused])

class Containers(unittest.TestCase):
    def test_changes_in_place_come_back(self):
        values = [3, 1, 2]
        self.assertIsNone(solution.sort(values))
        self.assertEqual(values, [1, 2, 3])
        named = OrderedDict(a=1)
        self.assertIs(solution.update(named, b=2), named)
        self.assertEqual(named, {"a": 1, "b": 2})

    def test_the_same_one_comes_back(self):
        values = [1]
        self.assertIs(identity(values), values)
        self.assertIsNot(solution.numbers, values)

class Functions(unittest.TestCase):
    def test_lent(self):
        seen = []
        self.assertEqual(solution.apply(lambda number: number + 1, 1, 2), [2, 3])
        solution.apply(seen.append, 1, 2)
        self.assertEqual(seen, [1, 2])
        self.assertEqual(solution.apply(len, "ab", [1]), [2, 1])
        self.assertEqual(solution.apply(str, 1), ["1"])
        called = mock.Mock(return_value=4)
        self.assertEqual(solution.apply(called, 3), [4])
        called.assert_called_once_with(3)

    def test_lent_ones_may_call_back(self):
        self.assertEqual(solution.apply(lambda number: solution.apply(lambda n: n + 1, number), 1), [[2]])

    def test_lent_ones_may_fail(self):
        def fail(number):
            raise KeyError(number)
        with self.assertRaises(KeyError):
            solution.apply(fail, 1)

    def test_generators(self):
        self.assertEqual(list(solution.numbers(3)), [0, 1, 2])
        self.assertEqual(list(solution.squares(iter([1, 2]))), [1, 4])
        self.assertEqual(next(solution.numbers(1)), 0)
        self.assertIn(2, solution.numbers(3))

    def test_patches(self):
        with mock.patch("solution.helper", lambda: "patched"):
            self.assertEqual(solution.uses_helper(), "patched")
        self.assertEqual(solution.uses_helper(), "own")

class Objects(unittest.TestCase):
    def test_methods_and_items(self):
        stack = Stack(1)
        stack.push([2])
        self.assertEqual((len(stack), list(stack), stack[1], stack[-2]), (2, [1, [2]], [2], 1))
        stack[0] = 5
        del stack[1]
        self.assertEqual(stack.items, [5])
        stack.items = [6]
        self.assertEqual(stack.pop(), 6)
        self.assertFalse(stack)
        self.assertTrue(stack.__contains__ is not None and Stack(4).__contains__(4))
        self.assertEqual((str(stack), Stack.__doc__), ("a stack", "Last in, first out."))
        with self.assertRaises(IndexError):
            stack.pop()
        with self.assertRaises(AttributeError):
            stack.missing

    def test_operators(self):
        self.assertEqual(Point(1, 2) + Point(3), Point(4, 2))
        self.assertEqual(Point(1) * 3, Point(3))
        self.assertEqual(3 * Point(1), Point(3))
        self.assertEqual(-Point(1), Point(-1))
        self.assertLess(Point(1), Point(2))
        self.assertNotEqual(Point(1), Point(2))
        self.assertNotEqual(Point(1), (1, 0))
        self.assertEqual(max([Point(1), Point(2)]).x, 2)
        self.assertEqual(repr(Point(1)), "Point(x=1, y=0)")

    def test_classes(self):
        self.assertIsInstance(Point(1), Point)
        self.assertNotIsInstance(Point(1), Stack)
        self.assertNotIsInstance(5, Point)
        self.assertTrue(issubclass(Worse, Refused))

    def test_context_managers(self):
        with Stack() as stack:
            raise ValueError("kept inside")
        self.assertEqual(stack.left_by, "ValueError")
        with self.assertRaises(KeyError), stack:
            raise KeyError

class Exceptions(unittest.TestCase):
    def test_their_own(self):
        with self.assertRaises(Refused) as caught:
            solution.refuse()
        self.assertEqual((caught.exception.code, caught.exception.args), (3, ("no", 3)))
        with self.assertRaisesRegex(Refused, "no"):
            solution.refuse(Worse)
        with self.assertRaises(ValueError):
            solution.refuse(Worse)
        with self.assertRaises(UnicodeDecodeError):
            solution.apply(bytes.decode, b"\\xff")

def test_function():
    assert solution.identity(1) == 1
"""
NAMES = TESTS.count("def test_")


def test_what_works() -> None:
    assert ran(CODE, TESTS) == Result(0, False, NAMES, (), 0)


OUTCOMES = """
import unittest
import solution

class Ends(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.fail()
    def test_errs(self): raise ValueError
    def test_exits(self): raise SystemExit
    @unittest.skip("no need")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_fails_as_expected(self): self.fail()
    @unittest.expectedFailure
    def test_passes_unexpectedly(self): pass
    def test_parts_fail(self):
        for part in (1, 2):
            with self.subTest(part=part): self.assertEqual(part, 1)
    def test_returns(self): return 5
    async def test_awaits(self): self.fail()

class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_awaited(self): self.assertEqual(solution.double(1), 2)
    async def test_awaited_and_failed(self): self.fail()

def test_function_passes(): assert solution.double(1) == 2
def test_function_fails(): assert solution.double(1) == 3
def test_function_returns(): return solution.double(1) == 3
"""


def test_outcomes() -> None:
    failed = (
        "Asynchronous::test_awaited_and_failed",
        "Ends::test_fails",
        "Ends::test_parts_fail",
        "Ends::test_passes_unexpectedly",
        "test_function_fails",
    )
    code = "def double(number):\n    return 2 * number\n"
    assert ran(code, OUTCOMES) == Result(1, False, 4, tuple(f"test_it.py::{name}" for name in failed), 6)


def test_fixtures_and_other_files() -> None:
    tests = suite(
        data="EXPECTED = 4\n",
        test_a="""
import unittest, solution
from data import EXPECTED
STATE = []
def setUpModule(): STATE.append("module")
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls): STATE.append("class")
    def setUp(self): STATE.append("test")
    def test_double(self): self.assertEqual((solution.double(2), STATE), (EXPECTED, ["module", "class", "test"]))
def test_function(): assert STATE[0] == "module"
""",
        test_b="def test_other_file():\n    import test_a\n    assert test_a.STATE\n",
    )
    code = "def double(number):\n    return 2 * number\n"
    assert execute(sandbox(), code, tests, SECONDS) == Result(0, False, 3, (), 0)


def test_a_file_that_cannot_be_loaded_loses_its_tests_only() -> None:
    tests = suite(
        test_a="from solution import missing\ndef test_a(): pass\n", test_b="import solution\ndef test_b(): pass\n"
    )
    assert execute(sandbox(), "x = 1\n", tests, SECONDS) == Result(1, False, 1, (), 1)


def test_a_fixture_that_ends_all_ends_its_file_only() -> None:
    tests = suite(
        test_a="""
import unittest
class A(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise SystemExit
    def test_a(self): pass
class B(unittest.TestCase):
    def test_b(self): pass
""",
        test_c="def test_c(): pass\n",
    )
    assert execute(sandbox(), "", tests, SECONDS) == Result(1, False, 1, (), 2)


def test_a_suite_that_ends_its_room_leaves_no_status() -> None:
    assert ran("", "import os\ndef test_it(): os._exit(0)\n") == Result(None, False, 0, (), 1)


def test_code_and_tests_may_both_import_from_the_future() -> None:
    future = "from __future__ import annotations\n"
    tests = (
        "from unittest import TestCase as T\nimport solution\nclass Doubling(T):\n    def test_it(self) -> No.Such:\n"
        "        self.assertEqual(solution.double(2), 4)\n        self.assertEqual(solution.half(2), 1)\n"
    )
    code = joined([HONEST, f"{future}def half(number: No.Such) -> int:\n    return number // 2\n"])
    assert ran(code, future + tests) == Result(0, False, 1, (), 0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("def test_a(): pass\ntest_b = test_a\n", "test_it.py::test_b"),
        ("def test_a(): pass\nif True:\n    def test_b(): pass\n", "test_it.py::test_b"),
        (
            "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): pass\n    test_b = test_a\n",
            "test_it.py::A::test_b",
        ),
    ],
)
def test_tests_that_the_text_does_not_tell(text: str, name: str) -> None:
    with pytest.raises(RunError) as raised:
        ran("", text)
    assert (raised.value.exit_code, raised.value.reason) == (
        Exit.USAGE,
        f"tests that cannot be told from the suite's text: {name}",
    )


def test_two_records_see_nothing_of_each_other() -> None:
    code = """
import os
def double(number):
    is_new = not os.path.exists("left")
    open("left", "w").close()
    return is_new
"""
    tests = "import solution\ndef test_it(): assert solution.double(1) is True\n"
    assert [ran(code, tests) for _ in range(2)] == [Result(0, False, 1, (), 0)] * 2


def test_only_the_standard_library_is_there() -> None:
    tests = "import solution\ndef test_it(): assert solution.missing() == 3\n"
    code = """
def missing():
    found = 0
    for name in ("pytest", "numpy", "pip"):
        try: __import__(name)
        except ImportError: found += 1
    return found
"""
    assert ran(code, tests) == Result(0, False, 1, (), 0)
