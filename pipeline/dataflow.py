"""What a run on Dataflow must be given: checked before a shard is read, and completed where one answer is right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipeline.exits import Exit, RunError
from transforms.storage.location import Location, Remote, is_remote

# What Beam's runner imports beyond Beam's own dependencies; without the second it asks without credentials.
_MODULES = ("google.cloud.dataflow", "google_auth_httplib2")
_PACKAGE = ("sdk_container_image", "setup_file", "extra_packages")
_SILENT = "disable_logging_submission_environment"


def dataflow_defaults(chosen: Mapping[str, Any], tree: Path = Path(__file__).parent.parent) -> dict[str, Any]:
    """Beam's options by name, beside those `chosen`, for the DataflowRunner; `tree` is where Assay lies.

    Workers get the package of this tree where nothing else is said. All functions are in modules, so no main
    session travels; nor does the list of what is installed here, which tells of paths of this machine.
    """
    defaults: dict[str, Any] = {"experiments": [*(chosen["experiments"] or ()), _SILENT]}
    if chosen["save_main_session"] is None:
        defaults["save_main_session"] = False
    if not any(chosen[name] for name in _PACKAGE) and (tree / "setup.py").is_file():
        defaults["setup_file"] = str(tree / "setup.py")
    return defaults


def require_dataflow(chosen: Mapping[str, Any], places: Iterable[tuple[str, Location]]) -> None:
    """Refuse a run on Dataflow that could not end well; `places`, each with what it is of, must be in buckets.

    `chosen` are Beam's options by name, completed. Raises RunError.
    """
    for name in ("project", "region", "temp_location"):
        if not chosen[name]:
            raise RunError(Exit.USAGE, f"the DataflowRunner needs --{name}")
    for name in ("temp_location", "staging_location", "template_location"):
        if chosen[name] and not is_remote(chosen[name]):
            raise RunError(Exit.USAGE, f"--{name}={chosen[name]}: for the DataflowRunner it is a gs:// URL")
    for of, place in places:
        if not isinstance(place, Remote):
            raise RunError(Exit.USAGE, f"{of} {place}: Dataflow's workers read and write gs:// URLs alone")
    if not any(chosen[name] for name in _PACKAGE):
        flags = "--sdk_container_image, --extra_package or --setup_file"
        raise RunError(Exit.USAGE, f"say where Dataflow's workers get Assay from: {flags}")
    for module in _MODULES:
        if find_spec(module) is None:
            raise RunError(Exit.USAGE, f"the DataflowRunner needs {module}: install campaign-assay[gcp]")


def not_run(chosen: Mapping[str, Any]) -> str | None:
    """Why a job that was handed to the DataflowRunner is no run, where flags asked for none."""
    if chosen["template_location"]:
        return f"the job is staged at {chosen['template_location']} and was not run; nothing was committed"
    return "--dry_run: the job was not run; nothing was committed" if chosen["dry_run"] else None
