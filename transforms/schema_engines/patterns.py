"""Regular expressions with ECMA-262 meaning and in linear time: those of jsonschema-rs, less its own additions.

Python's `re` takes exponential time on some patterns, which nothing inside a process can stop, and lets
`$` match before a final line feed and `\\d` match any digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from jsonschema_rs import Draft202012Validator, RegexOptions, ValidationError

# An escape, a class, or a group or quantifier that ECMA-262 does not have; else one character.
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?P|\(\?[A-Za-z-]+[:)]|[*+?}][*+]|.", re.DOTALL)

# `\b` and `\B` see Unicode words there and ASCII ones in ECMA-262; it has none of the others.
_FOREIGN = re.compile(r"\\[bBAz<>]|\(\?.+|[*+?}][*+]")


@lru_cache(maxsize=1024)
def matcher(pattern: str) -> Callable[[str], bool]:
    """Give a test for "the pattern matches somewhere in the string". Raises ValueError as `unsupported` tells."""
    schema = {"pattern": pattern}
    return Draft202012Validator(schema, pattern_options=RegexOptions(), offline=True).is_valid


def unsupported(pattern: str) -> str | None:
    """Say why a pattern cannot be used, or None where it can."""
    for token in _TOKEN.findall(pattern):
        if _FOREIGN.fullmatch(token):
            return f"{token!r} does not mean what it means in ECMA-262"
    try:
        matcher(pattern)
    except ValidationError:
        return "it is malformed, too large, or has a lookaround or backreference"
    return None
