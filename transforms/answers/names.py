"""What the names in an expression stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from transforms.answers.expression import (
    CONSTANTS,
    FUNCTIONS,
    HALF,
    Call,
    Expression,
    Power,
    inverse,
)
from transforms.answers.tokens import Kind, Token

_ALIASES = {"ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan"}
_INVERSES = {"sec": "cos", "csc": "sin", "cot": "tan"}
INFINITE = ("infinity", "inf", "oo")
FUNCTION_NAMES = frozenset({*FUNCTIONS, *_ALIASES, *_INVERSES, "sqrt"})
RESERVED = frozenset({*FUNCTION_NAMES, *INFINITE, "pi", "frac"})


def applied(function: str, argument: Expression) -> Expression:
    """The function that an answer names, one of `FUNCTION_NAMES`, of `argument`."""
    if function == "sqrt":
        return Power(argument, HALF)
    if function in _INVERSES:
        return inverse(Call(_INVERSES[function], argument))
    return Call(_ALIASES.get(function, function), argument)


@dataclass(frozen=True, slots=True)
class Names:
    """The variables of a task. They go before constants, so a task may call one "e" or "i"."""

    variables: frozenset[str]

    def is_variable(self, token: Token) -> bool:
        """Whether `token` is a variable, with its subscript."""
        return token.kind is Kind.NAME and token.name in self.variables

    def is_function(self, token: Token) -> bool:
        """Whether `token` names a function; "log_2" does."""
        if token.kind is not Kind.NAME or self.is_variable(token):
            return False
        return token.text in FUNCTION_NAMES and (not token.subscript or token.text == "log")

    def is_infinite(self, token: Token) -> bool:
        """Whether `token` is the sign or a name of infinity."""
        return token.kind is Kind.NAME and not self.is_variable(token) and token.name in INFINITE

    def split(self, tokens: list[Token]) -> list[Token]:
        """`tokens` with "xy" apart as "x" and "y" where every letter stands for itself and the word for nothing."""
        apart: list[Token] = []
        for token in tokens:
            if token.kind is not Kind.NAME or token.subscript or self._is_known(token):
                apart.append(token)
            elif all(letter in self.variables or letter in CONSTANTS for letter in token.text):
                apart += [
                    replace(token, text=letter, spaced=token.spaced and not place)
                    for place, letter in enumerate(token.text)
                ]
            else:
                apart.append(token)
        return apart

    def _is_known(self, token: Token) -> bool:
        return self.is_variable(token) or token.text in RESERVED or token.text in CONSTANTS
