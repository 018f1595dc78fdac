"""Whatever engine runs the graph, and wherever its Python workers are, the files of a run are the same."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import apache_beam
import pytest
from other_engines import MODULE, Server, pool_flags, prism_flags
from processes import assay, digests, sample
from source_tree import ROOT

from pipeline import graph
from pipeline.campaign import Campaign, load_campaign
from pipeline.history.known import Earlier
from pipeline.options import beam_options
from pipeline.run import run
from transforms.blocks.layout import Layout
from transforms.blocks.summary import Settled
from transforms.shards.blocks import AnyBlock
from transforms.terms import StreamTerms

pytestmark = pytest.mark.engines

SAMPLES = ("sample", "kinds", "baselines", "acceptance", "workbench")
LOOPBACK, PROCESS, POOL = "workers within the command", "a worker process of the command", "a worker pool"


def flags(way: str, prism: Server, pool: Server) -> tuple[str, ...]:
    return {
        LOOPBACK: prism_flags(prism),
        PROCESS: (*prism_flags(prism), "--experiments=use_loopback_process_worker"),
        POOL: (*prism_flags(prism), *pool_flags(pool)),
    }[way]


def made(campaign: Path, output: Path, *flags: str) -> tuple[int, str, dict[str, str]]:
    """Exit code, standard error and the files of a run; no `python` of the PATH has Beam."""
    command = ("run", campaign, "--output", output, "--run-id", "r", "--quiet", *flags)
    done = assay(*command, environment={"PATH": os.defpath})
    return done.returncode, done.stderr, digests(output / "r")


@pytest.fixture(scope="module", params=[*SAMPLES, "many blocks"])
def campaign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "many blocks":
        return sample(tmp_path_factory.mktemp("blocks") / "campaign", 600)
    return ROOT / "manifests" / request.param / "campaign.json"


@pytest.fixture(scope="module")
def in_process(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, dict[str, str]]:
    """What the DirectRunner makes."""
    return made(campaign, tmp_path_factory.mktemp("direct"))


@pytest.mark.parametrize("way", [LOOPBACK, PROCESS, POOL])
def test_prism(
    way: str, campaign: Path, in_process: tuple[int, str, dict[str, str]], prism: Server, pool: Server, tmp_path: Path
) -> None:
    jobs, workers = len(prism.finished_jobs), pool.started_workers
    assert in_process[0] == 0
    assert any(name.startswith("accepted/") for name in in_process[2])
    assert made(campaign, tmp_path, *flags(way, prism, pool)) == in_process
    # Prism itself says that it ran this one job, and the pool that its workers did.
    assert len(prism.finished_jobs) == jobs + 1
    assert pool.started_workers == workers + (way == POOL)


@pytest.mark.parametrize("way", [LOOPBACK, POOL])
def test_joins_in_many_parts(way: str, prism: Server, pool: Server, tmp_path: Path) -> None:
    """Claims wait in files or travel through the engine, in as many parts as a run of some 15 GB has."""
    campaign = load_campaign(sample(tmp_path / "campaign", 600))
    assert isinstance(campaign, Campaign)

    def engine(parts: int, *given: str) -> Any:
        def execute(
            blocks: Sequence[AnyBlock],
            terms: Mapping[str, StreamTerms],
            layout: Layout,
            _: int,
            /,
            *,
            earlier: Earlier,
        ) -> list[Settled]:
            return graph.execute(beam_options(given), blocks, terms, layout, parts, progress=True, earlier=earlier)

        return execute

    jobs = len(prism.finished_jobs)
    there = run(campaign, tmp_path / "there", engine(256, *flags(way, prism, pool)))
    assert len(prism.finished_jobs) == jobs + 1
    assert digests(there.folder) == digests(run(campaign, tmp_path / "here", engine(1)).folder)


def test_prism_is_of_the_version_of_the_library() -> None:
    assert f"github.com/apache/beam/sdks/v2 v{apache_beam.__version__} " in (MODULE / "go.mod").read_text()
