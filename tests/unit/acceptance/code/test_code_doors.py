"""Ways to import that no import statement shows: seen where the name can be read, reported where it cannot."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest
from code_subjects import PYTHON

from transforms.acceptance.code.dependencies import unapproved
from transforms.acceptance.code.doors import BY_NAME, MODULES, OPAQUE, OPAQUE_CALLS, RUNNERS
from transforms.acceptance.code.imports import Unapproved
from transforms.acceptance.code.syntax import parse
from transforms.acceptance.values import CodeTerms


def found(text: str, terms: CodeTerms = PYTHON) -> tuple[Unapproved, ...]:
    tree = parse(text, terms.version)
    assert isinstance(tree, ast.Module)
    return unapproved(tree, terms)


SEEN = [
    ("import builtins as b; b.exec('import requests')", 'exec is given a text that does: imports "requests"'),
    ("__builtins__['__import__']('requests')", 'imports "requests"'),
    ("import sys; sys.modules['requests'].get(1)", 'imports "requests"'),
    ("import sys; sys.modules['importlib'].import_module('requests')", 'imports "requests"'),
    ("import sys; sys.modules.get('requests')", 'imports "requests"'),
    (
        "import builtins; getattr(builtins, 'exec')('import requests')",
        'exec is given a text that does: imports "requests"',
    ),
    ("exec(compile('import requests', 'f', 'exec'))", 'compile is given a text that does: imports "requests"'),
    ("import inspect; inspect.importlib.import_module('requests')", 'imports "requests"'),
    ("import timeit; timeit.timeit('import requests')", 'timeit.timeit is given a text that does: imports "requests"'),
    (
        "import timeit; timeit.timeit(setup='import requests', stmt=x)",
        'timeit.timeit is given a text that does: imports "requests"',
    ),
    ("import cProfile; cProfile.run('import requests')", 'cProfile.run is given a text that does: imports "requests"'),
    (
        "import cProfile; cProfile.Profile().run('import requests')",
        'cProfile.Profile().run is given a text that does: imports "requests"',
    ),
    ("from unittest.mock import patch\n@patch('requests.get')\ndef f(): pass", 'imports "requests"'),
    (
        "import doctest\ndef f():\n    '''\n    >>> import requests\n    '''",
        'doctest is given a text that does: imports "requests"',
    ),
    ("def f(x: \"__import__('requests')\"): pass", 'an annotation is given a text that does: imports "requests"'),
    ("__import__('builtins').exec('import requests')", 'exec is given a text that does: imports "requests"'),
    ("import importlib; importlib.__dict__['import_module']('requests')", 'imports "requests"'),
    ("import importlib; importlib.import_module(name='requests')", 'imports "requests"'),
    ("import importlib.resources as r; r.files('requests')", 'imports "requests"'),
    (
        "import builtins; builtins.__dict__.get('exec')('import requests')",
        'exec is given a text that does: imports "requests"',
    ),
    ("help('requests')", 'imports "requests"'),
    (
        "exec(\"exec('import requests')\")",
        'exec is given a text that does: exec is given a text that does: imports "requests"',
    ),
]

UNREADABLE = [
    ("import builtins as b; b.exec(x)", "exec is given what is known only when it runs"),
    ("__builtins__.__import__(x)", "__import__ is given what is known only when it runs"),
    (
        "import importlib; importlib._bootstrap._gcd_import('requests')",
        "uses importlib._bootstrap, which may import or run what cannot be read",
    ),
    (
        "import importlib; importlib.util.find_spec(x)",
        "uses importlib.util, which may import or run what cannot be read",
    ),
    ("import pydoc; pydoc.locate('requests')", "uses pydoc, which may import or run what cannot be read"),
    ("import runpy", "uses runpy, which may import or run what cannot be read"),
    ("import pkgutil; pkgutil.resolve_name('a:b')", "uses pkgutil, which may import or run what cannot be read"),
    ("import sys; m = sys.modules; m[x]", "uses sys.modules, which may import or run what cannot be read"),
    ("import sys; getattr(sys, 'modules')[x]", "uses sys.modules, which may import or run what cannot be read"),
    ("import builtins; getattr(builtins, x)('import requests')", "builtins is handed on"),
    ("getattr(__builtins__, 'ev' + 'al')(x)", "builtins is handed on"),
    ("compile(x, 'f', 'exec')", "compile is given what is known only when it runs"),
    ("import ctypes", "uses ctypes, which may import or run what cannot be read"),
    ("import imp", "uses imp, which may import or run what cannot be read"),
    ("import zipimport", "uses zipimport, which may import or run what cannot be read"),
    ("import code; code.interact()", "uses code, which may import or run what cannot be read"),
    ("import pickle; pickle.loads(x)", "uses pickle.loads, which may import or run what cannot be read"),
    ("from pickle import loads", "uses pickle.loads, which may import or run what cannot be read"),
    ("import pickle as p; q = p", "pickle is handed on"),
    ("from pickle import *\nloads(x)", "uses pickle.loads, which may import or run what cannot be read"),
    ("vars(__builtins__)['exec'](x)", "exec is given what is known only when it runs"),
    ("globals()['__builtins__']", "builtins is handed on"),
    ("globals()[x](y)", "takes a name that is known only when it runs"),
    ("globals().get(x)(y)", "takes a name that is known only when it runs"),
    ("import os; os.sys.modules[x]", "uses sys.modules, which may import or run what cannot be read"),
    ("(lambda: 0).__globals__['__builtins__']", "uses __builtins__, which leads to imports that cannot be read"),
    ("f.load_module('requests')", "uses load_module, which leads to imports that cannot be read"),
    (
        "import importlib; importlib.metadata.entry_points()",
        "uses importlib.metadata.entry_points, which may import or run what cannot be read",
    ),
    (
        "from operator import attrgetter; attrgetter('__import__')(x)",
        "uses __import__, which leads to imports that cannot be read",
    ),
    ("from unittest import mock\nmock.patch(x)", "unittest.mock.patch is given what is known only when it runs"),
    ("import doctest; doctest.testfile('x')", "uses doctest.testfile, which may import or run what cannot be read"),
    (
        "import marshal, types; types.FunctionType(marshal.loads(x), {})",
        "types.FunctionType is given what is known only when it runs",
    ),
    ("b = __import__('builtins')", "builtins is handed on"),
    ("import sys; sys.meta_path[0].find_spec('x')", "uses sys.meta_path, which may import or run what cannot be read"),
    ("from sys import meta_path", "uses sys.meta_path, which may import or run what cannot be read"),
    ("__loader__.load_module('requests')", "uses __loader__, which may import or run what cannot be read"),
    ("import logging.config", "uses logging.config, which may import or run what cannot be read"),
    (
        "import unittest; unittest.TestLoader().discover('x')",
        "uses unittest.TestLoader().discover, which may import or run what cannot be read",
    ),
    (
        "import sys; sys._getframe().f_builtins['exec'](x)",
        "uses f_builtins, which leads to imports that cannot be read",
    ),
    ("e = exec", "exec is used without being called"),
    ("import functools; functools.partial(exec, 'import requests')()", "exec is used without being called"),
    ("print(*map(__import__, ['requests']))", "__import__ is used without being called"),
    ("import builtins; builtins.__dict__['exec'](x)", "exec is given what is known only when it runs"),
    ("[i for i in [__import__]][0]('requests')", "__import__ is used without being called"),
    ("import json as b, builtins as b; b.exec(x)", "exec is given what is known only when it runs"),
    ("breakpoint()", "uses builtins.breakpoint, which may import or run what cannot be read"),
    ("exec(*x)", "exec is given what is known only when it runs"),
    ("exec(**x)", "exec is given what is known only when it runs"),
    (
        "import_module = 1\nfrom importlib import import_module as load\nload(x)",
        "import_module is given what is known only when it runs",
    ),
    ("__import__()", "__import__ is given what is known only when it runs"),
    ("__import__(*x)", "__import__ is given what is known only when it runs"),
    ("__import__('a' + 'b')", "__import__ is given what is known only when it runs"),
    ("__import__(f'a{b}')", "__import__ is given what is known only when it runs"),
    ("__import__('os', **x)", "__import__ is given what is known only when it runs"),
    ("x = 1\n__import__(x)", "__import__ is given what is known only when it runs"),
    ("import importlib\nimportlib.import_module(x)", "import_module is given what is known only when it runs"),
    ("from builtins import exec as run\nrun(x)", "exec is given what is known only when it runs"),
    ("exec(text)", "exec is given what is known only when it runs"),
    ("eval(input())", "eval is given what is known only when it runs"),
    ("exec(b'import os')", "exec is given what is known only when it runs"),
    ("exec('import')", "exec is given a text that cannot be read"),
    ("exec('x = ' + '-' * 200 + '1')", "exec is given what is known only when it runs"),
    ("import sys\nx = sys.modules[x]", "uses sys.modules, which may import or run what cannot be read"),
    (
        "import pickle\nclass A(pickle.Unpickler): pass",
        "uses pickle.Unpickler, which may import or run what cannot be read",
    ),
    ("from importlib.util import find_spec", "uses importlib.util, which may import or run what cannot be read"),
    ("from importlib import util", "uses importlib.util, which may import or run what cannot be read"),
    (
        "from inspect import importlib\nimportlib.machinery",
        "uses importlib.machinery, which may import or run what cannot be read",
    ),
    ("import os as b\nb.sys.meta_path", "uses sys.meta_path, which may import or run what cannot be read"),
    ("def f(exec):\n    global help\n    help(x)", "help is given what is known only when it runs"),
    ("import sys\nprint(sys)", "sys is handed on"),
    ("(s := __import__('sys')).modules", "sys is handed on"),
]

HARMLESS = [
    "import sys; sys.modules[__name__]",
    "import sys; x = 'numpy' in sys.modules",
    "import sys; sys.stdout.write('x'); sys.argv[1:]",
    "import sys; del sys.modules['x']",
    "import sys; sys.modules['x'] = y",
    "import sys; sys.modules['json'].loads('1')",
    "import pickle; pickle.dumps(x)",
    "import types; isinstance(f, types.FunctionType)",
    "import timeit; timeit.timeit(lambda: f(x), number=10)",
    "import timeit; timeit.timeit('f()', setup='from __main__ import f', globals=globals())",
    "import timeit; timeit.default_timer()",
    "from unittest.mock import patch\nwith patch('builtins.open'): pass",
    "from unittest.mock import patch\nimport os\nwith patch.dict(os.environ, {}): pass",
    "from unittest.mock import patch\nimport sys\nwith patch.object(sys, 'argv', []): pass",
    "import unittest\nunittest.main()",
    "import doctest\ndef f():\n    '''\n    >>> f(1)\n    2\n    >>> import json\n    '''\ndoctest.testmod()",
    "import re; re.compile(x)",
    "model.eval(); df.eval(x)",
    "globals()['x'] = 1",
    "'{x}'.format(**locals())",
    "import builtins; builtins.open('x'); builtins.print(1)",
    "hasattr(__builtins__, 'print')",
    "import importlib; importlib.reload(json)",
    "import importlib; importlib.import_module('json').loads('1')",
    "from importlib.metadata import version; version('numpy')",
    "from importlib import resources; resources.files('numpy')",
    'def f(x: \'list of ints\', y: "np.ndarray") -> "List[int]": pass',
    "class C:\n    def exec(self): return self.exec()",
    "exec(compile('import json', 'f', 'exec'))",
    "getattr(obj, name)(x)",
    "import os; os.environ['x']; os.environ.get('x')",
    "def f(help, compile): return help(compile)",
    "compile = 1",
]


@pytest.mark.parametrize(("text", "what"), SEEN, ids=lambda value: repr(value)[:50])
def test_an_import_that_can_be_read_is_seen_through_a_door(text: str, what: str) -> None:
    assert what in [each.what for each in found(text) if each.readable]


@pytest.mark.parametrize(("text", "what"), UNREADABLE, ids=lambda value: repr(value)[:50])
def test_an_import_that_cannot_be_read_is_reported(text: str, what: str) -> None:
    said = found(text)
    assert what in [each.what for each in said]
    assert not any(each.readable for each in said)


@pytest.mark.parametrize("text", HARMLESS, ids=lambda value: repr(value)[:50])
def test_what_only_looks_like_a_door(text: str) -> None:
    assert found(text) == ()


def _used(door: str) -> str:
    """A program that calls the door with what is known only when it runs."""
    module, _, rest = door.replace("()", "").rpartition(".")
    while (module and module.rpartition(".")[2][:1].isupper()) or module in (
        "unittest.mock.patch",
        "unittest.defaultTestLoader",
    ):
        module = module.rpartition(".")[0]
    return f"import {module} as x\nx{door[len(module) :]}(y)" if module and rest else f"{door}.x(y)"


@pytest.mark.parametrize("door", sorted({*BY_NAME, *OPAQUE, *OPAQUE_CALLS, *RUNNERS}))
def test_no_door_passes_unless_its_module_is_approved(door: str) -> None:
    program = _used(door)
    said = found(program)
    assert said, program
    assert not any(each.readable for each in said)
    assert found(program, replace(PYTHON, approved=frozenset({door.partition(".")[0]}))) == ()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_module_of_doors_needs_approval(module: str) -> None:
    what = f"uses {module}, which may import or run what cannot be read"
    assert found(f"import {module}") == (Unapproved(1, what, readable=False),)
    assert found(f"import {module}", replace(PYTHON, approved=frozenset({module}))) == ()


def test_an_approved_door_approves_no_import_that_is_seen() -> None:
    terms = replace(PYTHON, approved=frozenset({"importlib"}))
    assert found("import importlib\nimportlib.import_module(x)", terms) == ()
    assert found("import importlib\nimportlib.import_module('requests')", terms) == (
        Unapproved(2, 'imports "requests"'),
    )
