"""Programs that candidates offer: sound ones, and those that a gate must find at fault. `{name}` stands for a name."""

from __future__ import annotations

KEEPS_ORDER = """\
def {name}(values):
    seen = set()
    kept = []
    for value in values:
        if value not in seen:
            seen.add(value)
            kept.append(value)
    return kept
"""
COUNTS = """\
def {name}(values):
    counts = {{}}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return [value for value in counts]
"""
SORTS = """\
def {name}(values):
    return sorted(set(values), key=list(values).index)
"""
APPROVED_IMPORT = """\
import numpy as np


def {name}(values):
    found, first = np.unique(values, return_index=True)
    return [values[index] for index in sorted(first)]
"""
UNAPPROVED_IMPORT = """\
import requests


def {name}(values):
    return requests.post("unique", json=values).json()
"""
HIDDEN_IMPORT = """\
def {name}(values, module="requests"):
    return __import__(module).post("unique", json=values).json()
"""
NO_COLON = """\
def {name}(values)
    return sorted(set(values))
"""
# Type parameters came with Python 3.12; the campaign pins 3.11.
TOO_NEW = """\
def {name}[T](values: list[T]) -> list[T]:
    return sorted(set(values))
"""
# One unused import, and then a comparison with None as well.
ONE_FINDING = "import os\n\n\n" + SORTS
TWO_FINDINGS = ONE_FINDING + "\n\nassert {name}([]) != None\n"
# Deeper than is judged: nothing can be said of it, though it is a program.
TOO_DEEP = "def {name}(value):\n    return " + "-" * 200 + "value\n"


def branching(ifs: int) -> str:
    """A program whose one function has a cyclomatic complexity of `ifs` + 1."""
    lines = [f"    if value == {number}:\n        return {number}\n" for number in range(ifs)]
    return "def {name}(value):\n" + "".join(lines) + "    return value\n"
