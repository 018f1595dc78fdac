"""What may stand around an answer without being part of it, and signs that stand for others."""

from __future__ import annotations

import re

from transforms.answers.verdict import UnparsableError

MOST_CHARACTERS = 1_000
_MOST_WRAPPINGS = 4
_WRAPPINGS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("\\boxed{", "}"))
_NAME = r"(?:[A-Za-zΑ-Ωα-ω]|\\[A-Za-z]{1,10})[A-Za-z0-9]{0,15}(?:_[A-Za-z0-9]{1,8}|_\{[A-Za-z0-9]{1,8}\})?"
_LABEL = re.compile(rf"(?P<name>{_NAME})(?P<arguments> ?\( ?{_NAME}(?: ?, ?{_NAME}){{0,3}} ?\))? ?(?:=|≈|\\approx\b) ?")
_IN = re.compile(rf"{_NAME} ?(?:∈|\\in(?![A-Za-z])) ?")
_OR = re.compile(r" ?(?:\bor\b|\\text ?\{ ?or ?\}) ?")
_ELEMENT_LABEL = re.compile(rf"(?:(?<=[{{,;])|^) ?(?P<name>{_NAME}) ?= ?")

_SPACES = re.compile("(?:[ \t\r\n\u00a0\u2009\u200a\u202f]|\\\\[,;:! ]|\\\\q?quad\\b)+")
_RAISED = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_TO_PLAIN = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
_TIMES = re.compile(r"\\(?:times|cdot|ast)(?![A-Za-z])")
_SIGNS = str.maketrans({"−": "-", "·": "*", "⋅": "*", "×": "*", "∗": "*", "÷": "/"})


def bare(text: str) -> str:
    """`text` without what may surround an answer: blanks, a full stop, `$…$`, `\\(…\\)`, `\\boxed{…}`.

    Raises UnparsableError for a text longer than any answer.
    """
    if len(text) > MOST_CHARACTERS:
        raise UnparsableError(f"it has {len(text)} characters, an answer at most {MOST_CHARACTERS}")
    text = _without_stop(text.strip())
    for _ in range(_MOST_WRAPPINGS):
        inner = _unwrapped(text)
        if inner is None:
            break
        text = _without_stop(inner.strip())
    return text


def _without_stop(text: str) -> str:
    return text.removesuffix(".").rstrip()


def _unwrapped(text: str) -> str | None:
    for opening, closing in _WRAPPINGS:
        if len(text) < len(opening) + len(closing) or not text.startswith(opening) or not text.endswith(closing):
            continue
        inner = text[len(opening) : -len(closing)]
        # In "$x$ and $y$" and in "\boxed{2}^{3}" the two ends are not a pair.
        if opening not in inner and _balanced(inner):
            return inner
    return None


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    return depth == 0


def plain(text: str) -> str:
    """`text` with one sign for each meaning.

    White space of any kind and LaTeX's spacing become one blank; multiplication signs `*`, the minus sign `-`, the
    division sign `/`; raised digits `^` and digits, which braces keep apart from what follows.
    """
    text = _TIMES.sub("*", text.translate(_SIGNS))
    text = _RAISED.sub(lambda match: "^{" + match[0].translate(_TO_PLAIN) + "}", text)
    return _SPACES.sub(" ", text).strip(" ")


def without_label(text: str, variables: frozenset[str] = frozenset()) -> str:
    """`text` without a leading "y =", "f(x) =" or "t ≈"; one that names a variable of the task stays."""
    match = _LABEL.match(text)
    if match is None or (match["name"] in variables and match["arguments"] is None):
        return text
    return text[match.end() :]


def without_element_labels(text: str) -> str:
    """A list without "x ∈" before it or "x =" before its elements, all of one name; "or" becomes a comma.

    Raises UnparsableError where the names differ: "x = 1, y = 2" is one solution, not two elements.
    """
    text = _OR.sub(", ", _IN.sub("", text, count=1) if _IN.match(text) else text)
    names = {match["name"] for match in _ELEMENT_LABEL.finditer(text)}
    if len(names) > 1:
        raise UnparsableError(f"its elements are labelled with {len(names)} different names")
    return _ELEMENT_LABEL.sub("", text)
