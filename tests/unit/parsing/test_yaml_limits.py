"""Size and depth, and texts made to cost more than their size."""

from __future__ import annotations

import pytest
from yaml_texts import MAX_BYTES, finding, value

from transforms.parsing.json_strict import Parsed
from transforms.parsing.yaml_strict import read_yaml
from transforms.records import Finding


def test_the_size_is_bounded_before_anything_is_read() -> None:
    data = b"\xff" * 11
    assert read_yaml(data, 64, 10) == Finding("record-too-large", "11 bytes, the campaign allows 10")
    assert isinstance(read_yaml(b"a: 1234567", 64, 10), Parsed)


@pytest.mark.parametrize("max_depth", [0, -1, 201])
def test_max_depth_has_a_range(max_depth: int) -> None:
    with pytest.raises(ValueError, match=f"max_depth must be from 1 to 200, not {max_depth}"):
        read_yaml(b"a: 1", max_depth, MAX_BYTES)


@pytest.mark.parametrize("max_depth", [1, 2, 3, 64, 200])
def test_depth(max_depth: int) -> None:
    room = max_depth - 1
    flow = "a: " + "[" * room + "]" * room if room else "a: 1"
    block = "".join("  " * level + "a:\n" for level in range(max_depth))[:-1] + " 1\n"
    for text in (flow, block):
        assert isinstance(read_yaml(text.encode(), max_depth, MAX_BYTES), Parsed)
    too_deep_flow = "a: " + "[" * max_depth + "]" * max_depth
    too_deep_block = "".join("  " * level + "a:\n" for level in range(max_depth + 1))[:-1] + " 1\n"
    column = len("a: ") + max_depth
    assert finding(too_deep_flow, max_depth) == Finding(
        "nesting-too-deep", f"nested deeper than {max_depth} at line 1, column {column}"
    )
    assert finding(too_deep_block, max_depth) == Finding(
        "nesting-too-deep", f"nested deeper than {max_depth} at line {max_depth + 1}, column {2 * max_depth + 1}"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "nested deeper than 64 before line 1, column 1001"),
        ("a: " + "{b: " * 100_000, "nested deeper than 64 at line 1, column 256"),
        ("[\n" * 100_000, "nested deeper than 64 at line 65, column 1"),
        ("- " * 100_000, "nested deeper than 64 at line 1, column 129"),
        ("? " * 100_000, "nested deeper than 64 at line 1, column 129"),
        ("".join(" " * level + "a:\n" for level in range(1_500)), "nested deeper than 64 at line 65, column 65"),
        ("a: [" + "[]," * 3 + "[" * 300 + "]" * 300, "nested deeper than 64 at line 1, column 76"),
    ],
)
def test_deep_nesting_stops_early(text: str, message: str) -> None:
    assert finding(text) == Finding("nesting-too-deep", message)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("".join(f"%TAG !{number}! x\n" for number in range(100_000)) + "--- a", "yaml-directive"),
        ("a: 1\n...\n...\n" + "".join(f"%TAG !{number}! x\n" for number in range(100_000)), "multiple-documents"),
        ("a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{f'*a{n - 1},' * 9}]\n" for n in range(1, 500)), "yaml-alias"),
        ("a: " + "9" * 1_000_000, "number-out-of-range"),
        ("a: " + "9" * 1_000_000 + ".5", "non-finite-number"),
        ("".join(f"- &a{number}\n" for number in range(50_000)), "yaml-alias"),
        ('a: "' + "\\" * 1_000_001 + '"', "invalid-yaml"),
        ("a: 1\n" + "---\n" * 100_000, "multiple-documents"),
        ("{" + "? " * 100_000, "invalid-yaml"),
    ],
)
def test_hostile_texts(text: str, code: str) -> None:
    assert finding(text).code == code


def test_large_honest_texts() -> None:
    assert value("a: [" + "1," * 50_000 + "]") == {"a": [1] * 50_000}
    assert value("a: " + "x " * 500_000) == {"a": ("x " * 500_000).rstrip()}
    assert value("# c\n" * 200_000 + "a: 1" + "\n..." * 100_000) == {"a": 1}
    assert value('a: "' + "\\ud83d\\ude00" * 50_000 + '"') == {"a": "😀" * 50_000}
