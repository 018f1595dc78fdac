"""Committed runs of a few baselines, and the questions that tests ask them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from baseline_records import VERSION, baseline, signed
from golden_campaigns import STREAM, by_plain_functions, merged, write_campaign

from transforms.baselines.emitted_text import emitted_text
from transforms.records import Json

_NOTHING: Mapping[str, Any] = MappingProxyType({})
# A block holds one record, whose file is one row group.
APART = {"limits": {"block_bytes": 1024}}
ALL_STAND = {"streams": {STREAM: {"identity": {"superseded-baseline": "allow", "identity-collision": "allow"}}}}


def measured(profile: Mapping[str, str] = _NOTHING, **changes: Any) -> Json:
    """A small consistent baseline with these covariates and other members."""
    return {**baseline(), "covariateProfile": dict(profile), **changes}


def stopped(value: Json, reason: str = "BUDGET_TIME_EXHAUSTED") -> Json:
    """The same, of a run that did not come to its planned end."""
    return {**value, "execution": {**value["execution"], "samplesPlanned": 20, "terminationReason": reason}}


def run_of_documents(
    folder: Path,
    documents: Mapping[str, Json],
    campaign: Mapping[str, Any] = _NOTHING,
    schema: Mapping[str, Any] = _NOTHING,
) -> Path:
    """A run over YAML documents, by name, with merge patches for the campaign and its schema; the run's folder."""
    for name, value in documents.items():
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(emitted_text(signed(value)), encoding="utf-8")
    manifest = merged({"streams": {STREAM: {"format": "documents"}}}, dict(campaign))
    path = write_campaign(folder, "documents/**/*.yaml", manifest, dict(schema), VERSION)
    return by_plain_functions(path, folder / "out").folder


def run_of_lines(
    folder: Path, records: Iterable[Json], campaign: Mapping[str, Any] = _NOTHING, *, as_text: bool = False
) -> Path:
    """A run over a shard of JSON lines that are baselines themselves, or that hold their texts; the run's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    values = (signed(value) for value in records)
    lines = ({"document": emitted_text(value)} if as_text else value for value in values)
    (folder / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return by_plain_functions(write_campaign(folder, "a.jsonl", dict(campaign), {}, VERSION), folder / "out").folder


def question(value: Json) -> list[str]:
    """The options that ask for a record's identity on the command line."""
    options = ["--contract", value["serviceContractId"], "--service", value["serviceName"]]
    options += ["--inputs", value["inputsIdentity"]]
    return options + [part for pair in value["covariateProfile"].items() for part in ("--covariate", "=".join(pair))]
