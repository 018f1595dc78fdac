"""What `assay run` would send to Dataflow: the graph, the options, and nothing else of this machine or of records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from commands import Said
from source_tree import ROOT
from staged_jobs import StagedJob, of_this_machine

from pipeline.campaign import Campaign, load_campaign
from transforms.joins.table import joins_for
from transforms.parsing.json_strict import loads_document
from transforms.storage.location import Remote

pytestmark = pytest.mark.dataflow

GROUP_BY_KEY = "beam:transform:group_by_key:v1"
CAMPAIGN = ROOT / "manifests" / "acceptance"
# A text of this length stands in no record by chance.
_TELLING = 40


@pytest.fixture(params=["by_setup", "by_wheel", "by_image"])
def job(request: pytest.FixtureRequest) -> StagedJob:
    staged: StagedJob = request.getfixturevalue(request.param)
    return staged


def joins(path: Remote) -> set[str]:
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    return {join.name for stream in campaign.streams.values() for join in joins_for(stream.terms)}


def test_a_job_that_is_staged_is_no_run(job: StagedJob) -> None:
    line = "assay: the job is staged at gs://temp/template.json and was not run; nothing was committed\n"
    assert (job.said, job.left) == (Said(2, "", line), [])


def test_the_steps_are_those_of_the_graph(job: StagedJob, campaign: Remote) -> None:
    names = joins(campaign)
    assert len(names) == 10
    steps = {name for name in job.transforms if name and "/" not in name and not name.startswith("ref_")}
    assert steps == {
        "Parts",
        "Blocks",
        "Spread blocks",
        "Stage",
        *(f"By key of {name}" for name in names),
        *(f"Judge {name}" for name in names),
        "All findings",
        "Refused",
        "All evidence",
        "By block of the evidence",
        "Does it stand",
        "Findings and evidence",
        "By block",
        "Settle",
        "Numbered by part",
        "By part",
        "Deliver",
    }


def test_what_is_grouped(job: StagedJob, campaign: Remote) -> None:
    """Blocks are spread, each join has a grouping, findings and evidence meet their blocks, and all is collected."""
    grouped = {name.partition("/")[0] for name, urn in job.transforms.items() if urn == GROUP_BY_KEY}
    assert grouped == {
        "Spread blocks",
        *(f"By key of {name}" for name in joins(campaign)),
        "By block of the evidence",
        "By block",
        "By part",
    }
    assert sum(urn == GROUP_BY_KEY for urn in job.transforms.values()) == len(grouped)


def test_options_are_recorded(job: StagedJob) -> None:
    recorded = {key: job.options[key] for key in ("runner", "project", "region")}
    assert recorded == {"runner": "DataflowRunner", "project": "some-project", "region": "europe-west1"}
    assert job.options["temp_location"].startswith("gs://temp/jobs/")
    assert job.options["save_main_session"] is False
    assert "disable_logging_submission_environment" in job.job["environment"]["experiments"]
    assert job.job["type"] == "JOB_TYPE_BATCH"


def test_workers_are_as_asked_for(by_image: StagedJob) -> None:
    environment = by_image.job["environment"]
    (pool,) = environment["workerPools"]
    (image,) = pool["sdkHarnessContainerImages"]
    assert by_image.job["name"] == "nightly"
    assert by_image.job["labels"] == {"campaign": "sample"}
    assert image["containerImage"] == by_image.options["sdk_container_image"]
    assert pool["machineType"] == "n2-standard-4"
    assert pool["autoscalingSettings"]["maxNumWorkers"] == 10
    assert (pool["diskSizeGb"], pool["numThreadsPerWorker"]) == (50, 1)
    assert pool["ipConfiguration"] == "WORKER_IP_PRIVATE"
    assert environment["serviceAccountEmail"] == "worker@some-project.iam.gserviceaccount.com"


def test_nothing_tells_of_this_machine(job: StagedJob) -> None:
    """But for the package that was asked for: Beam keeps that option as it is."""
    staged = [job.unpacked, *job.packages.values()]
    if not job.packages:
        staged.append(repr(job.job).encode())
    assert of_this_machine(b"\n".join(staged)) == []


def test_no_record_travels(by_image: StagedJob) -> None:
    told = {text.encode() for text in texts_of_records() if len(text) > _TELLING and " " in text}
    assert len(told) > 100
    # What campaign and schemas say may travel, whatever records repeat of it.
    known = b"".join(
        path.read_bytes() for path in [*CAMPAIGN.rglob("*.json"), *(ROOT / "schemas").rglob("schema.json")]
    )
    graph = by_image.unpacked
    assert [text for text in sorted(told) if text in graph and text not in known] == []


def texts_of_records() -> Iterator[str]:
    for path in sorted((CAMPAIGN / "shards").glob("*.jsonl")):
        for line in path.read_bytes().splitlines():
            try:
                yield from texts(loads_document(line))
            except ValueError:
                continue


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from texts(member)
    elif isinstance(value, list):
        for member in value:
            yield from texts(member)
