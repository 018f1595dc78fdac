"""The pieces of code of a text as one module."""

from __future__ import annotations

import pytest

from pipeline.evaluate.program import Program, joined, programs
from transforms.acceptance.code.extract import Snippet
from transforms.digests import sha256_hex

FUTURE = "from __future__ import annotations"


def snippet(pointer: str, text: str) -> Snippet:
    return Snippet(pointer, text, sha256_hex(text.encode()))


def test_one_piece_stands_as_it_is() -> None:
    for text in ("x = 1", "x = 1\r\n", f"x = 1\n{FUTURE}\n", "def"):
        assert joined([text]) == text


def test_several_pieces_have_lines_of_their_own() -> None:
    assert joined(["x = 1", "y = 2\n", "z = 3"]) == "x = 1\ny = 2\nz = 3\n"


@pytest.mark.parametrize(
    ("pieces", "module"),
    [
        ((f"{FUTURE}\nx = 1\n", "y = 2\n"), f"{FUTURE}\nx = 1\ny = 2\n"),
        ((f"{FUTURE}\nx = 1\n", f"{FUTURE}\ny = 2\n"), f"{FUTURE}\n{FUTURE}\nx = 1\npass\ny = 2\n"),
        (("x = 1\n", f"{FUTURE}\ny = 2\n", f"{FUTURE}\nz = 3\n"), f"{FUTURE}\nx = 1\npass\ny = 2\npass\nz = 3\n"),
        (('"""Ä."""  # é\nx = 1\n', f"{FUTURE}\n"), f'"""Ä."""; {FUTURE}  # é\nx = 1\npass\n'),
        (('"""A\nb."""; x = 1\n', f"{FUTURE}\n"), f'"""A\nb."""; {FUTURE}; x = 1\npass\n'),
        (("x = 1\n", f'"""Ü."""; {FUTURE}; y = 2\n'), f'{FUTURE}\nx = 1\n"""Ü."""; pass; y = 2\n'),
        (
            ("x = 1\n", "from __future__ import (\n    annotations as a,\n    division\n)  # two\ny = 2\n"),
            "from __future__ import annotations as a, division\nx = 1\npass  # two\ny = 2\n",
        ),
        (
            ("x = 1\n", f"{FUTURE}\nfrom __future__ import division\n"),
            f"{FUTURE}; from __future__ import division\nx = 1\npass\npass\n",
        ),
    ],
)
def test_imports_from_the_future_come_first(pieces: tuple[str, ...], module: str) -> None:
    assert joined(pieces) == module
    compile(module, "solution", "exec", dont_inherit=True)


def test_the_module_keeps_its_docstring() -> None:
    space: dict[str, object] = {}
    exec(compile(joined(['"""Doubles."""\n', f"{FUTURE}\ny: no_such = 2\n"]), "s", "exec", dont_inherit=True), space)
    assert (space["__doc__"], space["__annotations__"]) == ("Doubles.", {"y": "no_such"})


def test_what_is_no_program_stays_as_it_is() -> None:
    assert joined(["x = 1\n", f"{FUTURE}\ndef\n"]) == f"x = 1\n{FUTURE}\ndef\n"
    assert joined(["x = 1\n", f"y = 2\n{FUTURE}\n"]) == f"x = 1\ny = 2\n{FUTURE}\n"


def test_a_program_for_each_text() -> None:
    one, two, three = snippet("/a", "x = 1\n"), snippet("/a", f"{FUTURE}\n"), snippet("/b", "z = 3\n")
    digests = f"{one.sha256}\n{two.sha256}\n"
    module = Program(f"{FUTURE}\nx = 1\npass\n", sha256_hex(digests.encode()))
    assert programs([one, two, three]) == (module, Program("z = 3\n", three.sha256))
    assert programs([one, snippet("/b", one.text)]) == (Program(one.text, one.sha256),)
