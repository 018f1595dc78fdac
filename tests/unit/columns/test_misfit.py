from __future__ import annotations

from typing import Any

import pytest

from transforms.columns.stream_columns import StreamColumns
from transforms.terms import StreamTerms

INTEGER, NUMBER = {"type": "integer"}, {"type": "number"}
LARGEST_INT64 = 2.0**63 - 1024  # the last double below the bound


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


SCHEMA = closed(
    n=INTEGER,
    x=NUMBER,
    deep={"type": "array", "items": closed(counts={"type": "object", "additionalProperties": INTEGER})},
    free={},
)


def misfit(record: dict[str, Any]) -> str | None:
    return StreamColumns(StreamTerms("s", "document-v1", {"v": SCHEMA})).misfit(record, "v")


@pytest.mark.parametrize("number", [0, 5.0, -0.0, 2**53 - 1, 1 - 2**53, 2.0**53, -(2.0**53), LARGEST_INT64, -(2.0**63)])
def test_integers_that_fit(number: float) -> None:
    assert misfit({"n": number, "deep": [{"counts": {"a": number}}]}) is None


@pytest.mark.parametrize("number", [2.0**63, -(2.0**64), 1e300])
def test_integers_beyond_64_bits(number: float) -> None:
    assert misfit({"x": 0.5, "n": number}) == "n"
    assert misfit({"n": 1, "deep": [{}, {"counts": {"a": 1, "b": number}}]}) == "deep"


def test_a_vast_number_may_stand_where_numbers_or_anything_may() -> None:
    assert misfit({"x": 1e300, "free": {"list": [1e300, {"n": -1e300}]}}) is None
    assert misfit({"x": 1e300, "n": 1e300}) == "n"
