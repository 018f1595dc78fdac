"""The joins against plain dictionaries of whole records: no digests, no packing, no partitions."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joined import Block, cut, found

from transforms.joins import candidates, duplicates, tasks
from transforms.joins.join import RELATED_BOUND
from transforms.records import Json, Place, Severity
from transforms.terms import Action, StreamTerms

JOINS = (duplicates.JOIN, tasks.JOIN, candidates.JOIN)
CODES = ("duplicate-record", "task-conflict", "repeated-annotation", "duplicate-candidates", "contradictory-preference")
ACTIONS = (Action.KEEP_FIRST, Action.REJECT, Action.HOLD, Action.ALLOW)
DEFAULTS = dict.fromkeys(CODES, Action.HOLD) | {
    "duplicate-record": Action.KEEP_FIRST,
    "task-conflict": Action.REJECT,
}
SEVERITIES = {Action.KEEP_FIRST: Severity.REJECT, Action.REJECT: Severity.REJECT, Action.HOLD: Severity.HOLD}

Terms = dict[str, StreamTerms]
Placed = tuple[Place, Json]
Group = list[Placed]


@dataclass(frozen=True)
class World:
    """All records of a campaign: lines by (stream, shard), sorted, and the terms of its streams."""

    shards: dict[tuple[str, str], list[Json | None]]
    terms: Terms


VERSIONS = {"schema_version": "pairwise-v2", "rubric_version": "code-review-v1"}
# These joins park no texts.
NOWHERE = Path("nowhere")

RECORDS = st.fixed_dictionaries(
    {
        **{name: st.just(version) for name, version in VERSIONS.items()},
        "task_id": st.sampled_from(["t-1", "t-2", "t-3", "t-4"]),
        "messages": st.sampled_from([[{"role": "user", "content": content}] for content in ("why?", "wo? ü", "why? ")]),
        "response_a": st.sampled_from(["x", "y", "z"]),
        "response_b": st.sampled_from(["x", "y", "z"]),
        "preference": st.sampled_from(["A", "B", "tie", "neither"]),
        "rationale": st.sampled_from(["because", "since"]),
        # 5.0 is 5 in RFC 8785; the float keeps the record off the fast way to its canonical form.
        "ratings": st.sampled_from([{"style": 5}, {"style": 5.0}, {"style": 4}]),
    }
)
# With one task or one comparison alone, collisions are sure; with everything free they are mixed.
ONE_TASK = RECORDS.map(lambda record: record | {"task_id": "t-1", "messages": [{"role": "user", "content": "why?"}]})
ONE_PAIR = ONE_TASK.flatmap(
    lambda record: st.sampled_from(["t-1", "t-2"]).map(
        lambda task: record | {"task_id": task, "response_a": "x", "response_b": "y"}
    )
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    records = draw(st.sampled_from([RECORDS, ONE_TASK, ONE_PAIR]))
    lines = st.lists(st.none() | records | records | records, max_size=8)
    places = st.tuples(st.sampled_from(["s1", "s2", "s3"]), st.sampled_from(["a.jsonl", "b.jsonl"]))
    shards = draw(st.dictionaries(places, lines, min_size=1, max_size=4))
    policies = st.dictionaries(st.sampled_from(CODES), st.sampled_from(ACTIONS))
    terms = {
        name: StreamTerms(
            name, "pairwise-v2", {}, annotations_per_task=draw(st.integers(1, 3)), policies=draw(policies)
        )
        for name in sorted({stream for stream, _ in shards})
    }
    return World(dict(sorted(shards.items())), terms)


Expected = tuple[Place, str, Severity, tuple[Place, ...]]
Reported = tuple[str, Placed, Group, bool]


def expected(world: World) -> set[Expected]:
    """The same by the plainest means."""
    placed = [
        (Place(stream, shard, number), record)
        for (stream, shard), lines in world.shards.items()
        for number, record in enumerate(lines, 1)
        if record is not None
    ]
    result = set()
    for code, (place, _), others, first in reported(placed, world.terms):
        action = world.terms[place.stream].policies.get(code, DEFAULTS[code])
        if action is Action.KEEP_FIRST and first:
            continue
        if action is Action.ALLOW and code == "duplicate-record" and first:
            continue
        related = tuple(other for other, _ in others[:RELATED_BOUND])
        result.add((place, code, SEVERITIES.get(action, Severity.WARN), related))
    return result


def reported(placed: Group, terms: Terms) -> Iterator[Reported]:
    """(code, record, the records it collides with, whether it is what "keep-first" keeps)."""
    rules: list[tuple[Callable[[Placed], Hashable], Callable[[Group], Iterator[Reported]]]] = [
        (whole, duplicates),
        (task, conflicts),
        (lambda member: (task(member), issued(member)), lambda group: repetitions(group, terms)),
        (comparison, comparisons),
    ]
    for key, rule in rules:
        for group in groups(placed, key):
            yield from rule(group)


def duplicates(group: Group) -> Iterator[Reported]:
    yield "duplicate-record", group[0], group[1:], True
    for member in group[1:]:
        yield "duplicate-record", member, group[:1], False


def conflicts(group: Group) -> Iterator[Reported]:
    for member in group:
        if others := differing(member, group, issued):
            yield "task-conflict", member, others, issued(member) == issued(group[0])


def repetitions(group: Group, terms: Terms) -> Iterator[Reported]:
    annotations = len(set(map(whole, group)))
    for member in group:
        if annotations > terms[member[0].stream].annotations_per_task:
            yield "repeated-annotation", member, differing(member, group, whole), whole(member) == whole(group[0])


def comparisons(group: Group) -> Iterator[Reported]:
    for member in group:
        first = task(member) == task(group[0])
        others = differing(member, group, task)
        if others:
            yield "duplicate-candidates", member, others, first
        if opposed := differing(member, others, preferred):
            yield "contradictory-preference", member, opposed, first


def groups(placed: Group, key: Callable[[Placed], Hashable]) -> Iterator[Group]:
    by_key: defaultdict[Hashable, Group] = defaultdict(list)
    for member in placed:
        by_key[key(member)].append(member)
    return (group for group in by_key.values() if len(group) > 1)


def differing(member: Placed, group: Group, key: Callable[[Placed], Hashable]) -> Group:
    return [other for other in group if key(other) != key(member)]


def whole(member: Placed) -> Hashable:
    return frozen(member[1])


def task(member: Placed) -> Hashable:
    return str(member[1]["task_id"])


def issued(member: Placed) -> Hashable:
    return frozen([member[1][name] for name in ("messages", "response_a", "response_b")])


def comparison(member: Placed) -> Hashable:
    record = member[1]
    return frozen(record["messages"]), frozenset((record["response_a"], record["response_b"]))


def preferred(member: Placed) -> Hashable:
    record = member[1]
    seats: dict[str, Hashable] = {"A": ("text", record["response_a"]), "B": ("text", record["response_b"])}
    return seats.get(record["preference"]) or str(record["preference"])


def frozen(value: Any) -> Hashable:
    if isinstance(value, dict):
        return frozenset((name, frozen(item)) for name, item in value.items())
    if isinstance(value, list):
        return tuple(map(frozen, value))
    scalar: Hashable = value
    return scalar


def _agree(world: World, partitions: int, rng: random.Random) -> None:
    findings = found(JOINS, cut(world.shards, rng), world.terms, partitions, rng, NOWHERE)
    summary = [(place, each.code, each.severity, each.related) for place, each in findings.elements()]
    assert Counter(summary) == Counter(expected(world))
    assert all(each.pointer == "" and each.schema_pointer is None for _, each in findings)


@settings(deadline=None)
@given(worlds(), st.integers(1, 7), st.randoms(use_true_random=False))
def test_joins_agree_with_plain_dictionaries(world: World, partitions: int, rng: random.Random) -> None:
    _agree(world, partitions, rng)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None)
@given(worlds(), st.integers(1, 256), st.randoms(use_true_random=False))
def test_joins_agree_at_length(world: World, partitions: int, rng: random.Random) -> None:
    _agree(world, partitions, rng)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("action", ACTIONS)
@settings(max_examples=10, deadline=None)
@given(worlds(), st.integers(1, 3), st.integers(1, 7), st.randoms(use_true_random=False))
def test_every_policy_agrees(
    code: str, action: Action, world: World, annotations: int, partitions: int, rng: random.Random
) -> None:
    terms = {
        name: StreamTerms(name, "pairwise-v2", {}, annotations_per_task=annotations, policies={code: action})
        for name in world.terms
    }
    _agree(World(world.shards, terms), partitions, rng)


@settings(deadline=None)
@given(worlds(), st.integers(1, 7), st.integers(1, 7), st.randoms(use_true_random=False))
def test_cuts_partitions_and_order_never_matter(world: World, one: int, other: int, rng: random.Random) -> None:
    """Whole findings, messages included."""
    whole_shards = [Block(*key, 1, tuple(lines)) for key, lines in world.shards.items()]
    plain = found(JOINS, whole_shards, world.terms, 1, rng, NOWHERE)
    for partitions in (one, other):
        assert found(JOINS, cut(world.shards, rng), world.terms, partitions, rng, NOWHERE) == plain


def test_crowded_worlds_agree_and_meet_every_code() -> None:
    """Many records of few tasks, so that all codes are found and lists of related places reach their bound."""
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    most = 0
    for _ in range(40):
        lines: list[Json | None] = [_random_record(rng) for _ in range(60)]
        policies = {code: rng.choice(ACTIONS) for code in CODES}
        world = World({("s1", "a.jsonl"): lines}, {"s1": StreamTerms("s1", "pairwise-v2", {}, policies=policies)})
        _agree(world, 7, rng)
        for _, code, _, related in expected(world):
            seen[code] += 1
            most = max(most, len(related))
    assert set(seen) == set(CODES)
    assert most == RELATED_BOUND


def _random_record(rng: random.Random) -> Json:
    return VERSIONS | {
        "task_id": rng.choice(["t-1", "t-2", "t-3"]),
        "messages": [{"role": "user", "content": rng.choice(["why?", "how?"])}],
        "response_a": rng.choice("xyz"),
        "response_b": rng.choice("xyz"),
        "preference": rng.choice(["A", "B", "tie"]),
        "rationale": "because",
    }
