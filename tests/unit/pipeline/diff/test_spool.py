"""Parts are ranges of the key, in order, and nothing is lost between them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pipeline.diff.rows import pack
from pipeline.diff.spool import ROWS_OF_A_PART, new_spool, parts_for, read_pairs
from transforms.digests import digest


@pytest.mark.parametrize("parts", [1, 3, 256])
def test_parts(parts: int, tmp_path: Path) -> None:
    digests = b"".join(digest(bytes((number,))) for number in range(200))
    rows = pack(digests, digests, 0, [0] * 200, 0)
    spool = new_spool(tmp_path / "spool", parts)
    for begin in range(0, 200, 50):
        spool.add(rows[begin : begin + 50])
    taken = [spool.take(part) for part in range(parts)]
    assert sorted(np.concatenate(taken)["ordinal"].tolist()) == list(range(200))
    bounds = [(part["high"].min(), part["high"].max()) for part in taken if len(part)]
    assert all(one[1] < other[0] for one, other in pairwise(bounds))
    assert [len(spool.take(part)) for part in range(parts)] == [0] * parts
    assert list((tmp_path / "spool").iterdir()) == []


def test_how_many_parts() -> None:
    sizes = (0, 1, ROWS_OF_A_PART, ROWS_OF_A_PART + 1, ROWS_OF_A_PART * 1000)
    assert [parts_for(rows) for rows in sizes] == [1, 1, 1, 2, 256]


def test_no_pairs(tmp_path: Path) -> None:
    assert list(read_pairs(tmp_path / "none")) == []
