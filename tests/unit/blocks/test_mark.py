"""A worker that does not share the run's folder or versions is told so."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from transforms.blocks.mark import Mark
from transforms.faults import EnvironmentFault, fault_in

VERSIONS = {"pyarrow": "25.0.1", "python": "3.11.7"}


def here() -> dict[str, str]:
    return dict(VERSIONS)


def mark(root: Path, **versions: str) -> Mark:
    """As a worker has it."""
    (root / ".staging").mkdir(exist_ok=True)
    made: Mark = pickle.loads(pickle.dumps(Mark(root / ".staging" / "mark", "ab12", VERSIONS | versions, here)))
    return made


def reason(fault: EnvironmentFault) -> str | None:
    found = fault_in(f"a runner's text {fault} and more")
    return found.reason if found else None


def test_a_worker_that_shares_all(tmp_path: Path) -> None:
    mark(tmp_path).leave()
    mark(tmp_path).require_folder()
    mark(tmp_path).require_versions()


@pytest.mark.parametrize("there", [None, b"", b"cd34", b"\xff", b"ab12\n"], ids=repr)
def test_another_folder_of_the_name(there: bytes | None, tmp_path: Path) -> None:
    made = mark(tmp_path)
    if there is not None:
        made.path.write_bytes(there)
    with pytest.raises(EnvironmentFault) as caught:
        made.require_folder()
    rule = "all workers must share the folder given as --output"
    assert reason(caught.value) == f"a worker does not see the run's folder {tmp_path}: {rule}"


def test_the_next_attempt_shuts_out_the_one_before(tmp_path: Path) -> None:
    first = mark(tmp_path)
    first.leave()
    Mark(first.path, "cd34", VERSIONS, here).leave()
    with pytest.raises(EnvironmentFault):
        first.require_folder()


@pytest.mark.parametrize(("name", "version", "has"), [("pyarrow", "25.0.0", "25.0.1"), ("sympy", "1.14.0", "None")])
def test_another_version(name: str, version: str, has: str, tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFault) as caught:
        mark(tmp_path, **{name: version}).require_versions()
    assert reason(caught.value) == f"a worker has {name} {has}, the run needs {version}"
