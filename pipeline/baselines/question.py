"""What is asked for: an identity, from the words of a command line."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.exits import Exit, RunError
from transforms.baselines.identity import Identity


def identity_asked(contract: str, service: str, inputs: str, covariates: Sequence[str]) -> Identity:
    """The identity with covariates given as KEY=VALUE, in any order.

    The first `=` ends the key; both sides are taken as they stand and may be empty. Raises RunError where there is
    none, or where a key comes twice.
    """
    profile: dict[str, str] = {}
    for text in covariates:
        key, equals, value = text.partition("=")
        if not equals:
            raise RunError(Exit.USAGE, f"--covariate {text!r}: KEY=VALUE is wanted")
        if key in profile:
            raise RunError(Exit.USAGE, f"--covariate {text!r}: {key!r} was given before")
        profile[key] = value
    return Identity(contract, service, inputs, tuple(sorted(profile.items())))
