"""The identity that is asked for, from the words of a command line."""

from __future__ import annotations

import pytest

from pipeline.baselines.question import identity_asked
from pipeline.exits import Exit, RunError
from transforms.baselines.identity import Identity


def test_covariates_come_in_any_order() -> None:
    one = identity_asked("contract", "service", "inputs", ("temperature=0.0", "model=small-4"))
    assert one == identity_asked("contract", "service", "inputs", ("model=small-4", "temperature=0.0"))
    assert one == Identity("contract", "service", "inputs", (("model", "small-4"), ("temperature", "0.0")))


def test_none() -> None:
    assert identity_asked("c", "s", "i", ()).covariates == ()


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("a=b=c", ("a", "b=c")),
        ("a=", ("a", "")),
        ("=b", ("", "b")),
        ("=", ("", "")),
        (" a = b ", (" a ", " b ")),
        ("ä\n=\x1b", ("ä\n", "\x1b")),
    ],
)
def test_both_sides_as_they_stand(text: str, pair: tuple[str, str]) -> None:
    assert identity_asked("c", "s", "i", (text,)).covariates == (pair,)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("model",), "--covariate 'model': KEY=VALUE is wanted"),
        (("",), "--covariate '': KEY=VALUE is wanted"),
        (("model=a", "model=a"), "--covariate 'model=a': 'model' was given before"),
        (("=", "=b"), "--covariate '=b': '' was given before"),
    ],
)
def test_what_is_no_covariate(texts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(RunError) as raised:
        identity_asked("c", "s", "i", texts)
    assert (raised.value.exit_code, raised.value.reason) == (Exit.USAGE, reason)
