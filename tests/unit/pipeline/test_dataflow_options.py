"""What a run on Dataflow must be given, and what it is given where nothing is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from source_tree import ROOT

from pipeline import dataflow
from pipeline.dataflow import dataflow_defaults, not_run, require_dataflow
from pipeline.exits import RunError
from pipeline.options import beam_options, is_dataflow
from transforms.storage.location import Location, Remote

GIVEN = ("--runner=DataflowRunner", "--project=some-project", "--region=europe-west1", "--temp_location=gs://b/temp")
PLACES: list[tuple[str, Location]] = [("--output", Remote("b", "out")), ("stream s:", Remote("b", "in/*.jsonl"))]


def chosen(*flags: str) -> dict[str, Any]:
    options: dict[str, Any] = beam_options(flags).get_all_options()
    return options


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataflow, "find_spec", lambda name: name)


@pytest.mark.parametrize("runner", ["DataflowRunner", "dataflow", "apache_beam.runners.dataflow.DataflowRunner"])
def test_its_names(runner: str) -> None:
    assert is_dataflow(beam_options([f"--runner={runner}"]))


@pytest.mark.parametrize("flags", [[], ["--runner=PrismRunner"], ["--runner=DirectRunner"]])
def test_other_runners_get_nothing_of_it(flags: list[str]) -> None:
    assert not is_dataflow(beam_options(flags))
    options = chosen(*flags)
    assert (options["experiments"], options["setup_file"], options["save_main_session"]) == (None, None, None)


def test_workers_get_the_package_of_this_tree_and_nothing_else_of_this_machine() -> None:
    options = chosen(*GIVEN)
    assert options["setup_file"] == str(ROOT / "setup.py")
    assert options["experiments"] == ["disable_logging_submission_environment"]
    assert options["save_main_session"] is False


def test_what_is_given_stays() -> None:
    options = chosen(*GIVEN, "--sdk_container_image=r/i:1", "--experiments=a,b", "--save_main_session")
    assert (options["setup_file"], options["sdk_container_image"]) == (None, "r/i:1")
    assert options["experiments"] == ["a", "b", "disable_logging_submission_environment"]
    assert options["save_main_session"] is True
    assert chosen(*GIVEN, "--extra_package=a.whl")["setup_file"] is None
    assert chosen(*GIVEN, "--setup_file=x/setup.py")["setup_file"] == "x/setup.py"


@pytest.mark.usefixtures("_installed")
def test_what_is_enough() -> None:
    require_dataflow(chosen(*GIVEN), PLACES)
    require_dataflow(chosen(*GIVEN, "--staging_location=gs://b/s", "--template_location=gs://b/t.json"), PLACES)


@pytest.mark.parametrize("left_out", ["project", "region", "temp_location"])
def test_what_is_missing(left_out: str) -> None:
    flags = [flag for flag in GIVEN if not flag.startswith(f"--{left_out}=")]
    assert refusal(chosen(*flags)) == f"the DataflowRunner needs --{left_out}"


@pytest.mark.parametrize("name", ["temp_location", "staging_location", "template_location"])
def test_its_own_folders_are_in_buckets(name: str) -> None:
    reason = f"--{name}=out/x: for the DataflowRunner it is a gs:// URL"
    assert refusal(chosen(*GIVEN, f"--{name}=out/x")) == reason


@pytest.mark.parametrize("at", range(len(PLACES)))
def test_what_workers_read_and_write_is_in_buckets(at: int) -> None:
    of = PLACES[at][0]
    places = [*PLACES[:at], (of, Path("out/x")), *PLACES[at + 1 :]]
    assert refusal(chosen(*GIVEN), places) == f"{of} out/x: Dataflow's workers read and write gs:// URLs alone"


def test_workers_need_a_package(tmp_path: Path) -> None:
    options = {**chosen("--runner=dataflow"), "setup_file": None}
    assert "setup_file" not in dataflow_defaults(options, tmp_path)
    reason = "say where Dataflow's workers get Assay from: --sdk_container_image, --extra_package or --setup_file"
    assert refusal({**chosen(*GIVEN), "setup_file": None}) == reason


@pytest.mark.parametrize("missing", ["google.cloud.dataflow", "google_auth_httplib2"])
def test_the_extra_is_not_installed(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataflow, "find_spec", lambda name: None if name == missing else name)
    assert refusal(chosen(*GIVEN)) == f"the DataflowRunner needs {missing}: install campaign-assay[gcp]"


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ((), None),
        (("--template_location=gs://b/t",), "the job is staged at gs://b/t and was not run; nothing was committed"),
        (("--dry_run=True",), "--dry_run: the job was not run; nothing was committed"),
    ],
)
def test_flags_that_ask_for_no_run(flags: tuple[str, ...], reason: str | None) -> None:
    assert not_run(chosen(*GIVEN, *flags)) == reason


def refusal(options: dict[str, Any], places: list[tuple[str, Location]] | None = None) -> str:
    with pytest.raises(RunError) as caught:
        require_dataflow(options, PLACES if places is None else places)
    assert caught.value.exit_code == 2
    return caught.value.reason
