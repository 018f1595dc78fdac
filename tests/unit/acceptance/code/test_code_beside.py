"""Code beside the blocks that are judged: none passes on a harmless block alone."""

from __future__ import annotations

import pytest
from code_subjects import PYTHON, pairwise, subject

from transforms.acceptance.code.beside import MOST_BLOCKS
from transforms.acceptance.code.extract import Found, find_code
from transforms.acceptance.code.gates import EVALUATORS
from transforms.acceptance.values import Answer, Gate

JUDGED = "```python\nx = 1\n```\n"
IMPORT = "import requests\n"
HIDDEN = [
    "```\nimport requests\n```",
    "```text\nimport requests\n```",
    "```bash\nimport requests\n```",
    "```\ndef f(x):\n    return x\n```",
    "```\nx += 1\n```",
    "```\nexec(x)\n```",
    "```\nimport requests\nx = = 1\n```",
    "```ipython\n%pip install requests\nimport requests\n```",
    "```pycon\n>>> import requests\n```",
    "```python\n>>> import requests\n```",
    "```python\n>>> x\nimport requests\n```",
    "```\nIn [1]: import requests\n```",
    "```\n>>> def f():\n...     pass\n```",
    "````markdown\n```python\nimport requests\n```\n````",
    "    import requests",
    "    ```python\n    x = 2\n    ```",
    ">" * 30 + " ```python\n" + ">" * 30 + " import requests\n",
    "<pre><code>\n  import requests\n</code></pre>",
    "<pre>\n  <span class='k'>import</span> requests\n</pre>",
    "<pre class='x'>x = f(&quot;a&quot;)\nimport requests</pre>",
    "<script type='py'>exec(x)",
    "import requests",
    "```\n" + "f(x)\n" * 20_000 + "```",
    "```\nx\n```\n" * MOST_BLOCKS,
]
HARMLESS = [
    "",
    "It prints:\n\n```\n1\n```",
    "```\nx = 1\n[1, 2]\nPoint(x=1)\n```",
    '```text\nTraceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x\n```',
    "```bash\npip install numpy\npython a.py\n```",
    '```json\n{"import": [true]}\n```',
    "```sql\nSELECT x FROM y;\n```",
    "```js\nimport x from 'y';\nfunction f() {}\n```",
    "```python\n>>> f(1)\n2\n>>> x = f(2)\n```",
    "```pycon\n>>> f(1)\n2\n```",
    "```python\n# to be done\n```",
    "Use `import requests` for it.\n\n- import is a keyword",
    "    $ python a.py",
    "<details>text</details> <code>f(x)</code>",
]
ALSO_JUDGED = [
    "```py3\nimport requests\n```",
    "```python-3\nimport requests\n```",
    "```python2.7\nimport requests\n```",
    "~~~PY\nimport requests\n~~~",
    "```ipython\nimport requests\n```",
    "```{code-cell} python\nimport requests\n```",
    "> > > ```python\n> > > import requests\n> > > ```",
    "1. one\n\n   - two\n\n     ```python\n     import requests\n     ```",
]


@pytest.mark.parametrize("beside", HIDDEN, ids=lambda text: repr(text)[:50])
def test_code_beside_what_is_judged(beside: str) -> None:
    assert find_code(f"{JUDGED}\nAnd\n\n{beside}", PYTHON) == Found(("x = 1\n",), more=True)


@pytest.mark.parametrize("beside", HARMLESS, ids=lambda text: repr(text)[:50])
def test_what_shows_a_use_is_no_code_beside(beside: str) -> None:
    assert find_code(f"{JUDGED}\nAnd\n\n{beside}", PYTHON) == Found(("x = 1\n",))


@pytest.mark.parametrize("block", ALSO_JUDGED, ids=lambda text: repr(text)[:50])
def test_every_label_for_python_is_judged(block: str) -> None:
    assert find_code(f"{JUDGED}\nAnd\n\n{block}", PYTHON) == Found(("x = 1\n", IMPORT))


@pytest.mark.parametrize("name", ["syntax_valid", "max_cyclomatic_complexity_per_function", "unapproved_dependencies"])
def test_no_gate_passes_beside_other_code(name: str) -> None:
    said = EVALUATORS[name](subject(pairwise(f"{JUDGED}\n    import requests")), Gate(name, 1))
    assert said.answer is Answer.MISSING
    assert said.detail == "there may be more code in /response_a than the blocks that are judged"


def test_what_fails_decides_beside_other_code() -> None:
    text = f"```python\n{IMPORT}```\n\n    import requests"
    said = EVALUATORS["unapproved_dependencies"](subject(pairwise(text)), Gate("unapproved_dependencies", False))
    assert said.answer is Answer.FAIL
