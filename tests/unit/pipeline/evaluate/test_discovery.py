"""The names of a suite's tests, from its text alone."""

from __future__ import annotations

import pytest

from pipeline.evaluate.discovery import Undiscoverable, discover

CASES = """
import unittest
from unittest import TestCase, IsolatedAsyncioTestCase
def test_first(): pass
def helper(): pass
class Shared:
    def test_shared(self): pass
class A(unittest.TestCase, Shared):
    def setUp(self): pass
    def test_a(self): pass
    def test_shared(self): pass
class B(A):
    def test_b(self): pass
class C(IsolatedAsyncioTestCase):
    async def test_c(self): pass
class TestButNoCase:
    def test_no(self): pass
def test_last(): pass
def test_first(): pass
"""


def found(**files: str) -> list[str]:
    return list(discover({f"{name.replace('__', '/')}.py": text.encode() for name, text in files.items()}))


def test_functions_and_methods_in_the_order_of_the_text() -> None:
    names = ["test_first", "A::test_shared", "A::test_a", "B::test_shared", "B::test_a", "B::test_b", "C::test_c"]
    assert found(test_it=CASES) == [f"test_it.py::{name}" for name in (*names, "test_last")]


def test_files_by_path() -> None:
    one = "def test_it(): pass\n"
    assert found(test_b=one, test_a=one, data=one, sub__test_c=one) == [
        "sub/test_c.py::test_it",
        "test_a.py::test_it",
        "test_b.py::test_it",
    ]


def test_what_is_no_python_is_not_looked_at() -> None:
    assert discover({"test_a.py": b"def test_a(): pass", "test_data.json": b"{", "data.bin": b"\xff"}) == (
        "test_a.py::test_a",
    )


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"data": "def test_it(): pass"}, "holds no tests"),
        ({"test_it": "class A:\n    def test_a(self): pass"}, "holds no tests"),
        ({"test_it": "def test_it("}, "test_it.py cannot be parsed: SyntaxError"),
        ({"data": "\0"}, "data.py cannot be parsed: SyntaxError"),
        ({"test-it": "def test_it(): pass"}, "test-it.py has a name that cannot be imported"),
        (
            {"test_it": "async def test_it(): pass"},
            "test_it.py::test_it is asynchronous: it needs an IsolatedAsyncioTestCase",
        ),
        (
            {"test_it": "def test_it(): pass", "data": "if 1:\n    from solution import *"},
            "data.py imports every name of the code; import those that are tested",
        ),
        (
            {"test_it": f"def test_{'x' * 250}(): pass"},
            f"has a test whose name is longer than 256 characters: test_it.py::test_{'x' * 43}…",
        ),
        ({"test_it": "".join(f"def test_{n}(): pass\n" for n in range(4097))}, "has 4097 tests; 4096 are allowed"),
    ],
)
def test_what_cannot_be_told(files: dict[str, str], why: str) -> None:
    with pytest.raises(Undiscoverable) as raised:
        found(**files)
    assert str(raised.value).replace("ValueError", "SyntaxError") == why


@pytest.mark.parametrize(
    ("imported", "base"),
    [
        ("from unittest import TestCase as T", "T"),
        ("from unittest import IsolatedAsyncioTestCase as Later, TestCase as T", "Later"),
        ("from unittest.case import TestCase as T", "T"),
        ("import unittest as u", "u.TestCase"),
        ("import unittest.case", "unittest.case.TestCase"),
        ("import unittest\nT = Base = unittest.TestCase", "Base"),
        ("from unittest import TestCase as T\nBase = T", "Base"),
        ("from unittest import *", "TestCase"),
    ],
)
def test_cases_under_any_name(imported: str, base: str) -> None:
    text = f"{imported}\nclass A({base}):\n    def test_a(self): pass\nclass B(A): pass\n"
    assert found(test_it=text) == ["test_it.py::A::test_a", "test_it.py::B::test_a"]


def test_a_class_that_is_only_named_like_a_case() -> None:
    text = "class TestCase: pass\nclass A(TestCase):\n    def test_a(self): pass\ndef test_it(): pass\n"
    assert found(test_it=text) == ["test_it.py::test_it"]


@pytest.mark.parametrize(
    ("path", "name"),
    [("json.py", "json"), ("types.pyc", "types"), ("unittest/data.py", "unittest"), ("pipeline/a.py", "pipeline")],
)
def test_names_that_are_taken(path: str, name: str) -> None:
    with pytest.raises(Undiscoverable) as raised:
        discover({"test_it.py": b"def test_it(): pass", path: b""})
    assert str(raised.value) == f"{path} cannot be imported: there is another module {name!r}"


def test_names_that_are_not() -> None:
    names = ["data/json.py", "json.json", "types/data.txt", "test.py", "json_data.py"]
    assert discover({name: b"" for name in names} | {"test_it.py": b"def test_it(): pass"}) == ("test_it.py::test_it",)


def test_a_folder_that_pythons_own_tests_would_hide() -> None:
    with pytest.raises(Undiscoverable) as raised:
        found(test__test_it="def test_it(): pass")
    assert str(raised.value) == "test/test_it.py cannot be imported: there is another module 'test'"
    package = {"test/__init__.py": b"", "test/test_it.py": b"def test_it(): pass"}
    assert discover(package) == ("test/test_it.py::test_it",)


def test_many_classes_that_derive_from_each_other() -> None:
    """Each of two of the level before: there are 2^100 ways down."""
    levels = [f"class A{n}(A{n - 1}, B{n - 1}): pass\nclass B{n}(A{n - 1}, B{n - 1}): pass\n" for n in range(1, 100)]
    text = "from unittest import TestCase\nclass A0(TestCase):\n    def test_a(self): pass\nclass B0(TestCase): pass\n"
    assert len(found(test_it=text + "".join(levels))) == 199
    chain = "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, 1500))
    assert len(found(test_it=text + "class C0(A0): pass\n" + chain)) == 1501


def test_classes_that_derive_from_each_other() -> None:
    text = "from unittest import TestCase\nclass A(B): pass\nclass B(A, TestCase):\n    def test_b(self): pass\n"
    assert found(test_it=text) == ["test_it.py::A::test_b", "test_it.py::B::test_b"]
