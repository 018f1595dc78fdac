"""Which of Beam's engines runs: the one in this process, which asks nothing of the network."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from processes import sample, workers

from pipeline import graph, job, processors
from pipeline.exits import Exit, RunError
from pipeline.job import run_job
from pipeline.options import beam_options, worker_count

# Runs the command, and prints what matters of what was loaded and every address that was asked for.
PROGRAM = """
import json, sys
asked = []
def listen(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        asked.append([event, repr(arguments)])
sys.addaudithook(listen)
from pipeline.__main__ import run_command
code = run_command(sys.argv[1:])
runners = "apache_beam.runners."
print(json.dumps([code, asked, [name.removeprefix(runners) for name in sys.modules if name.startswith(runners)]]))
"""
FN_API, PRISM = "portability.fn_api_runner.fn_runner", "portability.prism_runner"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample(tmp_path_factory.mktemp("engine") / "campaign", 30)


@pytest.mark.parametrize("flags", [[], ["--runner=DirectRunner"], ["--runner", "direct"]], ids=" ".join)
def test_the_engine_within_the_process(flags: list[str], campaign: Path, tmp_path: Path) -> None:
    command = ["run", str(campaign), "--output", str(tmp_path), "--quiet", *flags]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *command], capture_output=True, text=True, check=True)
    code, asked, loaded = json.loads(done.stdout.splitlines()[-1])
    assert (code, asked, done.stderr) == (0, [], "")
    assert FN_API in loaded
    assert PRISM not in loaded
    assert [name for name in loaded if name.startswith("direct.executor")] == []


@pytest.mark.parametrize(
    "runner", ["DirectRunner", "directrunner", "Direct", "SwitchingDirectRunner", "apache_beam.runners.DirectRunner"]
)
def test_every_name_of_the_direct_runner(runner: str) -> None:
    options = beam_options([f"--runner={runner}"]).get_all_options()
    assert options["runner"] == runner
    assert options["update_compatibility_version"] == beam_options([]).get_all_options()["update_compatibility_version"]
    assert options["update_compatibility_version"] is not None


@pytest.mark.parametrize(
    ("flags", "environment"),
    [
        (["--runner=PrismRunner"], "LOOPBACK"),
        (["--runner=prism"], "LOOPBACK"),
        (["--runner=PrismRunner", "--environment_type=EXTERNAL"], "EXTERNAL"),
        (["--runner=FlinkRunner"], None),
        ([], None),
    ],
)
def test_where_workers_are(flags: list[str], environment: str | None) -> None:
    assert beam_options(flags).get_all_options()["environment_type"] == environment


def test_other_runners_and_versions_are_as_asked_for() -> None:
    assert beam_options(["--runner=PrismRunner"]).get_all_options()["update_compatibility_version"] is None
    options = beam_options(["--update_compatibility_version=2.70.0"]).get_all_options()
    assert (options["runner"], options["update_compatibility_version"]) == ("DirectRunner", "2.70.0")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (["--wokers=2"], "no such option: --wokers=2"),
        (["--direct_num_workers=2", "--streamin"], "no such option: --streamin"),
        (["out"], "no such option: out"),
        (["--direct_num_workers=x"], "argument --direct_num_workers: invalid int value: 'x'"),
        (["--direct_num_workers"], "argument --direct_num_workers: expected one argument"),
    ],
)
def test_flags_that_beam_does_not_know(flags: list[str], reason: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunError) as caught:
        beam_options(flags)
    assert (caught.value.exit_code, caught.value.reason) == (Exit.USAGE, reason)
    assert capfd.readouterr() == ("", "")


def test_flags_that_beam_knows() -> None:
    options = beam_options([*workers(3), "--temp_location=gs://bucket/temp"]).get_all_options()
    assert (options["direct_running_mode"], options["direct_num_workers"]) == ("multi_processing", 3)
    assert (options["runner"], options["temp_location"]) == ("DirectRunner", "gs://bucket/temp")


@pytest.mark.parametrize(
    ("flags", "mode"),
    [
        ([], ("multi_processing", 4)),
        (["--runner=DirectRunner"], ("multi_processing", 4)),
        (["--direct_running_mode=in_memory"], ("in_memory", 1)),
        (["--direct_num_workers", "1"], ("in_memory", 1)),
        (workers(3), ("multi_processing", 3)),
        (["--runner=PrismRunner"], ("in_memory", 1)),
    ],
)
def test_flags_come_before_what_is_chosen_by_size(flags: list[str], mode: tuple[str, int]) -> None:
    chosen = beam_options(flags, workers=4)
    options = chosen.get_all_options()
    assert (options["direct_running_mode"], options["direct_num_workers"]) == mode
    assert worker_count(chosen) == mode[1]
    assert beam_options(flags, workers=1).get_all_options() == beam_options(flags).get_all_options()


@pytest.mark.parametrize(("enough", "mode"), [(1, "multi_processing"), (1 << 40, "in_memory")])
def test_a_run_chooses_by_its_bytes(
    enough: int, mode: str, campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []
    execute = graph.execute

    def spied(options: PipelineOptions, *work: Any, **how: Any) -> Any:
        chosen.append(options.get_all_options()["direct_running_mode"])
        return execute(beam_options([]), *work, **how)

    monkeypatch.setattr(graph, "execute", spied)
    monkeypatch.setattr(processors, "ENOUGH_BYTES", enough)
    monkeypatch.setattr(job, "usable_processors", lambda: 2)
    run_job(campaign, tmp_path, (), None, (), show_progress=False)
    assert chosen == [mode]
