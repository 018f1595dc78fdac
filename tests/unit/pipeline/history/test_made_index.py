"""An index made from accepted records is, byte for byte, the one that their run published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from baseline_runs import measured, run_of_documents
from commands import read
from golden_campaigns import by_plain_functions
from small_campaign import write_small
from source_tree import ROOT
from tampering import ACCEPTED, Forge, accepted_changed, another_record, cells, rewritten

from pipeline.committed.run import open_run
from pipeline.exits import Exit, RunError
from pipeline.history.made import make_index
from transforms.digests import sha256_hex
from transforms.identities.table import FOLDER, identity_joins
from transforms.records import Json

Made = Callable[[Path], Path]


def small(campaign: Json) -> Made:
    return lambda folder: by_plain_functions(write_small(folder / "campaign", campaign), folder / "out").folder


def sample(name: str) -> Made:
    return lambda folder: by_plain_functions(ROOT / "manifests" / name / "campaign.json", folder / "out").folder


def documents(folder: Path) -> Path:
    names = ("b/1.yaml", "a.yaml", "b.yaml", "c.yaml")
    values = {name: measured({"name": name}) for name in names}
    return run_of_documents(folder, values | {"d.yaml": values["c.yaml"]})


def one_document(folder: Path) -> Path:
    return run_of_documents(folder, {"a.yaml": measured()})


RUNS: dict[str, Made] = {
    "two shards": small({}),
    "canonical bytes": small({"canonicalisation": "jcs"}),
    "small blocks": small({"limits": {"block_bytes": 1024}}),
    "documents": documents,
    "one document": one_document,
    "kinds": sample("kinds"),
    "told by an adapter": sample("workbench"),
}


@pytest.mark.parametrize("made", RUNS.values(), ids=RUNS)
def test_it_is_the_published_one(made: Made, tmp_path: Path) -> None:
    run = open_run(made(tmp_path / "run"))
    published = {output.path: (output.sha256, output.rows) for output in run.outputs if output.folder == FOLDER}
    again = {}
    for kind in set(run.kinds.values()):
        for _, file, rows in make_index(run, kind, identity_joins(kind), tmp_path / "made" / kind):
            again[file.path] = file.digested.sha256, rows
            assert sha256_hex(Path(file.name).read_bytes()) == file.digested.sha256
    assert again == published
    assert any(rows for _, rows in again.values())


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (rewritten(ACCEPTED, lambda data: data[:-1]), "bytes, listed are"),
        (
            accepted_changed(cells("assay_archival_bytes", lambda cells: [cells[0] + b" ", *cells[1:]])),
            "the record of a.jsonl line 1 was changed",
        ),
        (accepted_changed(another_record), "cannot be read: KeyError"),
        (
            accepted_changed(lambda table: table.drop_columns(["assay_archival_bytes"])),
            "cannot be read: KeyError",
        ),
    ],
)
def test_an_accepted_file_that_is_not_the_one_published(forge: Forge, reason: str, tmp_path: Path) -> None:
    folder = small({})(tmp_path)
    forge(folder)
    with pytest.raises(RunError) as raised:
        list(make_index(open_run(folder), "pairwise-v2", identity_joins("pairwise-v2"), tmp_path / "made"))
    assert raised.value.exit_code is Exit.INTEGRITY
    assert reason in raised.value.reason


def test_the_run_has_more_than_one_accepted_file(tmp_path: Path) -> None:
    folder = small({"limits": {"block_bytes": 1024}})(tmp_path)
    outputs = read(folder / "manifest.json")["outputs"]
    assert sum(row["path"].startswith("accepted/") for row in outputs) > 2
