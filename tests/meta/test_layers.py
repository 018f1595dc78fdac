"""Who may import whom, and what the command line may load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from source_tree import MODULES, PACKAGES, ROOT, imports, relative, top_level_imports, tree

BEAM = ("transforms/beam/", "pipeline/graph.py", "pipeline/options.py")
COMMANDS = sorted((ROOT / "pipeline" / "cli").glob("*.py"))
# What each package may import of ours.
ALLOWED = {"schemas": set(), "transforms": {"transforms", "schemas"}, "pipeline": set(PACKAGES)}


def package(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_imports_go_one_way(path: Path) -> None:
    of = relative(path).partition("/")[0]
    ours = {package(name) for name in imports(tree(path))} & {*PACKAGES, "tests"}
    assert ours - {of} <= ALLOWED[of]
    if of == "schemas":
        assert ours == set()


def test_beam_is_imported_where_it_may_be_only() -> None:
    users = [relative(path) for path in MODULES if "apache_beam" in {package(name) for name in imports(tree(path))}]
    assert [path for path in users if not path.startswith(BEAM)] == []
    assert set(users) >= {"pipeline/graph.py", "pipeline/options.py"}


def test_beam_modules_are_loaded_when_a_run_starts_only() -> None:
    lazy = ("transforms.beam", "pipeline.graph", "pipeline.options")
    users = [relative(path) for path in MODULES if any(name.startswith(lazy) for name in top_level_imports(path))]
    assert [path for path in users if not path.startswith(BEAM)] == []


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_loads_what_it_needs_when_it_is_called(path: Path) -> None:
    foreign = {name for name in top_level_imports(path) if package(name) not in sys.stdlib_module_names}
    assert foreign <= {"click", "pipeline.cli", "pipeline.exits"}


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["explain", "duplicate-key"], ["--version"]])
def test_nothing_heavy_is_loaded_for(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        "from pipeline.__main__ import run_command\n"
        f"code = run_command({arguments!r})\n"
        "heavy = {'apache_beam', 'google.api_core', 'google.cloud', 'grpc'}\n"
        "print(code, sorted(heavy & sys.modules.keys()), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"
