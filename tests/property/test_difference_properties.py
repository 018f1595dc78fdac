"""The difference of small made-up runs against a naive one: lists, and every record compared with every other."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic_runs import Told, write_synthetic_run

from pipeline.committed.run import open_run
from pipeline.diff import spool
from pipeline.diff.difference import difference
from pipeline.diff.rows import CodeSets
from transforms.records import Outcome

KIND = "agent-trace-v1"
ORDER = {Outcome.ACCEPTED: 0, Outcome.HELD: 1, Outcome.REJECTED: 2}


@dataclass(frozen=True)
class Known:
    """A record, and what a reader knows of it: its identity and its content, None where they cannot be read."""

    told: Told
    content: tuple[int, int] | None
    identity: int | None


@st.composite
def records(draw: st.DrawFn) -> Known:
    task, note, gap = draw(st.integers(0, 2)), draw(st.integers(0, 1)), draw(st.booleans())
    outcome = draw(st.sampled_from(list(Outcome)))
    codes = () if outcome is Outcome.ACCEPTED else draw(st.sampled_from([("a",), ("b", "a"), ("c",)]))
    value = {"task_id": str(task), "prompt": "p", "note": note}
    data = json.dumps(value, separators=(", ", ": ") if gap else (",", ":")).encode()
    source = draw(st.none() | st.sampled_from([b"s1", b"s2"])) if outcome is Outcome.ACCEPTED else None
    kept = outcome is Outcome.ACCEPTED or draw(st.booleans())
    if outcome is not Outcome.ACCEPTED and draw(st.integers(0, 3)) == 0:
        return Known(Told(draw(st.sampled_from([b"s1", b"{", b'{"task_id": 3}'])), outcome, codes), None, None)
    known = ((task, note), task) if kept else (None, None)
    return Known(Told(data, outcome, codes, source, kept), *known)


RUNS = st.lists(records(), max_size=12)
Change = tuple[str, tuple[str, tuple[str, ...]] | None, tuple[str, tuple[str, ...]] | None]


def naive(before: Sequence[Known], after: Sequence[Known]) -> Counter[tuple[Any, ...]]:
    """What each pair was matched by, with digest, outcome and codes on either side; a side without a record is None."""
    numbers = CodeSets()

    def tie(one: Known) -> tuple[Any, ...]:
        return ORDER[one.told.outcome], numbers.number(one.told.codes), one.told.sha256

    left, right = sorted(before, key=tie), sorted(after, key=tie)
    found: Counter[tuple[Any, ...]] = Counter()
    keys: dict[str, Callable[[Known], Any]] = {
        "digest": lambda one: one.told.source or one.told.data,
        "content": lambda one: one.content,
        "identity": lambda one: one.identity,
    }
    agreements: tuple[Callable[[Known], Any], ...] = (
        lambda one: (one.told.outcome, set(one.told.codes)),
        lambda one: one.told.outcome,
        lambda one: None,
    )
    for by, key in keys.items():
        for agrees in agreements:
            for one in list(left):
                for other in right:
                    if key(one) is not None and key(one) == key(other) and agrees(one) == agrees(other):
                        found[by, _side(one), _side(other)] += 1
                        left.remove(one)
                        right.remove(other)
                        break
    found.update(("unmatched", _side(one), None) for one in left)
    found.update(("unmatched", None, _side(other)) for other in right)
    return found


def _side(one: Known) -> tuple[str, str, tuple[str, ...]]:
    return one.told.sha256, one.told.outcome.value, tuple(sorted(set(one.told.codes)))


def dealt(run: Sequence[Known], shards: int) -> list[list[Told]]:
    return [[one.told for one in run[start::shards]] for start in range(shards)]


def compare(before: Sequence[Known], after: Sequence[Known], shards: int = 2) -> tuple[dict[str, Any], Counter[Any]]:
    """The summary of the one stream, and the changes as `naive` has them."""
    with TemporaryDirectory() as folder:
        runs = [
            open_run(write_synthetic_run(Path(folder) / name, {"s": (KIND, dealt(run, count))}))
            for name, run, count in (("a", before, 1), ("b", after, shards))
        ]
        (Path(folder) / "work").mkdir()
        found = difference(*runs, Path(folder) / "work")
        summary: dict[str, Any] = found.summary()["streams"]["s"]
        rows = [row for batch in found.changes() for row in batch.to_pylist()]
    return summary, Counter((row["matched_by"], _told(row, "before"), _told(row, "after")) for row in rows)


def _told(row: dict[str, Any], side: str) -> tuple[str, str, tuple[str, ...]] | None:
    if row[f"{side}_outcome"] == "absent":
        return None
    return row[f"{side}_sha256"], row[f"{side}_outcome"], tuple(row[f"{side}_codes"])


@pytest.fixture(params=[spool.ROWS_OF_A_PART, 1], ids=["whole", "in parts"], autouse=True)
def _parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "ROWS_OF_A_PART", request.param)


QUICK = settings(max_examples=40, deadline=None)


@QUICK
@given(before=RUNS, after=RUNS)
def test_as_a_naive_one(before: list[Known], after: list[Known]) -> None:
    summary, changes = compare(before, after)
    expected = naive(before, after)
    changed = {
        pair: count
        for pair, count in expected.items()
        if pair[1] is None or pair[2] is None or pair[1][1:] != pair[2][1:]
    }
    assert changes == changed
    matched: Counter[str] = Counter()
    outcomes: Counter[tuple[str, str]] = Counter()
    rewritten = 0
    for (by, one, other), count in expected.items():
        matched[by] += count
        outcomes[one[1] if one else "absent", other[1] if other else "absent"] += count
        rewritten += count * bool(one and other and one[1] == other[1] and one[0] != other[0])
    assert summary["matched"] == matched
    told = {(one, other): n for one, row in summary["outcomes"].items() for other, n in row.items() if n}
    assert (told, summary["rewritten"]) == (outcomes, rewritten)
    for code, counts in summary["codes"].items():
        had = sum(code in one.told.codes for one in before), sum(code in one.told.codes for one in after)
        assert (counts["before"], counts["after"]) == had
        assert counts["before"] - counts["lost"] + counts["gained"] == counts["after"]


@QUICK
@given(before=RUNS, after=RUNS)
def test_mirrored(before: list[Known], after: list[Known]) -> None:
    there, changes = compare(before, after)
    back, changes_back = compare(after, before)
    assert Counter({(by, other, one): count for (by, one, other), count in changes.items()}) == changes_back
    names = ("matched", "flipped", "recoded", "rewritten")
    assert [there[name] for name in names] == [back[name] for name in names]
    assert {(one, other): n for one, row in there["outcomes"].items() for other, n in row.items()} == {
        (one, other): n for other, row in back["outcomes"].items() for one, n in row.items()
    }
    swapped = {
        code: {"before": row["after"], "after": row["before"], "lost": row["gained"], "gained": row["lost"]}
        for code, row in back["codes"].items()
    }
    assert there["codes"] == swapped


@QUICK
@given(run=RUNS, shards=st.integers(1, 4), draw=st.data())
def test_another_order_is_no_difference(run: list[Known], shards: int, draw: st.DataObject) -> None:
    summary, changes = compare(run, draw.draw(st.permutations(run)), shards)
    assert not changes
    assert (summary["flipped"], summary["recoded"], summary["rewritten"]) == (0, 0, 0)
