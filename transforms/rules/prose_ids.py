"""Document ids in prose: which of its tokens look like ids, which ids it cites, which of its sentences assert.

docs/rules-agent-trace.md states in full how an id is recognised. Every pattern takes time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

# An id as prose can show it: "doc-a", "kb/2024/17", "d1"; not a part of a path, an address or a longer id.
_TOKEN = re.compile(
    r"(?<![\w/.:#@-])(?=[A-Za-z]++(?:[0-9]|[-_:/.#][A-Za-z0-9]))"
    r"[A-Za-z][A-Za-z0-9]*+(?:[-_:/.#][A-Za-z0-9]++)*+(?!\w)"
)
_SEPARATORS = "-_:/.#"
_LONGEST = 128

_LEAD = re.compile(r"[A-Za-z]+[-_:/.#]?")
_DIGITS = re.compile(r"[0-9]+")
_NUMBERED = re.compile(r"[A-Za-z]+[0-9]+")
# In bare prose "doc-7" and "doc-a" are ids, "doc-like" is a word.
_BARE_TAIL = re.compile(r"[A-Za-z]{1,2}|[A-Za-z0-9]*[0-9][A-Za-z0-9]*")
_USUAL = re.compile(r"(?:doc|document|source|src|passage|chunk)[-_:#/][A-Za-z0-9]+", re.IGNORECASE)

# "[doc-a; doc-b]" (no index, no link), "(doc: doc-a)", "document doc-a".
_NOUN = r"(?:documents?|docs?|sources?|passages?|references?|refs?)"
_CITATIONS = (
    re.compile(r"(?<![\w)])\[([^\[\]\n]{1,200})\](?!\()"),
    re.compile(rf"\((?:see )?(?:{_NOUN}|ids?) ?[:#]? ?([^()\n]{{1,200}})\)", re.IGNORECASE),
    re.compile(rf"\b{_NOUN}(?: ids?)?:? [\"'`]?([A-Za-z0-9][^\s,;()\[\]\"'`]{{0,127}})", re.IGNORECASE),
)
_PART = re.compile(r"[,;]")
_LABEL = re.compile(rf"(?:{_NOUN}|ids?)[ :#]+", re.IGNORECASE)
_AROUND = " \t\"'`“”‘’.:!?"

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# A line break ends no sentence, so that a list stays with what introduces it; an empty line does.
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[eE]\.g\.)(?<!\b[iI]\.e\.)(?<!\bcf\.)(?<!\bvs\.)\s+|\n\s*\n")
_DENIAL = re.compile(
    r"n['’]t\b|\b(?:no|not|none|nothing|never|neither|nor|cannot|without|fail\w*|unable|unavailable|unsuccessful\w*|"
    r"missing|lack\w*|empty|errors?|zero|if|whether|unless|until|would|could|should|might|assum\w*|suppos\w*|"
    r"hypothetical\w*|pretend\w*|time[ds]?[- ]?out|offline)\b",
    re.IGNORECASE,
)


def asserted(text: str) -> str:
    """The sentences that report no failure and suppose nothing, one per line; fenced code is left out."""
    prose = _FENCED.sub(" ", text) if "```" in text else text
    sentences = filter(None, _SENTENCE_END.split(prose))
    return "\n\n".join(sentence for sentence in sentences if not _DENIAL.search(sentence))


def tokens(text: str) -> Iterator[str]:
    """The tokens that have the form of an id, in order; repetitions included."""
    for match in _TOKEN.finditer(text):
        if match.end() - match.start() <= _LONGEST:
            yield match[0]


def tokens_like(text: str, shapes: Collection[str]) -> Iterator[str]:
    """Those of the tokens that have one of the shapes, in order; much faster than looking at all of them."""
    places: set[int] = set()
    for lead in {match[0] for match in map(_LEAD.match, shapes) if match}:
        start = text.find(lead)
        while start >= 0:
            places.add(start)
            start = text.find(lead, start + 1)
    for start in sorted(places):
        match = _TOKEN.match(text, start)
        if match and match.end() - start <= _LONGEST and shape(match[0]) in shapes:
            yield match[0]


def shape(identifier: str) -> str | None:
    """What an id has in common with others of its series, or None where it has no such form.

    "doc-12" and "doc-7" give "doc-0", "doc-a" and "doc-harbour" give "doc-a", "d1" and "d23" give "d0".
    """
    if not _TOKEN.fullmatch(identifier):
        return None
    cut = max(map(identifier.rfind, _SEPARATORS)) + 1
    if cut == 0:
        return _DIGITS.sub("0", identifier) if _NUMBERED.fullmatch(identifier) else None
    tail = "0" if _DIGITS.search(identifier, cut) else "a"
    return _DIGITS.sub("0", identifier[:cut]) + tail


def is_usual(token: str) -> bool:
    """Whether a token is a document id by its first word: "doc-7", "source_b"."""
    return _USUAL.fullmatch(token) is not None


def is_bare(token: str) -> bool:
    """Whether a token can be told for an id outside a citation: its last part has a digit, or at most two letters."""
    return _BARE_TAIL.fullmatch(token, max(map(token.rfind, _SEPARATORS)) + 1) is not None


def stems(token: str) -> Iterator[str]:
    """The token itself and whatever of it ends before a separator: "doc-a.pdf", "doc-a", "doc"."""
    yield token
    for index in range(len(token) - 1, 0, -1):
        if token[index] in _SEPARATORS:
            yield token[:index]


def cited(text: str) -> frozenset[str]:
    """What stands in the place of an id in an explicit citation: "[x]", "(doc: x)", "document x"."""
    found: set[str] = set()
    for pattern in _CITATIONS:
        for group in pattern.findall(text):
            for part in _PART.split(group):
                plain = part.strip(_AROUND)
                found |= {plain, _LABEL.sub("", plain, count=1)}
    return frozenset(found)


def names(text: str, identifier: str) -> bool:
    """Whether the id stands in the text as a token of its own. A mere word or number never does."""
    if identifier.isalpha() or not any(map(str.isalpha, identifier)):
        return False
    start = text.find(identifier)
    while start >= 0:
        end = start + len(identifier)
        if not _goes_on(text[max(0, start - 2) : start][::-1]) and not _goes_on(text[end : end + 2]):
            return True
        start = text.find(identifier, start + 1)
    return False


def _goes_on(beside: str) -> bool:
    """Whether the two characters beside a token, nearest first, belong to it."""
    if beside[:1] in _SEPARATORS:
        beside = beside[1:]
    return beside[:1].isalnum()
