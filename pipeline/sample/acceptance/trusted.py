"""Whose evidence the synthetic campaign believes: reviewers, judges, adjudicators, an executor and the tests."""

from __future__ import annotations

from pipeline.sample.pairwise import Record
from transforms.digests import canonical_json, sha256_hex

REVIEWERS = ("ann", "ben", "cho", "dan", "eve")
CONTRIBUTORS = ("u-1", "u-2", "dan")
LEAD, SECOND, DOCTOR, PRIVACY, LIBRARY = "lead", "second-lead", "dr-lee", "privacy-desk", "library"
COUNTED, SCREEN = "examiner", "screener"
"""The judges: the word of the first counts as a reviewer's, that of the second is only recorded."""
EXECUTOR = "sandbox"

_PARAMETERS: Record = {"temperature": 0, "max_tokens": 2048}
# One person may be both, and then adjudicates no record that they reviewed.
REVIEWING_ADJUDICATOR = "cho"
_QUALIFIED = {
    REVIEWING_ADJUDICATOR: [],
    LEAD: [],
    SECOND: [],
    DOCTOR: ["clinical"],
    PRIVACY: ["privacy"],
    LIBRARY: ["source"],
}
_PINNED: Record = {
    "version": "2.3.1",
    "configuration_sha256": sha256_hex(b"no network, no credentials, one processor"),
    "interpreter": "CPython 3.11.9",
    "timeout_seconds": 60,
}


def suite(task_id: str) -> Record:
    """The pinned tests of a task."""
    return {"sha256": sha256_hex(f"tests of {task_id}".encode()), "origin": "sponsor"}


def judge(name: str) -> Record:
    """The member `judge` of a review by a judge."""
    parameters = sha256_hex(canonical_json(_PARAMETERS))
    return {"model": f"{name}-2026-05", "prompt_sha256": _prompt(name), "parameters_sha256": parameters}


def _prompt(name: str) -> str:
    return sha256_hex(f"the prompt of {name}".encode())


def execution() -> Record:
    """The members of an execution that say who ran the tests, and how."""
    return {
        "executor": {"name": EXECUTOR, **{name: _PINNED[name] for name in ("version", "configuration_sha256")}},
        "interpreter": _PINNED["interpreter"],
        "dependencies": {"numpy": "2.2.6", "pytest": "8.3.4"},
        "limits": {
            "timeout_seconds": _PINNED["timeout_seconds"],
            "cpu_seconds": 60,
            "memory_bytes": 1 << 29,
            "processes": 16,
            "file_bytes": 1 << 24,
            "output_bytes": 1 << 20,
        },
    }


def evidence_member() -> Record:
    """The member `evidence` of the manifest, without its pin of the tests."""
    return {
        "reviewers": list(REVIEWERS),
        "adjudicators": {name: {"qualifications": subjects} for name, subjects in _QUALIFIED.items()},
        "judges": {
            name: {
                "model": judge(name)["model"],
                "prompt_sha256": _prompt(name),
                "parameters": _PARAMETERS,
                "counts_as_independent": name == COUNTED,
            }
            for name in (COUNTED, SCREEN)
        },
        "executors": {EXECUTOR: _PINNED},
    }
