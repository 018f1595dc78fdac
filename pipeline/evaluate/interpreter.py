"""The interpreter that runs code in the rooms: which files it needs, and where they stand inside."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.exits import Exit, RunError

INSIDE = Path("/python")

_SECONDS = 30
# Its own word on where it lives; the library is None where the executable has all in it.
_ASK = """
import json, os, platform, sys, sysconfig
shared = sysconfig.get_config_var("INSTSONAME") if sysconfig.get_config_var("Py_ENABLE_SHARED") else None
folders = (sysconfig.get_config_var("LIBDIR"), os.path.join(sys.base_prefix, "lib"))
found = [path for path in (os.path.join(folder, shared) for folder in folders if shared) if os.path.isfile(path)]
print(json.dumps({
    "name": f"{platform.python_implementation()} {platform.python_version()}",
    "version": list(sys.version_info[:2]),
    "executable": os.path.realpath(sys.executable),
    "prefix": os.path.realpath(sys.base_prefix),
    "stdlib": sorted({os.path.realpath(sysconfig.get_path(name, vars={"base": sys.base_prefix,
        "installed_base": sys.base_prefix, "platbase": sys.base_prefix, "installed_platbase": sys.base_prefix}))
        for name in ("stdlib", "platstdlib")}),
    "library": found[0] if found else None,
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python: its name with the full version, its language version, and the paths it is made of.

    `folders` hold its standard library; `library` is the shared one that its executable needs, None where it needs
    none. What other packages are installed for it is no part of it.
    """

    name: str
    version: tuple[int, int]
    executable: Path
    prefix: Path
    folders: tuple[Path, ...]
    library: Path | None

    @property
    def inside(self) -> Path:
        """The executable inside a room."""
        return INSIDE / "bin" / self.executable.name

    def binds(self) -> Iterator[tuple[Path, Path]]:
        """Each path with the one that it has inside."""
        yield self.executable, self.inside
        for folder in self.folders:
            yield folder, INSIDE / folder.relative_to(self.prefix)
        if self.library:
            yield self.library.resolve(), INSIDE / "lib" / self.library.name

    def masked(self) -> Iterator[Path]:
        """The folders inside that hold packages beyond the standard library."""
        for folder in self.folders:
            for name in ("site-packages", "dist-packages"):
                if (folder / name).is_dir():
                    yield INSIDE / folder.relative_to(self.prefix) / name


def interpreter_at(executable: str | Path | None = None) -> Interpreter:
    """The interpreter of that executable, by default the one that runs this process.

    Raises RunError where it is none, or older than 3.11, which has no safe search path yet.
    """
    asked = [str(executable or sys.executable), "-I", "-c", _ASK]
    try:
        done = subprocess.run(asked, capture_output=True, check=True, timeout=_SECONDS)
        said = json.loads(done.stdout)
        found = Interpreter(
            name=said["name"],
            version=(said["version"][0], said["version"][1]),
            executable=Path(said["executable"]),
            prefix=Path(said["prefix"]),
            folders=tuple(map(Path, said["stdlib"])),
            library=Path(said["library"]) if said["library"] else None,
        )
    except (OSError, subprocess.SubprocessError, ValueError, LookupError, TypeError) as error:
        raise RunError(Exit.USAGE, f"{asked[0]}: is no Python that can be asked: {type(error).__name__}") from error
    if found.version < (3, 11):
        raise RunError(Exit.USAGE, f"{asked[0]}: is {found.name}; rooms need 3.11 or later")
    return found
