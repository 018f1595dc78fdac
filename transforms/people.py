"""One person, however the name is written: the form in which reviewers, adjudicators and contributors are compared.

Compatibility caseless matching (The Unicode Standard, D146), without white space and invisible characters. Letters
that only look alike stay different: whether "Al" is "AI" is for a reader to say.
"""

from __future__ import annotations

from unicodedata import normalize

from transforms.rules.text import normalised


def person(name: str) -> str:
    """The form that all spellings of `name` share which differ in case, form of composition, spacing or width.

    The form of a form is itself.
    """
    if name.isascii():
        return normalised(name).lower()
    visible = _folded(normalised(name))
    return normalised(_folded(normalised(visible)))


def _folded(text: str) -> str:
    """NFKC after folding twice: folding may undo a composition, and compatibility forms may hold capitals."""
    return normalize("NFKC", normalize("NFKC", normalize("NFD", text).casefold()).casefold())
