from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from source_tree import ROOT

from transforms.acceptance.code.compiled import compile_fault
from transforms.acceptance.code.newer import newer_construct
from transforms.acceptance.code.syntax import DEEPEST, TOO_DEEP, Unreadable, parse

# pytest records what the interpreter's own filters would show; that nothing is shown has a test of its own.
pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")]
NOW = (3, 11)
LONGER = Unreadable(False, "longer than 64000 characters, which is beyond what is judged")
DOTTED = Unreadable(False, "a name of more than 500 parts, which is beyond what is judged")


def fault(text: str, version: tuple[int, int] = NOW) -> Unreadable | None:
    tree = parse(text, version)
    if isinstance(tree, Unreadable):
        return tree
    return newer_construct(tree, version) or compile_fault(tree)


VALID = [
    "",
    "# nothing but a comment",
    "def unique_values(values):\n return list(dict.fromkeys(values))",
    "x = 1\r\ny = 2\r\n",
    "x = 1\ry = 2\r",
    "\f\nx = 1\f\n",
    "# -*- coding: ascii -*-\nname = 'Zoë'\n",
    "# -*- coding: no-such-encoding -*-\nx = 1\n",
    "naïve = 1",
    "x = 0x" + "f" * 60_000,
    "x = 1." + "9" * 60_000,
    "x = '\\d'",
    "x = 1if y else 2",
    "assert (x, 'always true')",
    "x is 1",
    "match p:\n    case 1 + 2j | -1 - 2j: pass\n    case {1 - 1j: v}: pass\n    case _: pass",
    "try:\n    pass\nfinally:\n    x = 1",
    "for x in y:\n    try:\n        pass\n    finally:\n        continue",
    "try:\n    pass\nexcept* E:\n    pass\nelse:\n    pass\nfinally:\n    pass",
    "def f():\n    try:\n        return 1\n    except E:\n        raise\n    finally:\n        return 2",
    "async def f():\n    return [x async for x in y]",
    "(yield_) + 1",
    "def f():\n    return (yield) + 1",
    "'a' * 4096 + 'b' * 4096",
    "from __future__ import annotations\ndef f(x: 1 + 1): pass",
]


@pytest.mark.parametrize("text", VALID, ids=lambda text: repr(text[:30]))
def test_valid(text: str) -> None:
    assert fault(text) is None


INVALID = [
    ("def f(:\n    pass", '"invalid syntax"', 1),
    ("x = (\n", "\"'(' was never closed\"", 1),
    ("x = [1, 2\ny = 3\n", "\"'[' was never closed\"", 1),
    ("if x:\npass", "\"expected an indented block after 'if' statement on line 1\"", 2),
    ("  x = 1\n y = 2", '"unexpected indent"', 1),
    ("if x:\n\ty\n        z\n", '"inconsistent use of tabs and spaces in indentation"', 3),
    ("x = 'open", '"unterminated string literal (detected at line 1)"', 1),
    ("print 'hello'", "\"Missing parentheses in call to 'print'. Did you mean print(...)?\"", 1),
    ("x = \0", '"source code string cannot contain null bytes"', None),
    ("\ufeffx = 1", '"invalid non-printable character U+FEFF"', 1),
    ("x = ‘quoted’", "\"invalid character '‘' (U+2018)\"", 1),
    ("x = " + "9" * 5000, '"Exceeds the limit (4300 digits) for integer string conversion: value has 5000 di"...', 1),
    ("(" * 60_000, '"too many nested parentheses"', 1),
    ("\n".join(" " * level + "if x:" for level in range(120)), '"too many levels of indentation"', 101),
    # what only the compiler says
    ("return 1", "\"'return' outside function\"", 1),
    ("class C:\n    return 1", "\"'return' outside function\"", 2),
    ("yield 1", "\"'yield' outside function\"", 1),
    ("await x", "\"'await' outside function\"", 1),
    ("def f():\n    await x", "\"'await' outside async function\"", 2),
    ("def f():\n    async with x: pass", "\"'async with' outside async function\"", 2),
    ("break", "\"'break' outside loop\"", 1),
    ("try:\n    pass\nfinally:\n    continue", "\"'continue' not properly in loop\"", 4),
    ("def f(a, a): pass", "\"duplicate argument 'a' in function definition\"", 1),
    ("f(a=1, a=2)", '"keyword argument repeated: a"', 1),
    ("nonlocal x", '"nonlocal declaration not allowed at module level"', 1),
    ("def f():\n    x = 1\n    global x", "\"name 'x' is assigned to before global declaration\"", 3),
    ("def f():\n    from a import *", '"import * only allowed at module level"', 2),
    (
        "x = 1\nfrom __future__ import annotations",
        '"from __future__ imports must occur at the beginning of the file"',
        2,
    ),
    ("from __future__ import braces", '"not a chance"', 1),
    ("(a, *b, *c) = d", '"multiple starred expressions in assignment"', 1),
    ("x = *a", '"can\'t use starred expression here"', 1),
    ("__debug__ = 1", '"cannot assign to __debug__"', 1),
    ("try:\n    pass\nexcept:\n    pass\nexcept E:\n    pass", "\"default 'except:' must be last\"", 3),
    ("match x:\n    case _: pass\n    case 1: pass", '"wildcard makes remaining patterns unreachable"', 2),
    ("def f():\n    " + "x" * 300 + " = 1\n    global " + "x" * 300, "\"name '" + "x" * 74 + '"...', 3),
]


