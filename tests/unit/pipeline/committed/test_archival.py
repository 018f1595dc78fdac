"""From archival bytes back to values."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.committed.archival import read_archival


@pytest.mark.parametrize(
    ("data", "kind", "value"),
    [
        (b'{"a":1.50}', "pairwise-v2", {"a": 1.5}),
        (b'{"a":1.50}', "a-kind-of-another-release", {"a": 1.5}),
        (b"a: 1.50\n", "pairwise-v2", {"a": 1.5}),
        (b"a: 1.50\n", "mavai-baseline-1", {"a": 1.5}),
        (b'{"document":"a: 1.50\\n"}', "mavai-baseline-1", {"a": 1.5}),
        (b'{"document":"a: 1.50\\n"}', "pairwise-v2", {"document": "a: 1.50\n"}),
    ],
)
def test_a_record(data: bytes, kind: str, value: dict[str, object]) -> None:
    assert read_archival(data, kind).value == value


def test_digits_as_written() -> None:
    exact = read_archival(b"a: 1.50\n", "mavai-baseline-1").exact["a"]
    assert (type(exact), str(exact)) == (Decimal, "1.50")


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a":1,"a":2}', b"\xff", b"a: 1\na: 2\n", b'{"a":NaN}', b"{" * 200])
def test_no_record(data: bytes) -> None:
    with pytest.raises(ValueError, match="the bytes are no record"):
        read_archival(data, "pairwise-v2")
