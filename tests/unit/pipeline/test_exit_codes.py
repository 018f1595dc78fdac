from __future__ import annotations

import click
import pytest

from pipeline import __main__ as command
from pipeline.exits import Exit, RunError


def run(monkeypatch: pytest.MonkeyPatch, end: BaseException | int | None) -> int:
    """The exit code of a command that ends so."""

    def ending(*_: object, **__: object) -> int | None:
        if isinstance(end, BaseException):
            raise end
        return end

    monkeypatch.delenv("ASSAY_TRACEBACK", raising=False)
    monkeypatch.setattr(command.assay, "main", ending)
    return command.run_command([])


@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        (None, 0, ""),
        (0, 0, ""),
        (1, 1, ""),
        (RunError(Exit.USAGE, "not so"), 2, "assay: not so\n"),
        (RunError(Exit.INTEGRITY, "two\nlines"), 3, "assay: two\\nlines\n"),
        (click.UsageError("No such option: --x"), 2, "assay: No such option: --x\n"),
        (
            KeyError("a\nb"),
            4,
            "assay: internal error: KeyError: 'a\\nb' (set ASSAY_TRACEBACK=1 to see where)\n",
        ),
        (
            ValueError("x" * 1000 + "\nsecond"),
            4,
            f"assay: internal error: ValueError: {'x' * 272} (set ASSAY_TRACEBACK=1 to see where)\n",
        ),
    ],
)
def test_every_end_is_a_code_and_at_most_one_line(
    end: BaseException | int | None,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, end) == code
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("end", [click.Abort(), KeyboardInterrupt()])
def test_an_interrupt_is_the_callers(end: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(monkeypatch, end)


def test_a_bug_can_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_TRACEBACK", "1")
    monkeypatch.setattr(command.assay, "main", lambda *_, **__: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        command.run_command([])


def test_the_codes() -> None:
    assert {code.name: code.value for code in Exit} == {
        "OK": 0,
        "BEYOND_THRESHOLDS": 1,
        "USAGE": 2,
        "INTEGRITY": 3,
        "INTERNAL": 4,
        "INTERRUPTED": 130,
    }
