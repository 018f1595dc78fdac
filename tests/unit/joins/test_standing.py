"""Evidence goes by way of its own record: what refuses that, refuses it."""

from __future__ import annotations

import pytest

from transforms.joins.join import Attached, Brought
from transforms.joins.standing import refuses, standing
from transforms.records import Finding, Severity

FIRST, SECOND = Attached("review-v1"), Attached("adjudication-v1")


def test_what_stands_goes_to_the_record_that_it_is_about() -> None:
    brought = [(7, Brought(0, 3, FIRST)), (8, Brought(0, 3, SECOND)), (7, Brought(2, 1, FIRST))]
    assert list(standing([], brought)) == [(0, (3, FIRST)), (0, (3, SECOND)), (2, (1, FIRST))]
    assert list(standing([7, 7], brought)) == [(0, (3, SECOND))]
    assert list(standing([8, 9], iter(brought))) == [(0, (3, FIRST)), (2, (1, FIRST))]
    assert list(standing([7], [])) == []


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        (Finding("duplicate-record", ""), True),
        (Finding("look-alike-id", "", severity=Severity.HOLD), True),
        (Finding("look-alike-id", "", severity=Severity.WARN), False),
        (FIRST, False),
    ],
)
def test_what_refuses(judged: Finding | Attached, expected: bool) -> None:
    assert refuses(judged) is expected
