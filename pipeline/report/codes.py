"""The catalogue of codes, for the terminal and for the reference page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from pipeline.report.text import table
from transforms.records import Code, Severity, Stage

_DOES = {
    Severity.REJECT: "the record is rejected",
    Severity.HOLD: "the record is held",
    Severity.WARN: "a warning; nothing is refused",
    Severity.SHARD: "the shard is unusable: the run fails, or the shard is quarantined",
    Severity.CAMPAIGN: "the campaign cannot be run (exit code 2)",
    Severity.INTEGRITY: "the run is not what its manifest says (exit code 3)",
}


def explain(code: Code) -> str:
    """One code in full."""
    parts = [
        ("", code.summary),
        ("example", code.example),
        ("mend", code.remedy),
        ("effect", f"{_DOES[code.severity]}, by default" if code.severity in _SOFT else _DOES[code.severity]),
        ("stage", code.stage.name.lower()),
        ("since", code.since),
    ]
    lines = [code.code]
    for label, text in parts:
        # A code broken at its hyphen could not be copied.
        lines += textwrap.wrap(
            text, 100, initial_indent=f"  {label:<9}", subsequent_indent=" " * 11, break_on_hyphens=False
        )
    return "\n".join(lines)


_SOFT = (Severity.REJECT, Severity.HOLD, Severity.WARN)


def overview(catalogue: Mapping[str, Code]) -> list[str]:
    """All codes, a line each, under their stages."""
    lines: list[str] = []
    for stage in Stage:
        rows = [(code.code, code.severity.value, code.summary) for code in catalogue.values() if code.stage is stage]
        if rows:
            lines += ["", stage.name.lower(), *(f"  {line}" for line in table(("code", "effect", "meaning"), rows))]
    return lines[1:]


def reference_page(catalogue: Mapping[str, Code]) -> str:
    """docs/codes.md, generated; a test holds the committed page to it."""
    lines = [
        "# Codes",
        "",
        "Generated from the catalogue by `make docs`; do not edit. A code is never reused for another meaning.",
    ]
    for stage in Stage:
        rows = [code for code in catalogue.values() if code.stage is stage]
        if rows:
            lines += ["", f"## {stage.name.capitalize()}"]
            lines += [line for code in rows for line in _entry(code)]
    return "\n".join(lines) + "\n"


def _entry(code: Code) -> Iterator[str]:
    yield from ("", f"### `{code.code}`", "", code.summary, "")
    yield f"- Effect: {_DOES[code.severity]}."
    yield f"- Example: {code.example}"
    yield f"- Mend: {code.remedy}"
    yield f"- Since {code.since}"


def _main() -> None:
    from pipeline.catalogue import catalogue

    print(reference_page(catalogue()), end="")


if __name__ == "__main__":
    _main()
