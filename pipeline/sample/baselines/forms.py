"""The forms in which a baseline is exported: a file or a line, as the emitter's text or as a JSON object."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from pipeline.sample.pairwise import Record, line
from transforms.baselines.emitted_text import emitted_text
from transforms.baselines.fingerprint import FIELD
from transforms.digests import sha256_hex

Rewrite = Callable[[bytes], bytes]


class Form(StrEnum):
    """How a baseline is exported. The first two are files of their own, named by this suffix."""

    YAML = "yaml"
    JSON = "json"
    TEXT_LINE = "text line"
    OBJECT_LINE = "object line"


FILES = (Form.YAML, Form.JSON)
TEXTS = (Form.YAML, Form.TEXT_LINE)
OBJECTS = (Form.JSON, Form.OBJECT_LINE)


def signed(value: Record) -> Record:
    """`value` with its fingerprint, which is over the emitter's text."""
    rest = {key: member for key, member in value.items() if key != FIELD}
    return {**rest, FIELD: f"sha256:{sha256_hex(emitted_text(rest).encode())}"}


def as_is(data: bytes) -> bytes:
    """No rewriting."""
    return data


def with_crlf(data: bytes) -> bytes:
    """The line ends of another system; a JSON object has none."""
    return data.replace(b"\n", b"\r\n")


def exported(value: Record, form: Form, rewrite: Rewrite = as_is) -> bytes:
    """The bytes of a baseline in a form; `rewrite` is applied to its text, or to its object as JSON."""
    if form in OBJECTS:
        return rewrite(line(value))
    text = rewrite(emitted_text(value).encode())
    return text if form is Form.YAML else line({"document": text.decode()})
