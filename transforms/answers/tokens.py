"""The text of an expression as tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from transforms.answers.surface import plain
from transforms.answers.verdict import UnparsableError
from transforms.rules.text import excerpt

MOST_DIGITS = 40
_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ"
_GREEK_NAMES = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi
omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega
"""
_SYMBOLS = {**dict(zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True)), "√": "sqrt", "∞": "infinity"}
# LaTeX commands that are written as something else here; any other must be a name that the grammar knows.
_COMMANDS = {
    "left": "",
    "right": "",
    "lvert": "|",
    "rvert": "|",
    "vert": "|",
    "div": "/",
    "dfrac": "frac",
    "tfrac": "frac",
    "infty": "infinity",
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "emptyset": "∅",
    "varnothing": "∅",
    "pm": "±",
    "mp": "∓",
}
_SUBSCRIPT = r"(?:_(?P<{0}>[A-Za-z0-9]{{1,8}})|_\{{(?P<{0}_braced>[A-Za-z0-9]{{1,8}})\}})?"
_TOKEN = re.compile(
    r"(?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9]*){_SUBSCRIPT.format('sub')}"
    rf"|(?P<symbol>[{''.join(_SYMBOLS)}]){_SUBSCRIPT.format('under')}"
    rf"|\\(?P<command>[A-Za-z]+){_SUBSCRIPT.format('low')}"
    r"|(?P<sign>\*\*|\\[{}|]|[-+*/^(){}\[\],;|∅±∓])"
)
_AMBIGUOUS_E = re.compile(r"[eE][+-]?[0-9]")


class Kind(Enum):
    """What a token is."""

    NUMBER = auto()
    NAME = auto()
    SIGN = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the number, the name without its subscript, or the sign; `spaced` where a blank precedes it."""

    kind: Kind
    text: str
    spaced: bool = False
    subscript: str = ""

    @property
    def name(self) -> str:
        """The whole name, as a task declares it: "x_1"."""
        return f"{self.text}_{self.subscript}" if self.subscript else self.text


def tokens_of(text: str) -> list[Token]:
    """The tokens of `text`, END last. Raises UnparsableError at the first character that begins none."""
    text = plain(text)
    found: list[Token] = []
    position, spaced = 0, False
    while position < len(text):
        if text[position] == " ":
            position, spaced = position + 1, True
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise UnparsableError(f"{excerpt(text[position])} has no meaning in an expression")
        position = match.end()
        if token := _token(match, spaced):
            found.append(token)
            spaced = False
    return [*found, Token(Kind.END, "")]


def _token(match: re.Match[str], spaced: bool) -> Token | None:
    if digits := match["number"]:
        if len(digits.replace(".", "")) > MOST_DIGITS:
            raise UnparsableError(f"a number has more than {MOST_DIGITS} digits")
        if digits[0] == "0" and digits[1:2].isdigit():
            raise UnparsableError(f"the number {excerpt(digits)} begins with a zero")
        if _AMBIGUOUS_E.match(match.string, match.end()):
            raise UnparsableError(f"write 10^n with its factor for {excerpt(match.string[match.start() :], 12)}")
        return Token(Kind.NUMBER, digits, spaced)
    if command := match["command"]:
        written = _COMMANDS.get(command, command)
        if not written:
            return None
        kind = Kind.NAME if written.isalpha() else Kind.SIGN
        return Token(kind, written, spaced, match["low"] or match["low_braced"] or "")
    if symbol := match["symbol"]:
        return Token(Kind.NAME, _SYMBOLS[symbol], spaced, match["under"] or match["under_braced"] or "")
    if name := match["name"]:
        return Token(Kind.NAME, name, spaced, match["sub"] or match["sub_braced"] or "")
    sign = {"**": "^", "\\|": "|"}.get(match["sign"], match["sign"])
    return Token(Kind.SIGN, sign, spaced)
