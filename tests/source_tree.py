"""The project's own files, for the tests that hold rules about them."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("pipeline", "transforms", "schemas")
BUILT_FROM = ("pyproject.toml", "setup.py", "README.md", *PACKAGES)
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), relative(path))


def imports(node: ast.AST) -> Iterator[str]:
    """Every module that an import statement inside `node` names, in full, at any depth."""
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            assert part.level == 0, f"a relative import of {part.module}"
            assert part.module is not None
            yield part.module
            # What is imported may be a module itself.
            yield from (f"{part.module}.{alias.name}" for alias in part.names)


def top_level_imports(path: Path) -> set[str]:
    """The modules that are loaded with this one: imports outside functions, `TYPE_CHECKING` blocks left out."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree(path).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return found


def committed_files() -> Iterator[Path]:
    """Every file of the project but those that `.gitignore` names."""
    ignored = [".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split())]
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not any(fnmatch(name, pattern) for pattern in ignored))
        yield from (Path(folder, name) for name in sorted(files))


def copy_to_build(folder: Path) -> Path:
    """The project's files in a folder that may be built in: what is built is left beside these and not in the tree."""
    for name in BUILT_FROM:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def packed_files(folder: Path) -> list[str]:
    """What must be in a package built there: every module, schema and fixture."""
    files = [path for name in PACKAGES for path in (folder / name).rglob("*") if path.suffix in (".py", ".json")]
    return sorted(path.relative_to(folder).as_posix() for path in files)


def build_wheel(folder: Path) -> Path:
    """The wheel of the project's files in a folder, built there without the network."""
    build = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", "dist"]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = (folder / "dist").iterdir()
    return built
