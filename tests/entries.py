"""Entries for joins: from the digests that a test cares for, or from whole records."""

from __future__ import annotations

import hashlib

from transforms.digests import canonical_json
from transforms.joins.join import Entry
from transforms.kinds import KINDS
from transforms.parsing.walk import walk
from transforms.records import Json
from transforms.subjects import Subject


def entry(content: bytes, subject: Subject | None) -> Entry:
    """A pairwise record with this content digest and subject."""
    return Entry("pairwise-v2", "pairwise-v2", "code-review-v1", content, content, {}, subject)


def entry_of_record(kind: str, value: Json) -> Entry:
    """A sound record in a campaign that archives RFC 8785 forms."""
    plain = walk(value, 64)
    assert plain is not None
    row = KINDS[kind]
    digest = hashlib.sha256(canonical_json(value, plain=plain)).digest()
    return Entry(
        kind=kind,
        version=value[row.version_field] if row.version_field else kind,
        rubric=value[row.rubric_field] if row.rubric_field else None,
        content=digest,
        archival=digest,
        value=value,
        subject=row.subject(value, plain) if row.subject else None,
    )
