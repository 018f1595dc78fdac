from __future__ import annotations

import ast
import sys
from dataclasses import replace

import pytest
from code_subjects import PYTHON

from transforms.acceptance.code.dependencies import unapproved
from transforms.acceptance.code.imports import Unapproved, is_approved
from transforms.acceptance.code.standard_library import standard_library
from transforms.acceptance.code.syntax import parse


def found(text: str, version: tuple[int, int] = (3, 11)) -> tuple[Unapproved, ...]:
    terms = replace(PYTHON, version=version)
    tree = parse(text, version)
    assert isinstance(tree, ast.Module)
    return unapproved(tree, terms)


APPROVED = [
    "x = 1",
    "import os, sys as system",
    "import xml.etree.ElementTree as ET",
    "from __future__ import annotations",
    "from collections import *",
    "import numpy",
    "import numpy.linalg as la",
    "from numpy import array",
    "from numpy.linalg import norm",
    "import google.cloud.storage",
    "import google.cloud.storage.blob",
    "from google.cloud import storage",
    "from google.cloud.storage import Client",
    "import importlib\nimportlib.import_module('json')",
    "from importlib import import_module\nimport_module('numpy.linalg')",
    "from importlib import import_module as import_module\nimport_module('json')",
    "from importlib import import_module as load\nload('json')",
    "from importlib import metadata, resources",
    "__import__(name='os')",
    "import __main__",
    "__import__('os.path')",
    "__import__('os', globals(), locals(), [])",
    "eval('1 + 1')",
    "exec('import json')",
    "exec('exec(\"import json\")')",
    "eval('  1')",
    "model.eval()",
    "frame.eval(text)",
    "cursor.exec(text)",
    "self.exec = 1",
    "re.compile(text)",
    "evaluate = 1",
]


@pytest.mark.parametrize("text", APPROVED)
def test_approved(text: str) -> None:
    assert found(text) == ()


UNAPPROVED = [
    ("import requests", [(1, 'imports "requests"')]),
    ("import os, requests, pandas.io", [(1, 'imports "pandas.io"'), (1, 'imports "requests"')]),
    ("x = 1\nfrom requests import get, post", [(2, 'imports "requests"')]),
    ("from numpyro import x", [(1, 'imports "numpyro"')]),
    ("import google", [(1, 'imports "google"')]),
    ("import google.cloud", [(1, 'imports "google.cloud"')]),
    ("from google import cloud", [(1, 'imports "google"')]),
    ("from google.cloud import bigquery", [(1, 'imports "google.cloud"')]),
    ("import _socket", [(1, 'imports "_socket"')]),
    ("import " + "a" * 60, [(1, 'imports "' + "a" * 40 + '"...')]),
    ("try:\n    import ujson\nexcept ImportError:\n    import json", [(2, 'imports "ujson"')]),
    ("def f():\n    import requests", [(2, 'imports "requests"')]),
    ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pandas", [(3, 'imports "pandas"')]),
    ("from . import a", [(1, "imports relatively")]),
    ("from .a import b", [(1, "imports relatively")]),
    ("from ..os import path", [(1, "imports relatively")]),
    # imports that are computed
    ("__import__('requests')", [(1, 'imports "requests"')]),
    ("__import__(name='requests')", [(1, 'imports "requests"')]),
    ("__import__('os', level=1)", [(1, "imports relatively")]),
    ("__import__('os', a, b, c, 1)", [(1, "imports relatively")]),
    ("import importlib\nimportlib.import_module('requests')", [(2, 'imports "requests"')]),
    ("import importlib\nimportlib.import_module('.os', 'a')", [(2, "imports relatively")]),
    # code in texts
    ("exec('import requests')", [(1, 'exec is given a text that does: imports "requests"')]),
    ("exec('from . import a')", [(1, "exec is given a text that does: imports relatively")]),
    ("eval(\"__import__('requests')\")", [(1, 'eval is given a text that does: imports "requests"')]),
    ("\n\nexec('''\n\nimport requests\n''')", [(3, 'exec is given a text that does: imports "requests"')]),
]


@pytest.mark.parametrize(("text", "expected"), UNAPPROVED, ids=lambda value: repr(value)[:50])
def test_unapproved(text: str, expected: list[tuple[int, str]]) -> None:
    assert found(text) == tuple(Unapproved(*each) for each in expected)


def test_in_words() -> None:
    assert str(Unapproved(3, "imports relatively")) == "imports relatively (line 3 of the code)"


VERSIONS = [
    ("zoneinfo", (3, 8), False),
    ("zoneinfo", (3, 9), True),
    ("dummy_threading", (3, 8), True),
    ("dummy_threading", (3, 9), False),
    ("parser", (3, 9), True),
    ("parser", (3, 10), False),
    ("tomllib", (3, 10), False),
    ("tomllib", (3, 11), True),
    ("binhex", (3, 10), True),
    ("binhex", (3, 11), False),
    ("distutils", (3, 11), True),
    ("distutils", (3, 12), False),
    ("telnetlib", (3, 12), True),
    ("telnetlib", (3, 13), False),
    ("compression", (3, 13), False),
    ("compression", (3, 14), True),
]


@pytest.mark.parametrize(("module", "version", "there"), VERSIONS)
def test_the_standard_library_is_that_of_the_version(module: str, version: tuple[int, int], there: bool) -> None:
    assert (module in standard_library(version)) is there
    assert is_approved(module, replace(PYTHON, version=version)) is there


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the list was taken from this version")
def test_the_standard_library_is_what_the_interpreter_says() -> None:
    public = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert standard_library((3, 11)) == public | {"__future__", "_thread"}
