"""Running the pinned tests over the code of a run's records, and the file of executions that comes of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from pipeline.campaign import Campaign
from pipeline.creation import create
from pipeline.evaluate.candidates import Candidate, candidates, code_streams
from pipeline.evaluate.configuration import identity_of, pinned_executor
from pipeline.evaluate.execution import execute
from pipeline.evaluate.isolation import prove_isolation
from pipeline.evaluate.records import Executor, execution_record, record_line
from pipeline.evaluate.sandbox import Sandbox
from pipeline.evaluate.suites import LoadedSuite, load_suite, suite_folder
from pipeline.exits import Exit, RunError
from transforms.acceptance.values import CodeTerms, EvidenceTerms
from transforms.records import Place
from transforms.storage import objects
from transforms.storage.location import Location, Remote


@dataclass(frozen=True, slots=True)
class Evaluated:
    """How many programs were run, how many of them passed all tests, and how many records were left out, and why."""

    executed: int
    passed: int
    without_code: int
    without_tests: int


def evaluate(
    campaign: Campaign, run: Location, tests: Path, output: Location, sandbox: Sandbox, name: str | None
) -> Evaluated:
    """Run the tests of each record's task over its code, and write the executions to `output`, which must not exist.

    They stand in the order (stream, shard, line) of their records. Raises RunError where something is not as the
    campaign pins it, before anything is run, or where the sandbox does not isolate.
    """
    _check_output(output)
    streams, evidence = code_streams(campaign), _evidence(campaign)
    executor = _executor(streams, evidence, sandbox, name)
    suites = _suites({found.task_id for found in candidates(run, campaign, streams) if found.programs}, tests, evidence)
    if not suites:
        raise RunError(Exit.BEYOND_THRESHOLDS, f"{run}: no record has code and pinned tests")
    prove_isolation(sandbox)
    lines: list[tuple[Place, bytes]] = []
    counts = {"passed": 0, "without_code": 0, "without_tests": 0}
    for candidate in tqdm(candidates(run, campaign, streams), unit=" records", disable=None):
        if left_out := _left_out(candidate, suites):
            counts[left_out] += 1
            continue
        for program in candidate.programs:
            result = execute(sandbox, program.text, suites[candidate.task_id], executor.timeout_seconds)
            record = execution_record(executor, candidate, program, evidence.suites[candidate.task_id], result)
            counts["passed"] += result.exit_status == 0
            lines.append((candidate.place, record_line(record)))
    _write(output, b"".join(line for _, line in sorted(lines, key=lambda row: _order(row[0]))))
    return Evaluated(len(lines), **counts)


def _executor(
    streams: Mapping[str, CodeTerms], evidence: EvidenceTerms, sandbox: Sandbox, name: str | None
) -> Executor:
    """This executor, as the campaign pins it. Raises RunError where it does not."""
    _check_versions(streams, sandbox)
    identity = identity_of(sandbox)
    chosen, pinned = pinned_executor(evidence, name, identity)
    return Executor(chosen, identity, sandbox.bounds, pinned.timeout_seconds)


def _evidence(campaign: Campaign) -> EvidenceTerms:
    # The same for all streams.
    return next(iter(campaign.streams.values())).terms.evidence


def _check_versions(streams: Mapping[str, CodeTerms], sandbox: Sandbox) -> None:
    for name, terms in streams.items():
        if terms.version != sandbox.interpreter.version:
            wanted = ".".join(map(str, terms.version))
            raise RunError(Exit.USAGE, f"stream {name!r}: its code is Python {wanted}, not {sandbox.interpreter.name}")


def _suites(tasks: set[str], tests: Path, evidence: EvidenceTerms) -> dict[str, LoadedSuite]:
    """The pinned tests of the tasks that have some. Raises RunError where a task's are not there, or not the pinned."""
    if not tests.is_dir():
        raise RunError(Exit.USAGE, f"{tests}: is no folder")
    found = {}
    for task in sorted(tasks & evidence.suites.keys()):
        suite = found[task] = load_suite(suite_folder(tests, task))
        pinned = evidence.suites[task].sha256
        if suite.sha256 != pinned:
            raise RunError(Exit.USAGE, f"task {task!r}: its tests have SHA-256 {suite.sha256}, pinned is {pinned}")
    return found


def _left_out(candidate: Candidate, suites: Mapping[str, LoadedSuite]) -> str | None:
    """Why a record's code is not run; None where it is."""
    if not candidate.programs:
        return "without_code"
    return None if candidate.task_id in suites else "without_tests"


def _order(place: Place) -> tuple[str, str, int]:
    return place.stream, place.shard, place.line


def _check_output(output: Location) -> None:
    """Raise RunError where the file is there, or could not be created in the end: a trial one is, and removed."""
    trial = output.parent / f".{output.name}.trial"
    try:
        if objects.exists(output) if isinstance(output, Remote) else os.path.lexists(output):
            raise RunError(Exit.USAGE, f"{output}: exists already")
        _remove(trial)
        create(trial, b"")
        _remove(trial)
    except OSError as error:
        raise RunError(Exit.USAGE, f"{output}: cannot be created: {error.strerror}") from error


def _remove(file: Location) -> None:
    if isinstance(file, Remote):
        objects.delete(file)
    else:
        file.unlink(missing_ok=True)


def _write(output: Location, data: bytes) -> None:
    try:
        create(output, data)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{output}: exists already") from error
