"""What of an engine's failures is the environment's, and what is a bug."""

from __future__ import annotations

import grpc
import pytest
from google.api_core.exceptions import Forbidden

from pipeline.engine_faults import engine_fault

FAILED = "Pipeline job-001 failed in state"
DATAFLOW, TRACEBACK = "Dataflow pipeline failed. State:", "Traceback (most recent call last):\n  "
BUNDLE = f"{FAILED} FAILED: bundle inst007 stage-004 failed:Traceback (most recent call last):\n  "


@pytest.mark.parametrize(
    ("text", "code", "reason"),
    [
        (BUNDLE + "transforms.faults.EnvironmentFault: [[assay: No space left on device: x :assay]]\n", 3,
         "No space left on device: x"),
        (BUNDLE + "ModuleNotFoundError: No module named 'transforms'\n", 3,
         "a worker has no Assay: install campaign-assay where the workers run"),
        (BUNDLE + "ModuleNotFoundError: No module named 'pipeline.versions'\n", 3,
         "a worker has no Assay: install campaign-assay where the workers run"),
        ("Pipeline job-007 failed in state FAILED: prism worker[w] didn't get control connection to x:1 after 1m0s", 3,
         "a worker never reached its engine: can it be started, and has it Apache Beam?"),
        (f"{FAILED} CANCELLED: unknown error", 3, "the job was ended on its engine: cancelled"),
        (f"{DATAFLOW} CANCELLED, Error:\nNone", 3, "the job was ended on its engine: cancelled"),
        (f"{DATAFLOW} FAILED, Error:\nStartup of the worker pool\n failed: quota", 3,
         "the job failed on Dataflow: Startup of the worker pool failed: quota"),
        (f"{DATAFLOW} FAILED, Error:\n{TRACEBACK}EnvironmentFault: [[assay: a fault :assay]]", 3, "a fault"),
        ("Unable to fetch remote prism binary at https://x:\n <urlopen error>", 3,
         "Beam: Unable to fetch remote prism binary at https://x: <urlopen error>"),
        ('Unable to parse binary URL "/x". If', 2, 'Beam: Unable to parse binary URL "/x". If'),
        ("Unknown environment type: LOOPBAK", 2, "Beam: Unknown environment type: LOOPBAK"),
    ],
)  # fmt: skip
def test_the_environment(text: str, code: int, reason: str) -> None:
    fault = engine_fault(RuntimeError(text))
    assert fault is not None
    assert (fault.exit_code, fault.reason) == (code, reason)


@pytest.mark.parametrize(
    "text",
    [
        BUNDLE + "KeyError: 'x'",
        f"{DATAFLOW} FAILED, Error:\n{TRACEBACK}KeyError: 'x'",
        "No module named 'transformers'",
        "No module named 'apache_beam'",
        "",
    ],
)
def test_a_bug(text: str) -> None:
    assert engine_fault(RuntimeError(text)) is None


def test_dataflow_refuses() -> None:
    fault = engine_fault(Forbidden("the caller lacks\ndataflow.jobs.create"))
    assert fault is not None
    reason = "the Dataflow service refused the job: 403 the caller lacks dataflow.jobs.create"
    assert (fault.exit_code, fault.reason) == (3, reason)


def test_nobody_answers() -> None:
    fault = engine_fault(grpc.FutureTimeoutError())
    assert fault is not None
    assert (fault.exit_code, fault.reason) == (3, "no job service answers at the --job_endpoint")


def test_a_connection_that_broke() -> None:
    class Broken(grpc.RpcError, grpc.Call):  # type: ignore[misc]
        def details(self) -> str:
            return "Socket\nclosed" + 400 * "."

    Broken.__abstractmethods__ = frozenset()
    fault = engine_fault(Broken())
    assert fault is not None
    assert fault.exit_code == 3
    assert fault.reason.startswith("the connection to the job service broke: Socket closed...")
    assert len(fault.reason) < 400
