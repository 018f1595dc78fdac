"""Annotations that their rubrics accept, of every kind, with scores as reviewers who mostly agree would give them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pipeline.sample.acceptance.case import Build, Case, Given
from pipeline.sample.acceptance.clinical_cases import CLEARED
from pipeline.sample.acceptance.evidence import ACCEPT, CHECKED, SUPPORTED, judged, review, saying, tested
from pipeline.sample.acceptance.programs import APPROVED_IMPORT, KEEPS_ORDER, SORTS
from pipeline.sample.acceptance.rubrics import CLINICAL, CODE, CRITERIA, DERIVATION, GROUNDED
from pipeline.sample.acceptance.subjects import SQUARE, answer, cited, derivation, pair
from pipeline.sample.acceptance.trusted import COUNTED, REVIEWERS, SCREEN

# How often a reviewer gives another score than most.
_APART = 0.15


def _reviews(random: Random, rubric: str, count: int, **said: Any) -> tuple[Given, ...]:
    """Reviews that accept, with scores of 4 and 5."""
    usual = [random.choice((4, 5)) for _ in CRITERIA[rubric]]
    given = []
    for reviewer in random.sample(REVIEWERS, count):
        scores = [9 - score if random.random() < _APART else score for score in usual]
        given.append(review(reviewer, ACCEPT, *scores, **said))
    return tuple(given)


def _pair(preference: str, judges: tuple[str, ...] = (), **code: Any) -> Callable[[Random, str], Case]:
    """A preference pair; a judge that counts stands for one of the people."""

    def case(random: Random, name: str) -> Case:
        people = 3 - judges.count(COUNTED)
        runs = (tested(0), tested(1)) if preference == "tie" else (tested(),)
        reviews = (*_reviews(random, CODE, people), *map(judged, judges))
        return Case(name, pair(preference, **code), (*reviews, *runs))

    return case


def _words(build: Build, rubric: str, *more: Given, **said: Any) -> Callable[[Random, str], Case]:
    return lambda random, name: Case(name, build, (*_reviews(random, rubric, 2, **said), *more))


def _abstention(_random: Random, name: str) -> Case:
    return Case(name, answer(abstain=True), saying("justified_abstention", True, True))


_EXPRESSION = derivation("x^2 - 2 x + 1", **SQUARE)
_KINDS: tuple[Callable[[Random, str], Case], ...] = (
    _pair("A"),
    _words(answer(cited), GROUNDED, **SUPPORTED),
    _pair("B", b=(APPROVED_IMPORT,)),
    _words(derivation(), DERIVATION, **CHECKED),
    _pair("tie", (SCREEN,), b=(SORTS,)),
    _words(answer(cited, clinical=True), CLINICAL, *CLEARED, **SUPPORTED),
    _pair("neither", (COUNTED,), patch=(KEEPS_ORDER, SORTS)),
    _abstention,
    _words(_EXPRESSION, DERIVATION, **CHECKED),
)


def honest(random: Random, number: int) -> Case:
    """The annotation `number` of a campaign; kinds come in turn."""
    return _KINDS[number % len(_KINDS)](random, f"sound-{number:05d}")
