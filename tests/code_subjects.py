"""Pairwise records with code, as the evaluators of gates get them."""

from __future__ import annotations

from transforms.acceptance.values import CodeTerms, Evidence, Execution, GateSubject, Suite
from transforms.records import Json

PYTHON = CodeTerms("python", (3, 11), frozenset({"numpy", "google.cloud.storage"}), ("E", "F"))


def pairwise(
    response_a: str = "Use a set.",
    response_b: str = "Use a dictionary.",
    preference: str = "A",
    golden_patch: str | None = None,
) -> Json:
    """A pairwise record's members that say which code is judged."""
    return {
        "response_a": response_a,
        "response_b": response_b,
        "preference": preference,
        "golden_patch": golden_patch,
    }


def subject(value: Json, terms: CodeTerms | None = PYTHON, *executions: Execution) -> GateSubject:
    """What evaluators look at, for a record with these executions."""
    return GateSubject("pairwise-v2", value, (), Evidence(executions=executions), terms)


def execution(code_sha256: str, sha256: str = "e" * 64, **members: object) -> Execution:
    """A run in which twelve tests passed, but for what `members` say."""
    given: dict[str, object] = {
        "executor": "sandbox-1",
        "sha256": sha256,
        "code_sha256": code_sha256,
        "suite": Suite("5" * 64, "sponsor"),
        "exit_status": 0,
        "timed_out": False,
        "passed": 12,
    }
    return Execution(**{**given, **members})  # type: ignore[arg-type]
