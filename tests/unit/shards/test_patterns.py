"""Glob patterns: what `glob` matches, and an end where it finds none."""

from __future__ import annotations

import glob
from itertools import product
from pathlib import Path

import pytest

from transforms.shards.patterns import matching

FILES = ("a.yaml", "b/a.yaml", "b/c/a.yml", "b/c/d/[x].yaml", ".h/a.yaml", "b/.a.yaml", "b-/a.yaml", "B/é\n.yaml")
PARTS = ("*", "**", "b", "[ab]*", "?", "*.yaml", "*.y*ml", ".*", "[[]x].yaml", "é?.*", "absent", "..", "a.yaml", "b**")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with files, so deep that `..` stays within the test's own."""
    root = tmp_path / "1" / "2" / "3"
    for name in FILES:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return root


def files(root: Path, pattern: str) -> list[str]:
    """The regular files, each once, as glob names them."""
    return sorted({path.relative_to(root).as_posix() for path in matching(root, pattern) if path.is_file()})


def by_glob(root: Path, pattern: str) -> list[str]:
    """The same of glob; `a/**` matches `a/` there, file or not."""
    names = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
    return sorted({name for name in names if not name.endswith("/") and (root / name).is_file()})


@pytest.mark.parametrize("length", [1, 2, 3])
def test_without_links_it_is_what_glob_matches(length: int, tree: Path) -> None:
    for parts in product(PARTS, repeat=length):
        pattern = "/".join(parts)
        # A folder that `..` leads back to is not entered again, so a name may be another one of the same file.
        if ".." not in parts:
            assert files(tree, pattern) == by_glob(tree, pattern), pattern
        found = {path.resolve() for path in matching(tree, pattern) if path.is_file()}
        assert found == {(tree / name).resolve() for name in by_glob(tree, pattern)}, pattern


def test_the_order_is_that_of_the_names(tree: Path) -> None:
    assert [path.relative_to(tree).as_posix() for path in matching(tree, "**/*.y*ml")] == [
        "a.yaml",
        "B/é\n.yaml",
        "b-/a.yaml",
        "b/a.yaml",
        "b/c/a.yml",
        "b/c/d/[x].yaml",
    ]


def test_links_that_double_at_every_level_are_no_work(tmp_path: Path) -> None:
    for level in range(30):
        (tmp_path / f"{level}").mkdir()
        for link in ("x", "y"):
            (tmp_path / f"{level}" / link).symlink_to(tmp_path / f"{level + 1}")
    (tmp_path / "30").mkdir()
    (tmp_path / "30" / "a.yaml").write_bytes(b"")
    assert files(tmp_path / "0", "**/*.yaml") == ["x/" * 30 + "a.yaml"]


def test_a_folder_that_is_none(tree: Path) -> None:
    assert list(matching(tree / "absent", "*")) == list(matching(tree / "a.yaml", "*")) == []
    assert list(matching(tree, "")) == []
