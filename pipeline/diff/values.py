"""What a difference is: counts for each stream, and where its changed records wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from pipeline.diff.changes import change_batch
from pipeline.diff.rows import CodeSets, Digests
from pipeline.diff.spool import read_pairs
from pipeline.diff.tally import Tally

VERSION = "difference-v1"


@dataclass(frozen=True, slots=True, eq=False)
class StreamDifference:
    """The difference in one stream.

    `kinds` are those before and after, None where a run has no such stream; `warned` is what the runs' manifests count
    of warnings of accepted records, code → (before, after). `changed` is the file with the pairs whose outcome or codes
    changed, and the identities of both runs' records are by ordinal, None where nothing had to be read for them.
    """

    stream: str
    kinds: tuple[str | None, str | None]
    tally: Tally
    warned: Mapping[str, tuple[int, int]]
    changed: Path
    identities: tuple[Digests | None, Digests | None]

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs: kind, outcome, codes, bytes, warnings."""
        tally = self.tally
        same = all(before == after for before, after in (self.kinds, *self.warned.values()))
        return same and not (tally.flipped or tally.recoded or tally.rewritten)

    @property
    def changes(self) -> int:
        """How many records have another outcome or other codes."""
        return self.tally.flipped + self.tally.recoded


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """The difference between two runs; each is (run id, SHA-256 of its manifest). Streams are sorted by name.

    Changed records wait in files of the folder that `difference` was given: they can be read as long as it stands.
    """

    before: tuple[str, str]
    after: tuple[str, str]
    streams: tuple[StreamDifference, ...]
    codes: CodeSets

    @property
    def is_empty(self) -> bool:
        """Whether no stream differs."""
        return all(stream.is_empty for stream in self.streams)

    def changes(self) -> Iterator[pa.RecordBatch]:
        """Every record with another outcome or other codes, as batches of `changes.CHANGE_SCHEMA`. Raises OSError."""
        for stream in self.streams:
            for pairs in read_pairs(stream.changed):
                yield change_batch(stream.stream, pairs, stream.identities, self.codes)

    def summary(self) -> dict[str, Any]:
        """The difference without the list of changed records, as a JSON value."""
        sides = zip(("before", "after"), (self.before, self.after), strict=True)
        return {
            "difference_version": VERSION,
            **{side: {"run_id": run_id, "manifest_sha256": sha256} for side, (run_id, sha256) in sides},
            "is_empty": self.is_empty,
            "streams": {stream.stream: _summary(stream, self.codes) for stream in self.streams},
        }


def _summary(stream: StreamDifference, codes: CodeSets) -> dict[str, Any]:
    tally = stream.tally
    return {
        "kind": dict(zip(("before", "after"), stream.kinds, strict=True)),
        "outcomes": tally.matrix(),
        "matched": {by.name.lower(): count for by, count in sorted(tally.matched.items())},
        "flipped": tally.flipped,
        "recoded": tally.recoded,
        "rewritten": tally.rewritten,
        "codes": tally.by_code(codes),
        "warned": {code: {"before": one, "after": other} for code, (one, other) in sorted(stream.warned.items())},
    }
