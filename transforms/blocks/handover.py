"""What workers hand over: finished files to the run's folder in a bucket, staged ones to workers of other machines.

Where a run is published in a folder of this machine, all of this does nothing. Names are fixed and contents depend on
the block alone, so whatever is handed over twice is the same.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from transforms.blocks.layout import Bucket, Layout
from transforms.blocks.summary import OutputFile, Settled, Staged, output_file
from transforms.identities.blocks import kept_files, noted_files
from transforms.records import Outcome
from transforms.storage import objects
from transforms.storage.location import Remote
from transforms.terms import StreamTerms


def for_travel(layout: Layout) -> Layout:
    """The layout that workers are sent: without a folder of the driver's machine where they share none."""
    return layout if layout.elsewhere is None else replace(layout, root=Path())


def for_worker(layout: Layout) -> Layout:
    """The layout that a worker works with: its own folder where it shares none. `leave_worker` removes that."""
    if layout.elsewhere is None:
        return layout
    return replace(layout, root=Path(tempfile.mkdtemp(prefix="assay-")))


def leave_worker(layout: Layout) -> None:
    """Remove a worker's own folder."""
    if layout.elsewhere is not None:
        shutil.rmtree(layout.root, ignore_errors=True)


def deliver(settled: Settled, layout: Layout) -> Settled:
    """Put a block's final files into the bucket and remove them here; the result has their CRC32C. Raises OSError."""
    if layout.bucket is None:
        return settled
    return replace(settled, files=tuple(_deliver(file, layout.root, layout.bucket) for file in settled.files))


def deliver_rest(layout: Layout) -> Iterator[OutputFile]:
    """Put every file that is left under `layout.root` into the bucket. Raises OSError."""
    assert layout.bucket is not None
    for path in sorted(layout.root.rglob("*")):
        if path.is_file() and not path.is_relative_to(layout.staging):
            name = path.relative_to(layout.root).as_posix()
            yield _deliver(OutputFile(name, path.stat().st_size, ""), layout.root, layout.bucket)


def hand_over(paths: Iterable[Path], layout: Layout) -> list[OutputFile]:
    """Put those files of work in progress that exist where workers of other machines find them, removed here.

    The result describes them as a seal names them; it is empty where nothing is sealed. Raises OSError.
    """
    present = [path for path in paths if path.exists()]
    if layout.elsewhere:
        return [_send(path, layout) for path in present]
    return [output_file(path, layout.root) for path in present] if layout.sealing else []


def fetch_staged(staged: Staged, terms: StreamTerms, layout: Layout) -> None:
    """Get what was staged for a block, maybe by another machine. Raises OSError."""
    if not staged.fault:
        refused = [outcome for outcome in (Outcome.REJECTED, Outcome.HELD) if staged.outcomes.get(outcome)]
        paths = [layout.staged(staged.block, suffix) for suffix in (".arrow", *(f".{outcome}" for outcome in refused))]
        _fetch([*paths, *noted_files(staged.block, terms, layout)], layout)


def fetch_kept(settled: Settled, terms: StreamTerms, layout: Layout) -> None:
    """Get the claims of a block that are kept for later runs. Raises OSError."""
    if not settled.fault:
        _fetch(kept_files(settled.block, terms, layout), layout)


def leave(layout: Layout, name: str, data: bytes) -> None:
    """Leave a value of the run for the driver to `find`. Raises OSError."""
    if layout.elsewhere is None:
        (layout.staging / name).write_bytes(data)
    else:
        objects.put(layout.elsewhere / name, data)


def find(layout: Layout, name: str, most: int) -> bytes:
    """What a worker left, at most so many bytes of it. Raises OSError."""
    if layout.elsewhere is None:
        return (layout.staging / name).read_bytes()
    return objects.read_whole(layout.elsewhere / name, most)


def _send(path: Path, layout: Layout) -> OutputFile:
    seen = objects.put(_elsewhere(path, layout), path)
    path.unlink()
    return OutputFile(path.relative_to(layout.root).as_posix(), seen.size, "", crc32c=seen.crc32c)


def _fetch(paths: Iterable[Path], layout: Layout) -> None:
    for path in paths if layout.elsewhere else ():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            objects.fetch(_elsewhere(path, layout), file)


def _elsewhere(path: Path, layout: Layout) -> Remote:
    place = layout.place(path)
    assert isinstance(place, Remote)
    return place


def _deliver(file: OutputFile, root: Path, bucket: Bucket) -> OutputFile:
    path = root / file.path
    seen = objects.put(bucket.folder / file.path, path, unless=bucket.manifest)
    path.unlink()
    return replace(file, crc32c=seen.crc32c)
