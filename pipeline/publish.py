"""Commit a run: the files that are not a block's, then the checksums, and the manifest last, only if absent."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from pipeline.bucket_claim import check_delivered
from pipeline.campaign import Campaign
from pipeline.creation import create
from pipeline.exits import Exit, RunError
from pipeline.manifest import Manifest, build_manifest, manifest_bytes, with_output
from pipeline.plan import Plan
from pipeline.report.html import render_html
from transforms.blocks.handover import deliver_rest, fetch_kept
from transforms.blocks.layout import Layout
from transforms.blocks.summary import OutputFile, Settled, output_file
from transforms.columns.stream_columns import stream_schema
from transforms.digests import merkle_root, sha256_hex
from transforms.identities.blocks import kept_claims
from transforms.identities.merge import write_index
from transforms.identities.table import identity_joins, index_path
from transforms.parquet import write_parquet
from transforms.records import Outcome
from transforms.storage.location import Location

MANIFEST, SUMS, REPORT = "manifest.json", "SHA256SUMS", "report.html"


def publish(
    run_id: str,
    campaign: Campaign,
    plan: Plan,
    settled: Sequence[Settled],
    layout: Layout,
    history: Sequence[dict[str, Any]] = (),
) -> Manifest:
    """Write what is left and commit. Raises RunError if the books do not balance or the run exists already.

    `history` is what the manifest says of the runs that this one was judged against.
    """
    files = [file for block in settled for file in block.files]
    files += _empty_streams(campaign, settled, layout)
    files += _identities(campaign, settled, layout)
    files += [_write(layout.root, document.path, document.data) for document in campaign.documents]
    draft = build_manifest(run_id, campaign, plan, settled, files, history)
    manifest = with_output(draft, _write(layout.root, REPORT, render_html(draft).encode()))
    data = manifest_bytes(manifest)
    _write(layout.root, SUMS, checksums(manifest, data))
    if layout.bucket:
        check_delivered(layout, [*(file for file in files if file.crc32c), *deliver_rest(layout)])
    # As late as can be: until then a failure costs no block's work.
    commit(layout.home, data, ready=lambda: shutil.rmtree(layout.staging))
    return manifest


def checksums(manifest: Manifest, data: bytes, name: str = MANIFEST) -> bytes:
    """SHA256SUMS as sha256sum writes and checks it, over every output and the manifest (`data`), a file `name`."""
    rows = [(row["path"], row["sha256"]) for row in manifest["outputs"]]
    rows.append((name, sha256_hex(data)))
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(rows)).encode()


def _empty_streams(campaign: Campaign, settled: Iterable[Settled], layout: Layout) -> Iterable[OutputFile]:
    """A typed file without rows for each stream that has nothing accepted."""
    filled = {block.block.stream for block in settled if block.outcomes.get(Outcome.ACCEPTED)}
    for name, stream in campaign.streams.items():
        if name not in filled:
            path = layout.root / Outcome.ACCEPTED / name / "empty.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_parquet(path, stream_schema(stream.terms), [])
            yield output_file(path, layout.root, 0, merkle_root([]))


def _identities(campaign: Campaign, settled: Sequence[Settled], layout: Layout) -> Iterable[OutputFile]:
    """What accepted records claim, for later runs: an index for each kind and join, also where it has no rows."""
    kinds = {name: stream.terms.kind for name, stream in campaign.streams.items()}
    for block in settled:
        fetch_kept(block, campaign.streams[block.block.stream].terms, layout)
    for kind in sorted(set(kinds.values())):
        blocks = [block.block for block in settled if kinds[block.block.stream] == kind and not block.fault]
        for join in identity_joins(kind):
            path = layout.root / index_path(kind, join)
            rows = write_index(path, join, [kept_claims(block, join, layout) for block in blocks])
            yield output_file(path, layout.root, rows)


def _write(root: Path, relative: str, data: bytes) -> OutputFile:
    path = root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return output_file(path, root)


def commit(root: Location, data: bytes, name: str = MANIFEST, ready: Callable[[], None] = lambda: None) -> None:
    """Create the manifest in one step, `ready` being called just before. Raises RunError where there is one."""
    try:
        create(root / name, data, ready)
    except FileExistsError as error:
        raise RunError(Exit.USAGE, f"{root.name} was committed by someone else meanwhile") from error
