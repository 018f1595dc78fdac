"""The files of a suite, and the digest that is pinned."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pipeline.evaluate.suites import load_suite, suite_folder, suites_document
from pipeline.exits import Exit, RunError

TEST = b"def test_it(): pass\n"


def write(folder: Path, **files: bytes) -> Path:
    for name, data in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def refused(folder: Path) -> str:
    with pytest.raises(RunError) as raised:
        load_suite(folder)
    assert raised.value.exit_code == Exit.USAGE
    return raised.value.reason.replace(f"{folder}", "SUITE")


def test_the_digest(tmp_path: Path) -> None:
    suite = load_suite(write(tmp_path / "t", test_b=TEST, sub__data=b"x = 1\n"))
    data, test = (hashlib.sha256(text).hexdigest() for text in (b"x = 1\n", TEST))
    canonical = f'[["sub/data.py","{data}"],["test_b.py","{test}"]]'
    assert suite.sha256 == hashlib.sha256(canonical.encode()).hexdigest()
    assert suite.files == {"sub/data.py": b"x = 1\n", "test_b.py": TEST}
    assert suite.tests == ("test_b.py::test_it",)


def test_every_change_changes_it(tmp_path: Path) -> None:
    variants = [
        write(tmp_path / "a", test_b=TEST),
        write(tmp_path / "b", test_b=TEST + b"\n"),
        write(tmp_path / "c", test_c=TEST),
        write(tmp_path / "d", test_b=TEST, data=b""),
        write(tmp_path / "e", sub__test_b=TEST),
    ]
    assert len({load_suite(folder).sha256 for folder in variants}) == len(variants)


def test_bytecode_and_empty_folders_are_no_part_of_it(tmp_path: Path) -> None:
    plain = load_suite(write(tmp_path / "a", test_b=TEST))
    folder = write(tmp_path / "b", test_b=TEST)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "test_b.cpython-311.pyc").write_bytes(b"x")
    (folder / "sub" / "empty").mkdir(parents=True)
    assert load_suite(folder) == plain


def test_links_and_other_files_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "t", test_b=TEST)
    (folder / "link.py").symlink_to(folder / "test_b.py")
    assert refused(folder) == "SUITE/link.py: no regular file, or no printable name"
    (folder / "link.py").unlink()
    os.mkfifo(folder / "pipe")
    assert refused(folder) == "SUITE/pipe: no regular file, or no printable name"
    (folder / "pipe").unlink()
    (folder / "li\nne").write_bytes(b"")
    assert refused(folder) == "SUITE/li\nne: no regular file, or no printable name"


def test_what_is_no_suite(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == "SUITE: is no folder of tests"
    (tmp_path / "link").symlink_to(write(tmp_path / "t", test_b=TEST))
    assert refused(tmp_path / "link") == "SUITE: is no folder of tests"
    (tmp_path / "empty").mkdir()
    assert refused(tmp_path / "empty") == "SUITE: holds no tests"
    assert refused(write(tmp_path / "data", data=TEST)) == "SUITE: holds no tests"


def test_too_much(tmp_path: Path) -> None:
    many = write(tmp_path / "many", **{f"test_{number}": TEST for number in range(257)})
    assert refused(many) == "SUITE: more than 256 files, or than 16777216 bytes"
    large = write(tmp_path / "large", test_it=TEST)
    with (large / "data").open("wb") as file:
        file.truncate((16 << 20) + 1)
    assert refused(large) == "SUITE: more than 256 files, or than 16777216 bytes"


@pytest.mark.parametrize("task", ["", ".", "..", "a/b", "/", "a\0", "\U0001f40d" * 64])
def test_ids_that_name_no_folder(task: str) -> None:
    with pytest.raises(RunError) as raised:
        suite_folder(Path("tests"), task)
    assert raised.value.reason == f"task {task!r}: names no folder that its tests could stand in"


def test_the_document(tmp_path: Path) -> None:
    first, second = write(tmp_path / "t-2", test_b=TEST), write(tmp_path / "t-1", test_a=TEST)
    (tmp_path / "README").write_bytes(b"")
    (tmp_path / "__pycache__").mkdir()
    assert suites_document(tmp_path, "generated") == {
        "suites_version": "test-suites-v1",
        "suites": {
            "t-1": {"sha256": load_suite(second).sha256, "origin": "generated"},
            "t-2": {"sha256": load_suite(first).sha256, "origin": "generated"},
        },
    }


def test_no_document(tmp_path: Path) -> None:
    for folder, why in ((tmp_path / "none", "is no folder"), (tmp_path, "holds no folder, one for each task")):
        with pytest.raises(RunError) as raised:
            suites_document(folder, "sponsor")
        assert raised.value.reason == f"{folder}: {why}"


@pytest.mark.parametrize("name", ["x" * 65, "t\n1", "t-\udcff"])
def test_folders_that_no_task_is_named_like(name: str, tmp_path: Path) -> None:
    write(tmp_path / "t-1", test_a=TEST)
    write(tmp_path / name, test_a=TEST)
    with pytest.raises(RunError) as raised:
        suites_document(tmp_path, "sponsor")
    why = "a task's id has at most 64 characters, all of them printable"
    assert raised.value.reason == f"{tmp_path / name}: {why}"
