"""What `assay check` says of migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from commands import assay
from migrated import JUDGEMENTS, MIGRATION, OPERATIONS, V1, V2, write_migrating, write_shard
from small_campaign import record

WRAP, CHOSEN, COMMENT, SPLIT, DROP = OPERATIONS


def check(folder: Path, *migrations: dict[str, Any], **members: Any) -> list[tuple[str, str]]:
    path = write_migrating(folder, migrations, **members)
    write_shard(folder, [record(0)])
    return assay("check", path, "--format", "json").findings


def declared(*operations: dict[str, Any], judgements: list[str] = JUDGEMENTS) -> dict[str, Any]:
    return {"kind": V2, "from": V1, "to": V2, "operations": list(operations), "judgements": judgements}


def rename(source: str, target: str) -> dict[str, str]:
    return {"op": "rename", "from": source, "to": target}


def copy(source: str, target: str) -> dict[str, str]:
    return {"op": "copy", "from": source, "to": target}


def test_a_sound_one(tmp_path: Path) -> None:
    assert check(tmp_path, dict(MIGRATION)) == []
    assert (
        check(tmp_path, {"kind": V2, "from": V1, "to": V2, "policy": "refuse"})
        == [("fixture-disagrees", "/schemas/pairwise-v1")] * 0
    )


@pytest.mark.parametrize(
    ("migrations", "found"),
    [
        ([MIGRATION, MIGRATION], ["/migrations/1"]),
        ([{**MIGRATION, "kind": "review-v1"}], ["/migrations/0/kind"]),
        ([{**MIGRATION, "kind": "pairwise"}], ["/migrations/0/kind"]),
        ([{**MIGRATION, "from": V2, "to": V1}], ["/migrations/0", "…"]),
        ([{**MIGRATION, "kind": "math-derivation-v1"}], ["/migrations/0", "…"]),
        # Each member of the target must come of something, and each of the source go somewhere.
        ([declared(*OPERATIONS[:4])], ["/migrations/0"]),
        ([declared(*OPERATIONS[1:])], ["/migrations/0"] * 5),
        ([{"kind": V2, "from": V1, "to": V2, "policy": "revalidate"}], ["/migrations/0", "…"]),
        # Paths exist, when the operation comes.
        ([declared(*OPERATIONS, rename("/nothing", "/golden_patch"))], ["/migrations/0/operations/5", "…"]),
        ([declared(*OPERATIONS[1:], rename("/style", "/ratings/style"))], ["/migrations/0/operations/4", "…"]),
        ([declared(*OPERATIONS[:4], rename("/tool", "/task_id"))], ["/migrations/0/operations/4"]),
        ([declared(*OPERATIONS, rename("/chosen", "/preference"))], ["/migrations/0/operations/5", "…"]),
        ([declared(DROP, *OPERATIONS)], ["/migrations/0/operations/5"]),
        ([declared(*OPERATIONS[:4], rename("/tool", "/device"))], ["/migrations/0/operations/4", "…"]),
        ([declared(*OPERATIONS, copy("/task_id", "/schema_version"))], ["/migrations/0/operations/5", "…"]),
        ([declared(*OPERATIONS, {**DROP, "from": "/schema_version"})], ["/migrations/0/operations/5"]),
        # Judgements come of the same judgement alone.
        ([declared(*OPERATIONS, judgements=JUDGEMENTS[1:])], ["/migrations/0/operations/1"]),
        ([declared(*OPERATIONS, judgements=JUDGEMENTS[:-1])], ["/migrations/0/operations/0"]),
        ([declared(*OPERATIONS, judgements=[*JUDGEMENTS, "/nothing"])], ["/migrations/0"]),
        (
            [declared(WRAP, rename("/comment", "/preference"), rename("/chosen", "/rationale"), SPLIT, DROP)],
            ["/migrations/0/operations/1"],
        ),
        (
            [declared(WRAP, rename("/comment", "/preference"), COMMENT, judgements=[*JUDGEMENTS, "/comment"])],
            ["/migrations/0/operations/1", "…"],
        ),
        (
            [declared(copy("/chosen", "/preference"), *OPERATIONS[2:], WRAP)],
            ["/migrations/0/operations/0", "…"],
        ),
        (
            [declared({**WRAP, "from": WRAP["from"][:3]}, *OPERATIONS[1:], rename("/style", "/ratings/style"))],
            [],
        ),
        (
            [declared({**WRAP, "from": WRAP["from"][:3]}, *OPERATIONS[1:], rename("/golden_patch", "/ratings/style"))],
            ["/migrations/0/operations/5", "…"],
        ),
    ],
)  # fmt: skip
def test_a_misstated_one(migrations: list[dict[str, Any]], found: list[str], tmp_path: Path) -> None:
    """ "…" stands for findings that follow from the first."""
    pointers = check(tmp_path, *migrations)
    assert {code for code, _ in pointers} <= {"migration-misstated"}
    given = [pointer for _, pointer in pointers]
    assert (given[: len(found) - 1] if "…" in found else given) == [one for one in found if one != "…"]


def test_versions_are_pinned(tmp_path: Path) -> None:
    assert check(tmp_path, {**MIGRATION, "from": "pairwise-v0"}) == [("unknown-version", "/migrations/0/from")]


@pytest.mark.parametrize(
    "change",
    [
        {"policy": "revalidate"},
        {"operations": []},
        {"operations": [{"op": "set", "to": "/preference", "value": "tie"}]},
        {"operations": [{"op": "rename", "from": "/a", "to": "/b", "default": 3}]},
        {"operations": [{"op": "drop", "from": "/a"}]},
        {"operations": [{"op": "rename", "from": "a", "to": "/b"}]},
        {"operations": [{"op": "split", "from": "/a", "separator": "", "to": ["/b", "/c"]}]},
    ],
)
def test_what_the_manifest_cannot_say(change: dict[str, Any], tmp_path: Path) -> None:
    """No constants, no defaults, no operation without its reason."""
    found = check(tmp_path, {**MIGRATION, **change})
    assert found
    assert all(code.startswith("schema/") and pointer.startswith("/migrations/0") for code, pointer in found)
