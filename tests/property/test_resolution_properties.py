"""Asked for the identity of any of its accepted records, a run answers with that record."""

from __future__ import annotations

import json
import tempfile
from decimal import Decimal
from pathlib import Path

from baseline_records import signed
from baseline_runs import ALL_STAND, APART, measured, question, run_of_lines, stopped
from commands import assay
from golden_campaigns import merged
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.baselines.answer import Answer, answer
from pipeline.baselines.published import baselines
from transforms.baselines.identity import Identity, identity
from transforms.baselines.resolution import resolve
from transforms.records import Json

CHARACTERS = st.characters(exclude_categories=["Cs"])
# Few names, so that records come near each other and some share an identity.
NAMES = st.sampled_from(["a", "b", "A", "0", "0.0"]) | st.text(CHARACTERS, min_size=1, max_size=4)
PROFILES = st.dictionaries(NAMES | st.just(""), NAMES | st.just(""), max_size=3)
TIMES = st.sampled_from(["2026-08-03T12:00:00Z", "2026-08-03T12:00:00.5Z", "2026-08-04T12:00Z"])
LENIENT = merged(merged(ALL_STAND, APART), {"streams": {"annotations": {"identity": {"duplicate-record": "allow"}}}})


@st.composite
def records(draw: st.DrawFn) -> Json:
    value = measured(
        draw(PROFILES),
        serviceContractId=draw(NAMES),
        serviceName=draw(NAMES),
        inputsIdentity=draw(NAMES),
        generatedAt=draw(TIMES),
        expiration={"expiresInDays": 7},
    )
    return stopped(value) if draw(st.integers(0, 3)) == 0 else value


def lines(found: Answer) -> tuple[int | None, list[int], list[int]]:
    """Line numbers of the match, of those refused, of the near misses."""
    match = found.match[0].place.line if found.match else None
    refused = [baseline.place.line for baseline in found.incomplete]
    return match, refused, [near.baseline.place.line for near in found.near]


def at_once(run: Path, wanted: Identity, incomplete: bool) -> tuple[int | None, list[int], list[int]]:
    """The same, of all the run's baselines together; one shard, so that a line is an index."""
    candidates = [baseline.candidate for group in baselines(run) for baseline in group]
    found = resolve(wanted, candidates, incomplete=incomplete)
    match = None if found.match is None else found.match + 1
    return match, [index + 1 for index in found.incomplete], [miss.index + 1 for miss in found.near]


@settings(max_examples=15, deadline=None)
@given(st.lists(records(), min_size=1, max_size=12), st.booleans(), records())
def test_a_run_answers_with_its_records(values: list[Json], incomplete: bool, other: Json) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = run_of_lines(Path(folder), values, LENIENT)
        for value in (*values, other):
            found = answer(run, identity(value), incomplete=incomplete)
            assert lines(found) == at_once(run, identity(value), incomplete)
        for value in values:
            found = answer(run, identity(value), incomplete=True)
            assert found.match is not None
            place, record = found.match[0].place, found.match[1]
            assert record.value == json.loads(json.dumps(signed(values[place.line - 1])), parse_float=Decimal)
            assert identity(record.value) == identity(value)


@settings(max_examples=15, deadline=None)
@given(st.lists(records(), min_size=1, max_size=8, unique_by=lambda value: repr(identity(value))))
def test_the_command_says_so(values: list[Json]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = run_of_lines(Path(folder), values, LENIENT)
        for number, value in enumerate(values, 1):
            if not any("=" in name for name in value["covariateProfile"]):
                said = assay("baseline", "resolve", "--run", run, "--include-incomplete", *question(value))
                assert (said.code, said.err) == (0, "")
                assert said.out.startswith(f"match: annotations/a.jsonl line {number}\n")
                assert said.out.replace("\n", "").isprintable()
