"""Builds the campaign of a golden case, and runs it as the command does or through the plain functions alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson
import pytest

import schemas
from pipeline.__main__ import run_command
from pipeline.campaign import Campaign, load_campaign
from pipeline.history.known import Earlier
from pipeline.run import run
from pipeline.sample.manifest import shipped_pins
from transforms.blocks.claims import packed_claims
from transforms.blocks.layout import Layout
from transforms.blocks.settle import settle_block
from transforms.blocks.stage import stage_block
from transforms.blocks.summary import Settled
from transforms.columns.stream_columns import stream_schema
from transforms.digests import sha256_hex
from transforms.identities.read import earlier_claims
from transforms.joins.grouping import PackedClaims, judge_claims
from transforms.joins.join import Brought, Join, Judged
from transforms.joins.standing import refuses, standing
from transforms.judge import prepare
from transforms.kinds import FACTS, KINDS
from transforms.shards.blocks import AnyBlock
from transforms.terms import StreamTerms

GOLDEN = Path(__file__).parent / "golden"
STREAM, KIND, RUBRIC = "annotations", "pairwise-v2", "code-review-v1"
RUBRIC_DOCUMENT = {
    "rubric_version": RUBRIC,
    "scale": {"minimum": 1, "maximum": 5},
    "criteria": [{"id": "correctness", "weight": 1, "minimum_score": 3}],
    "weighted_acceptance_score": 4,
}

Lines = dict[str, list[str]]


def merged(target: Any, patch: Any) -> Any:
    """RFC 7396, without removal."""
    if not isinstance(patch, dict) or not isinstance(target, dict):
        return patch
    return target | {key: merged(target.get(key), value) for key, value in patch.items()}


def write_campaign(
    folder: Path,
    pattern: str,
    campaign: Mapping[str, Any],
    schema: Mapping[str, Any],
    kind: str = KIND,
    facts: Mapping[str, str] = MappingProxyType({}),
) -> Path:
    """A campaign for one stream of a kind, with merge patches for the manifest and for the schema.

    `facts` gives the pattern of each fact that there is ("documents" …), a stream of its own under the fact's name;
    the campaign goes without all others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    document = json.dumps(merged(schemas.load_schema("records", kind), schema)).encode()
    (folder / "schema.json").write_bytes(document)
    rubric = json.dumps(RUBRIC_DOCUMENT).encode()
    (folder / "rubric.json").write_bytes(rubric)
    manifest = {
        "campaign_version": "campaign-v1",
        "id": "golden",
        "dialect": "https://json-schema.org/draft/2020-12/schema",
        "validator": {
            "engine": "jsonschema-rs", "version": metadata.version("jsonschema-rs"), "formats": "annotate"
        },
        "canonicalisation": "raw",
        "limits": {
            "max_record_bytes": 65536, "max_conversation_characters": 24000, "max_conversation_bytes": 48000
        },
        "schemas": {
            kind: {"path": "schema.json", "sha256": sha256_hex(document)}, **shipped_pins(FACTS[fact] for fact in facts)
        },
        "rubrics": {RUBRIC: {"path": "rubric.json", "sha256": sha256_hex(rubric)}},
        "streams": {
            STREAM: {"kind": kind, "versions": [kind], "input": pattern},
            **{fact: fact_stream(fact, found_at) for fact, found_at in facts.items()},
        },
        "without": sorted(set(KINDS[kind].facts) - facts.keys()),
    }  # fmt: skip
    path = folder / "campaign.json"
    path.write_text(json.dumps(merged(manifest, campaign)), encoding="utf-8")
    return path


def fact_stream(fact: str, pattern: str) -> dict[str, Any]:
    """A manifest's stream of the kind that states a fact."""
    return {"kind": FACTS[fact], "versions": [FACTS[fact]], "input": pattern}


@dataclass(frozen=True)
class Ran:
    """How a run ended: exit code, what it said on standard error, and its folder."""

    code: int
    complaint: str
    folder: Path

    @property
    def manifest(self) -> dict[str, Any]:
        value: dict[str, Any] = orjson.loads((self.folder / "manifest.json").read_bytes())
        return value

    def refused(self, outcome: str) -> list[dict[str, Any]]:
        files = sorted((self.folder / outcome).rglob("*.jsonl"))
        return [orjson.loads(line) for file in files for line in file.read_bytes().splitlines()]

    def lines(self, stream: str = STREAM) -> Lines:
        """Line number → sorted codes, of rejected and held records of a stream."""
        rows = [row for outcome in ("rejected", "held") for row in self.refused(outcome) if row["stream"] == stream]
        return {str(row["line"]): sorted({finding["code"] for finding in row["findings"]}) for row in rows}


def by_command(path: Path, output: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> Ran:
    """Run the campaign through the command line, in this process."""
    capsys.readouterr()
    code = run_command(["run", str(path), "--output", str(output), "--run-id", "golden", "--quiet", *flags])
    return Ran(code, capsys.readouterr().err, output / "golden")


def by_plain_functions(path: Path, output: Path) -> Ran:
    """Run the campaign without Beam."""
    campaign = load_campaign(path)
    assert isinstance(campaign, Campaign), campaign
    committed = run(campaign, output, plain_engine, run_id="golden")
    return Ran(0, "", committed.folder)


def plain_engine(
    blocks: Sequence[AnyBlock],
    terms: Mapping[str, StreamTerms],
    layout: Layout,
    partitions: int,
    between: Callable[[], None] = lambda: None,
    earlier: Earlier = MappingProxyType({}),
) -> list[Settled]:
    """What the Beam graph does, as loops; `between` is called when all is judged and nothing settled."""
    benches = {name: prepare(stream) for name, stream in terms.items()}
    staged, claims = [], defaultdict[tuple[str, Join, int], list[PackedClaims]](list)
    for ordinal, block in enumerate(blocks):
        bench = benches[block.stream]
        summary, book = stage_block(ordinal, block, bench, layout)
        staged.append(summary)
        for join, part, rows in book.partitioned(partitions):
            packed = packed_claims(ordinal, block, layout, rows)
            claims["" if join.fact else bench.kind.name, join, part].append(packed)
    found = defaultdict[int, list[tuple[int, Judged]]](list)
    brought = defaultdict[int, list[tuple[int, Brought]]](list)
    for (kind, join, _), group in claims.items():
        indexes = earlier.get((kind, join.name))
        known = partial(earlier_claims, join, indexes) if indexes else None
        for ordinal, line, judged in judge_claims(join, group, terms, known):
            if isinstance(judged, Brought):
                brought[ordinal].append((line, judged))
            else:
                found[ordinal].append((line, judged))
    refused = {ordinal: [line for line, judged in rows if refuses(judged)] for ordinal, rows in found.items()}
    for ordinal, rows in brought.items():
        for target, row in standing(refused.get(ordinal, ()), rows):
            found[target].append(row)
    between()
    return [
        settle_block(
            summary,
            found[summary.ordinal],
            terms[summary.block.stream],
            stream_schema(terms[summary.block.stream]),
            layout,
        )
        for summary in staged
    ]
