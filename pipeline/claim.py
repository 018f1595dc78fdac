"""The run's folder while it is written: held by one process, and in a state that a later attempt can go on from."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.exits import Exit, InputFault, RunError, going_on, reason_of
from pipeline.publish import MANIFEST, REPORT, SUMS
from transforms.blocks.layout import STAGING, Layout
from transforms.blocks.progress import forget_progress
from transforms.blocks.seals import has_seals

# What blocks leave, and what is written anew by every attempt.
_OF_BLOCKS = frozenset({"accepted", "rejected", "held", "decisions"})
_OWN = frozenset({"campaign", "identities", SUMS, REPORT, f".{MANIFEST}.draft"})
_WORK = "work"
OF_A_RUN = _OF_BLOCKS | _OWN | {STAGING}
"""What may stand in the folder of a run that is not committed."""


@contextmanager
def claimed(layout: Layout, run_id: str) -> Iterator[None]:
    """Hold a run's folder alone, cleared of all that an earlier attempt left and this one cannot use.

    The lock is on the folder itself and goes with the process. A folder with a manifest is a committed run. An attempt
    that fails leaves its folder if any block is sealed, and says so; otherwise it takes it away.
    """
    root = layout.root
    try:
        root.mkdir(parents=True, exist_ok=True)
        handle = os.open(root, os.O_RDONLY)
    except OSError as error:
        raise RunError(Exit.USAGE, f"cannot create the run's folder {root}: {error.strerror}") from error
    try:
        _lock(handle, run_id)
        if (root / MANIFEST).exists():
            raise RunError(Exit.USAGE, f"the run {run_id} is committed already: {root}")
        _refuse_strangers(layout)
        with _left_for_another(layout):
            _clear(layout)
            yield
    finally:
        # The lock goes all the same, and by now the run may be committed.
        with suppress(OSError):
            os.close(handle)


def fresh_folder(layout: Layout, name: str) -> Path:
    """A folder of the work in progress, without what an earlier attempt left there. Raises OSError."""
    folder = layout.staging / name
    if folder.exists():
        shutil.rmtree(folder)
    return folder


@contextmanager
def _left_for_another(layout: Layout) -> Iterator[None]:
    try:
        try:
            yield
        except OSError as error:
            raise RunError(Exit.INTEGRITY, reason_of(error)) from error
    except Exception as error:
        root = layout.root
        if (root / MANIFEST).exists():
            raise
        if isinstance(error, InputFault) or not has_seals(layout):
            shutil.rmtree(root, ignore_errors=True)
        elif isinstance(error, RunError) and error.exit_code is Exit.INTEGRITY:
            raise going_on(error, root) from error
        raise


def _lock(handle: int, run_id: str) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise RunError(Exit.USAGE, f"another process is writing the run {run_id}") from error


def _refuse_strangers(layout: Layout) -> None:
    strangers = sorted(entry.name for entry in layout.root.iterdir() if entry.name not in OF_A_RUN)
    if strangers:
        reason = f"{layout.root} holds {strangers[0]!r}, which is no file of a run; choose another run id"
        raise RunError(Exit.USAGE, reason)


def _clear(layout: Layout) -> None:
    """Remove what earlier attempts left, but for the work of blocks: staged files, and final ones of the same work.

    The names of final files follow from the work: this attempt writes or takes over each of them. Those of other
    work might be in nobody's way and stay.
    """
    work, stays = layout.staging / _WORK, set[str]()
    if layout.sealing:
        stays.add(layout.staging.name)
        if work.exists() and work.read_text(encoding="utf-8") == layout.sealing.work:
            stays |= _OF_BLOCKS
    for entry in layout.root.iterdir():
        is_folder = entry.is_dir() and not entry.is_symlink()
        if not is_folder:
            entry.unlink()
        elif entry.name not in stays:
            shutil.rmtree(entry)
    layout.staging.mkdir(exist_ok=True)
    forget_progress(layout)
    if layout.sealing:
        work.write_text(layout.sealing.work, encoding="utf-8")
