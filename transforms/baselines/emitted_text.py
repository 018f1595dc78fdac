"""The text that a baseline's emitter writes, rebuilt from the parsed record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from transforms.records import Json

# Mappings whose keys are names given by people: these keys are written as strings.
_NAMED = frozenset(("covariateProfile", "factorRecord", "views", "criteria"))
_SIX_DIGITS = frozenset(("observedPassRate", "wilsonLowerBound"))


def emitted_text(value: Json) -> str:
    """The record as YAML in the emitter's form, its last line feed included.

    Block mappings indented by two spaces, keys in the record's own order; strings as JSON strings, an array's
    objects as JSON on one line, in ASCII; rates and bounds with six digits, other floats as Python prints them.
    """
    return "".join(f"{line}\n" for key, member in value.items() for line in _lines(key, key, member, "", key in _NAMED))


def _lines(key: str, written: str, value: Any, indent: str, named: bool) -> Iterator[str]:
    """One member, under a key that is `written` so; `named` where its own keys are names."""
    if isinstance(value, dict) and value:
        yield f"{indent}{written}:"
        for name, member in value.items():
            yield from _lines(name, _string(name) if named else name, member, f"{indent}  ", False)
    elif isinstance(value, list) and value:
        yield f"{indent}{written}:"
        for item in value:
            yield f"{indent}  - {json.dumps(item) if isinstance(item, dict | list) else _scalar(item)}"
    elif key in _SIX_DIGITS and type(value) in (int, float):
        yield f"{indent}{written}: {value:.6f}"
    else:
        yield f"{indent}{written}: {_scalar(value)}"


def _scalar(value: Any) -> str:
    if type(value) is int:  # most values are latencies
        return str(value)
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
