"""The held-out split: one task in one split, a share as asked, the documented formula."""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.exits import Exit, RunError
from pipeline.export.splits import Split, held_out, split_key, split_of
from pipeline.export.values import HeldOut

SHARES = st.integers(1, 999).map(lambda thousandths: Decimal(thousandths) / 1000)
SALTS = st.text(max_size=8)
IDS = st.text(min_size=1, max_size=64)
DIGEST = "0" * 64


@given(IDS, SHARES, SALTS)
def test_the_documented_formula(task: str, share: Decimal, salt: str) -> None:
    key = split_key({"task_id": task}, DIGEST)
    first = hashlib.sha256(salt.encode() + b"\0" + key.encode()).hexdigest()[:16]
    expected = Split.HELD_OUT if Fraction(int(first, 16), 2**64) < Fraction(share) else Split.TRAIN
    assert split_of(key, HeldOut(share, salt)) is expected


@given(IDS, SHARES, SHARES, SALTS)
def test_a_greater_share_keeps_what_a_smaller_one_holds_out(task: str, one: Decimal, other: Decimal, salt: str) -> None:
    lesser, greater = sorted((one, other))
    if split_of(task, HeldOut(lesser, salt)) is Split.HELD_OUT:
        assert split_of(task, HeldOut(greater, salt)) is Split.HELD_OUT


@given(IDS, st.sampled_from(["\u200b", "\u00a0", " ", "\u2060", "\t"]), st.integers(0, 64))
def test_ids_that_look_the_same_are_one_task(task: str, unseen: str, place: int) -> None:
    spaced = task[:place] + unseen + task[place:]
    assert split_key({"task_id": spaced}, DIGEST) == split_key({"task_id": task}, DIGEST)
    assert split_key({"task_id": "e\u0301"}, DIGEST) == split_key({"task_id": "\u00e9"}, DIGEST)


def test_a_record_of_no_task_goes_by_its_digest() -> None:
    assert split_key({"document_id": "doc-1"}, DIGEST) == DIGEST


@given(st.sampled_from(["0.01", "0.1", "0.5", "0.9"]), st.integers(0, 10_000))
def test_the_share_is_met_within_binomial_bounds(share: str, seed: int) -> None:
    held = held_out(share, str(seed))
    assert held is not None
    tasks = 2000
    found = sum(split_of(f"task-{number}", held) is Split.HELD_OUT for number in range(tasks))
    # Six standard deviations: once in some hundred million draws by chance.
    assert abs(found - tasks * held.share) <= 6 * math.sqrt(tasks * held.share * (1 - held.share)) + 1


@pytest.mark.parametrize(
    "share", ["0", "1", "0.0", ".0", "1.0", "10%", "-0.1", "1e-1", "nan", "", "0.1 ", "٠.1", "0,1"]
)
def test_what_is_no_share(share: str) -> None:
    with pytest.raises(RunError) as raised:
        held_out(share, None)
    assert raised.value.exit_code is Exit.USAGE


def test_shares_are_exact() -> None:
    assert held_out("0.1", None) == HeldOut(Decimal("0.1"), "")
    assert held_out(".250", "s") == HeldOut(Decimal("0.25"), "s")
    assert held_out(None, None) is None
    for share, salt in ((None, "s"), ("0.1", "\udcff")):
        with pytest.raises(RunError, match="--salt"):
            held_out(share, salt)
