"""The counts of an export: what became of a stream's accepted records, and what they say of licence and consent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pipeline.export.values import ExportRow, Reason
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json

# No kind of ours has them; the schema of a campaign may.
_RIGHTS = ("consent", "licence", "license")
_LONGEST_TEXT = 200
_MOST_TEXTS = 1000
_OTHERS = "(others)"


@dataclass(slots=True)
class Books:
    """Of one stream: accepted records read, those with rows, rows, records without rows by reason.

    `rights` counts the records with rows by what their members `consent`, `licence` and `license` say.
    """

    kind: str
    records: int = 0
    exported: int = 0
    rows: int = 0
    dropped: Counter[Reason] = field(default_factory=Counter)
    rights: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, value: Json, mapped: tuple[ExportRow, ...] | Reason) -> None:
        """Count a record and its rows, or the reason why it has none."""
        self.records += 1
        if isinstance(mapped, Reason):
            self.dropped[mapped] += 1
            return
        self.exported += 1
        self.rows += len(mapped)
        for name in _RIGHTS:
            if name in value:
                _count_text(self.rights.setdefault(name, Counter()), _text(value[name]))

    def published(self) -> dict[str, Any]:
        """The counts as the export's manifest has them."""
        return {
            "kind": self.kind,
            "records": self.records,
            "exported": self.exported,
            "rows": self.rows,
            "dropped": {reason.value: count for reason, count in sorted(self.dropped.items())},
            "rights": {name: dict(sorted(texts.items())) for name, texts in self.rights.items()},
        }


def _text(member: Any) -> str:
    """What a member says, or the digest of it where that is long."""
    text = member if isinstance(member, str) else canonical_json(member).decode()
    return text if len(text) <= _LONGEST_TEXT else f"sha256:{sha256_hex(text.encode())}"


def _count_text(texts: Counter[str], text: str) -> None:
    texts[text if text in texts or len(texts) < _MOST_TEXTS else _OTHERS] += 1
