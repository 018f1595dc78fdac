"""Strict JSON at speed: a compiled reader and one structural walk; whatever they refuse, `json_reference` explains.

The texts accepted are those of RFC 8259 in UTF-8, with the limits of RFC 7493 (no duplicate keys, no
lone surrogates, integers within ±(2^53 − 1)) and a bound on nesting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jiter

from transforms.parsing.json_reference import CODES, INVALID_JSON, loads_reference, parse_reference
from transforms.parsing.walk import walk
from transforms.records import Finding, Json

__all__ = ["CODES", "Parsed", "loads_document", "parse", "read"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """A record as parsed.

    `plain`: there is no float anywhere and every key at any depth is ASCII. Then
    `orjson.dumps(value, option=OPT_SORT_KEYS)` is the RFC 8785 form of `value`; otherwise it may not be,
    since orjson sorts keys by code point and writes floats in its own way.
    """

    value: Json
    plain: bool


def parse(data: bytes, max_depth: int) -> Parsed | Finding:
    """Read one record, a JSON object, without its line feed; JSON white space around it is allowed.

    `max_depth` (1 to 200) bounds nested arrays and objects, the record itself being at depth 1. A record
    has at most one finding here, the first that applies in the order of `CODES`.
    """
    try:
        value = read(data)
    except ValueError:
        return _explained(parse_reference(data, max_depth))
    plain = walk(value, max_depth) if type(value) is dict else None
    if plain is None:
        return _explained(parse_reference(data, max_depth))
    return Parsed(value, plain)


def loads_document(data: bytes, max_depth: int = 64) -> Any | Finding:
    """Read any JSON value, such as a manifest or a schema, as strictly as `parse` reads a record."""
    try:
        value = read(data)
    except ValueError:
        return _explained(loads_reference(data, max_depth))
    # A list around the value lets a bare number or string be walked too, for one level more.
    if walk([value], max_depth + 1) is None:
        return _explained(loads_reference(data, max_depth))
    return value


def read(data: bytes) -> Any:
    """Read with the compiled reader alone; raise ValueError where it refuses.

    It lets through numbers that overflow to infinity, integers of any size up to 4,300 digits and nesting
    up to 201: `walk` finds these.
    """
    return jiter.from_json(
        data,
        allow_inf_nan=False,
        cache_mode="keys",
        partial_mode=False,
        catch_duplicate_keys=True,
        float_mode="float",
    )


def _explained(reference: Any | Finding) -> Finding:
    """Give the finding of the reference; if it accepts what was refused, the refusal stands all the same."""
    if isinstance(reference, Finding):
        return reference
    return Finding(INVALID_JSON.code, "refused by the strict reader")
