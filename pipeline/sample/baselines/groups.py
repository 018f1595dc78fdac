"""Baselines of one identity: repeated, measured again, or in conflict. And some that only look as if they were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.sample.baselines.forms import Form, exported, signed, with_crlf
from pipeline.sample.pairwise import Record

_DUPLICATE, _SUPERSEDED, _COLLISION = "duplicate-record", "superseded-baseline", "identity-collision"
_YAML, _JSON, _TEXT, _OBJECT = Form.YAML, Form.JSON, Form.TEXT_LINE, Form.OBJECT_LINE


@dataclass(frozen=True, slots=True)
class Member:
    """A baseline of a group as it is exported, and the code it must get, if any."""

    form: Form
    data: bytes
    code: str | None = None


Group = tuple[Member, ...]


def _member(value: Record, form: Form, code: str | None = None) -> Member:
    return Member(form, exported(signed(value), form), code)


def _with(value: Record, generated: str, **changes: object) -> Record:
    """`value` measured at another time; no expiry, which would have to follow."""
    rest = {key: member for key, member in value.items() if key != "expiration"}
    return {**rest, "generatedAt": generated, **changes}


def _copied(value: Record) -> Group:
    """A file, the same with other line ends, and the same as an object: one content."""
    file = _member(value, _YAML)
    crlf = Member(_YAML, with_crlf(file.data), _DUPLICATE)
    return file, crlf, _member(value, _OBJECT, _DUPLICATE)


def _measured_again(value: Record) -> Group:
    """Half a second apart; as texts the two instants sort the other way round. The order of covariates says nothing."""
    turned = dict(reversed(value["covariateProfile"].items()))
    older = _with(value, "2026-08-03T12:00:00Z")
    newer = _with(value, "2026-08-03T12:00:00.500+00:00", covariateProfile=turned)
    return _member(older, _YAML, _SUPERSEDED), _member(newer, _YAML)


def _measured_thrice(value: Record) -> Group:
    days = [_with(value, f"2026-08-{day:02}T12:00+00:00") for day in (1, 2, 3)]
    return _member(days[1], _JSON, _SUPERSEDED), _member(days[2], _TEXT), _member(days[0], _OBJECT, _SUPERSEDED)


def _edited(value: Record) -> Group:
    """One instant in two spellings, which a copy alone has changed."""
    spelt = _with(value, "2026-08-03T12:00:00Z"), _with(value, "2026-08-03T12:00:00.000+00:00")
    return _member(spelt[0], _YAML, _COLLISION), _member(spelt[1], _TEXT, _COLLISION)


def _recounted(value: Record) -> Group:
    at = "2026-08-04T08:30:00Z"
    other = _with(value, at, factorRecord={"runMode": "measure", "note": "counted again"})
    return _member(_with(value, at), _YAML, _COLLISION), _member(other, _YAML, _COLLISION)


def _near(value: Record) -> Group:
    """ "0" is not "0.0", a covariate more is another profile, and a name's case counts."""
    covariates = value["covariateProfile"]
    profiles = [
        {**covariates, "temperature": "0"},
        {**covariates, "temperature": "0.0"},
        {**covariates, "temperature": "0", "top-p": "1"},
        {**covariates, "temperature": "0", "model": covariates["model"].upper()},
    ]
    return tuple(
        _member({**value, "covariateProfile": profile}, form)
        for profile, form in zip(profiles, (_YAML, _YAML, _TEXT, _OBJECT), strict=True)
    )


GROUPS: tuple[tuple[str, Callable[[Record], Group]], ...] = (
    ("copied", _copied),
    ("measured-again", _measured_again),
    ("measured-thrice", _measured_thrice),
    ("edited", _edited),
    ("recounted", _recounted),
    ("near", _near),
)
