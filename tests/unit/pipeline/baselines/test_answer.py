"""Which baseline of a run answers, over many files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from baseline_records import signed
from baseline_runs import ALL_STAND, APART, measured, run_of_lines, stopped
from golden_campaigns import merged

from pipeline.baselines.answer import Answer, answer
from transforms.baselines.identity import Identity, identity
from transforms.baselines.resolution import MOST_NEAR_MISSES, Difference
from transforms.records import Json

SMALL, LARGE = measured({"model": "small-4"}), measured({"model": "large-1"})
LENIENT = merged(ALL_STAND, APART)


def at(value: Json, time: str) -> Json:
    return {**value, "generatedAt": time, "expiration": {"expiresInDays": 1}}


def match(found: Answer) -> int | None:
    return found.match[0].place.line if found.match else None


def refused(found: Answer) -> list[int]:
    return [baseline.place.line for baseline in found.incomplete]


def near(found: Answer) -> list[tuple[int, tuple[Difference, ...]]]:
    return [(near.baseline.place.line, near.differences) for near in found.near]


def test_the_record_of_the_identity(tmp_path: Path) -> None:
    run = run_of_lines(tmp_path, [LARGE, SMALL], APART)
    found = answer(run, identity(SMALL), incomplete=False)
    assert (match(found), refused(found), near(found)) == (2, [], [])
    assert found.match and json.loads(json.dumps(found.match[1].value, default=float)) == signed(SMALL)


def test_the_newest_where_several_stand(tmp_path: Path) -> None:
    times = ("2026-08-03T12:00Z", "2026-08-03T12:00:00.000000002Z", "2026-08-03T12:00:00.000000001+00:00")
    run = run_of_lines(tmp_path, [LARGE, *(at(SMALL, time) for time in times)], LENIENT)
    assert match(answer(run, identity(SMALL), incomplete=False)) == 3


def test_the_first_of_one_instant(tmp_path: Path) -> None:
    times = ("2026-08-03T12:00:00.0Z", "2026-08-03T12:00:00Z", "2026-08-03T12:00Z")
    run = run_of_lines(tmp_path, [at(SMALL, time) for time in times], LENIENT)
    assert match(answer(run, identity(SMALL), incomplete=False)) == 1


@pytest.mark.parametrize(("incomplete", "expected"), [(False, (1, [2])), (True, (2, []))])
def test_a_newer_one_that_did_not_complete(incomplete: bool, expected: tuple[int, list[int]], tmp_path: Path) -> None:
    newer = at(stopped(SMALL), "2026-08-04T12:00:00Z")
    run = run_of_lines(tmp_path, [SMALL, newer, LARGE], LENIENT)
    found = answer(run, identity(SMALL), incomplete=incomplete)
    assert ((match(found), refused(found)), near(found)) == (expected, [])


def test_only_one_that_did_not_complete(tmp_path: Path) -> None:
    run = run_of_lines(tmp_path, [stopped(SMALL), LARGE], APART)
    found = answer(run, identity(SMALL), incomplete=False)
    assert (match(found), refused(found)) == (None, [1])
    assert near(found) == [(2, (Difference("covariateProfile/model", "small-4", "large-1"),))]


def test_near_misses_are_dropped_for_a_match_that_comes_late(tmp_path: Path) -> None:
    run = run_of_lines(tmp_path, [LARGE, SMALL, measured({"model": "other"})], APART)
    found = answer(run, identity(SMALL), incomplete=False)
    assert (match(found), near(found)) == (2, [])


def test_the_nearest_of_all_files(tmp_path: Path) -> None:
    """Two parts differ in most; the last, in one, are the closest; equally close ones stay in order."""
    far = [measured({"model": f"m{index}", "region": "north"}) for index in range(MOST_NEAR_MISSES + 4)]
    close = [measured({"model": "small-5"}), measured({"model": "small-6"})]
    run = run_of_lines(tmp_path, [*far, *close], APART)
    lines = [line for line, _ in near(answer(run, identity(SMALL), incomplete=False))]
    assert lines == [len(far) + 1, len(far) + 2, *range(1, MOST_NEAR_MISSES - 1)]


def test_one_that_shares_nothing_is_not_near(tmp_path: Path) -> None:
    found = answer(run_of_lines(tmp_path, [SMALL]), Identity("a", "b", "c", (("model", "small-4"),)), incomplete=False)
    assert found == Answer(None, (), ())
