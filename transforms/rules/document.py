"""The rule within one document-v1 record: the text that citations are judged by has the digest it claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from transforms.digests import sha256_hex
from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext

DOCUMENT_DIGEST_MISMATCH = Code(
    "document-digest-mismatch",
    Stage.RULES,
    Severity.REJECT,
    "A document's sha256 is not that of its text in UTF-8, or a citation names a document by its id with the "
    "digest of another text.",
    '"text": "Tide tables.\\n" with the sha256 of "Tide tables." (without the line feed)',
    "Export the document's text and digest from the same version; have a citation carry the digest of the version "
    "that its offsets were taken from.",
)
CODES: tuple[Code, ...] = (DOCUMENT_DIGEST_MISMATCH,)

# What commonly happens to a text between hashing and export.
_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without its last line end", lambda text: text.removesuffix("\n").removesuffix("\r")),
    ("with a line feed added", lambda text: text + "\n"),
    ("with LF for CRLF", lambda text: text.replace("\r\n", "\n")),
    ("with CRLF for LF", lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n")),
    ("without its byte order mark", lambda text: text.removeprefix("\ufeff")),
    ("with a byte order mark", lambda text: "\ufeff" + text),
)


def _check_digest(value: Json, _context: RuleContext) -> Sequence[Finding]:
    text, declared = value["text"], value["sha256"]
    actual = sha256_hex(text.encode())
    if actual == declared:
        return ()
    message = f"the text's SHA-256 is {actual}"
    for change, apply in _CHANGES:
        if sha256_hex(apply(text).encode()) == declared:
            message += f"; the one given is that of the text {change}"
            break
    return (Finding(DOCUMENT_DIGEST_MISMATCH.code, message, "/sha256"),)


RULES: tuple[Rule, ...] = (Rule(CODES, _check_digest),)
