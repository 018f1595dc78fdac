"""The grammar of expressions, in full in docs/rules-math.md: a parser of ours, which evaluates nothing.

Where a text may mean two things it is refused rather than guessed: "1/2x", "e^2x", "sin 2x", "2e-3".
"""

from __future__ import annotations

from fractions import Fraction

from transforms.answers.expression import (
    CONSTANTS,
    Call,
    Constant,
    Expression,
    Infinity,
    Item,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    inverse,
    negated,
    size,
)
from transforms.answers.names import Names, applied
from transforms.answers.tokens import Kind, Token, tokens_of
from transforms.answers.verdict import UnparsableError
from transforms.rules.text import excerpt

MOST_NODES = 400
MOST_DEPTH = 40
MOST_ITEMS = 16
_HIGHEST_ROOT = 100
_SETS = {"{": "}", "\\{": "\\}"}


def parse_item(text: str, names: Names) -> Item:
    """The expression that `text` writes, or an infinity. Raises UnparsableError where it writes none."""
    parser = _Parser(text, names)
    item = parser.item()
    parser.expect_end()
    return _bounded(item)


def parse_set(text: str, names: Names) -> tuple[Item, ...]:
    """The elements that `text` lists: "{1, 2}", "1, 2", "{}", "∅", "1 ± x".

    Raises UnparsableError where it lists none, or more than 16.
    """
    parser = _Parser(text, names)
    items = parser.items()
    parser.expect_end()
    return tuple(map(_bounded, items))


def _bounded(item: Item) -> Item:
    if not isinstance(item, Infinity) and size(item) > MOST_NODES:
        raise UnparsableError(f"it has more than {MOST_NODES} parts")
    return item


