from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from transforms.records import Shard
from transforms.shards.discover import match, output_stem
from transforms.shards.faults import UnreadableShard


def _touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")


def _names(pattern: str | list[str], base: Path) -> list[str]:
    patterns = [pattern] if isinstance(pattern, str) else pattern
    return [shard.name for shard in match("pairs", patterns, base)]


def test_a_shard_states_stream_name_uri_path_and_size(tmp_path: Path) -> None:
    _touch(tmp_path, "shards/a.jsonl")
    path = str(tmp_path / "shards/a.jsonl")
    assert match("pairs", ["shards/*.jsonl"], tmp_path) == (Shard("pairs", "a.jsonl", "shards/a.jsonl", path, 3),)
    assert match("pairs", [path], tmp_path / "elsewhere") == (Shard("pairs", "a.jsonl", path, path, 3),)


def test_matches_are_sorted_files_only_and_not_hidden(tmp_path: Path) -> None:
    _touch(tmp_path, "b.jsonl", "a.jsonl", "B.jsonl", ".hidden.jsonl", "folder.jsonl/inside.txt")
    assert _names("*.jsonl", tmp_path) == ["B.jsonl", "a.jsonl", "b.jsonl"]


def test_two_stars_span_folders(tmp_path: Path) -> None:
    _touch(tmp_path, "x/1.jsonl", "x/y/2.jsonl", "x/y/z/3.jsonl", "x/.git/4.jsonl")
    assert _names("x/**/*.jsonl", tmp_path) == ["1.jsonl", "y/2.jsonl", "y/z/3.jsonl"]


@pytest.mark.parametrize("name", ["shard[1].jsonl", "shard 100% #2.jsonl", "what?.jsonl", ".hidden.jsonl"])
def test_a_literal_name_wins_over_its_meaning_as_a_pattern(tmp_path: Path, name: str) -> None:
    _touch(tmp_path, name, "shard1.jsonl", "whatx.jsonl")
    assert _names(name, tmp_path) == [name]


def test_without_such_a_file_brackets_are_a_pattern(tmp_path: Path) -> None:
    _touch(tmp_path, "shard1.jsonl", "shard2.jsonl", "shard3.jsonl")
    assert _names("shard[12].jsonl", tmp_path) == ["shard1.jsonl", "shard2.jsonl"]


def test_leading_folders_are_taken_literally_where_they_exist(tmp_path: Path) -> None:
    _touch(tmp_path, "run[1]/a.jsonl", "run1/b.jsonl")
    assert _names("run[1]/*.jsonl", tmp_path) == ["a.jsonl"]
    assert _names("*.jsonl", tmp_path / "run[1]") == ["a.jsonl"]


@pytest.mark.parametrize(
    "pattern", ["*.csv", "absent.jsonl", "absent/*.jsonl", "folder", "folder/a.jsonl/*", "", "a\0b", "**/*.csv", "*/"]
)
def test_a_pattern_that_matches_nothing_is_named(pattern: str, tmp_path: Path) -> None:
    _touch(tmp_path, "folder/a.jsonl")
    for patterns in ([pattern], ["folder/*", pattern], [pattern, "folder/*"]):
        with pytest.raises(UnreadableShard) as raised:
            match("pairs", patterns, tmp_path)
        assert str(raised.value) == f"no file matches {pattern}"


def test_absolute_patterns_inside_and_outside_base(tmp_path: Path) -> None:
    base = tmp_path / "campaign"
    _touch(tmp_path, "campaign/shards/a.jsonl", "data/2024/b.jsonl")
    assert _names(f"{base}/shards/*.jsonl", base) == ["a.jsonl"]
    assert _names(f"{tmp_path}/data/*/*.jsonl", base) == ["2024/b.jsonl"]
    assert _names(f"{tmp_path}/data/2024/b.jsonl", base) == ["b.jsonl"]


def test_a_relative_pattern_may_leave_base_and_come_back(tmp_path: Path) -> None:
    base = tmp_path / "campaign"
    _touch(tmp_path, "campaign/a.jsonl", "data/b.jsonl")
    assert _names("../data/*.jsonl", base) == ["b.jsonl"]
    assert _names("../campaign/*.jsonl", base) == ["a.jsonl"]


def test_a_relative_base_gives_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _touch(tmp_path, "a.jsonl")
    monkeypatch.chdir(tmp_path)
    assert [shard.path for shard in match("pairs", ["*.jsonl"], Path())] == [str(tmp_path / "a.jsonl")]


def test_a_file_reached_twice_counts_once_under_its_first_name(tmp_path: Path) -> None:
    _touch(tmp_path, "b.jsonl", "c.jsonl")
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "c.jsonl")
    (tmp_path / "d.jsonl").symlink_to(tmp_path / "b.jsonl")
    assert _names("*.jsonl", tmp_path) == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize(
    "patterns",
    [
        ["d/**/*.yaml", "d/sub/*.yaml"],
        ["d/sub/*.yaml", "d/**/*.yaml"],
        ["d/*.yaml", "d/sub/*.yaml", "./d/**/*.yaml", "d/../d/sub/a.yaml"],
        ["d/b.yaml", "d/sub/a.yaml"],
        ["d/**"],
    ],
)
def test_patterns_that_overlap_are_one_set_of_files(patterns: list[str], tmp_path: Path) -> None:
    _touch(tmp_path, "d/sub/a.yaml", "d/b.yaml")
    assert _names(patterns, tmp_path) == ["b.yaml", "sub/a.yaml"]
    absolute = [f"{tmp_path}/{pattern}" for pattern in patterns]
    assert match("pairs", [*patterns, *absolute], tmp_path / ".") == match("pairs", patterns, tmp_path)


