"""Honest baselines of all kinds: large and small runs, failures, early ends, and members left out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pipeline.sample.baselines.measures import Run, baseline
from pipeline.sample.pairwise import Record

_SIZES = (30, 1, 4, 5, 10, 0, 20, 40, 99, 100, 19, 9)
_LEVELS = (0.95, 0.95, 0.9, 0.99)
_DAYS = (90, 1, 30)


def honest(random: Random, number: int) -> Record:
    """A sound baseline, not signed; the numbers from 0 on go through sizes, failures, and what may be left out."""
    samples = _SIZES[number % len(_SIZES)]
    lost = random.randint(0, samples // 10) if number % 3 == 2 else 0
    answered = samples - lost
    failed = [random.randint(0, answered // 4) for _ in range(1 + number % 3)]
    if number % 10 == 9:
        failed[0] = answered
    unused = 5 if number % 6 == 5 else 0
    run = Run(samples, tuple(failed), lost, unused, _LEVELS[number % len(_LEVELS)], _DAYS[number % len(_DAYS)])
    value = baseline(random, number, run)
    for place, leave_out in enumerate(_OPTIONAL):
        if (number + place) % 4 == 0:
            leave_out(value)
    if number % 9 == 4:
        value |= {"serviceContractId": f"{value['serviceContractId']}-{number}", "covariateProfile": {}}
    return value


def _without(*names: str) -> Callable[[Record], None]:
    def leave_out(value: Record) -> None:
        for name in names:
            value.pop(name, None)

    return leave_out


def _without_standings(value: Record) -> None:
    for criterion in value["criteria"].values():
        criterion.pop("standings", None)


def _without_instant(value: Record) -> None:
    value["expiration"].pop("expiresAt")


# Each is left out of one baseline in four.
_OPTIONAL: tuple[Callable[[Record], None], ...] = (
    _without_instant,
    _without("footprint", "cost"),
    _without("inputs", "views"),
    _without("factorRecord"),
    _without_standings,
    _without("latency"),
    _without("expiration"),
)
