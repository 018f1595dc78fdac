from __future__ import annotations

import pytest
from yaml_texts import finding, value

from transforms.parsing.yaml_surrogates import Masked, NoStandIn, mask, unmask
from transforms.records import Finding


@pytest.mark.parametrize(
    ("text", "read_back"),
    [
        ('a: "\\ud83d\\ude00"', "😀"),
        ('a: "x\\uD83D\\uDE00y\\ud83d\\ude01"', "x😀y😁"),
        ('a: "\\U0000d83d\\ude00"', "😀"),
        ('a: "\\ud83d\\\n  \\ude00"', "😀"),
        ('a: "\\\\ud83d"', "\\ud83d"),
        ('a: "\\\\\\ud83d\\ude00"', "\\😀"),
        ('a: "\\\\\\\\ud83d\\ude00"'.replace("\\ude00", ""), "\\\\ud83d"),
        ("a: \\ud83d", "\\ud83d"),
        ("a: '\\ud83d\\ude00'", "\\ud83d\\ude00"),
        ("a: |-\n  \\ud83d \\uDAfF", "\\ud83d \\uDAfF"),
        ("a: >-\n  x\n  \\\\\\uD83d", "x \\\\\\uD83d"),
        ('a: "\ue000\\ud83d\\ude00\\ue001 \\uE002 \\U0000e003"', "\ue000😀\ue001 \ue002 \ue003"),
        ('a: "\\ue000ud83d\\ue001ude00" # \\ud83d', "\ue000ud83d\ue001ude00"),
        ('a: "\\ud83d\\ude00" # \\ud83d', "😀"),
    ],
)
def test_surrogate_escapes(text: str, read_back: str) -> None:
    assert value(text) == {"a": read_back}
    assert value(text.replace("a:", "? a\n:")) == {"a": read_back}


def test_surrogate_escapes_beside_private_use_characters() -> None:
    private = "".join(map(chr, range(0xE000, 0xF900)))
    assert value(f'a: "\\ud83d\\ude00{private[:-1]}"') == {"a": f"😀{private[:-1]}"}
    assert value(f'a: "{private}"') == {"a": private}
    assert finding(f'a: "\\ud83d\\ude00{private}"') == Finding(
        "yaml-character", "escaped surrogates beside every private-use character there is"
    )


def test_a_masked_backslash_is_shown_as_it_stands() -> None:
    message = (
        "found character that cannot start any token while scanning for the next token at line 1, column 4: found '`'"
    )
    assert finding('a: `\nb: "\\ud83d"').message == message
    found = finding("a: !\\ud83d b")
    assert found.code == "invalid-yaml"
    assert found.message.endswith("at line 1, column 5: found '\\\\'")


def test_the_mask_keeps_length_and_what_is_no_surrogate() -> None:
    for text in ("", "a", "\\", '"\\u00e9 \\n \\ue000"', '"\\\\ud83d"', '"\\ud83"', '"\\ud7ff"', '"\\U0001d83d"'):
        assert mask(text) == Masked(text)
    assert mask('"\\ud83d\\uDE00"') == Masked('"\ue000ud83d\ue000uDE00"', "\ue000")
    # An escape may spell a character in either case, and of four digits any window may count.
    assert mask('"\ue000\\uE001\\U0000e002e0034\\ud83d"').stand_in == "\ue004"


def test_a_mask_that_cannot_be_made() -> None:
    with pytest.raises(NoStandIn):
        mask("\\ud83d" + "".join(map(chr, range(0xE000, 0xF900))))


def test_unmask() -> None:
    assert unmask("plain", "\ue000", escapes=True) == "plain"
    assert unmask("\ue000ud83d", "\ue000", escapes=False) == "\\ud83d"
    assert unmask("\ue000ud83d\ue000U0000de00é", "\ue000", escapes=True) == "😀é"
    assert unmask("\ue000ude00\ue000ud83d", "\ue000", escapes=True) == "\ude00\ud83d"
