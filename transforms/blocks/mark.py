"""What every worker of a run must share with the driver: the run's folder, and what the outputs depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from transforms.faults import EnvironmentFault


@dataclass(frozen=True, slots=True)
class Mark:
    """`token`, another one in each attempt, stands in the file `path` below the run's folder.

    `path` is None where workers share no folder. `versions` are the driver's; `versions_here` is called in the worker.
    """

    path: Path | None
    token: str
    versions: Mapping[str, str]
    versions_here: Callable[[], Mapping[str, str]]

    def leave(self) -> None:
        """Write the file. Raises OSError."""
        if self.path:
            self.path.write_text(self.token, encoding="ascii")

    def require_folder(self) -> None:
        """Refuse to write where the driver would not find it, or would take it for another attempt's.

        A worker on another machine may have a folder of the same name; what an abandoned job still does must not
        get into the files of the next. Raises EnvironmentFault.
        """
        if self.path is None:
            return
        try:
            here = self.path.read_text(encoding="ascii", errors="replace")
        except OSError:
            here = ""
        if here != self.token:
            message = "all workers must share the folder given as --output"
            raise EnvironmentFault(f"a worker does not see the run's folder {self.path.parent.parent}: {message}")

    def require_versions(self) -> None:
        """Refuse a worker whose outputs could be others. Raises EnvironmentFault."""
        here = self.versions_here()
        for name, version in self.versions.items():
            if here.get(name) != version:
                raise EnvironmentFault(f"a worker has {name} {here.get(name)}, the run needs {version}")
