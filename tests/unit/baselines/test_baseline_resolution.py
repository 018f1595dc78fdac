"""Which baseline answers a question, and how the others miss it."""

from __future__ import annotations

from dataclasses import replace

from transforms.baselines.identity import Identity
from transforms.baselines.resolution import (
    MOST_NEAR_MISSES,
    Candidate,
    Difference,
    NearMiss,
    Resolution,
    differences,
    resolve,
)

WANTED = Identity("contract", "service", "inputs", (("model", "m"), ("temperature", "0.0")))
MATCH = Candidate(WANTED, 5, True)


def candidate(**changes: object) -> Candidate:
    return Candidate(replace(WANTED, **changes), 5, True)  # type: ignore[arg-type]


def test_the_record_of_the_identity() -> None:
    others = [candidate(contract="other"), candidate(inputs="other"), candidate(covariates=())]
    assert resolve(WANTED, [*others, MATCH]) == Resolution(3, (), ())


def test_the_newest_of_several() -> None:
    assert resolve(WANTED, [replace(MATCH, instant=instant) for instant in (5, 9, 7)]).match == 1


def test_a_run_that_did_not_complete_is_refused_unless_asked_for() -> None:
    records = [MATCH, replace(MATCH, instant=9, completed=False)]
    assert resolve(WANTED, records) == Resolution(0, (1,), ())
    assert resolve(WANTED, records, incomplete=True) == Resolution(1, (), ())
    assert resolve(WANTED, records[1:]) == Resolution(None, (0,), ())


def test_the_parts_that_differ() -> None:
    found = Identity("contract", "other", "inputs", (("region", "north"), ("temperature", "0")))
    assert differences(WANTED, found) == (
        Difference("serviceName", "service", "other"),
        Difference("covariateProfile/model", "m", None),
        Difference("covariateProfile/region", None, "north"),
        Difference("covariateProfile/temperature", "0.0", "0"),
    )
    assert differences(WANTED, WANTED) == ()


def test_near_misses_are_those_that_share_a_name_the_closest_first() -> None:
    records = [
        candidate(contract="x", service="y"),
        candidate(contract="x", service="y", inputs="z"),
        candidate(inputs="z"),
        candidate(covariates=(("model", "m"), ("temperature", "0.00"))),
    ]
    resolution = resolve(WANTED, records)
    assert resolution.match is None
    assert [miss.index for miss in resolution.near] == [2, 3, 0]
    assert resolution.near[0] == NearMiss(2, (Difference("inputsIdentity", "inputs", "z"),))


def test_near_misses_are_bounded() -> None:
    near = resolve(WANTED, [candidate(inputs=str(at)) for at in range(100)]).near
    assert [miss.index for miss in near] == list(range(MOST_NEAR_MISSES))


def test_nothing_to_choose_from() -> None:
    assert resolve(WANTED, []) == Resolution(None, (), ())
