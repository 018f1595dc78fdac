"""The code-execution-v1 record of one run of tests."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.evaluate.bounds import Bounds, cpu_seconds
from pipeline.evaluate.candidates import Candidate
from pipeline.evaluate.configuration import Identity
from pipeline.evaluate.execution import Result
from pipeline.evaluate.program import Program
from transforms.acceptance.values import Suite
from transforms.digests import canonical_json
from transforms.records import Json

VERSION = "code-execution-v1"


@dataclass(frozen=True, slots=True)
class Executor:
    """Who ran the tests: its name in the campaign, what it is, its bounds, and the seconds that a run may take."""

    name: str
    identity: Identity
    bounds: Bounds
    timeout_seconds: int


def execution_record(executor: Executor, candidate: Candidate, program: Program, suite: Suite, result: Result) -> Json:
    """The record, as its schema has it."""
    identity, bounds = executor.identity, executor.bounds
    return {
        "schema_version": VERSION,
        "task_id": candidate.task_id,
        "record_sha256": candidate.record_sha256,
        "code_sha256": program.sha256,
        "executor": {
            "name": executor.name,
            "version": identity.version,
            "configuration_sha256": identity.configuration_sha256,
        },
        "interpreter": identity.interpreter,
        "dependencies": dict(identity.dependencies),
        "test_suite": {"sha256": suite.sha256, "origin": suite.origin},
        "limits": {
            "timeout_seconds": executor.timeout_seconds,
            "cpu_seconds": cpu_seconds(executor.timeout_seconds),
            "memory_bytes": bounds.memory_bytes,
            "processes": bounds.processes,
            "file_bytes": bounds.file_bytes,
            "output_bytes": bounds.output_bytes,
        },
        "exit_status": result.exit_status,
        "timed_out": result.timed_out,
        "tests": {"passed": result.passed, "failed": list(result.failed), "errors": result.errors},
    }


def record_line(record: Json) -> bytes:
    """The record in its RFC 8785 form, with a line feed."""
    return canonical_json(record) + b"\n"
