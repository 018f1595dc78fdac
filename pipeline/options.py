"""Beam's own flags, passed through: checked, and completed for the runner that works on one machine."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable, Sequence
from typing import Any

import apache_beam
from apache_beam.options.pipeline_options import PipelineOptions

from pipeline.dataflow import dataflow_defaults, require_dataflow
from pipeline.exits import Exit, RunError
from transforms.storage.location import Location

_LOOPBACK = "LOOPBACK"


def beam_options(flags: Sequence[str], workers: int = 1) -> PipelineOptions:
    """Beam's options from command-line flags; without `--runner`, the DirectRunner.

    With more than one of `workers` the DirectRunner works in so many processes, unless flags say how it is to work.
    Prism's workers are in this process, unless they are asked for elsewhere.
    The DirectRunner is held to its in-process engine: left alone it first tries to fetch another one
    and falls back in silence. Naming the compatibility version keeps it from trying. For Dataflow see
    `pipeline.dataflow.dataflow_defaults`.
    Raises RunError for a flag that neither Assay nor Beam knows.
    """
    _refuse_unknown(flags)
    options = PipelineOptions(list(flags))
    chosen = options.get_all_options()
    if (chosen.get("direct_num_workers") or 0) < 0:
        raise RunError(Exit.USAGE, "--direct_num_workers: a number of workers cannot be negative")
    defaults: dict[str, Any] = {}
    if not chosen["runner"]:
        defaults["runner"] = "DirectRunner"
    if not chosen["update_compatibility_version"] and _is_direct(chosen["runner"] or "DirectRunner"):
        defaults["update_compatibility_version"] = apache_beam.__version__
    if workers > 1 and _is_direct(chosen["runner"] or "DirectRunner") and not _says_how(flags):
        defaults |= {"direct_running_mode": "multi_processing", "direct_num_workers": workers}
    if not chosen["environment_type"] and _name(chosen["runner"] or "") == "prism":
        defaults["environment_type"] = _LOOPBACK
    if _is_dataflow(chosen["runner"] or ""):
        defaults |= dataflow_defaults(chosen)
    return PipelineOptions(list(flags), **defaults)


def worker_count(options: PipelineOptions) -> int:
    """How many workers the DirectRunner has, 1 for other runners: theirs is not ours to know."""
    chosen = options.get_all_options()
    if not _is_direct(chosen["runner"]) or chosen["direct_running_mode"] == "in_memory":
        return 1
    return int(chosen["direct_num_workers"] or os.cpu_count() or 1)


def is_local(options: PipelineOptions) -> bool:
    """Whether all workers are surely this process, or others that it starts on this machine."""
    chosen = options.get_all_options()
    return _is_direct(chosen["runner"]) or chosen["environment_type"] == _LOOPBACK


def _says_how(flags: Sequence[str]) -> bool:
    """Whether flags say how the DirectRunner is to work; what they say may be Beam's own default."""
    return any(flag.startswith("--direct_") for flag in flags)


def require_runner(options: PipelineOptions, places: Iterable[tuple[str, Location]]) -> None:
    """Refuse a run that its runner could not end well; `places` are what workers read and write. Raises RunError."""
    if is_dataflow(options):
        require_dataflow(options.get_all_options(), places)


def is_dataflow(options: PipelineOptions) -> bool:
    """Whether the job goes to Google Cloud's Dataflow service."""
    # Beam takes the name of a portable runner out of the options of its pipeline.
    return _is_dataflow(options.get_all_options()["runner"] or "")


def _is_dataflow(runner: str) -> bool:
    return _name(runner) == "dataflow"


def _is_direct(runner: str) -> bool:
    return _name(runner) in ("direct", "switchingdirect")


def _name(runner: str) -> str:
    """A runner as Beam understands its name: any case, with or without "Runner" or a module."""
    return runner.rpartition(".")[2].lower().removesuffix("runner")


def _refuse_unknown(flags: Sequence[str]) -> None:
    unknown: list[str] = []

    def collect(parser: Any) -> None:
        unknown.extend(parser.parse_known_args(list(flags))[1])

    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            PipelineOptions(list(flags)).get_all_options(add_extra_args_fn=collect)
    except SystemExit as error:
        reason = complaint.getvalue().strip().rpartition("error: ")[2]
        raise RunError(Exit.USAGE, reason or "a Beam flag cannot be read") from error
    if unknown:
        raise RunError(Exit.USAGE, f"no such option: {unknown[0]}")
