from __future__ import annotations

from fractions import Fraction

import pytest

from transforms.answers.unit_names import NAMES
from transforms.answers.units import Measure, Unit, measure, parse_unit
from transforms.answers.verdict import UnparsableError

ACCELERATION = Unit((("meter", 1), ("second", -2)))


@pytest.mark.parametrize(
    "text",
    [
        "m/s^2",
        "m/s²",
        "m / s ^2",
        "m s^-2",
        "m s⁻²",
        "m·s^{-2}",
        "m*s**-2",
        "m s-2",
        "m/s2",
        "m/s/s",
        "m/(s s)",
        "m/(s·s)",
        "m per s^2",
        "meters per second^2",
        "metre/second^(2)",
        "\\text{m}/\\text{s}^2",
        "\\mathrm{m\\,s^{-2}}",
        "\\mathrm{m}\\cdot\\mathrm{s}^{-2}",
        "m^2/(m s^2)",
    ],
)
def test_one_unit_in_many_spellings(text: str) -> None:
    assert parse_unit(text) == ACCELERATION


@pytest.mark.parametrize(
    ("text", "factors"),
    [
        ("/s", (("second", -1),)),
        ("1/s", (("second", -1),)),
        ("s/s", ()),
        ("m^0", ()),
        ("µm", (("micrometer", 1),)),
        ("μm", (("micrometer", 1),)),
        ("um", (("micrometer", 1),)),
        ("Ω", (("ohm", 1),)),
        ("\u2126", (("ohm", 1),)),
        ("k\\Omega", (("kiloohm", 1),)),
        ("\\mu m", (("micrometer", 1),)),
        ("\\mu\\mathrm{m}", (("micrometer", 1),)),
        ("Å", (("angstrom", 1),)),
        ("\u212b", (("angstrom", 1),)),
        ("°C", (("degree_Celsius", 1),)),
        ("° C", (("degree_Celsius", 1),)),
        ("^\\circ C", (("degree_Celsius", 1),)),
        ("^{\\circ}\\text{C}", (("degree_Celsius", 1),)),
        ("^\\circ", (("degree", 1),)),
        ("%", (("percent", 1),)),
        ("\\%", (("percent", 1),)),
        ("kWh", (("kilowatt_hour", 1),)),
        ("min", (("minute", 1),)),
        ("cd", (("candela", 1),)),
        ("ft", (("foot", 1),)),
        ("ha", (("hectare", 1),)),
        ("mol", (("mole", 1),)),
        ("kg m^2/s^2", (("kilogram", 1), ("meter", 2), ("second", -2))),
    ],
)
def test_what_a_text_means(text: str, factors: tuple[tuple[str, int], ...]) -> None:
    assert parse_unit(text) == Unit(factors)


@pytest.mark.parametrize(
    "text",
    [
        "apples",
        "Meter",
        "µ",
        "KG",
        "dB",
        "hbar",
        "c",
        "e",
        "pi",
        "m/s kg",
        "m/s*kg",
        "J/kg K",
        "m//s",
        "m/",
        "m/(s",
        "m/s)",
        "(m/s)^2",
        "m^(1/2)",
        "m^0.5",
        "m^99",
        "m^-13",
        "m^12 m",
        "2 m",
        "m 2",
        "m^2^2",
        "m**",
        "м",
        "__import__('os')",
        "m.__class__",
        "m; s",
        "[length]",
        "delta_meter",
        "m" * 101,
        "m s " * 25 + "m",
    ],
)
def test_no_unit(text: str) -> None:
    with pytest.raises(UnparsableError) as caught:
        parse_unit(text)
    assert len(str(caught.value)) < 200


def test_too_many_factors() -> None:
    names = sorted({name for name in NAMES.values() if len(name) <= 5})[:17]
    with pytest.raises(UnparsableError, match="more than 16 factors"):
        parse_unit("*".join(names))


@pytest.mark.parametrize(
    ("text", "scale", "dimension"),
    [
        ("km/h", Fraction(5, 18), (("meter", 1), ("second", -1))),
        ("N", Fraction(1000), (("gram", 1), ("meter", 1), ("second", -2))),
        ("J/(kg K)", Fraction(1), (("kelvin", -1), ("meter", 2), ("second", -2))),
        ("J/(kg °C)", Fraction(1), (("kelvin", -1), ("meter", 2), ("second", -2))),
        ("J/°F", Fraction(1800), (("gram", 1), ("kelvin", -1), ("meter", 2), ("second", -2))),
        ("eV", Fraction(801088317, 5 * 10**24), (("gram", 1), ("meter", 2), ("second", -2))),
        ("%", Fraction(1, 100), ()),
        ("rad", Fraction(1), (("radian", 1),)),
        ("Hz", Fraction(1), (("second", -1),)),
        ("L", Fraction(1, 1000), (("meter", 3),)),
        ("in", Fraction(127, 5000), (("meter", 1),)),
        ("ym^12", Fraction(1, 10**288), (("meter", 12),)),
    ],
)
def test_measures_are_exact(text: str, scale: Fraction, dimension: tuple[tuple[str, int], ...]) -> None:
    assert measure(parse_unit(text)) == Measure(scale, Fraction(0), dimension)


def test_scales_with_a_zero_of_their_own() -> None:
    kelvin = (("kelvin", 1),)
    assert measure(parse_unit("°C")) == Measure(Fraction(1), Fraction(27315, 100), kelvin)
    assert measure(parse_unit("°F")) == Measure(Fraction(5, 9), Fraction(45967, 180), kelvin)
    assert measure(parse_unit("Δ°C")) == Measure(Fraction(1), Fraction(0), kelvin)
    assert parse_unit("°C").as_difference() == parse_unit("delta_degC")
    assert parse_unit("delta_degC").is_difference
    assert not parse_unit("°C").is_difference
    assert not parse_unit("J/delta_degC").is_difference


def test_every_name_in_the_list_is_known_and_exact() -> None:
    for name in set(NAMES.values()):
        assert isinstance(measure(Unit(((name, 1),))).scale, Fraction)
        assert measure(Unit(((name, 1),))).scale > 0


def test_spellings_are_not_read_in_two_ways() -> None:
    assert {NAMES[text] for text in ("m", "meter", "meters", "metre", "metres")} == {"meter"}
    assert {NAMES[text] for text in ("kg", "kilogram", "kilograms", "kilogrammes")} == {"kilogram"}
    assert (NAMES["mm"], NAMES["Mm"], NAMES["nm"], NAMES["nmi"]) == (
        "millimeter",
        "megameter",
        "nanometer",
        "nautical_mile",
    )
    assert (NAMES["t"], NAMES["T"], NAMES["h"], NAMES["H"]) == ("tonne", "tesla", "hour", "henry")