def test_names_begin_below_the_folder_that_all_patterns_share(tmp_path: Path) -> None:
    _touch(tmp_path, "x/d/b.yaml", "x/e/b.yaml", "x/e/f/b.yaml", "y/b.yaml")
    assert _names(["x/d/*.yaml", "x/e/*.yaml"], tmp_path) == ["d/b.yaml", "e/b.yaml"]
    assert _names(["x/e/*.yaml", "x/e/f/*.yaml"], tmp_path) == ["b.yaml", "f/b.yaml"]
    assert _names(["x/e/f/b.yaml", "x/d/b.yaml"], tmp_path) == ["d/b.yaml", "e/f/b.yaml"]
    assert _names(["y/*", f"{tmp_path}/x/d/*"], tmp_path) == ["x/d/b.yaml", "y/b.yaml"]
    assert _names(["../y/*", "e/*.yaml"], tmp_path / "x") == ["x/e/b.yaml", "y/b.yaml"]


def test_a_link_from_one_pattern_to_the_file_of_another(tmp_path: Path) -> None:
    _touch(tmp_path, "d/b.yaml")
    (tmp_path / "d/z.yaml").symlink_to("b.yaml")
    (tmp_path / "c").symlink_to("d")
    assert _names(["d/z.yaml", "d/b.yaml"], tmp_path) == ["b.yaml"]
    assert _names(["d/z.yaml"], tmp_path) == ["z.yaml"]
    assert _names(["d/*.yaml", "c/*.yaml"], tmp_path) == ["c/b.yaml"]


def test_links_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    _touch(tmp_path, "d/a.yaml", "d/e/b.yaml")
    for link, target in (("d/l1", "."), ("d/l2", "."), ("d/e/up", ".."), ("d/e/self", "self"), ("d/k", "../d/e")):
        (tmp_path / link).symlink_to(target)
    assert _names("d/**/*.yaml", tmp_path) == ["a.yaml", "e/b.yaml"]
    assert _names("**/*.yaml", tmp_path) == ["d/a.yaml", "d/e/b.yaml"]
    assert _names("d/*/*/*.yaml", tmp_path) == ["e/up/a.yaml", "l1/e/b.yaml"]


def test_a_link_to_nothing_is_not_left_out_quietly(tmp_path: Path) -> None:
    _touch(tmp_path, "a.jsonl")
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "absent")
    with pytest.raises(UnreadableShard, match=r"b\.jsonl: No such file"):
        match("pairs", ["*.jsonl"], tmp_path)


def test_a_pipe_is_not_left_out_quietly(tmp_path: Path) -> None:
    _touch(tmp_path, "a.jsonl")
    os.mkfifo(tmp_path / "b.jsonl")
    for pattern in ("*.jsonl", "b.jsonl"):
        with pytest.raises(UnreadableShard, match=r"b\.jsonl: is no regular file$"):
            match("pairs", [pattern], tmp_path)


def test_a_link_to_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to("/dev/zero")
    with pytest.raises(UnreadableShard, match=r"a\.jsonl: is no regular file$"):
        match("pairs", ["*.jsonl"], tmp_path)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    try:
        Path(os.fsdecode(bytes(tmp_path) + b"/a\xff.jsonl")).write_bytes(b"{}\n")
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    with pytest.raises(ValueError, match=r"a\\udcff.jsonl' is not valid UTF-8: rename the file"):
        match("pairs", ["*.jsonl"], tmp_path)


def test_safe_names_are_their_own_stem() -> None:
    for name in ("a", "part-00001.jsonl", "0_x.jsonl.gz", "x" * 100):
        assert output_stem(name) == name


def test_other_names_get_a_digest() -> None:
    assert output_stem("shards/a.jsonl") == "shards_a.jsonl-310e900f"
    assert output_stem("A.jsonl").startswith("A.jsonl-")
    assert output_stem("_x").startswith("x-")
    assert output_stem("../..").startswith("shard-")
    assert output_stem("é/ü").startswith("shard-")
    assert output_stem("y" + "x" * 100).startswith("x" * 100 + "-")


def test_distinct_names_have_distinct_stems_even_without_case() -> None:
    names = ["a b", "a_b", "a/b", "A_b", "a_B", ".a_b", "_a_b", "-a_b", "é", "e", "x" * 101, "x" * 102, "x" * 100]
    names += [output_stem(name) for name in names if output_stem(name) != name]
    stems = [output_stem(name) for name in names]
    assert len({stem.lower() for stem in stems}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,108}", stem) for stem in stems)
