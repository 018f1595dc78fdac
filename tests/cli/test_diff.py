"""assay diff: what it finds, prints and writes, and how it ends."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from commands import Said, assay, read, run
from golden_campaigns import STREAM, by_plain_functions
from small_campaign import PACKED, PLAIN, write_small
from source_tree import ROOT
from tampering import ACCEPTED, HELD, REJECTED, seal

from pipeline.publish import MANIFEST

STRICTER: Mapping[str, Any] = {
    "streams": {STREAM: {"identity": {"repeated-annotation": "hold", "duplicate-record": "allow"}}}
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of the same shards: repetitions of an annotation are held in the second, of a record allowed."""
    folder = tmp_path_factory.mktemp("diff")
    return tuple(
        by_plain_functions(write_small(folder / name, campaign), folder / f"{name}-out").folder
        for name, campaign in (("one", {}), ("other", STRICTER))
    )  # type: ignore[return-value]


def diff(*arguments: str | Path) -> Any:
    """The difference as JSON."""
    said = assay("diff", *arguments, "--format", "json")
    assert said.err == ""
    value = json.loads(said.out)
    assert said.code == (0 if value["is_empty"] else 1)
    return value


def flips(found: Any) -> list[tuple[str, list[str], str, list[str]]]:
    keys = ("before_outcome", "before_codes", "after_outcome", "after_codes")
    return sorted(tuple(row[key] for key in keys) for row in found["changes"])


def test_a_run_and_itself(runs: tuple[Path, Path]) -> None:
    one, _ = runs
    sha256 = re.search(r"([0-9a-f]{64})  manifest.json", (one / "SHA256SUMS").read_text())
    assert sha256
    lines = [f"before: golden (manifest {sha256[1]})", f"after:  golden (manifest {sha256[1]})", "no difference"]
    assert assay("diff", one, one) == Said(0, "\n".join(lines) + "\n", "")
    found = diff(one, one)
    assert (found["is_empty"], found["changes"]) == (True, [])
    assert found["streams"][STREAM]["matched"] == {"digest": 11}


def test_two_policies(runs: tuple[Path, Path]) -> None:
    found = diff(*runs)
    stream = found["streams"][STREAM]
    nothing = {"accepted": 0, "held": 0, "rejected": 0, "absent": 0}
    assert stream["outcomes"] == {
        "accepted": nothing | {"accepted": 4, "held": 2},
        "held": nothing | {"held": 1},
        "rejected": nothing | {"accepted": 2, "rejected": 2},
        "absent": {"accepted": 0, "held": 0, "rejected": 0},
    }
    assert (stream["flipped"], stream["recoded"], stream["rewritten"]) == (4, 0, 0)
    assert stream["codes"]["duplicate-record"] == {"before": 2, "after": 0, "lost": 2, "gained": 0}
    assert stream["codes"]["repeated-annotation"] == {"before": 0, "after": 2, "lost": 0, "gained": 2}
    assert stream["codes"]["invalid-utf8"] == {"before": 1, "after": 1, "lost": 0, "gained": 0}
    warned = stream["warned"]["repeated-annotation"]
    assert warned == {"before": 2, "after": 0}
    assert flips(found) == [
        *[("accepted", [], "held", ["repeated-annotation"])] * 2,
        *[("rejected", ["duplicate-record"], "accepted", [])] * 2,
    ]
    assert {row["matched_by"] for row in found["changes"]} == {"digest"}
    # All of them can be read, so each has an identity; the repeated one is one task.
    identities = [row["identity_sha256"] for row in found["changes"]]
    assert None not in identities
    assert len(set(identities)) == 3


def test_in_text(runs: tuple[Path, Path]) -> None:
    said = assay("diff", *runs)
    head = f"{STREAM} (pairwise-v2): 4 flipped, 0 with the same outcome and other codes, 0 with the same outcome"
    assert (said.code, said.err) == (1, "")
    assert f"\n{head} and other bytes\n" in said.out
    rows = [row.split() for row in said.out.splitlines()]
    assert ["before", "\\", "after", "accepted", "held", "rejected", "absent"] in rows
    assert ["accepted", "4", "2", "0", "0"] in rows
    assert ["duplicate-record", "2", "0", "2", "0"] in rows
    assert "  accepted with repeated-annotation: 2 before, 0 after\n" in said.out
    listed = [row for row in said.out.splitlines() if row.startswith(f"{STREAM} ") and "→" in row]
    assert len(listed) == 4
    assert all(re.match(rf"{STREAM} [0-9a-f]{{64}}: \w+", row) for row in listed)


def test_mirrored(runs: tuple[Path, Path]) -> None:
    there, back = diff(*runs), diff(*reversed(runs))
    assert sorted((row[2:], row[:2]) for row in flips(back)) == sorted((row[:2], row[2:]) for row in flips(there))


