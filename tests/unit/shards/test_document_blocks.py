from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from transforms.records import Line, Place, Shard, Syntax
from transforms.shards.documents import (
    MOST_DOCUMENTS,
    Document,
    DocumentBlock,
    cut_documents,
    read_documents,
    syntax_of,
)
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import BUFFER_BYTES
from transforms.shards.plan import inspect_document
from transforms.terms import Limits


def document(name: str, size: int = 10) -> Document:
    return Document(Shard("baselines", name, name, f"/exports/{name}", size), "0" * 64)


def written(folder: Path, **contents: bytes) -> DocumentBlock:
    documents = []
    for name, data in sorted(contents.items()):
        path = folder / f"{name}.yaml"
        path.write_bytes(data)
        shard = Shard("baselines", path.name, path.name, str(path), len(data))
        documents.append(Document(shard, hashlib.sha256(data).hexdigest()))
    return DocumentBlock("baselines", 0, tuple(documents))


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("a.yaml", Syntax.YAML),
        ("a.b/c.YML", Syntax.YAML),
        ("a.json", Syntax.JSON),
        ("a.JSON", Syntax.JSON),
        ("a.yaml.gz", None),
        ("a.jsonl", None),
        ("yaml", None),
        ("x.yaml/README", None),
    ],
)
def test_the_suffix_says_the_syntax(name: str, syntax: Syntax | None) -> None:
    assert syntax_of(name) is syntax


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([], []),
        ([0, 0, 0], [3]),
        ([99, 1, 1], [2, 1]),
        ([100, 5, 300, 5], [1, 2, 1]),
        ([0] * MOST_DOCUMENTS, [MOST_DOCUMENTS]),
        ([0] * (MOST_DOCUMENTS + 1), [MOST_DOCUMENTS, 1]),
    ],
)
def test_blocks_are_cut_by_number_and_size(sizes: list[int], expected: list[int]) -> None:
    documents = [document(f"{index:05d}.yaml", size) for index, size in enumerate(sizes)]
    blocks = cut_documents("baselines", documents, 100)
    assert [len(block.documents) for block in blocks] == expected
    assert [block.index for block in blocks] == list(range(len(expected)))
    assert [one for block in blocks for one in block.documents] == documents


def test_positions_and_places_are_each_others_reverse() -> None:
    block = DocumentBlock("baselines", 3, tuple(document(name) for name in ("a.yaml", "b/c.yaml", "z.json")))
    assert block.stem == "documents-b00003"
    places = [block.place(position) for position in range(3)]
    assert places == [Place("baselines", name, 1) for name in block.names]
    assert [block.position(place) for place in places] == [0, 1, 2]
    assert block.shard_at(1).name == "b/c.yaml"


def test_each_file_is_a_record(tmp_path: Path) -> None:
    block = written(tmp_path, a=b"x: 1\r\n", b=b"", c=b"no line feed")
    told: list[int] = []
    found = list(read_documents(block, Limits(), told.append))
    assert [shard.name for shard, _ in found] == ["a.yaml", "b.yaml", "c.yaml"]
    assert [line for _, line in found] == [
        Line(1, 0, 6, b"x: 1\r\n", syntax=Syntax.YAML),
        Line(1, 0, 0, b"", syntax=Syntax.YAML),
        Line(1, 0, 12, b"no line feed", syntax=Syntax.YAML),
    ]
    assert told == [18]


def test_progress_is_told_a_buffer_at_a_time(tmp_path: Path) -> None:
    block = written(tmp_path, a=b"x" * BUFFER_BYTES, b=b"", c=b"x" * (BUFFER_BYTES - 1), d=b"xx", e=b"x")
    told: list[int] = []
    assert len(list(read_documents(block, Limits(), told.append))) == 5
    assert told == [BUFFER_BYTES, 2 * BUFFER_BYTES + 1, 2 * BUFFER_BYTES + 2]


def test_a_document_over_the_bound_keeps_its_first_bytes(tmp_path: Path) -> None:
    data = b"x" * 3_000_000
    block = written(tmp_path, a=data, b=data[:100_000])
    (_, long), (_, fitting) = read_documents(block, Limits(max_record_bytes=100_000))
    assert long == Line(1, 0, 3_000_000, data[:4096], True, hashlib.sha256(data).hexdigest(), Syntax.YAML)
    assert (fitting.oversized, fitting.length) == (False, 100_000)


@pytest.mark.parametrize("change", [b"x: 2\n", b"x: 1\n\n", b""])
def test_a_file_that_changed_since_planning_is_refused(change: bytes, tmp_path: Path) -> None:
    block = written(tmp_path, a=b"x: 1\n")
    (tmp_path / "a.yaml").write_bytes(change)
    with pytest.raises(UnreadableShard, match=r"a\.yaml: its bytes are not those that were planned"):
        list(read_documents(block, Limits()))


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    block = written(tmp_path, a=b"x: 1\n")
    (tmp_path / "a.yaml").unlink()
    with pytest.raises(UnreadableShard, match=r"a\.yaml: No such file"):
        list(read_documents(block, Limits()))


def test_inspection(tmp_path: Path) -> None:
    shard = written(tmp_path, a=b"x: 1\n").documents[0].shard
    found = inspect_document(shard, Limits())
    assert (found.sha256, found.size, found.blocks, found.faults, found.lines) == (
        hashlib.sha256(b"x: 1\n").hexdigest(),
        5,
        (),
        (),
        1,
    )
    large = inspect_document(shard, Limits(max_shard_bytes=4))
    assert (large.sha256, [fault.code for fault in large.faults]) == (None, ["shard-too-large"])


def test_a_document_that_is_too_large_has_its_files_size(tmp_path: Path) -> None:
    """The run goes on without it, and looks at its size once more when it ends."""
    shard = written(tmp_path, a=b"x" * (4 * BUFFER_BYTES)).documents[0].shard
    assert inspect_document(shard, Limits(max_shard_bytes=BUFFER_BYTES)).size == 4 * BUFFER_BYTES
