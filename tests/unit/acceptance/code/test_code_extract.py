from __future__ import annotations

import hashlib

import pytest
from code_subjects import PYTHON, pairwise

from transforms.acceptance.code.extract import Gated, Snippet, code_sha256, extract, find_code
from transforms.acceptance.values import CodeTerms
from transforms.records import Json

SEED = "def unique_values(values):\n return list(dict.fromkeys(values))"
RUST = CodeTerms("rust", (1, 80))

FENCED = [
    ("```python\nx = 1\n```", ("x = 1\n",)),
    ("```py\nx = 1\n```", ("x = 1\n",)),
    ("```Python3\nx = 1\n```", ("x = 1\n",)),
    ("~~~ py3\nx = 1\n~~~", ("x = 1\n",)),
    ("```{.python .numbered}\nx = 1\n```", ("x = 1\n",)),
    ("```python title='a.py'\nx = 1\n```", ("x = 1\n",)),
    ("```python:a.py\nx = 1\n```", ("x = 1\n",)),
    ("Use this:\n\n````python\nx = '```'\n````\n\nIt works.", ("x = '```'\n",)),
    ("```python\nx = 1", ("x = 1",)),
    ("```python\r\nx = 1\r\ny = 2\r\n```", ("x = 1\ny = 2\n",)),
    ("```python\nx = 1\n```\nand\n```python\ny = 2\n```", ("x = 1\n", "y = 2\n")),
    # the indentation of a list item or a quotation is not the code's
    ("- first:\n\n  ```python\n  if x:\n      y\n  ```", ("if x:\n    y\n",)),
    ("10. tenth:\n\n    ```python\n    x = 1\n    ```", ("x = 1\n",)),
    ("> ```python\n> x = 1\n> ```", ("x = 1\n",)),
    ("  ```python\n  x = 1\n  ```", ("x = 1\n",)),
    ("<details>\n```python\nx = 1\n```\n</details>", ("x = 1\n",)),
    # a fence in a docstring closes nothing
    ("```python\ndef f():\n    '''\n    ```\n    '''\n```", ("def f():\n    '''\n    ```\n    '''\n",)),
    # without a label
    ("```\nx = 1\n```", ("x = 1\n",)),
    ("```\nx = 1\n```\n```\ny = 2\n```", ("x = 1\n", "y = 2\n")),
    ("```python\nx = 1\n```\nprints\n```\n1\n```", ("x = 1\n",)),
    ("```bash\nls\n```\n```\nx = 1\n```", ()),
    ("```text\nx = 1\n```", ()),
    ("```python3.11\nx = 1\n```", ("x = 1\n",)),
    ("```pycon\n>>> x = 1\n```", ()),
    # nothing to judge
    ("```python\n```", ()),
    ("```python\n\n   \n```", ()),
    ("```python\n# to be done\n```", ()),
    ("```python\n# to be done\fx = 1\n```", ()),
    ("```python\n# to be done\u2028x = 1\n```", ()),
    ("```python\n>>> x = 1\n>>> x\n1\n```", ()),
    ("```python\n# a comment\n>>> x = 1\n```", ()),
    ("    ```python\n    x = 1\n    ```", ()),
    ("`x = 1`", ()),
    # which of the two is meant cannot be told
    ("'''\n```python\nx = 1\n```\n'''\ny = 2", ()),
    # broken code is code
    ("```python\ndef f(:\n```", ("def f(:\n",)),
    ("```python\nJust words.\n```", ("Just words.\n",)),
]


@pytest.mark.parametrize(("text", "expected"), FENCED, ids=lambda value: repr(value)[:40])
def test_fenced_code(text: str, expected: tuple[str, ...]) -> None:
    assert find_code(text, PYTHON).pieces == expected


WHOLE = [
    SEED,
    SEED + "\n",
    "# sums\nx = 1",
    "#!/usr/bin/env python\nimport sys\nprint(sys.argv)",
    "import numpy",
    "result = sorted(set(values))",
    "x: int = 1",
    "x += 1",
    "for x in y:\n    print(x)",
    "'''Doc.'''\nclass C: ...",
    "def f():\n    '''\n    ```python\n    f()\n    ```\n    '''",
    # broken, and plainly meant as a program
    "def f(:\n    return 1",
    "def unique_values(values)\n return list(dict.fromkeys(values))",
    "async def f(x:\n    return x",
    "class C:\n    def f(self)\n        pass",
    "class C(Base\n    pass",
    "import sys\nprint 'hello'",
    "import os, sys as system\nx = = 1",
    "from a.b import c\nx = = 1",
    "from . import c\nx = = 1",
    "@cache\ndef f(:",
    "@app.route('/')\ndef f(:",
    "# first\n\ndef f(:\n    pass",
    "def f(x):\n    this is no program\n    return x",
    "def f(x):\n    return x\n# a comment of some words\nx = = 1",
    "def f(x):\n    return x\nassert x if y else z\n)",
    "def f(x):\n    return x\nif a and b or c not in d and not e:\n)",
    "def f(x):\n    return x\nx y = 1",
    "def f(x):\n    return " + "-" * 60_000 + "x",
    "import a" + ".a" * 600,
]


@pytest.mark.parametrize("text", WHOLE, ids=lambda text: repr(text[:40]))
def test_a_text_without_fences_that_is_code(text: str) -> None:
    assert find_code(text, PYTHON).pieces == (text,)


PROSE = [
    "",
    " \n",
    "Use a set.",
    "Yes",
    "None",
    "O(n)",
    "a, b",
    "42",
    "lists",
    "Answer: yes",
    "Answer: yes\nReason: speed",
    "return it",
    "return",
    "pass",
    "raise it",
    "assert dominance",
    "del rio",
    "break",
    "global warming",
    "print('hello')",
    "'Both are right.'",
    "# Heading",
    "# Heading\n\nText.",
    "import the module and call it",
    "from my point of view, import is slow",
    "class A: those who passed",
    "class struggle is the motor of history",
    "def is a keyword of Python",
    "@someone please look at this",
    "for each element, add it",
    "if the list is empty: return it",
    "Use `x = 1`.",
    "- x = 1\n- y = 2",
    "x = = 1",
    "for i in range(10)\n    print(i)",
    "def f(x):\n    return x\n\nThis function returns its input.",
    "def f(x):\n    return x\n\nIt doesn't change x",
    "def f(x):\n    return x\nNote that this, of course: cela ne marche pas.",
    "x = " + "-" * 60_000 + "1",
]


@pytest.mark.parametrize("text", PROSE, ids=lambda text: repr(text[:40]))
def test_a_text_without_fences_that_is_not_code(text: str) -> None:
    assert find_code(text, PYTHON).pieces == ()


OTHER_LANGUAGES = [
    ("```rust\nfn main() {}\n```", ("fn main() {}\n",)),
    ("```\nfn main() {}\n```", ("fn main() {}\n",)),
    ("```rust\n# [test]\n```", ("# [test]\n",)),
    ("```rust\n\n```", ()),
    ("```python\nx = 1\n```", ()),
    ("fn main() {}", ()),
    ("x = 1", ()),
]


@pytest.mark.parametrize(("text", "expected"), OTHER_LANGUAGES, ids=lambda value: repr(value)[:40])
def test_code_in_another_language_stands_in_fences(text: str, expected: tuple[str, ...]) -> None:
    assert find_code(text, RUST).pieces == expected


def test_code_of_a_version_that_cannot_be_parsed_is_found_all_the_same() -> None:
    assert find_code(SEED, CodeTerms("python", (3, 99))).pieces == (SEED,)
    assert find_code(SEED, CodeTerms("python", (2, 7))).pieces == (SEED,)
    assert find_code("import a\ntype X = int", CodeTerms("python", (3, 99))).pieces == ("import a\ntype X = int",)


def snippet(pointer: str, text: str) -> Snippet:
    return Snippet(pointer, text, hashlib.sha256(text.encode()).hexdigest())


ONE, TWO = "x = 'ä'", "y = 2"
RECORDS = [
    (pairwise(ONE, TWO, "A"), (("/response_a", ONE),), ()),
    (pairwise(ONE, TWO, "B"), (("/response_b", TWO),), ()),
    (pairwise(ONE, TWO, "tie"), (("/response_a", ONE), ("/response_b", TWO)), ()),
    (pairwise(ONE, TWO, "A", "z = 3"), (("/golden_patch", "z = 3"),), ()),
    (pairwise(ONE, TWO, "tie", "z = 3"), (("/golden_patch", "z = 3"),), ()),
    (pairwise(ONE, TWO, "neither", "z = 3"), (("/golden_patch", "z = 3"),), ()),
    (pairwise(ONE, "Words.", "B"), (), ("/response_b",)),
    (pairwise(ONE, "Words.", "tie"), (("/response_a", ONE),), ("/response_b",)),
    (pairwise("Words.", "Words.", "tie"), (), ("/response_a", "/response_b")),
    (pairwise(ONE, TWO, "A", "Handle the empty list."), (), ("/golden_patch",)),
]


@pytest.mark.parametrize(("value", "found", "without"), RECORDS)
def test_what_of_a_record_is_gated(value: Json, found: tuple[tuple[str, str], ...], without: tuple[str, ...]) -> None:
    assert extract(value, PYTHON) == Gated(tuple(snippet(*each) for each in found), without)


def test_the_digest_of_one_snippet_is_its_own_and_of_several_one_over_theirs() -> None:
    first, second = snippet("/response_a", ONE), snippet("/response_a", TWO)
    assert code_sha256((first,)) == first.sha256
    assert first.sha256 == "814d12cebc20cf8bca66e96b227dfb17b18b796ff3cc9bd7ab217d8d24a106d5"
    lines = f"{first.sha256}\n{second.sha256}\n"
    assert code_sha256((first, second)) == hashlib.sha256(lines.encode()).hexdigest()
    assert code_sha256((second, first)) != code_sha256((first, second))