def test_as_a_folder(runs: tuple[Path, Path], tmp_path: Path) -> None:
    found = diff(*runs, "--output", tmp_path / "new" / "one")
    again = diff(*runs, "--output", tmp_path / "two")
    assert found == again
    names = ["SHA256SUMS", "diff.json", "flipped.parquet"]
    for folder in (tmp_path / "new" / "one", tmp_path / "two"):
        assert sorted(path.name for path in folder.iterdir()) == names
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    for name in names:
        assert (tmp_path / "new" / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    summary = read(tmp_path / "two" / "diff.json")
    assert summary == {name: value for name, value in found.items() if name != "changes"}
    assert pq.read_table(tmp_path / "two" / "flipped.parquet").to_pylist() == found["changes"]


def test_no_difference_as_a_folder(runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert assay("diff", runs[0], runs[0], "--output", tmp_path / "none").code == 0
    assert pq.read_table(tmp_path / "none" / "flipped.parquet").num_rows == 0


def test_other_shards_and_another_order(tmp_path: Path) -> None:
    """The same lines in one shard, last first: byte-identical repetitions change places, nothing else happens."""
    made = write_small(tmp_path / "one")
    plain = (tmp_path / "one" / "shards" / PLAIN).read_bytes().splitlines(keepends=True)
    packed = gzip.decompress((tmp_path / "one" / "shards" / PACKED).read_bytes()).splitlines(keepends=True)
    moved = write_small(tmp_path / "other")
    # Without the last line, another spelling of a record: it would be the first now, and the one that stays.
    shutil.rmtree(tmp_path / "other" / "shards")
    (tmp_path / "other" / "shards").mkdir()
    (tmp_path / "other" / "shards" / "z.jsonl").write_bytes(b"".join(reversed([*plain, *packed[:-1]])))
    (tmp_path / "one" / "shards" / PACKED).write_bytes(gzip.compress(b"".join(packed[:-1])))
    found = diff(run(made, tmp_path / "one-out"), run(moved, tmp_path / "other-out"))
    assert (found["is_empty"], found["streams"][STREAM]["matched"]) == (True, {"digest": 10})


def test_two_rubrics(tmp_path: Path) -> None:
    """A rubric that asks for more: those that it flips have its codes now, and nobody else moves."""
    folder = tmp_path / "acceptance"
    shutil.copytree(ROOT / "manifests" / "acceptance", folder)
    before = by_plain_functions(folder / "campaign.json", tmp_path / "before").folder
    rubric = folder / "rubrics" / "code-review-v1.json"
    rubric.write_text(json.dumps(read(rubric) | {"weighted_acceptance_score": 4.9}), encoding="utf-8")
    assert assay("pin", folder / "campaign.json").code == 0
    after = by_plain_functions(folder / "campaign.json", tmp_path / "after").folder
    found = diff(before, after)
    was, now = (accepted(run) for run in (before, after))
    assert was - now
    assert not now - was
    flipped = [row for row in found["changes"] if row["before_outcome"] != row["after_outcome"]]
    assert {row["before_sha256"] for row in flipped if row["before_outcome"] == "accepted"} == was - now
    gained = found["streams"][STREAM]["codes"]["score-below-acceptance"]["gained"]
    assert gained == sum("score-below-acceptance" in row["after_codes"] for row in found["changes"])
    assert {row["stream"] for row in found["changes"]} == {STREAM}


def accepted(folder: Path) -> set[str]:
    files = (folder / "accepted" / STREAM).glob("*.parquet")
    return {row for path in files for row in pq.read_table(path).column("assay_record_sha256").to_pylist()}


@pytest.mark.parametrize("name", [ACCEPTED, REJECTED, HELD])
@pytest.mark.parametrize("side", [0, 1])
def test_a_changed_file(name: str, side: int, runs: tuple[Path, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    shutil.copytree(runs[side], forged)
    data = bytearray((forged / name).read_bytes())
    data[len(data) // 2] ^= 1
    (forged / name).write_bytes(data)
    pair = (forged, runs[1]) if side == 0 else (runs[0], forged)
    said = assay("diff", *pair, "--output", tmp_path / "out")
    assert said == Said(3, "", f"assay: {forged / name}: its SHA-256 is not the listed one\n")
    assert not (tmp_path / "out").exists()


def test_rows_that_say_nothing(runs: tuple[Path, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    shutil.copytree(runs[0], forged)
    (forged / HELD).write_bytes(b'{"record_sha256": "00", "findings": []}\n')
    seal(forged)
    said = assay("diff", forged, runs[1])
    assert said == Said(3, "", f"assay: {forged / HELD}: cannot be read: ValueError\n")


def test_another_number_of_rows(runs: tuple[Path, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    shutil.copytree(runs[0], forged)
    (forged / HELD).write_bytes((forged / HELD).read_bytes() * 2)
    seal(forged)
    said = assay("diff", runs[1], forged)
    assert said == Said(3, "", f"assay: {forged / HELD}: it has not the listed number of rows, 1\n")


def test_what_cannot_be_asked(runs: tuple[Path, Path], tmp_path: Path) -> None:
    one, other = runs
    none = assay("diff", one, tmp_path)
    assert (none.code, none.out) == (2, "")
    assert none.err.startswith("assay: manifest-missing: ")
    exists = assay("diff", one, other, "--output", tmp_path)
    assert exists == Said(
        2, "", f"assay: {tmp_path} exists already, without diff.json; give a new folder, or remove it first\n"
    )
    within = assay("diff", one, other, "--output", other / "diff")
    assert within == Said(2, "", f"assay: {other / 'diff'} lies within a run, which nothing may be added to\n")
    assert (other / MANIFEST).exists()
    assert not (other / "diff").exists()
