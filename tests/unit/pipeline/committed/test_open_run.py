"""A run as a value, and its files only as the manifest lists them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from golden_campaigns import STREAM, by_plain_functions
from small_campaign import BOOKS, write_small
from tampering import ACCEPTED, HELD, REJECTED, linked, seal

from pipeline.committed.run import Output, Run, lines, named, open_output, open_rows, open_run, row_groups
from pipeline.exits import Exit, RunError
from transforms.digests import sha256_hex
from transforms.records import Outcome


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that tests leave as it is."""
    folder = tmp_path_factory.mktemp("committed")
    return by_plain_functions(write_small(folder / "c"), folder / "out").folder


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def output(run: Run, path: str) -> Output:
    return next(output for output in run.outputs if output.path == path)


def raised(run: Run, path: str) -> tuple[Exit, str]:
    with pytest.raises(RunError) as caught, open_output(run, output(run, path)):
        pass
    return caught.value.exit_code, caught.value.reason


def test_a_run(whole: Path) -> None:
    run = open_run(whole)
    assert (run.folder, run.run_id, run.kinds) == (whole, "golden", {STREAM: "pairwise-v2"})
    assert run.sha256 == sha256_hex((whole / "manifest.json").read_bytes())
    assert run.versions["campaign-assay"] == run.manifest["versions"]["campaign-assay"]
    assert [output.path for output in run.outputs] == [row["path"] for row in run.manifest["outputs"]]
    accepted = run.outputs_of(Outcome.ACCEPTED, STREAM)
    assert [(file.folder, file.stream) for file in accepted] == [("accepted", STREAM)] * 2
    assert sum(file.rows or 0 for file in accepted) == BOOKS["accepted"]
    assert (output(run, "report.html").folder, output(run, "report.html").stream) == ("report.html", "")


def test_every_file(whole: Path) -> None:
    run = open_run(whole)
    for file in run.outputs:
        with open_output(run, file) as source:
            assert source.read() == (whole / file.path).read_bytes()


def test_lines_and_row_groups(whole: Path) -> None:
    run = open_run(whole)
    assert b"".join(lines(run, output(run, REJECTED))) == (whole / REJECTED).read_bytes()
    [group] = row_groups(run, output(run, ACCEPTED), ["assay_line", "assay_record_sha256"])
    assert (group.column_names, group.num_rows) == (["assay_line", "assay_record_sha256"], 3)
    assert list(row_groups(run, output(run, ACCEPTED), first=1)) == []
    with pytest.raises(RunError) as caught:
        list(row_groups(run, output(run, ACCEPTED), ["assay_line", "none"]))
    assert caught.value.reason == f"{whole / ACCEPTED}: cannot be read: KeyError"


@pytest.mark.parametrize("name", ["nowhere", "folder", "file"])
def test_no_run(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RunError) as caught:
        open_run(tmp_path / name)
    assert caught.value.exit_code == Exit.USAGE
    assert caught.value.reason.startswith(f"manifest-missing: manifest.json: {tmp_path / name} is no committed run: ")


def test_a_manifest_that_cannot_be_read(copy: Path) -> None:
    (copy / "manifest.json").unlink()
    os.mkfifo(copy / "manifest.json")
    with pytest.raises(RunError) as caught:
        open_run(copy)
    reason = f"manifest-missing: manifest.json: {copy} is no committed run: is no regular file"
    assert (caught.value.exit_code, caught.value.reason) == (Exit.INTEGRITY, reason)


@pytest.mark.parametrize("name", ["manifest.json", "SHA256SUMS"])
def test_a_link_for_a_manifest_or_checksums(copy: Path, name: str) -> None:
    linked(name)(copy)
    with pytest.raises(RunError) as caught:
        open_run(copy)
    reason = f"file-unlisted: {name}: a link stands in its place"
    assert (caught.value.exit_code, caught.value.reason) == (Exit.INTEGRITY, reason)


def test_a_byte_of_the_manifest_or_the_checksums(copy: Path) -> None:
    for name in ("manifest.json", "SHA256SUMS"):
        data = (copy / name).read_bytes()
        for position in range(0, len(data), 97):
            (copy / name).write_bytes(data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :])
            with pytest.raises(RunError) as caught:
                open_run(copy)
            assert caught.value.exit_code == Exit.INTEGRITY
        (copy / name).write_bytes(data)
    assert open_run(copy).run_id == "golden"


def test_files_that_are_not_those_listed(copy: Path) -> None:
    run, file = open_run(copy), copy / HELD
    data = file.read_bytes()
    file.write_bytes(data + b"\n")
    assert raised(run, HELD) == (Exit.INTEGRITY, f"{file}: {len(data) + 1} bytes, listed are {len(data)}")
    file.write_bytes(data[:-1] + b" ")
    assert raised(run, HELD) == (Exit.INTEGRITY, f"{file}: its SHA-256 is not the listed one")
    file.unlink()
    assert raised(run, HELD) == (Exit.INTEGRITY, f"{file}: listed, but not there")
    os.mkfifo(file)
    assert raised(run, HELD) == (Exit.INTEGRITY, f"{file}: is no regular file")


@pytest.mark.parametrize("name", [HELD, "held", "held/annotations"])
def test_links(copy: Path, name: str) -> None:
    run = open_run(copy)
    linked(name)(copy)
    assert raised(run, HELD) == (Exit.INTEGRITY, f"{copy / HELD}: is a link, or beneath one")


def test_a_file_changed_after_its_digest_was_checked(copy: Path) -> None:
    run = open_run(copy)
    file = output(run, HELD)
    with pytest.raises(RunError) as caught, open_output(run, file) as source, named(run, file):
        (copy / HELD).write_bytes(b"{}\n")
        source.read()
    assert (caught.value.exit_code, caught.value.reason) == (
        Exit.INTEGRITY,
        f"{copy / HELD}: changed while it was read",
    )


def test_no_parquet_with_all_digests_replaced(copy: Path) -> None:
    (copy / ACCEPTED).write_bytes(b"PAR1")
    seal(copy)
    run = open_run(copy)
    with pytest.raises(RunError) as caught, open_rows(run, output(run, ACCEPTED)):
        pass
    assert caught.value.reason == f"{copy / ACCEPTED}: cannot be read: {pa.ArrowInvalid.__name__}"


def test_a_fault_of_whoever_reads_is_left_as_it_is(whole: Path) -> None:
    run = open_run(whole)
    with pytest.raises(BrokenPipeError), open_rows(run, output(run, ACCEPTED)):
        raise BrokenPipeError


def test_a_link_in_place_of_a_folder_never_leads_out(copy: Path) -> None:
    """Nor does one that is put there after the run was opened."""
    run = open_run(copy)
    (copy / "accepted").rename(copy.parent / "elsewhere")
    (copy / "accepted").symlink_to(copy.parent / "elsewhere")
    assert raised(run, ACCEPTED) == (Exit.INTEGRITY, f"{copy / ACCEPTED}: is a link, or beneath one")
