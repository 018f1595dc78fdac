"""The codes of a run that is not what its manifest says."""

from __future__ import annotations

from transforms.records import Code, Finding, Severity, Stage


def _integrity(code: str, summary: str, example: str, remedy: str) -> Code:
    return Code(code, Stage.PUBLISH, Severity.INTEGRITY, summary, example, remedy)


_RESTORE = "Restore the run from a copy, or run the campaign again: same inputs and campaign give the same bytes."

MANIFEST_MISSING = _integrity(
    "manifest-missing",
    "The folder has no manifest.json: the run was never committed.",
    "a run that was killed half-way, or a wrong folder",
    "Start the same run again with the same id; it goes on from the blocks that are finished.",
)
MANIFEST_INVALID = _integrity(
    "manifest-invalid",
    "manifest.json is not a digest manifest in canonical form.",
    "one byte of manifest.json was changed, or it was reformatted",
    _RESTORE,
)
CHECKSUMS_DIFFER = _integrity(
    "checksums-differ",
    "SHA256SUMS does not say what the manifest says, or the manifest is not the one it lists.",
    "a digit of SHA256SUMS was changed",
    _RESTORE,
)
FILE_MISSING = _integrity(
    "file-missing", "A listed file is not there.", "accepted/annotations/a.jsonl-b00000.parquet was deleted", _RESTORE
)
FILE_CHANGED = _integrity(
    "file-changed",
    "A file's size or SHA-256 is not the listed one.",
    "one byte of a rejects file was changed",
    _RESTORE,
)
FILE_UNLISTED = _integrity(
    "file-unlisted",
    "The folder holds a file, link or folder that the manifest does not list.",
    "a .DS_Store, or a file left by another tool",
    "Remove it; nothing outside the manifest counts.",
)
RECORD_CHANGED = _integrity(
    "record-changed",
    "The bytes kept of a record, accepted or refused, do not have the record_sha256 beside them.",
    "a Parquet file was rewritten by a tool that normalises text",
    _RESTORE,
)
MERKLE_MISMATCH = _integrity(
    "merkle-mismatch",
    "A Merkle root is not that of the records it stands for.",
    "rows of an accepted file were reordered and the file's digest replaced",
    _RESTORE,
)
BOOKS_DIFFER = _integrity(
    "books-differ",
    "The counts of the manifest are not those of the files, or read ≠ accepted + rejected + held.",
    "a line of a rejects file was dropped and the file's digest replaced",
    _RESTORE,
)
DECISION_DIFFERS = _integrity(
    "decision-differs",
    "A row of decisions does not follow from its own gates, reviews and adjudications under the run's rubric, or an "
    "accepted record has no row that accepts it.",
    "a weighted score, a vote or an outcome of decisions was changed and the file's digest replaced",
    _RESTORE,
)
IDENTITIES_DIFFER = _integrity(
    "identities-differ",
    "An identity index is not sorted, or has not a row for each accepted record.",
    "a row of identities/pairwise-v2/duplicates-v1.parquet was dropped and the file's digest replaced",
    _RESTORE,
)
INPUT_MISSING = _integrity(
    "input-missing",
    "An input shard is not where the manifest says.",
    "the exported shards were moved after the run",
    "Give the campaign's folder with --inputs-base.",
)
INPUT_CHANGED = _integrity(
    "input-changed",
    "An input shard is not the one that was read.",
    "a shard was exported anew under the same name",
    "Find the shard with the recorded SHA-256, or run the campaign on the new ones.",
)
CODES = (
    MANIFEST_MISSING,
    MANIFEST_INVALID,
    CHECKSUMS_DIFFER,
    FILE_MISSING,
    FILE_CHANGED,
    FILE_UNLISTED,
    RECORD_CHANGED,
    MERKLE_MISMATCH,
    BOOKS_DIFFER,
    DECISION_DIFFERS,
    IDENTITIES_DIFFER,
    INPUT_MISSING,
    INPUT_CHANGED,
)


def broken(code: Code, path: str, message: str) -> Finding:
    """A finding about the file `path` of a run."""
    return Finding(code.code, message, path, severity=Severity.INTEGRITY)
