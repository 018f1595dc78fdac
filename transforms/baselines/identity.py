"""Which baseline is which: the identity tuple, when it was measured, and what two of one identity are to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from transforms.digests import canonical_json, digest
from transforms.records import Json


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity tuple of a baseline. `covariates` are (name, value), sorted by name; values are texts.

    Everything is compared exactly: "0" is not "0.0", and case and Unicode form count.
    """

    contract: str
    service: str
    inputs: str
    covariates: tuple[tuple[str, str], ...]

    def digest(self) -> bytes:
        """The SHA-256 (32 bytes) of the RFC 8785 form of [contract, service, covariates as an object, inputs]."""
        parts = [self.contract, self.service, dict(self.covariates), self.inputs]
        return digest(canonical_json(parts))


def identity(value: Json) -> Identity:
    """The identity of a valid mavai-baseline-1 record; factorRecord and footprint have no part in it."""
    return Identity(
        contract=value["serviceContractId"],
        service=value["serviceName"],
        inputs=value["inputsIdentity"],
        covariates=tuple(sorted(value["covariateProfile"].items())),
    )


@dataclass(frozen=True, slots=True)
class Measurement:
    """One record of an identity: when it was measured, and the digest of its content."""

    instant: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Remeasured:
    """What several records of one identity are to each other, by index.

    `newest` have the latest instant; `older` all other records: each is superseded by the newest.
    `colliding` are groups of records with one instant and different contents: none of a group can be
    trusted. Records equal in content are duplicates, which neither list is about.
    """

    newest: tuple[int, ...]
    older: tuple[int, ...]
    colliding: tuple[tuple[int, ...], ...]


def remeasured(records: Sequence[Measurement]) -> Remeasured:
    """Compare the records of one identity, at least one. Groups are in the order of their instants."""
    by_instant: dict[int, list[int]] = {}
    for index, record in enumerate(records):
        by_instant.setdefault(record.instant, []).append(index)
    latest = max(by_instant)
    groups = (by_instant[instant] for instant in sorted(by_instant))
    return Remeasured(
        newest=tuple(by_instant[latest]),
        older=tuple(index for index, record in enumerate(records) if record.instant != latest),
        colliding=tuple(tuple(group) for group in groups if len({records[index].content for index in group}) > 1),
    )
