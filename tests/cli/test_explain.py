"""`assay explain`: every code, the list of all, and what is no code."""

from __future__ import annotations

import pytest
from commands import assay

from pipeline.catalogue import catalogue
from transforms.records import Code, Stage

CODES = catalogue()


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_every_code_is_explained(code: Code) -> None:
    said = assay("explain", code.code)
    assert (said.code, said.err) == (0, "")
    first, *rest = said.out.splitlines()
    assert first == code.code
    labels = [line.split()[0] for line in rest if not line.startswith(" " * 11)]
    assert labels == ["example", "mend", "effect", "stage", "since"]
    text = " ".join(said.out.split())
    for part in (code.summary, code.example, code.remedy, code.stage.name.lower(), code.since):
        assert " ".join(part.split()) in text
    assert max(len(line) for line in rest) <= 100


def test_the_list_has_every_code_once_under_its_stage() -> None:
    said = assay("explain")
    assert said.code == 0
    listed: dict[str, list[str]] = {}
    for line in said.out.splitlines():
        if line and not line.startswith(" "):
            stage = listed.setdefault(line, [])
        elif line and line.split()[0] != "code":
            stage.append(line.split()[0])
    expected = {
        stage.name.lower(): [code.code for code in CODES.values() if code.stage is stage]
        for stage in Stage
        if any(code.stage is stage for code in CODES.values())
    }
    assert listed == expected


@pytest.mark.parametrize("name", ["schema", "schema/nothing", "Duplicate-Key", ""])
def test_no_code(name: str) -> None:
    said = assay("explain", name)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"assay: no code {name!r}; `assay explain` lists them\n"
