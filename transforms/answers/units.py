"""Units: read by a grammar of ours, measured by `pint` in exact fractions.

`pint` gets nothing but names from the closed list in `unit_names`, one at a time; products and powers are formed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from transforms.answers.surface import plain
from transforms.answers.unit_names import NAMES
from transforms.answers.verdict import UnparsableError
from transforms.rules.text import excerpt

if TYPE_CHECKING:
    import pint

_MOST_CHARACTERS = 100
_HIGHEST_POWER = 12
_FACTOR = re.compile(
    r"(?P<name>Δ?°[CFR]?|[^\W\d]{1,40}|%|‰)"
    r"(?:\^?(?P<power>[+-]?[0-9]{1,2})|\^\{(?P<braced>[+-]?[0-9]{1,2})\}|\^\((?P<bracketed>[+-]?[0-9]{1,2})\))?"
)
_UPRIGHT = re.compile(r"\\(?:text|mathrm|rm|operatorname) ?\{((?:[^{}\\]|\{[^{}\\]*\})*)\}")
_DEGREE = re.compile(r"\^ ?\\circ(?![A-Za-z]) ?|\^ ?\{ ?\\circ ?\} ?")
_MICRO = re.compile(r"\\mu(?![A-Za-z]) *")
_COMMANDS = {r"\%": "%", r"\Omega": "Ω", "**": "^", "° C": "°C", "° F": "°F"}
# A difference of temperatures: what a scale with a zero of its own is within a product, "J/°C".
_DIFFERENCE = {
    "degree_Celsius": "delta_degree_Celsius",
    "degree_Fahrenheit": "delta_degree_Fahrenheit",
}
_MOST_FACTORS = 16


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of named units: pairs of name and power other than 0, in the order of names; () for a pure number."""

    factors: tuple[tuple[str, int], ...]

    def as_difference(self) -> Unit:
        """The unit of differences on this scale: "delta_degree_Celsius" for degrees Celsius, else itself."""
        return Unit(tuple(sorted((_DIFFERENCE.get(name, name), power) for name, power in self.factors)))

    @property
    def is_difference(self) -> bool:
        """Whether this is a unit of temperature differences and nothing else."""
        return [power for name, power in self.factors if name in _DIFFERENCE.values()] == [1] and len(self.factors) == 1


@dataclass(frozen=True, slots=True)
class Measure:
    """What a unit comes to in root units: `offset` + x · `scale` of `dimension` for x units.

    `dimension` has root units and their powers. An angle is one of them, so that "rad/s" is not "Hz".
    """

    scale: Fraction
    offset: Fraction
    dimension: tuple[tuple[str, int], ...]


def parse_unit(text: str) -> Unit:
    """The unit that `text` writes; raises UnparsableError where it writes none that is known."""
    if len(text) > _MOST_CHARACTERS:
        raise UnparsableError(f"the unit has {len(text)} characters, one may have {_MOST_CHARACTERS}")
    head, *tails = _signs(text).split("/")
    powers: dict[str, int] = {}
    if head.strip(" ") not in ("1", "") or not tails:
        _multiply(powers, head, 1, text)
    for tail in tails:
        below = tail.strip(" ")
        grouped = below.startswith("(") and below.endswith(")")
        if not grouped and re.search("[ *]", below):
            raise UnparsableError(f"put what stands below the line of {excerpt(text)} into parentheses")
        _multiply(powers, below[1:-1] if grouped else below, -1, text)
    if len(powers) > _MOST_FACTORS or any(abs(power) > _HIGHEST_POWER for power in powers.values()):
        raise UnparsableError(f"the unit has more than {_MOST_FACTORS} factors or a power beyond {_HIGHEST_POWER}")
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)))


def _signs(text: str) -> str:
    text = _UPRIGHT.sub(r" \1 ", plain(normalize("NFC", text)))
    text = _MICRO.sub("µ", _DEGREE.sub("°", text))
    for written, meant in _COMMANDS.items():
        text = text.replace(written, meant)
    text = re.sub(r" *\^ *", "^", text)
    return re.sub(r" *\bper\b *", "/", text).strip(" ")


def _multiply(powers: dict[str, int], product: str, sign: int, text: str) -> None:
    for name, power in _factors(product, text):
        powers[name] = powers.get(name, 0) + sign * power


def _factors(product: str, text: str) -> Iterator[tuple[str, int]]:
    for factor in re.split(r" *\* *| +", product.strip(" ")):
        match = _FACTOR.fullmatch(factor)
        name = NAMES.get(match["name"]) if match else None
        if match is None or name is None:
            raise UnparsableError(f"no unit is known that is written {excerpt(factor or text)}")
        yield name, int(match["power"] or match["braced"] or match["bracketed"] or 1)


def measure(unit: Unit) -> Measure:
    """The unit in root units. A scale with a zero of its own counts from it alone, in products by differences."""
    if len(unit.factors) == 1 and unit.factors[0][1] == 1:
        return _named(unit.factors[0][0])
    scale, dimension = Fraction(1), dict[str, int]()
    for name, power in unit.as_difference().factors:
        named = _named(name)
        scale *= named.scale**power
        for root, times in named.dimension:
            dimension[root] = dimension.get(root, 0) + times * power
    return Measure(scale, Fraction(0), tuple(sorted((root, times) for root, times in dimension.items() if times)))


@cache
def _named(name: str) -> Measure:
    registry = _registry()
    zero, one = (registry.Quantity(Fraction(count), name).to_root_units() for count in (0, 1))
    dimension = tuple(sorted((str(root), int(str(power))) for root, power in one.unit_items()))
    return Measure(one.magnitude - zero.magnitude, zero.magnitude, dimension)


@cache
def _registry() -> pint.UnitRegistry[Fraction]:
    import pint  # takes a while to load, and many a campaign has no units

    return pint.UnitRegistry(non_int_type=Fraction)
