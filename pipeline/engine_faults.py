"""What an engine's failure says of the environment, where it is no bug: one line and an exit code."""

from __future__ import annotations

import re

import grpc
from google.api_core.exceptions import GoogleAPICallError

from pipeline.exits import Exit, InputFault, RunError
from transforms.faults import fault_in

_WORKERS = {
    re.compile(r"No module named '(?:pipeline|transforms|schemas)\b"):
        "a worker has no Assay: install campaign-assay where the workers run",
    # Prism waits a minute for each worker that it asked for.
    re.compile("didn't get control connection"):
        "a worker never reached its engine: can it be started, and has it Apache Beam?",
}  # fmt: skip
_STOPPED = re.compile(r"(?:failed in state|^Dataflow pipeline failed\. State:) (CANCELLED|DRAINED|STOPPED|UPDATED)\b")
_FAILED_ON_DATAFLOW, _TRACEBACK = "Dataflow pipeline failed. State: FAILED, Error:\n", "Traceback (most recent"
# Beam has no types for these: it says so before it gives the engine anything to do.
_USAGE = ("Unable to parse", "You must specify a --job_endpoint", "Unknown environment type")
_NOT_HAD = "Unable to fetch remote"


def engine_fault(error: Exception) -> RunError | None:
    """What ended a run, from whatever Beam raises for it; None for a bug."""
    text = str(error)
    fault = fault_in(text)
    if fault is not None:
        return (InputFault if fault.is_input else RunError)(Exit.INTEGRITY, fault.reason)
    if text.startswith(_USAGE):
        return RunError(Exit.USAGE, f"Beam: {_line(text)}")
    if text.startswith(_NOT_HAD):
        return RunError(Exit.INTEGRITY, f"Beam: {_line(text)}")
    for said, reason in _WORKERS.items():
        if said.search(text):
            return RunError(Exit.INTEGRITY, reason)
    stopped = _STOPPED.search(text)
    if stopped:
        return RunError(Exit.INTEGRITY, f"the job was ended on its engine: {stopped.group(1).lower()}")
    if text.startswith(_FAILED_ON_DATAFLOW) and _TRACEBACK not in text:
        # What a worker raises has a traceback; without one the service speaks of machines, quotas or rights.
        return RunError(Exit.INTEGRITY, f"the job failed on Dataflow: {_line(text.partition(': FAILED, Error:')[2])}")
    return _service_fault(error)


def _service_fault(error: Exception) -> RunError | None:
    """What the service said that takes jobs, or that nothing was heard of it."""
    if isinstance(error, GoogleAPICallError):
        return RunError(Exit.INTEGRITY, f"the Dataflow service refused the job: {_line(str(error))}")
    if isinstance(error, grpc.FutureTimeoutError):
        return RunError(Exit.INTEGRITY, "no job service answers at the --job_endpoint")
    if isinstance(error, grpc.RpcError):
        details = error.details() if isinstance(error, grpc.Call) else str(error)
        return RunError(Exit.INTEGRITY, f"the connection to the job service broke: {_line(details or '')}")
    return None


def _line(text: str) -> str:
    return " ".join(text.split())[:300]
