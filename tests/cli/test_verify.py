"""`assay verify`: a whole run, a byte changed anywhere, consistent forgeries, and the inputs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import assay, read, run
from forgeries import FORGERIES, INPUT_FORGERIES, Forgery
from small_campaign import BOOKS, CODES, write_small

from pipeline.origin import read_origin
from pipeline.publish import MANIFEST, SUMS
from pipeline.verify import verify_run

FLIPS_PER_FILE = 25


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds `campaign/` and the run `out/golden/`, which tests must leave as they are."""
    folder = tmp_path_factory.mktemp("verify")
    run(write_small(folder / "campaign"), folder / "out")
    return folder


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    return folder / "out" / "golden"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be tampered with."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


def files_of(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_a_whole_run(whole: Path) -> None:
    said = assay("verify", whole)
    assert (said.code, said.out, said.err) == (0, f"{whole}: whole\n", "")
    assert (assay("verify", whole, "--format", "json").findings) == []


@pytest.mark.parametrize("name", ["~run", "file:run", "s3:", b"r\xff".decode("utf-8", "surrogateescape")])
def test_a_whole_run_under_any_name(name: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(whole, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert verify_run(Path(name)) == ()


def test_the_run_holds_a_file_of_every_sort(whole: Path) -> None:
    stream = read(whole / MANIFEST)["streams"]["annotations"]
    assert (stream["records"], stream["codes"]) == (BOOKS, CODES)
    assert stream["warned"] == {"repeated-annotation": 2}
    assert files_of(whole) == [
        "SHA256SUMS",
        "accepted/annotations/a.jsonl-b00000.parquet",
        "accepted/annotations/b.jsonl.gz-b00000.parquet",
        "campaign/campaign.json",
        "campaign/rubrics/code-review-v1.json",
        "campaign/schemas/pairwise-v2.json",
        "held/annotations/a.jsonl-b00000.jsonl",
        *(f"identities/pairwise-v2/{join}-v1.parquet" for join in ("candidates", "duplicates", "lookalikes", "tasks")),
        "manifest.json",
        "rejected/annotations/a.jsonl-b00000.jsonl",
        "rejected/annotations/b.jsonl.gz-b00000.jsonl",
        "report.html",
    ]


def test_sha256sum_takes_the_checksums(whole: Path) -> None:
    done = subprocess.run(["sha256sum", "--check", "--strict", SUMS], cwd=whole, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.rpartition(": ")[0] for line in done.stdout.splitlines()] == [n for n in files_of(whole) if n != SUMS]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_finding_names_its_file(copy: Path, form: str) -> None:
    (copy / "report.html").write_bytes(b"")
    size = next(row["bytes"] for row in read(copy / MANIFEST)["outputs"] if row["path"] == "report.html")
    said = assay("verify", copy, "--format", form)
    assert (said.code, said.err) == (3, "")
    if form == "json":
        assert said.findings == [("file-changed", "report.html")]
    else:
        assert said.out == f"file-changed: report.html: 0 bytes, listed are {size}\n"


def flips(path: Path, positions: Iterator[int] | range) -> Iterator[int]:
    """Change one byte of a file at a time: the positions, each while it is changed."""
    data = path.read_bytes()
    for position in positions:
        changed = bytearray(data)
        changed[position] ^= 1
        path.write_bytes(changed)
        yield position
    path.write_bytes(data)


@pytest.mark.parametrize("name", [MANIFEST, SUMS])
def test_a_byte_changed_anywhere_in_the_manifest_or_the_checksums(copy: Path, name: str) -> None:
    unnoticed, misnamed = [], []
    for position in flips(copy / name, range((copy / name).stat().st_size)):
        findings = verify_run(copy)
        if not findings:
            unnoticed.append(position)
        elif not {finding.pointer for finding in findings} & {MANIFEST, SUMS}:
            misnamed.append(position)
    assert (unnoticed, misnamed) == ([], [])
    assert verify_run(copy) == ()


def test_a_byte_changed_in_any_other_file(copy: Path) -> None:
    for name in files_of(copy):
        if name not in (MANIFEST, SUMS):
            size = (copy / name).stat().st_size
            for position in flips(copy / name, range(0, size, max(1, size // FLIPS_PER_FILE))):
                said = assay("verify", copy, "--format", "json")
                assert said.code == 3, (name, position)
                assert ("file-changed", name) in said.findings, (name, position)
    assert verify_run(copy) == ()


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_forgery(forgery: Forgery, copy: Path) -> None:
    forgery.forge(copy)
    said = assay("verify", copy, "--format", "json")
    assert (said.code, said.err) == (3, "")
    assert tuple(sorted({code for code, _ in said.findings})) == forgery.codes, said.out
    assert sorted({pointer for _, pointer in said.findings}) == sorted(forgery.files), said.out


@pytest.mark.parametrize("name", ["nowhere", "file"])
def test_what_is_no_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    said = assay("verify", tmp_path / name, "--format", "json")
    assert (said.code, said.findings) == (3, [("manifest-missing", MANIFEST)])


def test_inputs_in_their_place(folder: Path, whole: Path) -> None:
    assert assay("verify", whole, "--inputs-base", folder / "campaign").code == 0
    if read_origin(whole) is not None:
        assert assay("verify", whole, "--inputs").code == 0


@pytest.mark.parametrize("forgery", INPUT_FORGERIES, ids=lambda forgery: forgery.name)
def test_inputs_changed_or_missing(forgery: Forgery, folder: Path, whole: Path, tmp_path: Path) -> None:
    base = Path(shutil.copytree(folder / "campaign", tmp_path / "campaign"))
    forgery.forge(base)
    said = assay("verify", whole, "--inputs-base", base, "--format", "json")
    assert (said.code, said.err) == (3, "")
    assert tuple(sorted({code for code, _ in said.findings})) == forgery.codes
    assert [pointer for _, pointer in said.findings] == list(forgery.files)
    assert assay("verify", whole).code == 0


def test_inputs_after_the_campaign_has_moved(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    made = run(write_small(old), tmp_path / "out")
    if read_origin(made) is None:
        pytest.skip("this file system keeps no extended attributes")
    assert assay("verify", made, "--inputs").code == 0
    old.rename(new)
    said = assay("verify", made, "--inputs", "--format", "json")
    assert (said.code, {code for code, _ in said.findings}) == (3, {"input-missing"})
    assert assay("verify", made, "--inputs-base", new).code == 0
