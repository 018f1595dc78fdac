"""The table of rules across records, in the order in which a reader may want to know them."""

from __future__ import annotations

from transforms.joins import (
    answers,
    authorisation,
    candidates,
    documents,
    domains,
    duplicates,
    evidence,
    executions,
    issue,
    lookalikes,
    remeasurements,
    tasks,
)
from transforms.joins.join import Join
from transforms.terms import StreamTerms

JOINS: tuple[Join, ...] = (
    duplicates.JOIN,
    tasks.JOIN,
    candidates.JOIN,
    lookalikes.JOIN,
    remeasurements.JOIN,
    issue.JOIN,
    domains.JOIN,
    authorisation.JOIN,
    documents.JOIN,
    executions.JOIN,
    answers.JOIN,
    evidence.JOIN,
)


def joins_for(terms: StreamTerms) -> tuple[Join, ...]:
    """The joins that records of a stream take part in."""
    return tuple(join for join in JOINS if join.runs_for(terms))
