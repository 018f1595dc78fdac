"""YAML texts as the strict reader takes them: the value of a sound one, the finding of any other."""

from __future__ import annotations

from typing import Any

from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import read_yaml
from transforms.records import Finding, Severity

MAX_BYTES = 2 << 20


def read(text: str | bytes, max_depth: int = 64) -> Parsed | Finding:
    return read_yaml(text.encode() if isinstance(text, str) else text, max_depth, MAX_BYTES)


def value(text: str | bytes) -> Any:
    parsed = read(text)
    assert isinstance(parsed, Parsed), parsed
    return parsed.value


def finding(text: str | bytes, max_depth: int = 64) -> Finding:
    found = read(text, max_depth)
    assert isinstance(found, Finding), found
    assert found.severity is Severity.REJECT
    assert len((found.message + found.pointer).encode()) <= 700
    return found
