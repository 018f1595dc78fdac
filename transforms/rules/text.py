"""When two texts are the same, when a text says anything at all, and how to quote one in a message.

Also the two rules on text that several record kinds share, each with its row of the catalogue.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category, normalize

from transforms.records import Code, Finding, Severity, Stage
from transforms.terms import Limits

EMPTY_TEXT = Code(
    "empty-text",
    Stage.RULES,
    Severity.REJECT,
    "A text holds nothing to read: only white space, invisible characters or combining marks; for a "
    "rationale also only punctuation.",
    '"rationale": "..............." (15 characters, so the schema takes it)',
    "Have the contributor write the text. A length that the schema counts is no sign of content.",
)
CONVERSATION_TOO_LARGE = Code(
    "conversation-too-large",
    Stage.RULES,
    Severity.REJECT,
    "The texts of a record, each within its own bound, are together larger than the campaign allows.",
    "64 messages of 32,000 characters each under max_conversation_characters 1,000,000",
    "Shorten or split the conversation, or raise max_conversation_characters and max_conversation_bytes in "
    "the campaign's limits.",
)
CODES: tuple[Code, ...] = (EMPTY_TEXT, CONVERSATION_TOO_LARGE)

# White space and characters without a glyph: the categories Zs, Zl, Zp, Cc and Cf, the code points with the
# Unicode property Default_Ignorable_Code_Point (reserved ones included), the noncharacters, and two symbols
# drawn as nothing (U+2800, U+1D159). Spelt out, so that a verdict does not change with the interpreter's
# Unicode version; a test holds the list against the interpreter's own categories.
_INVISIBLE_RANGES = (
    (0x0000, 0x0020),
    (0x007F, 0x00A0),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),  # Hangul fillers, as U+3164 and U+FFA0
    (0x1680, 0x1680),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x205F, 0x206F),
    (0x2800, 0x2800),  # Braille pattern blank
    (0x3000, 0x3000),
    (0x3164, 0x3164),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0xFFFE, 0xFFFF),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159),  # musical symbol null notehead
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),  # tags, variation selectors supplement
    *((plane | 0xFFFE, plane | 0xFFFF) for plane in range(0x10000, 0x110000, 0x10000)),
)
INVISIBLE = frozenset(chr(point) for first, last in _INVISIBLE_RANGES for point in range(first, last + 1))


def _run_of(ranges: Iterable[tuple[int, int]]) -> re.Pattern[str]:
    return re.compile("[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]+")


# Two patterns: a class with ranges above U+FFFF is much slower, and few texts have such characters.
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_INVISIBLE_RUN = _run_of(pair for pair in _INVISIBLE_RANGES if pair[0] < 0x10000)
_INVISIBLE_ASTRAL_RUN = _run_of(pair for pair in _INVISIBLE_RANGES if pair[0] >= 0x10000)
_DROP_ASCII = dict.fromkeys((*range(0x21), 0x7F))
_LONG_RUN = re.compile(r"([^\w\x00-\x7f]{31,})")
_HEAD = 128
_HEAD_SLACK = 64


def normalised(text: str) -> str:
    """`text` without white space and invisible characters, in Unicode NFC.

    They are dropped before composing: a joiner between a letter and its accent would keep NFC from composing
    the two. The result is the same for canonically equivalent texts (but see `composed`), and normalising it
    again changes nothing.
    """
    if text.isascii():
        return text.translate(_DROP_ASCII)
    kept = _INVISIBLE_RUN.sub("", "".join(text.split()))  # split alone drops most of it, and faster
    if _ASTRAL.search(kept):
        kept = _INVISIBLE_ASTRAL_RUN.sub("", kept)
    return composed(kept)


def composed(text: str) -> str:
    """`text` in NFC, but for runs of more than 30 marks and other signs, which stay as they are.

    Thirty is the bound of the Stream-Safe Text Format (UAX #15); composing takes quadratic time in such a run.
    """
    parts = _LONG_RUN.split(text)
    return "".join(part if index % 2 else normalize("NFC", part) for index, part in enumerate(parts))


def same_text(first: str, second: str) -> bool:
    """Whether the two texts are equal after normalisation. Their starts alone settle it for most."""
    if first == second:
        return True
    first_head, second_head = normalised(_head(first)), normalised(_head(second))
    if not first_head.startswith(second_head) and not second_head.startswith(first_head):
        return False
    return normalised(first) == normalised(second)


def _head(text: str) -> str:
    """A start of `text` whose normal form is a start of the normal form of the whole.

    The cut stands before a visible ASCII character or a CJK ideograph: neither composes with what precedes it.
    """
    if len(text) <= _HEAD:
        return text
    for end in range(_HEAD, _HEAD - _HEAD_SLACK, -1):
        if "!" <= text[end] <= "~" or "\u4e00" <= text[end] <= "\u9fff":
            return text[:end]
    return ""


def has_visible(text: str) -> bool:
    """Whether there is anything to see: a character that is neither invisible nor a combining mark.

    Punctuation and private-use characters count; so do unassigned ones, which a later Unicode may define.
    """
    if "!" <= text[:1] <= "~":  # settles most texts
        return True
    return any(char not in INVISIBLE and category(char)[0] != "M" for char in text)


def has_substance(text: str) -> bool:
    """Whether there is a visible letter, number or symbol (general categories L, N, S)."""
    if text[:1].isascii() and text[:1].isalnum():
        return True
    return any(category(char)[0] in "LNS" and char not in INVISIBLE for char in text)


def excerpt(text: str, limit: int = 40) -> str:
    """The start of `text` between double quotes, safe to print.

    At most `limit` characters stand between the quotes, escapes counted in full; characters that are not
    printable are escaped as `repr` does. "..." after the quotes marks a cut.
    """
    kept = ""
    for char in text:
        piece = '\\"' if char == '"' else repr(char)[1:-1]
        if len(kept) + len(piece) > limit:
            return f'"{kept}"...'
        kept += piece
    return f'"{kept}"'


def empty_text(pointer: str, *, substance: bool = False) -> Finding:
    """The finding for the empty text at `pointer`; `substance` where punctuation alone counts as empty."""
    message = "no letter, number or symbol" if substance else "nothing visible"
    return Finding(EMPTY_TEXT.code, message, pointer)


def size_findings(texts: Iterable[str], limits: Limits) -> tuple[Finding, ...]:
    """The finding for `texts` that are together too large, in code points or in bytes of UTF-8."""
    texts = tuple(texts)
    characters = sum(map(len, texts))
    if characters > limits.max_conversation_characters:
        return (_too_large(characters, "characters", limits.max_conversation_characters),)
    if 4 * characters <= limits.max_conversation_bytes:  # no code point takes more than 4 bytes
        return ()
    size = sum(len(text) if text.isascii() else len(text.encode()) for text in texts)
    return (_too_large(size, "bytes", limits.max_conversation_bytes),) if size > limits.max_conversation_bytes else ()


def _too_large(size: int, unit: str, bound: int) -> Finding:
    return Finding(CONVERSATION_TOO_LARGE.code, f"{size} {unit} in all, the campaign allows {bound}")
