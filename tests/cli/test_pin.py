"""`assay pin`: what moved is shown, and the campaign is fit again."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from commands import assay, read
from golden_campaigns import KIND, RUBRIC
from spoilt_campaigns import write_sound

from transforms.digests import sha256_hex


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write_sound(tmp_path)


def edit(path: Path, change: Callable[[Any], Any]) -> None:
    value = read(path)
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def short(digest: str) -> str:
    return f"{digest[:12]}…"


def test_nothing_moved(path: Path) -> None:
    before = path.read_bytes()
    said = assay("pin", path)
    assert (said.code, said.out, said.err) == (0, "nothing moved\n", "")
    assert path.read_bytes() == before


@pytest.mark.parametrize(("member", "version", "name"), [("schemas", KIND, "schema"), ("rubrics", RUBRIC, "rubric")])
def test_an_edited_document(path: Path, member: str, version: str, name: str) -> None:
    document = path.with_name(f"{name}.json")
    old = sha256_hex(document.read_bytes())
    document.write_bytes(document.read_bytes() + b"\n")
    new = sha256_hex(document.read_bytes())
    assert assay("check", path).code == 2
    said = assay("pin", path)
    assert (said.code, said.out) == (0, f"/{member}/{version}: {short(old)} → {short(new)}\n")
    assert read(path)[member][version]["sha256"] == new
    assert assay("check", path).code == 0
    assert assay("pin", path).out == "nothing moved\n"


def test_another_validator_version(path: Path) -> None:
    edit(path, lambda manifest: manifest["validator"].update(version="0.0.1"))
    installed = metadata.version("jsonschema-rs")
    said = assay("pin", path)
    assert (said.code, said.out) == (0, f"/validator/version: 0.0.1 → {installed}\n")
    assert assay("check", path).code == 0


def test_another_engine(path: Path) -> None:
    edit(path, lambda manifest: manifest["validator"].update(engine="jsonschema"))
    assert assay("pin", path).code == 0
    assert read(path)["validator"]["version"] == metadata.version("jsonschema")
    assert assay("check", path).code == 0


def test_all_at_once_in_the_order_of_the_manifest(path: Path) -> None:
    for name in ("rubric.json", "schema.json"):
        path.with_name(name).write_bytes(path.with_name(name).read_bytes() + b" ")
    edit(path, lambda manifest: manifest["validator"].update(version="0.0.1"))
    moved = [line.partition(": ")[0] for line in assay("pin", path).out.splitlines()]
    assert moved == [f"/schemas/{KIND}", f"/rubrics/{RUBRIC}", "/validator/version"]
    assert assay("check", path).code == 0


def test_what_is_written_keeps_everything_else(path: Path) -> None:
    edit(path, lambda manifest: manifest.update(description="Größe · 大きさ", validator={**manifest["validator"]}))
    path.with_name("rubric.json").write_bytes(path.with_name("rubric.json").read_bytes() + b" ")
    before = read(path)
    assert assay("pin", path).code == 0
    after = read(path)
    before["rubrics"][RUBRIC]["sha256"] = after["rubrics"][RUBRIC]["sha256"]
    assert (after, list(after)) == (before, list(before))
    assert "大きさ" in path.read_text(encoding="utf-8")
    assert path.read_bytes().endswith(b"}\n")
    assert sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()) == [
        "campaign.json",
        "rubric.json",
        "schema.json",
    ]


@pytest.mark.parametrize("name", ["schema.json", "rubric.json"])
def test_a_document_that_is_not_there(path: Path, name: str) -> None:
    edit(path, lambda manifest: manifest["validator"].update(version="0.0.1"))
    path.with_name(name).unlink()
    before = path.read_bytes()
    said = assay("pin", path)
    assert (said.code, said.out, said.err) == (2, "", f"assay: {name}: No such file or directory\n")
    assert path.read_bytes() == before


def test_an_invalid_manifest(path: Path) -> None:
    edit(path, lambda manifest: manifest.update(owner="me"))
    before = path.read_bytes()
    said = assay("pin", path)
    message = "has unexpected properties: 'owner'"
    assert (said.code, said.out, said.err) == (2, "", f"assay: {path}: schema/additionalProperties: {message}\n")
    assert path.read_bytes() == before


def test_no_manifest(path: Path) -> None:
    path.unlink()
    said = assay("pin", path)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"assay: {path}: document-unreadable: ")
    assert not path.exists()
