"""By which rubric records are decided that name an older one: what can be wrong with it, and a stream's terms."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.campaign_codes import MIGRATION_MISSTATED, UNKNOWN_VERSION, problem
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.records import Finding, Json

_KINDS = sorted(kind for kind in ANNOTATIONS if KINDS[kind].rubric_field)


def check_rubric_migrations(manifest: Json) -> Iterator[Finding]:
    """What is wrong with the manifest's migrations of rubrics."""
    rows = manifest.get("rubric_migrations", ())
    for index, row in enumerate(rows):
        pointer = f"/rubric_migrations/{index}"
        if row["kind"] not in _KINDS:
            message = f"records that name a rubric are {', '.join(_KINDS)}; other streams name theirs in `acceptance`"
            yield problem(MIGRATION_MISSTATED, message, f"{pointer}/kind")
        if row["to"] not in manifest.get("rubrics", {}):
            yield problem(UNKNOWN_VERSION, f"{row['to']!r} is none of the campaign's rubrics", f"{pointer}/to")
        others = [other for other in rows if other is not row and other["kind"] == row["kind"]]
        if any(row["from"] == other["from"] for other in others):
            yield problem(MIGRATION_MISSTATED, f"there is another migration from {row['from']}", pointer)
        if row["from"] == row["to"] or any(row["to"] == other["from"] for other in others):
            yield problem(MIGRATION_MISSTATED, "name the rubric that decides in the end: these do not chain", pointer)


def rubric_migrations(stream: Json, manifest: Json) -> dict[str, str]:
    """For each older rubric that records of the stream may name, the one that decides."""
    rows = (row for row in manifest.get("rubric_migrations", ()) if row["kind"] == stream["kind"])
    return {row["from"]: row["to"] for row in rows if row["policy"] == "revalidate"}
