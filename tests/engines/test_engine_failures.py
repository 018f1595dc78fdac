"""What engines and their workers may fail in: one line, the right exit code, nothing half-published."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from apache_beam.portability.api import beam_job_api_pb2 as jobs_api
from apache_beam.portability.api import beam_job_api_pb2_grpc as jobs_grpc
from other_engines import Server, free_port, pool_flags, prism_flags, prism_server, worker_pool
from processes import assay, digests, sample, start, the_complaint, wait_for
from source_tree import ROOT

pytestmark = pytest.mark.engines

LONG = 3000


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("failures") / "campaign", 300)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that takes some seconds."""
    return sample(tmp_path_factory.mktemp("long") / "campaign", LONG)


def refused(campaign: Path, output: Path, *flags: str, **how: object) -> tuple[int, str]:
    """Exit code and complaint; nothing may be left."""
    done = assay("run", campaign, "--output", output, "--run-id", "r", "--quiet", *flags, **how)  # type: ignore[arg-type]
    assert done.stdout == ""
    assert not (output / "r").exists()
    return done.returncode, the_complaint(done.stderr)


def test_no_job_service(campaign: Path, tmp_path: Path) -> None:
    flags = ("--runner=PrismRunner", f"--job_endpoint=localhost:{free_port()}", "--job_server_timeout=2")
    assert refused(campaign, tmp_path, *flags) == (3, "no job service answers at the --job_endpoint")


def test_a_worker_that_may_not_write(campaign: Path, prism: Server, tmp_path: Path) -> None:
    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    code, said = refused(campaign, tmp_path, *prism_flags(prism), preexec_fn=bound)
    assert code == 3
    assert "File too large" in said


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Server]:
    """Workers that find another, empty folder in the output's place, as workers on other machines would."""
    if shutil.which("bwrap") is None:
        pytest.skip("WORKERS ELSEWHERE ARE NOT TESTED: there is no bubblewrap")
    (tmp_path / "out").mkdir()
    within = ["bwrap", "--dev-bind", "/", "/", "--tmpfs", str(tmp_path / "out"), "--"]
    with worker_pool(tmp_path, within=within) as server:
        yield server


def test_workers_that_do_not_share_the_output(campaign: Path, prism: Server, elsewhere: Server, tmp_path: Path) -> None:
    output = tmp_path / "out"
    code, said = refused(campaign, output, *prism_flags(prism), *pool_flags(elsewhere))
    reason = "all workers must share the folder given as --output"
    assert (code, said) == (3, f"a worker does not see the run's folder {output / 'r'}: {reason}")
    assert elsewhere.started_workers == 1


def test_workers_of_another_version(campaign: Path, prism: Server, tmp_path: Path) -> None:
    for package in ("pipeline", "transforms", "schemas"):
        shutil.copytree(ROOT / package, tmp_path / "other" / package)
    with (tmp_path / "other" / "transforms" / "judge.py").open("a", encoding="utf-8") as file:
        file.write("# another version\n")
    with worker_pool(tmp_path, {"PYTHONPATH": str(tmp_path / "other")}) as other:
        code, said = refused(campaign, tmp_path / "out", *prism_flags(prism), *pool_flags(other))
    assert code == 3
    digest = "[0-9a-f]{64}"
    assert re.fullmatch(f"a worker has semantic-checks {digest}, the run needs {digest}", said)


def goes_on(campaign: Path, folder: Path) -> str:
    """What is said of blocks that were finished; there is no manifest, and another attempt gives the bytes of any."""
    left = folder / "out" / "r"
    assert not (left / "manifest.json").exists()
    said = f"; the same command goes on from what {left} holds" if left.exists() else ""
    command = ("run", campaign, "--run-id", "r", "--quiet", "--output")
    assert [assay(*command, folder / name).returncode for name in ("out", "undisturbed")] == [0, 0]
    assert digests(left) == digests(folder / "undisturbed" / "r")
    return said


def test_an_engine_that_dies(long: Path, binary: Path, pool: Server, tmp_path: Path) -> None:
    with prism_server(binary, tmp_path) as own:
        process = _at_work(long, tmp_path, (*prism_flags(own), *pool_flags(pool)))
        os.killpg(own.process.pid, signal.SIGKILL)
        _, error = process.communicate(timeout=60)
    said = the_complaint(error.decode())
    assert process.returncode == 3
    assert said.startswith("the connection to the job service broke: ")
    assert said.endswith(goes_on(long, tmp_path))


def test_a_job_that_is_ended_on_its_engine(long: Path, binary: Path, pool: Server, tmp_path: Path) -> None:
    with prism_server(binary, tmp_path) as own:
        process = _at_work(long, tmp_path, (*prism_flags(own), *pool_flags(pool)))
        with grpc.insecure_channel(f"localhost:{own.port}") as channel:
            jobs_grpc.JobServiceStub(channel).Cancel(jobs_api.CancelJobRequest(job_id="job-001"))
        _, error = process.communicate(timeout=60)
    said = "the job was ended on its engine: cancelled" + goes_on(long, tmp_path)
    assert (process.returncode, the_complaint(error.decode())) == (3, said)


def test_a_run_again_while_the_abandoned_job_goes_on(long: Path, prism: Server, pool: Server, tmp_path: Path) -> None:
    """An interrupted command cannot take the engine's job along: that ends by itself and harms no other attempt."""
    flags = (*prism_flags(prism), *pool_flags(pool))
    process = _at_work(long, tmp_path, flags)
    process.terminate()
    _, error = process.communicate(timeout=60)
    assert (process.returncode, the_complaint(error.decode())) == (130, "interrupted; nothing was committed")
    command = ("run", long, "--run-id", "r", "--quiet", "--output")
    assert [assay(*command, tmp_path / name, *how).returncode for name, how in (("out", flags), ("new", ()))] == [0, 0]
    assert digests(tmp_path / "out" / "r") == digests(tmp_path / "new" / "r")


def _at_work(campaign: Path, folder: Path, flags: tuple[str, ...]) -> subprocess.Popen[bytes]:
    """A run under `folder`/out whose workers have written the first of their files."""
    command = ("run", campaign, "--output", folder / "out", "--run-id", "r", "--quiet", *flags)
    process = start(*command, environment={}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(folder / "out", "*.arrow", process)
    return process
