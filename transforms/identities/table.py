"""Which claims are kept for later runs, in which files, and in which columns."""

from __future__ import annotations

import pyarrow as pa

from transforms.columns.marks import CATEGORY, marked
from transforms.joins.join import KEY_BYTES, Join
from transforms.joins.table import JOINS, joins_for
from transforms.kinds import ANNOTATIONS
from transforms.terms import StreamTerms

FOLDER = "identities"

# Facts and evidence are exported with every night's records, and count each time.
HELD_AGAINST_EARLIER = ANNOTATIONS | {"mavai-baseline-1"}

# Of one form are indexes whose joins claim the same keys and payloads; where they no longer do, the number goes up.
_FORM = 1


def identity_joins(kind: str) -> tuple[Join, ...]:
    """The joins that hold records of a kind against earlier runs: against their own kind, without a fact."""
    if kind not in HELD_AGAINST_EARLIER:
        return ()
    return tuple(join for join in JOINS if join.runs_for(StreamTerms("", kind, {})))


def joins_kept(terms: StreamTerms) -> tuple[Join, ...]:
    """The joins of a stream whose claims are kept."""
    return tuple(join for join in joins_for(terms) if join in identity_joins(terms.kind))


def index_path(kind: str, join: Join) -> str:
    """The path within a run of the index for records of a kind under a join."""
    return f"{FOLDER}/{kind}/{join.name}-v{_FORM}.parquet"


def index_schema(join: Join) -> pa.Schema:
    """A claim's key and payload (as `Join` has them), then the place of its record."""
    payload = [pa.field("payload", pa.binary(join.payload_bytes), nullable=False)] if join.payload_bytes else []
    return pa.schema(
        [
            pa.field("key", pa.binary(KEY_BYTES), nullable=False),
            *payload,
            marked("stream", CATEGORY, nullable=False),
            marked("shard", CATEGORY, nullable=False),
            pa.field("line", pa.int64(), nullable=False),
        ]
    )
