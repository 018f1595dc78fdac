"""Text that is safe to show: names of files may hold line breaks and what moves a terminal's cursor."""

from __future__ import annotations

from transforms.records import Finding


def printable(text: str) -> str:
    """The text on one line, with escapes for every character that cannot be printed."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def finding_line(finding: Finding) -> str:
    """A finding in one line: its code, where it is, what is wrong."""
    place = f"{finding.pointer}: " if finding.pointer else ""
    return f"{finding.code}: {place}{finding.message}"
