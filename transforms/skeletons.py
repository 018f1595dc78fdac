"""Ids that people take for one another: one form for all that look alike.

A conservative part of the skeletons of UTS #39: compatibility forms (NFKC), case, invisible characters, the letters
of Cyrillic and Greek that look like Latin ones, and the signs 0/o and 1/l/i/|.
"""

from __future__ import annotations

from unicodedata import normalize

from transforms.rules.text import INVISIBLE

# Written after case folding. Sources: the code charts of Unicode and the confusables of UTS #39.
_CYRILLIC = dict(zip("асеоріјѕһԁԛԝухкмтнвгѵ", "aceopijshdqwyxkmthbrv", strict=True))
_GREEK = dict(zip("αβεηικνορτυχγ", "abenikvoptuxy", strict=True))
_SIGNS = {"0": "o", "1": "l", "i": "l", "|": "l", "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "ı": "l"}
_FORMS = str.maketrans({**_CYRILLIC, **_GREEK, **_SIGNS})
_SECOND = str.maketrans({"i": "l"})
_DROPPED = dict.fromkeys(map(ord, INVISIBLE))


def skeleton(identifier: str) -> str:
    """The form that look-alikes of `identifier` share."""
    if identifier.isascii():
        return identifier.lower().translate(_FORMS)
    folded = normalize("NFKC", identifier.translate(_DROPPED)).casefold()
    return normalize("NFC", folded).translate(_FORMS).translate(_SECOND)
