"""How units may be spelt: a closed list, so that no text of a record reaches the parser of the units library.

Each line: the library's name, then other spellings. Names of four letters or more also have a plural in "s".
"""

from __future__ import annotations

# These take the prefixes of the SI: "km", "kilometer".
_WITH_PREFIX = """
meter m metre
gram g gramme
second s sec
ampere A amp
kelvin K
mole mol
candela cd
radian rad
steradian sr
hertz Hz
newton N
pascal Pa
joule J
watt W
coulomb C
volt V
farad F
ohm Ω
siemens S
weber Wb
tesla T
henry H henries
lumen lm
lux lx
becquerel Bq
gray Gy
sievert Sv
katal kat
liter L l litre
bar bar
electron_volt eV electronvolt
watt_hour Wh
ampere_hour Ah
calorie cal
dalton Da
molar M
parsec pc
bit bit
byte B
"""
_WITHOUT_PREFIX = """
minute min mins
hour h hr hrs
day d
week wk
year yr
degree ° deg
arcminute arcmin
arcsecond arcsec
turn rev revolution
revolutions_per_minute rpm
degree_Celsius °C degC celsius Celsius
degree_Fahrenheit °F degF fahrenheit Fahrenheit
degree_Rankine °R degR
delta_degree_Celsius Δ°C delta_degC
delta_degree_Fahrenheit Δ°F delta_degF
percent %
ppm ppm
permille ‰
tonne t
unified_atomic_mass_unit u amu
hectare ha
atmosphere atm
millimeter_Hg mmHg
torr torr Torr
pound_force_per_square_inch psi
pound_force lbf
inch in inches
foot ft feet
yard yd
mile mi
nautical_mile nmi
mile_per_hour mph
knot kn kt
pound lb lbs
ounce oz
gallon gal
horsepower hp
british_thermal_unit BTU Btu
angstrom Å
astronomical_unit au AU
light_year ly
erg erg
dyne dyn
"""
_PREFIXES = """
yotta Y
zetta Z
exa E
peta P
tera T
giga G
mega M
kilo k
hecto h
deca da
deci d
centi c
milli m
micro µ μ u
nano n
pico p
femto f
atto a
zepto z
yocto y
"""
# Spelt like these by the rules above, yet read otherwise by everyone.
_NO_UNITS = ("dB", "hbar")
_PLURAL_LENGTH = 4


def _rows(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


def _spellings(row: list[str]) -> set[str]:
    plurals = {f"{word}s" for word in row if len(word) >= _PLURAL_LENGTH and word.isalpha() and word[-1] != "s"}
    return {*row, *plurals}


def _table() -> dict[str, str]:
    """Every spelling and the library's name for it; a unit without a prefix goes before one with ("min", "ft")."""
    table: dict[str, str] = {}
    for row in (*_rows(_WITHOUT_PREFIX), *_rows(_WITH_PREFIX)):
        table |= dict.fromkeys(_spellings(row), row[0])
    for name, *symbols in _rows(_WITH_PREFIX):
        words = {spelling for spelling in _spellings([name, *symbols]) if len(spelling) >= _PLURAL_LENGTH}
        for prefix, *letters in _rows(_PREFIXES):
            spelt = [prefix + word for word in words] + [
                letter + symbol for letter in letters for symbol in symbols if symbol not in words
            ]
            for spelling in spelt:
                table.setdefault(spelling, prefix + name)
    return {spelling: name for spelling, name in table.items() if spelling not in _NO_UNITS}


NAMES = _table()
