"""Whatever a source says, what an adapter gives of it was in the source: no tie, no score and no text of its own."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import schemas
from transforms.adapters.workbench_ab import RATINGS, adapt
from transforms.judge import judge, prepare
from transforms.records import Line, Outcome
from transforms.structure import check, compile_validator
from transforms.terms import AdapterTerms, StreamTerms, Validator

SOURCE = schemas.load_schema("records", "workbench-ab-v1")
VALID = compile_validator(SOURCE, Validator())
BENCH = prepare(
    StreamTerms(
        "compared",
        "pairwise-v2",
        {"pairwise-v2": schemas.load_schema("records", "pairwise-v2")},
        canonicalisation="jcs",
        adapter=AdapterTerms("workbench-ab-v1", SOURCE, frozenset({"correctness"})),
    )
)
CONSTANTS = {"user", "pairwise-v2"}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
# Mostly sound values, so that many records can be told again.
scores = st.integers(1, 5) | st.sampled_from([4.0, 0, 6, 3.5, None, {"a": 2, "b": 5}])
names = st.sampled_from([*RATINGS, *RATINGS, "correctness", "speed"])
full = st.fixed_dictionaries({name: st.integers(1, 5) for name in RATINGS}, optional={"correctness": scores})
messages = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system", "tool"]), "content": texts}),
    min_size=1,
    max_size=3,
)
common: dict[str, st.SearchStrategy[Any]] = {
    "schema_version": st.just("workbench-ab-v1"),
    "task_id": st.text("abc-1/", min_size=1, max_size=5),
    "response_a": texts,
    "response_b": texts,
    "choice": st.sampled_from(["A", "B", "A", "B", None]),
    "scale": st.sampled_from([{"minimum": 1, "maximum": 5}] * 4 + [{"minimum": 0, "maximum": 5}]),
    "criteria": full | full | st.dictionaries(names, scores, max_size=6),
    "contributor": st.just("c-1"),
    "submitted_at": st.just("2026-03-04T09:15:00Z"),
}
optional: dict[str, st.SearchStrategy[Any]] = {
    "comments": texts | texts.map(lambda text: f"Because it is right: {text}") | st.none(),
    "correction": texts | st.none(),
    "rubric_version": st.sampled_from(["code-review-v1", "Code Review", None]),
    "model_a": st.just("m"),
}
sources = st.fixed_dictionaries({**common, "prompt": texts}, optional=optional) | st.fixed_dictionaries(
    {**common, "messages": messages}, optional=optional
)


def strings(value: Any) -> set[str]:
    """Every text in a value, names of members not counted."""
    if isinstance(value, dict):
        return set().union(*map(strings, value.values()))
    if isinstance(value, list):
        return set().union(*map(strings, value))
    return {value} if isinstance(value, str) else set()


@given(sources)
def test_nothing_is_made_up(source: dict[str, Any]) -> None:
    assert check(source, VALID, 10) == ()
    before = json.dumps(source)
    value = adapt(source, frozenset({"correctness"}))
    assert json.dumps(source) == before
    if isinstance(value, tuple):
        assert value
        assert {finding.code for finding in value} <= {"adapter-missing-rating", "adapter-no-equivalent"}
        return
    assert value["preference"] == source["choice"]
    assert value["preference"] in ("A", "B")
    assert value["ratings"] == {name: source["criteria"][name] for name in RATINGS}
    assert value["golden_patch"] == source.get("correction")
    assert strings(value) - strings(source) <= CONSTANTS


@given(sources)
def test_a_rating_is_missing_exactly_where_the_source_has_none(source: dict[str, Any]) -> None:
    value = adapt(source, frozenset())
    codes = {finding.code for finding in value} if isinstance(value, tuple) else set()
    lacking = any(source["criteria"].get(name) is None for name in RATINGS)
    assert ("adapter-missing-rating" in codes) == lacking


@given(sources)
def test_what_is_accepted_was_in_the_line(source: dict[str, Any]) -> None:
    data = json.dumps(source).encode()
    verdict = judge(Line(1, 0, len(data), data), BENCH)
    if verdict.outcome is Outcome.ACCEPTED:
        assert verdict.archival is not None
        assert strings(json.loads(verdict.archival)) - strings(source) <= CONSTANTS
        assert verdict.derived[0] == data
