"""Whether a module that a program names is approved: of the pinned version's standard library, or by the campaign."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transforms.acceptance.code.doors import approved_door, opaque_door
from transforms.acceptance.code.standard_library import standard_library
from transforms.acceptance.values import CodeTerms
from transforms.rules.text import excerpt

_OWN = "__main__"


@dataclass(frozen=True, order=True, slots=True)
class Unapproved:
    """An import that is not approved: the line it stands on, and what it is, in words.

    Not `readable` is a door through which an import can come, but which one cannot be read.
    """

    line: int
    what: str
    readable: bool = True

    def __str__(self) -> str:
        return f"{self.what} (line {self.line} of the code)"


def is_approved(module: str, terms: CodeTerms) -> bool:
    """Whether a module, by its dotted name, is approved itself or as part of a package that is."""
    top = module.partition(".")[0]
    return approved_door(module, terms.approved) or top == _OWN or top in standard_library(terms.version)


def imported(module: str, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    """What is amiss where a module, or something that lies in one, is imported by its dotted name."""
    if not is_approved(module, terms):
        yield Unapproved(line, f"imports {excerpt(module)}")
    else:
        yield from opaque(module, terms, line)


def imported_from(module: str, name: str, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    """The same of `from module import name`."""
    # What is imported may be a module of the package, and approved by its own name.
    if is_approved(module, terms) or is_approved(f"{module}.{name}", terms):
        yield from imported(f"{module}.{name}", terms, line)
    else:
        yield Unapproved(line, f"imports {excerpt(module)}")


def opaque(name: str, terms: CodeTerms, line: int) -> Iterator[Unapproved]:
    """What is amiss where something is used by its dotted name that is a door which cannot be read."""
    door = opaque_door(name)
    if door is not None and not approved_door(name, terms.approved):
        yield Unapproved(line, f"uses {door}, which may import or run what cannot be read", readable=False)
