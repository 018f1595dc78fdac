from __future__ import annotations

import traceback

import pytest

from transforms.faults import EnvironmentFault, reason_in

REASONS = ["No space left on device: /out/accepted/a.parquet", "", "first line\nsecond line", "d[0] ]] and [[", "ü 😀"]


@pytest.mark.parametrize("reason", REASONS)
def test_the_reason_survives_as_text(reason: str) -> None:
    fault = EnvironmentFault(reason)
    assert fault.reason == reason
    assert reason_in(str(fault)) == reason
    assert reason_in(f"Traceback …\nRuntimeError: {fault} [while running 'Judge blocks']") == reason


def test_the_reason_is_found_in_a_traceback() -> None:
    try:
        try:
            raise OSError(28, "No space left on device")
        except OSError as error:
            raise EnvironmentFault("the disk is full") from error
    except EnvironmentFault as fault:
        text = "".join(traceback.format_exception(fault))
    assert reason_in(text) == "the disk is full"


def test_the_first_reason_counts() -> None:
    assert reason_in(f"{EnvironmentFault('one')} then {EnvironmentFault('two')}") == "one"


@pytest.mark.parametrize("text", ["", "ValueError: 3", "[[assay: cut off", "cut off :assay]]"])
def test_other_errors_have_none(text: str) -> None:
    assert reason_in(text) is None