class _Parser:
    """A recursive descent. Each method reads one rule of the grammar and stands after it."""

    def __init__(self, text: str, names: Names) -> None:
        self._tokens = names.split(tokens_of(text))
        self._names = names
        self._at = 0
        self._depth = 0
        self._bars = 0
        # What "±" means just now, "" where it means nothing; whether it stood in the item.
        self._branch = ""
        self._branched = False
        # Where the last exponent and the last argument ended that had no parentheses; the argument not of a root.
        self._exponent_end = -1
        self._argument_end = -1
        self._function_argument_end = -1

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _take(self, *signs: str) -> str:
        """The sign that stands here, if it is one of `signs`; else ""."""
        token = self._token
        if token.kind is not Kind.SIGN or token.text not in signs:
            return ""
        self._at += 1
        return token.text

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise UnparsableError(f"{_shown(self._token)} stands where {excerpt(sign)} is missing")

    def expect_end(self) -> None:
        if self._token.kind is not Kind.END:
            raise UnparsableError(f"{_shown(self._token)} cannot follow there")

    def items(self) -> tuple[Item, ...]:
        if self._take("∅"):
            return ()
        closing = _SETS.get(self._take(*_SETS))
        if closing and self._take(closing):
            return ()
        items = self._branches()
        while self._take(",", ";"):
            items += self._branches()
            if len(items) > MOST_ITEMS:
                raise UnparsableError(f"it lists more than {MOST_ITEMS} elements")
        if closing:
            self._expect(closing)
        return tuple(items)

    def _branches(self) -> list[Item]:
        """An element, or the two that "±" makes of it; all such signs of an element belong together."""
        start = self._at
        self._branch, self._branched = "+", False
        items = [self.item()]
        if self._branched:
            self._at, self._branch = start, "-"
            items.append(self.item())
        return items

    def _take_sign(self) -> str:
        sign = self._take("+", "-", *(("±", "∓") if self._branch else ()))
        if sign in ("±", "∓"):
            self._branched = True
            return self._branch if sign == "±" else {"+": "-", "-": "+"}[self._branch]
        return sign

    def item(self) -> Item:
        start = self._at
        sign = self._take_sign()
        if self._names.is_infinite(self._token):
            self._at += 1
            return Infinity(sign == "-")
        self._at = start
        return self._expression()

    def _expression(self) -> Expression:
        self._descend()
        terms = [self._term()]
        while sign := self._take_sign():
            terms.append(negated(self._term()) if sign == "-" else self._term())
        self._depth -= 1
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def _term(self) -> Expression:
        factors = [self._signed()]
        divided = False
        while True:
            if self._take("*"):
                factors.append(self._signed())
            elif self._take("/"):
                self._refuse_ambiguous_quotient()
                factors.append(inverse(self._signed()))
                divided = True
            elif self._begins_factor():
                self._refuse_ambiguous(divided)
                factors.append(self._power())
            else:
                return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _begins_factor(self) -> bool:
        """Whether a factor follows without a sign; a bar begins one where no other is open."""
        token = self._token
        return token.kind in (Kind.NUMBER, Kind.NAME) or token.text == "(" or (token.text == "|" and not self._bars)

    def _refuse_ambiguous(self, divided: bool) -> None:
        """Refuse a product without a sign where another reading is as good."""
        token, last = self._token, self._tokens[self._at - 1]
        if divided:
            what = "a product without a sign after a division"
        elif token.kind is Kind.NUMBER:
            what = "a number after another factor"
        elif self._exponent_end == self._at and not token.spaced:
            what = "a factor right after an exponent"
        elif self._argument_end == self._at and not self._names.is_function(token):
            what = "a factor after an argument without parentheses"
        else:
            return
        raise UnparsableError(f"{what} may mean two things: {excerpt(f'{last.name} {token.name}', 20)}")

    def _refuse_ambiguous_quotient(self) -> None:
        if self._function_argument_end == self._at - 1 and not self._names.is_function(self._token):
            raise UnparsableError("a division after an argument without parentheses may mean two things")

    def _signed(self) -> Expression:
        sign = self._take_sign()
        if not sign:
            return self._power()
        self._descend()
        value = self._signed()
        self._depth -= 1
        return negated(value) if sign == "-" else value

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            raise UnparsableError(f"it is nested deeper than {MOST_DEPTH} levels")

    def _power(self) -> Expression:
        base = self._atom()
        if not self._take("^"):
            return base
        if self._argument_end == self._at - 1:
            raise UnparsableError("a power after an argument without parentheses may mean two things")
        if self._token.text == "{":
            power = Power(base, self._group("{", "}"))
            if self._token.text == "^":
                raise UnparsableError("a power of a power needs parentheses")
            return power
        self._descend()
        power = Power(base, self._signed())
        self._depth -= 1
        if self._tokens[self._at - 1].text not in (")", "}"):
            self._exponent_end = self._at
        return power

    def _atom(self) -> Expression:
        token = self._token
        if token.kind is Kind.NUMBER:
            self._at += 1
            return Number(Fraction(token.text))
        if token.kind is Kind.NAME:
            self._at += 1
            return self._named(token)
        if token.text == "(":
            return self._group("(", ")")
        if token.text == "|":
            return self._absolute()
        raise UnparsableError(f"a number, a name or a parenthesis is missing before {_shown(token)}")

    def _absolute(self) -> Expression:
        self._bars += 1
        inner = self._group("|", "|")
        self._bars -= 1
        return Call("abs", inner)

    def _group(self, opening: str, closing: str) -> Expression:
        self._expect(opening)
        value = self._expression()
        self._expect(closing)
        return value

    def _named(self, token: Token) -> Expression:
        if self._names.is_variable(token):
            return Variable(token.name)
        if self._names.is_function(token):
            return self._call(token)
        if token.name == "frac":
            over = self._group("{", "}")
            return Product((over, inverse(self._group("{", "}"))))
        if token.name in CONSTANTS:
            return Constant(token.name)
        raise UnparsableError(f"{_shown(token)} is no variable of the task and no function")

    def _call(self, token: Token) -> Expression:
        root = self._root() if token.text == "sqrt" else 2
        power = self._power_of_function()
        argument, base = self._arguments(token)
        value = applied(token.text, argument)
        if root != 2:
            value = Power(argument, Number(Fraction(1, root)))
        if base is not None:
            value = Product((value, inverse(Call("log", base))))
        return value if power == 1 else Power(value, Number(Fraction(power)))

    def _root(self) -> int:
        """The degree in "\\sqrt[3]{x}"."""
        if not self._take("["):
            return 2
        degree = self._natural(_HIGHEST_ROOT)
        self._expect("]")
        return degree

    def _power_of_function(self) -> int:
        """The exponent in "sin^2 x"; -1 is refused, for it may mean the inverse function."""
        if not self._take("^"):
            return 1
        braced = self._take("{")
        power = self._natural(_HIGHEST_ROOT)
        if braced:
            self._expect("}")
        return power

    def _natural(self, most: int) -> int:
        token = self._token
        if token.kind is not Kind.NUMBER or not token.text.isdigit() or not 2 <= int(token.text) <= most:
            raise UnparsableError(f"{_shown(token)} stands where a whole number from 2 to {most} is missing")
        self._at += 1
        return int(token.text)

    def _arguments(self, token: Token) -> tuple[Expression, Expression | None]:
        """The argument of a function and the base of a logarithm, None for a natural one."""
        base = self._base_of(token)
        if self._token.text == "{":
            return self._group("{", "}"), base
        if not self._take("("):
            return self._bare_argument(token.text), base
        argument = self._expression()
        if token.text == "log" and base is None and self._take(","):
            base = self._expression()
        self._expect(")")
        return argument, base

    def _base_of(self, token: Token) -> Expression | None:
        if token.subscript in ("", "e"):
            return None
        if not token.subscript.isdigit() or not 2 <= int(token.subscript) <= 1_000:
            raise UnparsableError(f"{excerpt(token.subscript)} is no base of a logarithm")
        return Number(Fraction(token.subscript))

    def _bare_argument(self, function: str) -> Expression:
        """One number, variable or constant, or an absolute value: "sin x", "√2", "ln|x|"."""
        token = self._token
        if token.text == "|":
            return self._atom()
        if token.kind not in (Kind.NUMBER, Kind.NAME) or self._names.is_function(token) or token.name == "frac":
            raise UnparsableError(f"the argument of a function is missing before {_shown(token)}")
        value = self._atom()
        self._argument_end = self._at
        if function != "sqrt":
            self._function_argument_end = self._at
        return value


def _shown(token: Token) -> str:
    return excerpt(token.name, 20) if token.kind is not Kind.END else "the end"
