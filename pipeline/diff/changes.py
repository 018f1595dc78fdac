"""The list of changed records: a row for each that has another outcome or other codes."""

from __future__ import annotations

import pyarrow as pa

from pipeline.diff.rows import ABSENT, OUTCOMES, CodeSets, Digests, Matched, Rows
from transforms.columns.marks import CATEGORY, marked

CHANGE_SCHEMA: pa.Schema = pa.schema(
    [
        marked("stream", CATEGORY, nullable=False),
        marked("matched_by", CATEGORY, nullable=False),
        pa.field("identity_sha256", pa.string()),
        *(
            field
            for side in ("before", "after")
            for field in (
                pa.field(f"{side}_sha256", pa.string()),
                marked(f"{side}_outcome", CATEGORY, nullable=False),
                pa.field(f"{side}_codes", pa.list_(marked("element", CATEGORY, nullable=False)), nullable=False),
            )
        ),
    ]
)


def change_batch(
    stream: str, pairs: Rows, identities: tuple[Digests | None, Digests | None], codes: CodeSets
) -> pa.RecordBatch:
    """PAIR rows as a batch of CHANGE_SCHEMA, in their order; `identities` by ordinal, before and after."""
    columns: list[list[object]] = [
        [stream] * len(pairs),
        [Matched(matched).name.lower() for matched in pairs["matched"].tolist()],
        _identities(pairs, identities),
    ]
    for side in ("before", "after"):
        rows = pairs[side]
        outcomes = rows["outcome"].tolist()
        digests = (row.tobytes().hex() for row in rows["sha256"])
        columns += (
            [None if outcome == ABSENT else sha256 for sha256, outcome in zip(digests, outcomes, strict=True)],
            [OUTCOMES[outcome] for outcome in outcomes],
            [list(codes.names(number)) for number in rows["codes"].tolist()],
        )
    arrays = [pa.array(column, field.type) for column, field in zip(columns, CHANGE_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=CHANGE_SCHEMA)


def _identities(pairs: Rows, identities: tuple[Digests | None, Digests | None]) -> list[object]:
    """Whichever of both records states its identity: the bytes of one may not have been kept."""
    found: list[object] = [None] * len(pairs)
    for side, known in zip(("before", "after"), identities, strict=True):
        if known is None:
            continue
        for index, row in enumerate(pairs[side]):
            if row["outcome"] != ABSENT and known[row["ordinal"]].any():
                own = known[row["ordinal"]].tobytes().hex()
                found[index] = own if found[index] is None else min(own, str(found[index]))
    return found
