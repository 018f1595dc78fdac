"""Rows matched as multisets, in rounds."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from pipeline.diff.matching import in_order, match
from pipeline.diff.rows import ABSENT, OUTCOMES, CodeSets, Matched, Rows, keyed, lone, pack
from transforms.digests import digest

CODES = CodeSets()
Told = tuple[str, str, str, tuple[str, ...]]


def rows(*told: Told) -> Rows:
    """Rows of (key, bytes, outcome, codes)."""
    made = [
        pack(digest(data.encode()), digest(key.encode()), OUTCOMES.index(outcome), [CODES.number(codes)], ordinal)
        for ordinal, (key, data, outcome, codes) in enumerate(told)
    ]
    return np.concatenate([pack(b"", b"", 0, [], 0), *made])


def pairs(before: Rows, after: Rows) -> list[tuple[tuple[str, tuple[str, ...]], tuple[str, tuple[str, ...]]]]:
    found, _, _ = match(before, after, Matched.DIGEST)
    return sorted((side(pair["before"]), side(pair["after"])) for pair in found)


def side(row: np.void) -> tuple[str, tuple[str, ...]]:
    return OUTCOMES[row["outcome"]], CODES.names(int(row["codes"]))


def test_the_like_first() -> None:
    before = rows(("k", "x", "rejected", ("a",)), ("k", "x", "accepted", ()), ("k", "x", "rejected", ("b",)))
    after = rows(("k", "x", "rejected", ("c",)), ("k", "x", "rejected", ("b",)), ("k", "x", "held", ("a",)))
    assert pairs(before, after) == [
        (("accepted", ()), ("held", ("a",))),
        (("rejected", ("a",)), ("rejected", ("c",))),
        (("rejected", ("b",)), ("rejected", ("b",))),
    ]


def test_any_order_gives_the_same() -> None:
    told: list[Told] = [("k", "x", "accepted", ()), ("k", "y", "rejected", ("a",)), ("k", "z", "rejected", ("b",))]
    after = rows(("k", "v", "held", ("a",)), ("k", "w", "held", ("b",)))
    expected, *_ = match(rows(*told), after, Matched.CONTENT)
    names = [name for name in expected.dtype["before"].names if name != "ordinal"]
    for order in permutations(told):
        found, left, right = match(rows(*order), after, Matched.CONTENT)
        assert (found["before"][names] == expected["before"][names]).all()
        assert (found["after"] == expected["after"]).all()
        assert (len(left), len(right)) == (1, 0)


def test_what_is_left() -> None:
    found, left, right = match(
        rows(("k", "x", "accepted", ()), ("k", "x", "accepted", ()), ("l", "x", "accepted", ())),
        rows(("k", "x", "accepted", ()), ("m", "x", "accepted", ())),
        Matched.IDENTITY,
    )
    assert found["matched"].tolist() == [Matched.IDENTITY]
    assert [len(left), len(right)] == [2, 1]
    nothing = rows()
    found, left, right = match(nothing, right, Matched.DIGEST)
    assert [len(found), len(left), len(right)] == [0, 0, 1]


def test_sorted_by_key() -> None:
    told: list[Told] = [(str(number), "x", "accepted", ()) for number in range(50)]
    found, _, _ = match(rows(*told), rows(*told), Matched.DIGEST)
    keys = [(int(row["high"]), int(row["low"])) for row in found["before"]]
    assert keys == sorted(keys)
    ordered = in_order(rows(*told))
    assert [(int(row["high"]), int(row["low"])) for row in ordered] == keys


def test_a_key_is_half_a_digest() -> None:
    [row] = keyed(rows(("k", "x", "held", ("a",))), np.frombuffer(bytes(range(32)), np.uint8).reshape(1, 32))
    assert int(row["high"]).to_bytes(8) + int(row["low"]).to_bytes(8) == bytes(range(16))
    assert row["sha256"].tobytes() == digest(b"x")


def test_alone() -> None:
    [pair] = lone(rows(("k", "x", "held", ("a",))), "after")
    assert pair["before"]["outcome"] == ABSENT
    assert (side(pair["before"]), side(pair["after"])) == (("absent", ()), ("held", ("a",)))


def test_sets_of_codes() -> None:
    assert CODES.number(()) == 0
    assert CODES.number(("b", "a", "b")) == CodeSets().number(("a", "b"))
    assert CODES.names(CODES.number(("b", "a"))) == ("a", "b")
