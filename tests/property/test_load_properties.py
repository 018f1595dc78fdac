"""Shards part the rows, halves make the whole, and no changed byte is ever given."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loaded_runs import run_in_small_groups

from pipeline.committed.run import open_run
from pipeline.exits import Exit, RunError
from pipeline.load import Loader, load

STREAMS = st.lists(st.sampled_from(["answers", "traces", "conversations", "derivations"]), min_size=1, unique=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_in_small_groups(tmp_path_factory.mktemp("load"))


def items(loader: Loader, form: str) -> list[Any]:
    """The items of a loader in a form that can be compared."""
    if form == "batches":
        return [(batch.position, batch.next, batch.rows.to_pylist()) for batch in loader.batches()]
    return [(record.position, record.next, record) for record in loader.records()]


@settings(max_examples=30, deadline=None)
@given(streams=STREAMS, count=st.integers(1, 40))
def test_shards_part_the_rows(whole: Path, streams: list[str], count: int) -> None:
    run = open_run(whole)
    everything = items(load(run, streams), "records")
    shards = [items(load(run, streams, shard=(index, count)), "records") for index in range(count)]
    assert [item for shard in shards for item in shard] == everything
    sizes = [len(shard) for shard in shards]
    assert max(sizes) - min(sizes) <= 1
    assert sizes == [len(load(run, streams, shard=(index, count))) for index in range(count)]


@settings(max_examples=40, deadline=None)
@given(streams=STREAMS, form=st.sampled_from(["batches", "records"]), count=st.integers(1, 3), draw=st.data())
def test_two_halves_are_the_whole(whole: Path, streams: list[str], form: str, count: int, draw: st.DataObject) -> None:
    run = open_run(whole)
    shard = (draw.draw(st.integers(0, count - 1)), count)
    everything = items(load(run, streams, shard=shard), form)
    assert all(left[1] == right[0] for left, right in pairwise(everything))
    taken = draw.draw(st.integers(0, len(everything)))
    start = everything[taken - 1][1] if taken else None
    assert everything[:taken] + items(load(run, streams, shard=shard, start=start), form) == everything


@settings(max_examples=20, deadline=None)
@given(streams=STREAMS, draw=st.data())
def test_any_position_is_a_start(whole: Path, streams: list[str], draw: st.DataObject) -> None:
    everything = items(load(whole, streams), "records")
    start = draw.draw(st.integers(0, len(everything)))
    assert items(load(whole, streams, start=start), "records") == everything[start:]


@settings(max_examples=150, deadline=None)
@given(draw=st.data())
def test_any_flipped_bit_is_refused(whole: Path, draw: st.DataObject) -> None:
    """In the manifest and the checksums before anything is given, in an accepted file before any row of it."""
    run = open_run(whole)
    accepted = [output for output in run.outputs if output.folder == "accepted"]
    name = draw.draw(st.sampled_from(["manifest.json", "SHA256SUMS", *(output.path for output in accepted)]))
    path = whole / name
    data = path.read_bytes()
    position, bit = draw.draw(st.integers(0, len(data) - 1)), draw.draw(st.integers(0, 7))
    before = sum(output.rows or 0 for output in accepted if output.path < name) if name.startswith("accepted") else 0
    came = 0
    changed = bytearray(data)
    changed[position] ^= 1 << bit
    path.write_bytes(changed)
    try:
        with pytest.raises(RunError) as raised:
            for batch in load(whole).batches(["assay_line"]):
                came += batch.rows.num_rows
    finally:
        path.write_bytes(data)
    assert (raised.value.exit_code, came) == (Exit.INTEGRITY, before)
