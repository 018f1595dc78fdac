from __future__ import annotations

import traceback

import pytest

from transforms.faults import EnvironmentFault, fault_in

REASONS = ["No space left on device: /out/accepted/a.parquet", "", "first line\nsecond line", "d[0] ]] and [[", "ü 😀"]


@pytest.mark.parametrize("reason", REASONS)
def test_the_reason_survives_as_text(reason: str) -> None:
    fault = EnvironmentFault(reason)
    assert fault.reason == reason
    for text in (str(fault), f"Traceback …\nRuntimeError: {fault} [while running 'Judge blocks']"):
        assert (told := fault_in(text)) and (told.reason, told.is_input) == (reason, fault.is_input)


def test_the_reason_is_found_in_a_traceback() -> None:
    try:
        try:
            raise OSError(28, "No space left on device")
        except OSError as error:
            raise EnvironmentFault("the disk is full") from error
    except EnvironmentFault as fault:
        text = "".join(traceback.format_exception(fault))
    assert (told := fault_in(text)) and told.reason == "the disk is full"


def test_the_first_reason_counts() -> None:
    told = fault_in(f"{EnvironmentFault('one', is_input=True)} then {EnvironmentFault('two')}")
    assert told and (told.reason, told.is_input) == ("one", True)


@pytest.mark.parametrize("text", ["", "ValueError: 3", "[[assay: cut off", "cut off :assay]]"])
def test_other_errors_have_none(text: str) -> None:
    assert fault_in(text) is None
