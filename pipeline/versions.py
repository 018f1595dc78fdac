"""The versions that a run's outputs depend on."""

from __future__ import annotations

import hashlib
import platform
import unicodedata
from functools import cache
from importlib import metadata, resources
from pathlib import Path

from transforms.digests import file_sha256

PRODUCT = "campaign-assay"
_LIBRARIES = (
    "jiter",
    "jsonschema",
    "jsonschema-rs",
    "markdown-it-py",
    "mpmath",
    "numpy",
    "orjson",
    "pint",
    "pyarrow",
    "pyyaml",
    "radon",
    "rfc8785",
    "ruff",
    "sympy",
)
_CHECKS = ("transforms", "schemas")


@cache
def pinned_versions() -> dict[str, str]:
    """Product, semantic checks (by digest), interpreter, Unicode tables and deciding libraries."""
    return {
        PRODUCT: metadata.version(PRODUCT),
        "semantic-checks": semantic_checks_digest(),
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
        **{name: metadata.version(name) for name in _LIBRARIES},
    }


def semantic_checks_digest() -> str:
    """SHA-256 over the names and contents of every module and schema that decides a verdict."""
    digest = hashlib.sha256()
    for package in _CHECKS:
        root = Path(str(resources.files(package)))
        for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).as_posix()):
            if path.suffix in (".py", ".json") and "__pycache__" not in path.parts:
                digest.update(f"{file_sha256(path)}  {package}/{path.relative_to(root).as_posix()}\n".encode())
    return digest.hexdigest()
