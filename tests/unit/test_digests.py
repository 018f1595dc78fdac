from __future__ import annotations

import hashlib
import struct

import pytest

from transforms.digests import canonical_json, merkle_root, sha256_hex

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def _node(left: str, right: str) -> str:
    return hashlib.sha256(b"\x01" + bytes.fromhex(left) + bytes.fromhex(right)).hexdigest()


def _leaf(data: bytes) -> str:
    return hashlib.sha256(b"\x00" + data).hexdigest()


def test_sha256_hex() -> None:
    assert sha256_hex(b"") == EMPTY
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_no_leaves_give_the_digest_of_nothing() -> None:
    assert merkle_root([]) == EMPTY


def test_one_leaf_is_prefixed() -> None:
    assert merkle_root([b""]) == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert merkle_root([b"a"]) == _leaf(b"a")


def test_trees_by_hand() -> None:
    a, b, c, d, e = (_leaf(letter.encode()) for letter in "abcde")
    assert merkle_root([b"a", b"b"]) == _node(a, b)
    assert merkle_root([b"a", b"b", b"c"]) == _node(_node(a, b), c)
    assert merkle_root([b"a", b"b", b"c", b"d", b"e"]) == _node(_node(_node(a, b), _node(c, d)), e)


# The inputs and roots that implementations of Certificate Transparency test themselves with.
TRANSPARENCY_LEAVES = (
    "",
    "00",
    "10",
    "2021",
    "3031",
    "40414243",
    "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)


@pytest.mark.parametrize(
    ("size", "root"),
    [
        (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
        (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
        (4, "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
        (5, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
        (6, "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"),
        (7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
        (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
    ],
)
def test_published_roots(size: int, root: str) -> None:
    assert merkle_root(bytes.fromhex(leaf) for leaf in TRANSPARENCY_LEAVES[:size]) == root


def test_a_leaf_is_no_node() -> None:
    """Two leaves joined into one must not give the root of the two: the prefixes tell them apart."""
    joined = bytes.fromhex(_leaf(b"a") + _leaf(b"b"))
    assert merkle_root([joined]) != merkle_root([b"a", b"b"])


def test_the_order_of_leaves_counts() -> None:
    assert merkle_root([b"a", b"b"]) != merkle_root([b"b", b"a"])


# RFC 8785, section 3.2.2, and the order of keys in section 3.2.3.
def test_the_example_of_the_rfc() -> None:
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    expected = (
        '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )
    assert canonical_json(value) == expected.encode()


def test_the_string_of_the_rfc_is_the_same_on_both_ways() -> None:
    value = {"string": '\u20ac$\u000f\u000aA\'B"\\\\"/'}
    expected = '{"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'.encode()
    assert canonical_json(value, plain=True) == canonical_json(value) == expected


def test_keys_are_sorted_by_utf16_code_units() -> None:
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    expected = (
        '{"\\r":"Carriage Return","1":"One","\x80":"Control","ö":"Latin Small Letter O With Diaeresis",'
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
    )
    assert canonical_json(value) == expected.encode()


# RFC 8785, appendix B.
@pytest.mark.parametrize(
    ("bits", "text"),
    [
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("8000000000000001", "-5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("ffefffffffffffff", "-1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("c340000000000000", "-9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("44b52d02c7e14af7", "1.0000000000000001e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("41b3de4355555554", "333333333.33333325"),
        ("41b3de4355555555", "333333333.3333333"),
        ("41b3de4355555556", "333333333.3333334"),
        ("41b3de4355555557", "333333333.33333343"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
        ("43143ff3c1cb0959", "1424953923781206.2"),
    ],
)
def test_numbers_of_the_rfc(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_json([number]) == f"[{text}]".encode()


def test_an_integer_has_one_form_however_it_is_written() -> None:
    assert canonical_json({"a": 5.0}) == canonical_json({"a": 5}, plain=True) == b'{"a":5}'
    assert canonical_json({"a": -0.0}) == canonical_json({"a": 0}, plain=True) == b'{"a":0}'


@pytest.mark.parametrize("number", [(1 << 53) - 1, 1 - (1 << 53)])
def test_the_largest_integers_are_the_same_on_both_ways(number: int) -> None:
    assert canonical_json([number], plain=True) == canonical_json([number]) == f"[{number}]".encode()


def test_parts_that_are_written_otherwise_stand_among_the_others() -> None:
    value = {"b": [1e21, 5e-6, 2.5, {"\ufb33": 1.0, "\U0001f600": 1e16}], "a": -0.0}
    assert canonical_json(value) == '{"a":0,"b":[1e+21,0.000005,2.5,{"😀":10000000000000000,"\ufb33":1}]}'.encode()


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 1 << 53, -(1 << 53), "\ud83d", {"\ude00": 0.5}, {"a": object()}]
)
def test_what_has_no_form_is_refused(value: object) -> None:
    with pytest.raises(
        ValueError, match=r"not representable|safe integer|non-UTF-8|surrogates not allowed|unsupported"
    ):
        canonical_json([0.5, value])


@pytest.mark.parametrize("plain", [True, False])
def test_the_deepest_record_has_a_form(plain: bool) -> None:
    """No campaign can allow more than 200 levels."""
    value: object = 1 if plain else 0.5
    for _ in range(199):
        value = [value]
    text = "[" * 200 + ("1" if plain else "0.5") + "]" * 200
    assert canonical_json([value], plain=plain) == text.encode()