@pytest.mark.parametrize(("text", "reason", "line"), INVALID, ids=lambda value: repr(value)[:40])
def test_invalid(text: str, reason: str, line: int | None) -> None:
    assert fault(text) == Unreadable(True, reason, line)


UNDECIDED = [
    ("x" * 64_001, LONGER),
    ("import " + "a." * 500 + "a", None),
    ("import " + "a." * 501 + "a", DOTTED),
    ("import a" + ".a" * 31_000, DOTTED),
    ("import a" + ".\\\na" * 12_000, DOTTED),
    ("from " + "." * 60_000 + " import a", None),
    ("x = " + "-" * (DEEPEST - 3) + "1", None),
    ("x = " + "-" * (DEEPEST - 2) + "1", TOO_DEEP),
    ("-" * 60_000 + "1", TOO_DEEP),
    ("not " * 15_000 + "1", TOO_DEEP),
    ("lambda:" * 9_000 + "1", TOO_DEEP),
    ("2**" * 20_000 + "1", TOO_DEEP),
    ("1" + "+1" * 30_000, TOO_DEEP),
    ("a" + ".b()" * 15_000, TOO_DEEP),
    ("a" + "[0]" * 20_000, TOO_DEEP),
    ("if a:\n b\n" + "elif a:\n b\n" * 5_000, TOO_DEEP),
    ("1 if a else " * 5_000 + "1", TOO_DEEP),
    ("word " * 12_000, TOO_DEEP),
    # five parsers within each other, each at the bound of its own stack
    (
        "-" * 5_900
        + "f'''{"
        + "-" * 5_900
        + 'f"""{'
        + "-" * 5_900
        + "f'{"
        + "-" * 5_900
        + 'f"{1}"'
        + "}'"
        + '}"""'
        + "}'''",
        TOO_DEEP,
    ),
]


@pytest.mark.parametrize(("text", "expected"), UNDECIDED, ids=lambda value: repr(value)[:40])
def test_beyond_a_bound_nothing_is_decided(text: str, expected: Unreadable | None) -> None:
    read = parse(text, NOW)
    assert (None if isinstance(read, ast.Module) else read) == expected


