"""What is published of a baseline beside its own members: how its fingerprint was verified, and which one it is."""

from __future__ import annotations

import pyarrow as pa

from transforms.baselines.fingerprint import verify_document, verify_object
from transforms.baselines.identity import identity
from transforms.columns.marks import CATEGORY, marked
from transforms.reading import Read
from transforms.records import Finding
from transforms.rules.rule import RuleContext

FINGERPRINT_FORM, IDENTITY = "assay_fingerprint_form", "assay_identity_sha256"
COLUMNS: tuple[pa.Field, ...] = (
    marked(FINGERPRINT_FORM, CATEGORY, nullable=False),
    pa.field(IDENTITY, pa.string(), nullable=False),
)


def derive(read: Read, context: RuleContext) -> tuple[str, ...] | Finding:
    """The values of `COLUMNS` for a record that is valid under its schema, or why its fingerprint cannot be trusted."""
    if read.text is None:
        form = verify_object(read.value, context.fingerprint)
    else:
        form = verify_document(read.text, read.value, context.fingerprint)
    if isinstance(form, Finding):
        return form
    return form.value, identity(read.value).digest().hex()
