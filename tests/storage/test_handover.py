"""Workers that share no files: what one stages waits in the bucket for another, and so do texts that joins compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import processes
import pytest
from commands import run as run_here
from emulators import download

from pipeline.campaign import Campaign, load_campaign
from pipeline.graph import execute
from pipeline.history.known import Earlier
from pipeline.options import beam_options
from pipeline.run import run
from transforms.blocks.layout import Layout
from transforms.blocks.summary import Settled
from transforms.shards.blocks import AnyBlock
from transforms.storage.location import Remote
from transforms.terms import StreamTerms

MANIFESTS = Path(__file__).parents[2] / "manifests"


@pytest.mark.parametrize("name", ["sample", "acceptance", "baselines"])
def test_the_same_files_as_with_shared_ones(name: str, strict: Remote, tmp_path: Path) -> None:
    path = MANIFESTS / name / "campaign.json"
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign)
    seen: list[Layout] = []

    def engine(
        blocks: Sequence[AnyBlock],
        terms: Mapping[str, StreamTerms],
        layout: Layout,
        partitions: int,
        /,
        *,
        earlier: Earlier,
    ) -> list[Settled]:
        seen.append(layout)
        settled = execute(beam_options([]), blocks, terms, layout, partitions, progress=False, earlier=earlier)
        assert layout.elsewhere is not None
        staged = download(layout.elsewhere)
        assert "settled-000000" in staged
        assert len(staged) > len(blocks)
        # No worker wrote here.
        assert [path.name for path in layout.root.rglob("*") if path.is_file()] == []
        return settled

    committed = run(campaign, strict / name, engine, run_id="golden", shared=False)
    assert committed.folder == strict / name / "golden"
    here = run_here(path, tmp_path)
    files = {path.relative_to(here).as_posix(): path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert download(strict / name / "golden") == files
    assert not seen[0].root.exists()


def test_worker_processes_deliver_the_same(strict: Remote, tmp_path: Path) -> None:
    path = MANIFESTS / "sample" / "campaign.json"
    options = ("--run-id", "golden", "--quiet", *processes.workers(2))
    done = processes.assay("run", path, "--output", f"{strict}/workers", *options)
    assert done.returncode == 0, done.stderr
    here = run_here(path, tmp_path)
    files = {path.relative_to(here).as_posix(): path.read_bytes() for path in here.rglob("*") if path.is_file()}
    assert download(strict / "workers/golden") == files
