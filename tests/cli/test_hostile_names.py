"""Names of files that markup, terminals and encodings would trip over."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import assay, read, run
from golden_campaigns import write_campaign
from shard_faults import SOUND
from small_campaign import write_small

NAMES = (
    "<b onmouseover=alert(42)>.jsonl",
    "\"'><script>alert(1)<!--.jsonl",
    "a b%20&amp;#1.jsonl",
    "[1]*?.jsonl",
    "\x1b[31mred\x07.jsonl",
    "two\nlines\r.jsonl",
    "‮gnp\u2028.jsonl",
    "-rf.jsonl",
    ".hidden.jsonl",
    "ÄÖ\u0308.JSONL",
)
VOID = {"meta"}


class Page(HTMLParser):
    """A page's tags, with their attributes, and its texts; fails where a tag is not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[tuple[str, tuple[tuple[str, str | None], ...]]] = set()
        self.cells: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add((tag, tuple(attrs)))
        if tag not in VOID:
            self._open.append(tag)
        if tag in ("td", "p", "h1"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("td", "p", "h1", "code"):
            self.cells[-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_run_of_such_a_shard(name: str, tmp_path: Path) -> None:
    shards = tmp_path / "shards"
    shards.mkdir()
    (shards / name).write_bytes(SOUND + b"{}\n")
    path = write_campaign(tmp_path, str(shards / name), {}, {})
    made = run(path, tmp_path / "out")
    (row,) = read(made / "manifest.json")["inputs"]
    assert (row["shard"], row["uri"]) == (name, f"shards/{name}")
    assert {
        entry.name for entry in made.rglob("*") if not entry.name.isascii() or set(entry.name) & set("<>\"'\n ")
    } == set()
    said = assay("verify", made, "--inputs")
    assert (said.code, said.err) == (0, "")
    page = Page((made / "report.html").read_bytes().decode())
    assert name in page.cells
    assert {tag for tag, _ in page.tags} == {"html", "meta", "title", "style", "h1", "h2", "table", "tr", "th", "td"}
    assert {attribute for _, attributes in page.tags for attribute in attributes} == {
        ("lang", "en"),
        ("charset", "utf-8"),
        ("class", "n"),
    }


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_what_is_said_of_it_stays_on_one_line(name: str, tmp_path: Path) -> None:
    shards = tmp_path / "shards"
    shards.mkdir()
    (shards / name).write_bytes(b"PAR1")
    path = write_campaign(tmp_path, str(shards / name), {}, {})
    said = assay("run", path, "--output", tmp_path / "out", "--quiet")
    assert (said.code, said.out, said.err.count("\n")) == (3, "", 1)
    assert said.err[:-1].isprintable()
    path = write_campaign(tmp_path, str(shards / name), {"on_corrupt_shard": "quarantine"}, {})
    said = assay("run", path, "--output", tmp_path / "out", "--run-id", "r", "--quiet")
    assert (said.code, said.err) == (0, "")
    assert all(line.isprintable() for line in said.out.split("\n"))
    page = Page((tmp_path / "out" / "r" / "report.html").read_bytes().decode())
    assert any(cell.startswith(f"annotations/{name}: not-jsonl") for cell in page.cells)


def test_findings_stay_on_one_line(tmp_path: Path) -> None:
    made = run(write_small(tmp_path / "campaign"), tmp_path / "out")
    (made / "two\nlines\x1b").write_bytes(b"")
    said = assay("verify", made)
    assert (said.code, said.out) == (3, "file-unlisted: two\\nlines\\x1b: present, but not listed\n")


@pytest.mark.parametrize(
    ("name", "encoding", "shown"), [(b"\xff", "utf-8", b"\\udcff"), ("ö".encode(), "ascii", b"\\xf6")]
)
def test_a_name_that_the_output_cannot_encode(name: bytes, encoding: str, shown: bytes, tmp_path: Path) -> None:
    made = run(write_small(tmp_path / "campaign"), tmp_path / "out")
    Path(os.fsdecode(os.fsencode(made) + b"/" + name)).write_bytes(b"")
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "pipeline", "verify", str(made)]
    done = subprocess.run(command, capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (3, b"")
    assert done.stdout == b"file-unlisted: " + shown + b": present, but not listed\n"
