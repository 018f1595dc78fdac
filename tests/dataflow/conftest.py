"""Jobs staged in one emulator: with the package of the tree, with a wheel, and with an image."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from emulators import EMULATORS, bucket, emulator, needed, upload, use
from source_tree import ROOT, build_wheel, copy_to_build
from staged_jobs import StagedJob, stage, without_credentials

from transforms.storage.location import Remote

CAMPAIGN = ROOT / "manifests" / "acceptance"
IMAGE = "europe-docker.pkg.dev/some-project/assay/assay:0.1.0"


@pytest.fixture(scope="session")
def campaign() -> Iterator[Remote]:
    """The sample campaign with evidence, in a bucket of the emulator in use; another one is for jobs."""
    needed()
    for package in ("google.cloud.dataflow", "google_auth_httplib2"):
        pytest.importorskip(package, reason=f"DATAFLOW IS NOT TESTED: there is no {package}")
    with pytest.MonkeyPatch.context() as patch, emulator(EMULATORS[1]) as url, use(url):
        without_credentials(patch)
        bucket("data")
        bucket("temp")
        upload(CAMPAIGN, Remote("data", "acceptance"))
        yield Remote("data", "acceptance/campaign.json")


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_to_build(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="session")
def by_setup(campaign: Remote, tree: Path) -> StagedJob:
    return stage(campaign, f"--setup_file={tree}/setup.py")


@pytest.fixture(scope="session")
def by_wheel(campaign: Remote, tree: Path) -> StagedJob:
    return stage(campaign, f"--extra_package={build_wheel(tree)}")


@pytest.fixture(scope="session")
def by_image(campaign: Remote) -> StagedJob:
    flags = (
        f"--sdk_container_image={IMAGE}",
        "--job_name=nightly",
        "--machine_type=n2-standard-4",
        "--max_num_workers=10",
        "--disk_size_gb=50",
        "--number_of_worker_harness_threads=1",
        "--service_account_email=worker@some-project.iam.gserviceaccount.com",
        "--no_use_public_ips",
        "--subnetwork=regions/europe-west1/subnetworks/assay",
        "--labels=campaign=sample",
    )
    return stage(campaign, *flags)
