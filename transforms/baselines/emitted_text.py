"""The text that a baseline's emitter writes, rebuilt from the parsed record."""

from __future__ import annotations

import json
from typing import Any

from transforms.records import Json

# Mappings whose keys are names given by people: these keys are written as strings.
_NAMED = frozenset(("covariateProfile", "factorRecord", "views", "criteria"))
_SIX_DIGITS = frozenset(("observedPassRate", "wilsonLowerBound"))

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
