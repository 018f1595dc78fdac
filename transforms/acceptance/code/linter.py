"""What the linter `ruff` finds in a program, counted by rule. Recorded beside a decision; a gate only by the rubric.

ruff is a program of its own, run once for each piece of code: it reads that from its input, no configuration, and heeds
no comment that would silence it. It prints counts, so that what it says stays small however much there is to find.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from itertools import groupby

import orjson

from transforms.acceptance.code.extract import Snippet
from transforms.acceptance.values import CodeTerms

Counts = tuple[tuple[str, int], ...]
"""Rules that find fault, each with how often it does."""
TIMEOUT_SECONDS = 60
_FOUND_NOTHING, _FOUND_SOMETHING = 0, 1
# One thread, so that a run that judges in several processes is not crowded. Nothing else of our environment: ruff takes
# settings from it.
_ENVIRONMENT = {"RAYON_NUM_THREADS": "1", "NO_COLOR": "1"}
# What stands in the working folder is not the program's own: without `src` no import is taken for first-party.
_FIXED = (
    *("--isolated", "--config", "src=[]", "--no-cache", "--no-fix", "--ignore-noqa"),
    *("--statistics", "--output-format", "json"),
)


def linter(rules: Sequence[str]) -> Mapping[str, str]:
    """What lints: name, version, the selected rules."""
    return {"name": "ruff", "version": version("ruff"), "rules": ",".join(rules)}


def unknown_rules(rules: Sequence[str]) -> tuple[str, ...]:
    """Those of the selectors ("E", "F401") that the installed linter does not know or would pass over."""
    tried = {rule: _run("", rule, "py311") for rule in rules}
    return tuple(rule for rule, done in tried.items() if done.returncode != _FOUND_NOTHING or done.stderr)


def linted(snippets: Sequence[Snippet], terms: CodeTerms) -> dict[str, Counts | None]:
    """What `lint` finds in pieces of code that parse, in all of one text together, by the pointer of the text."""
    found: dict[str, Counts | None] = {}
    for pointer, group in groupby(snippets, key=lambda snippet: snippet.pointer):
        counts = [lint(snippet.text, terms.linter_rules, terms.version) for snippet in group]
        found[pointer] = _together([each for each in counts if each is not None]) if None not in counts else None
    return found


def _together(counts: Sequence[Counts]) -> Counts:
    total = Counter[str]()
    for each in counts:
        total.update(dict(each))
    return tuple(sorted(total.items()))


@lru_cache(maxsize=64)
def lint(program: str, rules: tuple[str, ...], target: tuple[int, int]) -> Counts | None:
    """How often each rule finds fault with a program, in the order of the rules' names.

    A missing line feed at its end is added before, since most texts of records have none. The program is such as
    `syntax.parse` takes: ruff crashes on some that are nested thousands of levels deep. None where it does not end in
    `TIMEOUT_SECONDS`, or crashes all the same. Raises RuntimeError where it refuses the rules.
    """
    try:
        done = _run(program if program.endswith("\n") else program + "\n", ",".join(rules), "py{}{}".format(*target))
    except subprocess.TimeoutExpired:
        return None
    if done.returncode in (_FOUND_NOTHING, _FOUND_SOMETHING):
        return tuple(sorted((row["code"], row["count"]) for row in orjson.loads(done.stdout or b"[]")))
    if done.returncode < 0:
        return None
    raise RuntimeError(f"the linter ended with {done.returncode}")


def _run(program: str, rules: str, target: str) -> subprocess.CompletedProcess[bytes]:
    # Imported here, so that only campaigns that select rules need it.
    from ruff import find_ruff_bin  # type: ignore[import-untyped]

    command = [find_ruff_bin(), "check", *_FIXED, "--select", rules, "--target-version", target, "-"]
    return subprocess.run(
        command, input=program.encode(), env=_ENVIRONMENT, capture_output=True, check=False, timeout=TIMEOUT_SECONDS
    )
