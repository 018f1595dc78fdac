"""A campaign may pin either JSON Schema engine; the verdicts, the texts and the records kept are the same."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from commands import read, run
from golden_campaigns import GOLDEN, write_campaign

from transforms.parsing.json_strict import loads_document

ENGINES = ("jsonschema-rs", "jsonschema")
REPORTS = loads_document((GOLDEN / "reports" / "expected.json").read_bytes())


def golden_lines() -> bytes:
    """The inputs of all golden cases, one after the other."""
    inputs = sorted((GOLDEN / "pairwise").glob("*/input.jsonl"))
    inputs += [
        GOLDEN / "reports" / name for name in sorted(REPORTS) if name.endswith(".jsonl") and "lines" in REPORTS[name]
    ]
    return b"".join(data if data.endswith(b"\n") else data + b"\n" for data in (path.read_bytes() for path in inputs))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same shard judged under each engine: engine → the run's folder."""
    folder = tmp_path_factory.mktemp("engines")
    (folder / "all.jsonl").write_bytes(golden_lines())
    made = {}
    for engine in ENGINES:
        validator = {"engine": engine, "version": metadata.version(engine), "formats": "assert"}
        path = write_campaign(folder / engine, str(folder / "all.jsonl"), {"validator": validator}, {})
        made[engine] = run(path, folder / "out" / engine)
    return made


@pytest.mark.parametrize("outcome", ["rejected", "held"])
def test_refused_lines_are_the_same_bytes(runs: dict[str, Path], outcome: str) -> None:
    one, other = (
        (runs[engine] / outcome / "annotations" / "all.jsonl-b00000.jsonl").read_bytes() for engine in ENGINES
    )
    assert one.count(b"\n") > (50 if outcome == "rejected" else 0)
    assert one == other


def test_accepted_records_and_counts_are_the_same(runs: dict[str, Path]) -> None:
    accepted = [runs[engine] / "accepted" / "annotations" / "all.jsonl-b00000.parquet" for engine in ENGINES]
    one, other = (pq.read_table(path, partitioning=None) for path in accepted)
    assert one.equals(other)
    manifests = [read(runs[engine] / "manifest.json") for engine in ENGINES]
    assert manifests[0]["streams"] == manifests[1]["streams"]
    assert [manifest["campaign"]["validator"]["engine"] for manifest in manifests] == list(ENGINES)
    structure = {code for code in manifests[0]["streams"]["annotations"]["codes"] if code.startswith("schema/")}
    assert len(structure) >= 10
