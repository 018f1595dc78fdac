"""What a file plainly is, judged from its first bytes, so that a wrong file is one fault and not thousands."""

from __future__ import annotations

import codecs
import json
import re

from transforms.records import Code, Severity, ShardFault, Stage
from transforms.terms import KIB

HEAD_BYTES = 64 * KIB

CODES: tuple[Code, ...] = (
    Code(
        "not-jsonl",
        Stage.BYTES,
        Severity.SHARD,
        "The shard plainly is something else than JSON lines.",
        "a Git LFS pointer, one JSON array, a pretty-printed document, UTF-16 text, a Parquet file",
        "Export the stream as UTF-8 with one JSON object on each line; the message says what the file looks like.",
    ),
)

_EXPORT = "export its records as JSON lines"
_UNPACK = "decompress it, or compress the JSON lines with gzip and name the file .gz"
_ONE_PER_LINE = "write each record on a line of its own, without the enclosing array or line breaks within it"
# The signatures are those that each format's specification gives.
_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"version https://git-lfs", "a Git LFS pointer, not the file it stands for", "fetch it with `git lfs pull`"),
    (b"PAR1", "a Parquet file", _EXPORT),
    (b"Obj\x01", "an Avro file", _EXPORT),
    (b"ORC", "an ORC file", _EXPORT),
    (b"ARROW1\0\0", "an Arrow file", _EXPORT),
    (b"SQLite format 3\0", "an SQLite database", _EXPORT),
    (b"%PDF-", "a PDF document", _EXPORT),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"PK\x05\x06", "an empty zip archive", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "zstd data", _UNPACK),
    (b"\x04\x22\x4d\x18", "lz4 data", _UNPACK),
    (b"\xfd7zXZ\0", "xz data", _UNPACK),
    (b"\x1f\x8b", "gzip data within gzip", "compress the JSON lines once only"),
)
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)")
_MARKUP = re.compile(r"<(\?xml|!doctype|html)", re.IGNORECASE)
_BYTE_ORDER_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
# Where the NULs stand in the first four bytes (RFC 4627, section 3: JSON begins with two ASCII characters).
_NUL_PATTERN = re.compile(rb"(?P<utf32>[^\0]\0\0\0|\0\0\0[^\0])|(?P<utf16>[^\0]\0[^\0]\0|\0[^\0]\0[^\0])")
_SPACE = " \t\r\n"
_CONTROLS = bytes(code for code in range(32) if chr(code) not in _SPACE)
_BINARY_SHARE = 0.05
_ARRAY_OF_OBJECTS = re.compile(r"\[[ \t\r]*\{")
# Numbers stay text: thousands of digits must not cost time here.
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)


def sniff(head: bytes, whole: bool) -> ShardFault | None:
    """Return the `not-jsonl` fault of a shard whose (decompressed) first bytes are `head`, or None.

    `head` is the first 64 KiB, or all of the shard, which `whole` says. A shard whose first record is
    merely broken, or begins with a UTF-8 byte order mark, has no fault here: its records are judged.
    """
    looks = _signature(head) or _wide_encoding(head) or _text(head.removeprefix(codecs.BOM_UTF8), whole)
    return ShardFault("not-jsonl", f"looks like {looks[0]}: {looks[1]}") if looks else None


def _signature(head: bytes) -> tuple[str, str] | None:
    for magic, looks, remedy in _MAGIC:
        if head.startswith(magic):
            return looks, remedy
    return ("bzip2 data", _UNPACK) if _BZIP2.match(head) else None


def _wide_encoding(head: bytes) -> tuple[str, str] | None:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if head.startswith(mark)), None)
    nuls = _NUL_PATTERN.match(head[:4])
    if encoding is None and nuls and head[:4].strip(b"\0")[:1] in b'{["' + _SPACE.encode():
        encoding = "UTF-16" if nuls["utf16"] else "UTF-32"
    return (f"{encoding} text", "convert it to UTF-8") if encoding else None


def _text(head: bytes, whole: bool) -> tuple[str, str] | None:
    # JSON's own syntax is ASCII, and Latin-1 keeps one character for each byte, whatever it is.
    text = head.decode("latin-1").lstrip(_SPACE)
    line, newline, after = text.partition("\n")
    line = line.rstrip(_SPACE)
    if _MARKUP.match(line):
        return "an HTML or XML document", _EXPORT
    if _is_json(line):
        return _sole_array(line) if whole and not after.strip(_SPACE) else None
    runs_on = _runs_on(text, whole)
    cut_array = not newline and not whole and _ARRAY_OF_OBJECTS.match(line)
    if line == "[" or cut_array or (runs_on and line.startswith("[")):
        return "one JSON array", _ONE_PER_LINE
    # `{` and then `{` is no JSON in any layout: a record was cut after its first byte.
    if runs_on or (line == "{" and after.lstrip(_SPACE)[:1] not in ("", "{")):
        return "one JSON document spread over several lines", _ONE_PER_LINE
    return _binary(head)


def _sole_array(line: str) -> tuple[str, str] | None:
    """Judge a shard of a single line that holds a JSON value: `[]` counts as an export of no records."""
    value = _DECODER.decode(line)
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return "one JSON array", _ONE_PER_LINE
    return None


def _runs_on(text: str, whole: bool) -> bool:
    """Say whether the text begins with one JSON value that goes on over line breaks between its tokens.

    A record that was cut short is followed by `{` in the next line, which JSON allows after `[`, `,` or
    `:` only, and then once: so a value without an end counts from its second line break on, or where
    it is an array. A value that ends, with a sound record on the next line, was one broken record.
    """
    lines = text if whole else text[: text.rfind("\n") + 1]
    end = _value_end(lines)
    if end is None:
        return False
    breaks = lines.rstrip(_SPACE).count("\n", 0, end)
    if end > len(lines):
        return breaks > 1 or (lines.startswith("[") and (breaks > 0 or not whole))
    next_line = lines[end:].lstrip(_SPACE).partition("\n")[0]
    return breaks > 0 and not _is_json(next_line.rstrip(_SPACE))


def _value_end(text: str) -> int | None:
    """Return where the JSON value at the start of `text` ends, beyond `text` if it goes on, None if broken."""
    try:
        return _DECODER.raw_decode(text)[1]
    except json.JSONDecodeError as error:
        return len(text) + 1 if text and error.pos >= len(text.rstrip(_SPACE)) else None
    except RecursionError:
        return None


def _is_json(line: str) -> bool:
    return bool(line) and _value_end(line) == len(line)


def _binary(head: bytes) -> tuple[str, str] | None:
    """Judge the share of NUL and control bytes (white space excepted); what begins with `{` is a record."""
    share = 1 - len(head.translate(None, _CONTROLS)) / len(head) if head else 0.0
    if share <= _BINARY_SHARE or head.lstrip().startswith(b"{"):
        return None
    return f"binary data ({share:.0%} of its first {len(head)} bytes are control bytes)", _EXPORT
