"""Which baseline answers a question, as a consumer of baselines would resolve it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transforms.baselines.identity import Identity

MOST_NEAR_MISSES = 16

_COVARIATE = "covariateProfile/"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A baseline that may answer: its identity, the instant of its measurement, whether its run was COMPLETED."""

    identity: Identity
    instant: int
    completed: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A part of the identity that differs: its key in the record, what was asked for, what is there; None is absent."""

    key: str
    wanted: str | None
    found: str | None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A candidate, by index, that shares contract, service or inputs with the question, and how it differs."""

    index: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer: the index of the matching candidate, or None.

    `incomplete` are those of the identity that were refused because their run did not complete; `near` the
    near misses, the closest first, at most 16 of them, where nothing matches.
    """

    match: int | None
    incomplete: tuple[int, ...]
    near: tuple[NearMiss, ...]


def differences(wanted: Identity, found: Identity) -> tuple[Difference, ...]:
    """Every part that differs: contract, service and inputs, then the covariates by name."""
    parts = (
        Difference("serviceContractId", wanted.contract, found.contract),
        Difference("serviceName", wanted.service, found.service),
        Difference("inputsIdentity", wanted.inputs, found.inputs),
    )
    ours, theirs = dict(wanted.covariates), dict(found.covariates)
    covariates = (Difference(_COVARIATE + name, ours.get(name), theirs.get(name)) for name in sorted(ours | theirs))
    return tuple(part for part in (*parts, *covariates) if part.wanted != part.found)


def resolve(wanted: Identity, candidates: Sequence[Candidate], *, incomplete: bool = False) -> Resolution:
    """The newest candidate of exactly this identity; with `incomplete` also one whose run did not complete."""
    same = [index for index, candidate in enumerate(candidates) if candidate.identity == wanted]
    usable = [index for index in same if incomplete or candidates[index].completed]
    refused = tuple(index for index in same if not incomplete and not candidates[index].completed)
    if usable:
        return Resolution(max(usable, key=lambda index: candidates[index].instant), refused, ())
    return Resolution(None, refused, _near_misses(wanted, candidates))


def _near_misses(wanted: Identity, candidates: Sequence[Candidate]) -> tuple[NearMiss, ...]:
    misses = []
    for index, candidate in enumerate(candidates):
        found = candidate.identity
        shared = (found.contract == wanted.contract, found.service == wanted.service, found.inputs == wanted.inputs)
        if any(shared) and found != wanted:
            misses.append(NearMiss(index, differences(wanted, found)))
    misses.sort(key=lambda miss: len(miss.differences))  # stable: equally close ones stay in order
    return tuple(misses[:MOST_NEAR_MISSES])
