"""What no committed file may hold, and what the lock files must."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from source_tree import ROOT, committed_files, relative

# Built from pieces, so that this file does not hold what it looks for.
HOSTS = tuple(
    ".".join(parts).encode()
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("anaconda", "org"),
        ("npmjs", "org"),
        ("devpi", "net"),
        ("jfrog", "io"),
    )
)
MACHINE_PATHS = tuple(
    re.compile(rb"(?<![\w.~/<>*-])/" + folder.encode() + rb"(?![\w-])")
    for folder in ("w" + "ork", "t" + "mp", "ro" + "ot", "ho" + "me", "Us" + "ers", "mn" + "t", "va" + "r")
)
LOCKS = ("requirements.lock", "requirements-dev.lock")
FILES = list(committed_files())


def holding(pattern: re.Pattern[bytes]) -> list[str]:
    return [relative(path) for path in FILES if pattern.search(path.read_bytes())]


def test_the_tree_is_seen() -> None:
    seen = {relative(path) for path in FILES}
    assert {"README.md", "pipeline/graph.py", "tests/golden_campaigns.py", ".ci/run", *LOCKS} <= seen
    assert not any(name.startswith((".venv/", ".git/", "out/")) for name in seen)


def test_no_checkout_changes_line_ends() -> None:
    """Some golden cases and sample shards end their lines in CRLF on purpose, and all are compared byte for byte."""
    assert "* -text" in (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("host", HOSTS, ids=bytes.decode)
def test_no_registry_is_named(host: bytes) -> None:
    assert holding(re.compile(re.escape(host), re.IGNORECASE)) == []


@pytest.mark.parametrize("pattern", MACHINE_PATHS, ids=lambda pattern: pattern.pattern.decode())
def test_no_path_of_one_machine(pattern: re.Pattern[bytes]) -> None:
    assert holding(pattern) == []


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_have_hashes_and_no_index(name: str) -> None:
    logical = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    rows = [line for line in logical if line.strip() and not line.lstrip().startswith("#")]
    assert len(rows) > 20
    for row in rows:
        assert re.match(
            r"[a-z0-9][a-z0-9._-]*(\[[a-z,]+\])?==[0-9][^\s;]*( *;[^#]*?)?( +--hash=sha256:[0-9a-f]{64})+\s*$", row
        ), row
    assert not [row for row in logical if re.search(r"--?(index|extra-index|find-links|trusted-host|i |f )|://", row)]


def test_both_locks_agree() -> None:
    def pins(name: str) -> dict[str, str]:
        text = (ROOT / name).read_text(encoding="utf-8")
        return dict(re.findall(r"^([a-z0-9][a-z0-9._-]*)(?:\[[a-z,]+\])?==(\S+)", text, re.MULTILINE))

    run, dev = (pins(name) for name in LOCKS)
    assert run.items() <= dev.items()


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=relative)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []
