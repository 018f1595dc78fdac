"""A stream's adapter in the campaign manifest: what can be wrong with it, and its terms."""

from __future__ import annotations

from collections.abc import Iterator

import schemas
from pipeline.campaign_codes import KIND_MISFIT, UNKNOWN_ADAPTER, UNKNOWN_VERSION, problem
from pipeline.kind_fit import misfits
from pipeline.pinned import Parsed
from transforms.adapters.table import ADAPTERS
from transforms.records import Finding, Json
from transforms.terms import AdapterTerms, StreamTerms


def check_adapter(name: str, row: Json, manifest: Json) -> Iterator[Finding]:
    """What is wrong with the adapter of the stream `row`, as far as the manifest alone tells."""
    if "adapter" not in row:
        return
    source, pointer = row["adapter"]["source"], f"/streams/{name}/adapter/source"
    adapter = ADAPTERS.get(source)
    if adapter is None:
        yield problem(UNKNOWN_ADAPTER, f"source {source!r}; known are {', '.join(sorted(ADAPTERS))}", pointer)
        return
    if source not in manifest["schemas"]:
        yield problem(UNKNOWN_VERSION, f"{source!r} is none of the campaign's schemas", pointer)
    if row["kind"] != adapter.target or adapter.target not in row["versions"]:
        message = f"the adapter of {source} gives records of kind and version {adapter.target}"
        yield problem(UNKNOWN_ADAPTER, message, pointer)


def adapter_terms(row: Json, parsed: Parsed) -> AdapterTerms | None:
    """The adapter of the stream `row`, None without one."""
    if "adapter" not in row:
        return None
    source = row["adapter"]["source"]
    return AdapterTerms(source, parsed["schema", source], frozenset(row["adapter"].get("left_in_source", ())))


def source_misfits(terms: StreamTerms) -> Iterator[Finding]:
    """Where a source's schema promises less than the adapter takes for granted."""
    if terms.adapter:
        source = terms.adapter.source
        for misfit in misfits(terms.adapter.schema, schemas.load_schema("records", source), terms.registered):
            yield problem(KIND_MISFIT, f"{source}: {misfit}", f"/streams/{terms.name}/adapter/source")
