"""The identity tuple, and what several records of one identity are to each other."""

from __future__ import annotations

import hashlib

import pytest
from baseline_records import baseline, changed

from transforms.baselines.identity import Identity, Measurement, Remeasured, identity, remeasured


def test_the_tuple() -> None:
    assert identity(baseline()) == Identity(
        contract="contract",
        service="service",
        inputs="3fd0a91c4e77b2085a1d",
        covariates=(("model", "small-4"), ("temperature", "0.0")),
    )


def test_the_digest_is_over_the_canonical_form() -> None:
    text = '["contract","service",{"model":"small-4","temperature":"0.0"},"3fd0a91c4e77b2085a1d"]'
    assert identity(baseline()).digest() == hashlib.sha256(text.encode()).digest()


def test_what_does_not_count() -> None:
    value = changed(baseline(), "covariateProfile", {"temperature": "0.0", "model": "small-4"})
    value |= {"factorRecord": {"runMode": "measure"}, "footprint": "9c2ab41f", "generatedAt": "2027-01-01T00:00:00Z"}
    assert identity(value) == identity(baseline())
    assert identity(value).digest() == identity(baseline()).digest()


@pytest.mark.parametrize(
    ("path", "new"),
    [
        (("serviceContractId",), "Contract"),
        (("serviceName",), "service "),
        (("inputsIdentity",), "3fd0a91c4e77b2085a1e"),
        (("covariateProfile", "temperature"), "0"),
        (("covariateProfile", "temperature"), "0.00"),
        (("covariateProfile", "model"), ""),
        (("covariateProfile", "region"), "north"),
        (("covariateProfile",), {}),
        (("covariateProfile",), {"model": "0.0", "temperature": "small-4"}),
    ],
)
def test_what_counts(path: tuple[str, ...], new: object) -> None:
    value = changed(baseline(), *path, new)
    assert identity(value) != identity(baseline())
    assert identity(value).digest() != identity(baseline()).digest()


def test_no_two_tuples_run_into_each_other() -> None:
    tuples = [("a", "bc", "d", ()), ("ab", "c", "d", ()), ("a", "bc", "", (("d", ""),)), ("a", "bc", "", (("", "d"),))]
    assert len({Identity(*parts).digest() for parts in tuples}) == len(tuples)


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([(1, b"a")], Remeasured((0,), (), ())),
        ([(1, b"a"), (2, b"b")], Remeasured((1,), (0,), ())),
        ([(2, b"a"), (1, b"b"), (3, b"c")], Remeasured((2,), (0, 1), ())),
        ([(1, b"a"), (1, b"b")], Remeasured((0, 1), (), ((0, 1),))),
        ([(1, b"a"), (1, b"a")], Remeasured((0, 1), (), ())),  # duplicates
        ([(1, b"a"), (2, b"c"), (1, b"b"), (2, b"c")], Remeasured((1, 3), (0, 2), ((0, 2),))),
        ([(2, b"a"), (1, b"x"), (2, b"b"), (2, b"a")], Remeasured((0, 2, 3), (1,), ((0, 2, 3),))),
        ([(2, b"a"), (2, b"b"), (1, b"c"), (1, b"d")], Remeasured((0, 1), (2, 3), ((2, 3), (0, 1)))),
    ],
)
def test_remeasured(records: list[tuple[int, bytes]], expected: Remeasured) -> None:
    assert remeasured([Measurement(instant, content) for instant, content in records]) == expected
