"""The form in which people are compared: the same for all spellings, and its own form."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transforms.people import person
from transforms.rules.text import INVISIBLE

TRICKY = "ssßſİıẞǰ\u0345\u0301\u00a8ﬁＡª①Ⅷ\u1e9b\u0323\u0307가ᄀ\u1161ΣςσK\u0390\u1fb3 \u200d\u00ad\u0308"
NAMES = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(TRICKY), max_size=12)


@given(NAMES, st.sampled_from(sorted(INVISIBLE)))
def test_all_spellings_have_one_form(name: str, invisible: str) -> None:
    form = person(name)
    assert person(form) == form
    assert {person(normalize(kind, name)) for kind in ("NFC", "NFD", "NFKC", "NFKD")} == {form}
    assert person(name.casefold()) == person(invisible.join(name)) == person(f" {name}\t") == form


@given(st.text(st.characters(max_codepoint=127), max_size=12))
def test_plain_names_take_no_other_way(name: str) -> None:
    assert person(name) == person(f"{name}é").removesuffix("é")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Ann Lee", "annlee"),
        ("ANN\u00a0LEE", "annlee"),
        ("Zoe\u0308", "zoë"),
        ("\uff21nn", "ann"),
        ("Strauß", "strauss"),
        ("ﬁn", "fin"),
        ("раul", "раul"),  # the first two letters are Cyrillic: another person
        ("a1", "a1"),
        ("al", "al"),
    ],
)
def test_forms(name: str, form: str) -> None:
    assert person(name) == form
