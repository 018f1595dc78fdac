"""The text that a baseline's emitter writes, rebuilt from the parsed record."""

from __future__ import annotations

import json
import re
from typing import Any

from transforms.parsing.yaml_scalars import plain_scalar
from transforms.records import Json
from transforms.rules.text import excerpt

# Mappings whose keys are names given by people: these keys are written as strings.
_NAMED = frozenset(("covariateProfile", "factorRecord", "views", "criteria"))
_SIX_DIGITS = frozenset(("observedPassRate", "wilsonLowerBound"))
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

_string = json.JSONEncoder(ensure_ascii=False).encode


def emitted_text(value: Json) -> str:
    """The record as YAML in the emitter's form, its last line feed included.

    Block mappings indented by two spaces, keys in the record's own order; strings as JSON strings, an array's
    objects as JSON on one line, in ASCII; rates and bounds with six digits, other floats as Python prints them.
    """
    lines: list[str] = []
    for key, member in value.items():
        _add(lines, key, key, member, "", key in _NAMED)
    return "".join(lines)


def ambiguity(value: Json) -> str | None:
    """Why `emitted_text` of this record may be that of another one too; None where it says just which record it is of.

    A key that is written without quotes must be a word, or it could be taken for more of the text; a number that is
    written with six digits must have no more of them.
    """
    waiting = [(value, False)]
    while waiting:
        members, named = waiting.pop()
        for key, member in members.items():
            if not named and not _is_word(key):
                return f"it has keys without quotes, and {excerpt(key)} is no plain word"
            kind = type(member)
            if kind is dict:
                waiting.append((member, members is value and key in _NAMED))
            elif key in _SIX_DIGITS and kind in (int, float) and float(f"{member:.6f}") != member:
                return f"it has {key} with six digits, and {member!r} has more"
    return None


def _is_word(key: str) -> bool:
    """Whether a key can stand without quotes and is read as the text that it shows, as `null` would not be."""
    return _WORD.fullmatch(key) is not None and isinstance(plain_scalar(key), str)


def _add(lines: list[str], key: str, written: str, value: Any, indent: str, named: bool) -> None:
    """Add one member, under a key that is `written` so; `named` where its own keys are names."""
    if isinstance(value, dict) and value:
        lines.append(f"{indent}{written}:\n")
        for name, member in value.items():
            _add(lines, name, _string(name) if named else name, member, f"{indent}  ", False)
    elif isinstance(value, list) and value:
        lines.append(f"{indent}{written}:\n")
        lines += [f"{indent}  - {_on_one_line(item)}\n" for item in value]
    elif key in _SIX_DIGITS and type(value) in (int, float):
        lines.append(f"{indent}{written}: {value:.6f}\n")
    else:
        lines.append(f"{indent}{written}: {_on_one_line(value)}\n")


def _on_one_line(value: Any) -> str:
    """A scalar, an empty array or object, or one that stands in an array."""
    kind = type(value)
    if kind is int or kind is float:  # most values are latencies
        return repr(value)
    return _string(value) if kind is str else json.dumps(value)
