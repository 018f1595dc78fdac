"""What a campaign pins an executor by, and executors that are pinned as another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sandboxed import NEEDS_BUBBLEWRAP, SECONDS, sandbox, suite

from pipeline.evaluate import configuration
from pipeline.evaluate.configuration import Identity, identity_of, installed, pinned_executor
from pipeline.evaluate.execution import Result, execute
from pipeline.exits import Exit, RunError
from transforms.acceptance.values import EvidenceTerms, Executor

OWN = Identity("1.2.0", "ab" * 32, "CPython 3.11.7", {})
PINNED = Executor("1.2.0", "ab" * 32, "CPython 3.11.7", 30)


def package(folder: Path, name: str, version: str, code: str = "") -> Path:
    """A folder with an installed package."""
    meta = folder / f"{name}-{version}.dist-info"
    meta.mkdir(parents=True)
    (meta / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    folder.chmod(0o755)
    return folder


@NEEDS_BUBBLEWRAP
def test_the_digest_is_over_all_that_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = sandbox()
    first = identity_of(own)
    assert first == identity_of(own)
    assert (first.interpreter, first.dependencies) == (own.interpreter.name, {})
    looser = replace(own, bounds=replace(own.bounds, memory_bytes=1 << 40))
    packed = replace(own, packages=package(tmp_path, "numbers_of_mine", "1.0"))
    monkeypatch.setattr(configuration, "sources", lambda: {"sandbox.py": "other"})
    others = [identity_of(looser), identity_of(own)]
    monkeypatch.undo()
    others.append(identity_of(packed))
    assert identity_of(packed).dependencies == {"numbers_of_mine": "1.0"}
    assert len({first.configuration_sha256, *(other.configuration_sha256 for other in others)}) == 4


def test_every_module_that_decides_is_named() -> None:
    folder = Path(configuration.__file__).parent
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    # These read runs, suites and campaigns, and write; they say nothing of how code runs.
    others = {"__init__.py", "candidates.py", "configuration.py", "evaluation.py", "isolation.py", "records.py"}
    others |= {"suites.py", *(path for path in present if path.startswith("probe/"))}
    assert configuration.sources().keys() == present - others


@NEEDS_BUBBLEWRAP
def test_packages_are_there_for_code_and_tests(tmp_path: Path) -> None:
    packed = replace(sandbox(), packages=package(tmp_path, "mine", "2.0", "def twice(n): return 2 * n\n"))
    tests = suite(test_it="import mine, solution\ndef test_it(): assert solution.double(2) == mine.twice(2)\n")
    code = "from mine import twice as double\n"
    assert execute(packed, code, tests, SECONDS) == Result(0, False, 1, (), 0)
    assert execute(sandbox(), code, tests, SECONDS) == Result(1, False, 0, (), 1)


def test_no_packages(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    assert installed(tmp_path) == {}
    tmp_path.chmod(0o700)
    with pytest.raises(RunError) as raised:
        installed(tmp_path)
    assert raised.value.reason == (f"{tmp_path}: not everybody may read it, and in a room everybody is somebody else")
    with pytest.raises(RunError) as raised:
        installed(tmp_path / "none")
    assert raised.value.reason == f"{tmp_path / 'none'}: is no folder of packages"


def refused(executors: dict[str, Executor], name: str | None = None) -> str:
    with pytest.raises(RunError) as raised:
        pinned_executor(EvidenceTerms(executors=executors), name, OWN)
    assert raised.value.exit_code == Exit.USAGE
    return raised.value.reason


def test_the_pinned_one() -> None:
    assert pinned_executor(EvidenceTerms(executors={"a": PINNED}), None, OWN) == ("a", PINNED)
    both = {"a": replace(PINNED, version="1.1.0"), "b": PINNED}
    assert pinned_executor(EvidenceTerms(executors=both), "b", OWN) == ("b", PINNED)


def test_not_the_pinned_one() -> None:
    assert refused({}) == "the campaign names 0 executors: say which one this is with --executor"
    two = {"a": PINNED, "b": PINNED}
    assert refused(two) == "the campaign names 2 executors: say which one this is with --executor"
    assert refused(two, "c") == "'c' is none of the campaign's executors (a, b)"
    assert refused({"a": replace(PINNED, version="1.1.0")}) == (
        "the campaign pins 'a' with version 1.1.0; this one has 1.2.0"
    )
    assert refused({"a": replace(PINNED, configuration_sha256="cd" * 32)}) == (
        f"the campaign pins 'a' with configuration_sha256 {'cd' * 32}; this one has {'ab' * 32}"
    )
    assert refused({"a": replace(PINNED, interpreter="CPython 3.11.9")}) == (
        "the campaign pins 'a' with interpreter CPython 3.11.9; this one has CPython 3.11.7"
    )