NEWER = [
    ("if (n := 1): pass", (3, 8), None),
    ("f'{x=}'", (3, 8), None),
    ("@d\ndef f(): pass", (3, 8), None),
    ("@a.b.c(1)\nclass C: pass", (3, 8), None),
    ("@a[0].b\ndef f(): pass", (3, 9), None),
    (
        "x\n@a[0].b\ndef f(): pass",
        (3, 8),
        ("a decorator that is no dotted name or a call of one, which came with Python 3.9", 2),
    ),
    (
        "@(lambda f: f)\nasync def f(): pass",
        (3, 8),
        ("a decorator that is no dotted name or a call of one, which came with Python 3.9", 1),
    ),
    ("for x in *a, b: pass", (3, 9), None),
    ("for x in (*a, b): pass", (3, 8), None),
    (
        "for x in *a, b: pass",
        (3, 8),
        ("an unpacking without parentheses in the head of a loop, which came with Python 3.9", 1),
    ),
    ("x[*a]", (3, 11), None),
    ("x[(*a,)]", (3, 10), None),
    ("x[a, b]", (3, 10), None),
    ("x[()]", (3, 8), None),
    ("x[*a]", (3, 10), ("an unpacking in an index, which came with Python 3.11", 1)),
    ("def f(*args: *Ts): pass", (3, 11), None),
    (
        "def f(*args: *Ts): pass",
        (3, 10),
        ("an unpacking as the annotation of a parameter, which came with Python 3.11", 1),
    ),
    ("match x:\n    case 1: pass", (3, 10), None),
    ("match x:\n    case 1: pass", (3, 9), ('"Pattern matching is only supported in Python 3.10 and greater"', 2)),
    ("try: pass\nexcept* E: pass", (3, 10), ('"Exception groups are only supported in Python 3.11 and greater"', 2)),
    (
        "with (a as b, c as d): pass",
        (3, 8),
        ('"Parenthesized context managers are only supported in Python 3.9 and greater"', 1),
    ),
    ("type X = int", (3, 11), ('"invalid syntax"', 1)),
]


@pytest.mark.parametrize(("text", "version", "expected"), NEWER, ids=lambda value: repr(value)[:40])
def test_what_is_newer_than_the_version(text: str, version: tuple[int, int], expected: tuple[str, int] | None) -> None:
    assert fault(text, version) == (None if expected is None else Unreadable(True, *expected))


def test_a_fault_in_words() -> None:
    assert str(Unreadable(True, '"invalid syntax"', 3)) == '"invalid syntax" (line 3 of the code)'
    assert str(TOO_DEEP) == "nested deeper than 100 levels, which is beyond what is judged"


# Each of these takes gigabytes of a compiler that is given them as they are.
COSTLY = {
    "finally doubles": "".join(f"{' ' * n}try:\n{' ' * n} a\n{' ' * n}finally:\n" for n in range(19))
    + " " * 19
    + "b;" * 25_000,
    "returns through finally": "def f():\n try:\n  " + "return;" * 4_000 + "\n finally:\n  " + "b;" * 12_000,
    "sums of long strings": ("x = 'a'*4096" + "+'a'*4096" * 90 + "\n") * 60,
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
def test_what_costs_the_compiler_dearly_is_decided_in_little_memory(text: str) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from transforms.acceptance.code.syntax import parse\n"
        "from transforms.acceptance.code.compiled import compile_fault\n"
        "print(compile_fault(parse(sys.stdin.read(), (3, 11))))\n"
        # Unlike what getrusage says, the peak of this program alone: a child begins with its parent's.
        "peak = next(line for line in Path('/proc/self/status').read_text().splitlines() if line.startswith('VmHWM'))\n"
        "print(int(peak.split()[1]) < 300_000)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, input=text, capture_output=True, text=True, check=True
    )
    assert done.stdout == "None\nTrue\n"


@pytest.mark.parametrize("option", ["error", "always", "default"])
def test_no_warning_comes_out_and_none_becomes_an_error(option: str) -> None:
    script = (
        "from transforms.acceptance.code.syntax import parse\n"
        "from transforms.acceptance.code.compiled import compile_fault\n"
        "tree = parse(\"x = '\\\\d'; 1if x else 2; x is 1; assert (x, 1)\", (3, 11))\n"
        "print(compile_fault(tree))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", option, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("None\n", "")
