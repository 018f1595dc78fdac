r"""Escaped surrogates for a YAML parser that takes none.

JSON encoders write an emoji as an escaped pair such as `\ud83d\ude00`, and YAML emitters that quote with
one do so too; libyaml refuses any such escape. So before parsing, the backslash of each gives way to a
character that the document does not hold, which changes neither structure nor positions; in the
parsed scalars it is undone, and pairs are joined as in JSON (RFC 8259, section 7).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# An odd number of backslashes: in a double-quoted scalar, where alone it matters, the last one escapes the u. What
# stands before the first is looked at behind it: a pattern that begins with a literal is searched for much faster.
_ESCAPE = re.compile(r"\\(?<!\\\\)(?:\\\\)*+(?=(?:u|U0000)[dD][89a-fA-F][0-9a-fA-F]{2})")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PRIVATE_USE = range(0xE000, 0xF900)
_PRIVATE_USE_CHARACTER = re.compile("[\ue000-\uf8ff]")
_PRIVATE_USE_DIGITS = re.compile("([eEfF])(?=([0-9a-fA-F]{3}))")


class NoStandIn(Exception):
    """The document holds every character that could stand in."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text that libyaml reads, and the character that stands in for the backslash, or None."""

    text: str
    stand_in: str | None = None


def mask(text: str) -> Masked:
    """Mask the surrogate escapes of a document; NoStandIn if it holds all 6,400 private-use characters."""
    if _ESCAPE.search(text) is None:
        return Masked(text)
    # A character that is there as it stands or that any escape may spell would be taken for the mask.
    taken = {*map(ord, _PRIVATE_USE_CHARACTER.findall(text))}
    taken.update(int(first + others, 16) for first, others in _PRIVATE_USE_DIGITS.findall(text))
    stand_in = next((chr(point) for point in _PRIVATE_USE if point not in taken), None)
    if stand_in is None:
        raise NoStandIn
    return Masked(_ESCAPE.sub(lambda found: found[0][:-1] + stand_in, text), stand_in)


def unmask(scalar: str, stand_in: str, *, escapes: bool) -> str:
    """Undo the mask in a parsed scalar; `escapes` says that it was double-quoted. A lone surrogate stays one."""
    if stand_in not in scalar:
        return scalar
    if not escapes:
        return scalar.replace(stand_in, "\\")
    escape = re.compile(f"{stand_in}(?:u|U0000)(....)")
    halves = escape.sub(lambda match: chr(int(match[1], 16)), scalar)
    return halves.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def has_lone_surrogate(text: str) -> bool:
    """Whether a parsed text holds a surrogate: those in pairs were joined."""
    return _SURROGATE.search(text) is not None
