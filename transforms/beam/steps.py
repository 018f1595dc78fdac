"""The DoFns of a run. Each may run twice, in parallel, or be abandoned half-way: file names are fixed and
contents depend on the element alone, so whichever attempt ends last leaves the same files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any

import apache_beam as beam
import pyarrow as pa

from transforms.blocks.claims import packed_claims
from transforms.blocks.handover import for_worker, leave_worker
from transforms.blocks.layout import Layout
from transforms.blocks.listed import listed_blocks
from transforms.blocks.mark import Mark
from transforms.blocks.progress import note_progress
from transforms.blocks.resume import settle_once, stage_once
from transforms.blocks.summary import Settled, Staged
from transforms.columns.stream_columns import stream_schema
from transforms.faults import EnvironmentFault
from transforms.identities.read import Index, earlier_claims
from transforms.joins.grouping import PackedClaims, judge_claims
from transforms.joins.join import Brought, Join, Judged
from transforms.joins.standing import refuses, standing
from transforms.judge import Bench, prepare
from transforms.shards.blocks import AnyBlock
from transforms.shards.faults import UnreadableShard
from transforms.terms import StreamTerms

Terms = Mapping[str, StreamTerms]
Numbered = tuple[int, AnyBlock]


@contextmanager
def environment_faults() -> Iterator[None]:
    """Turn failures of reading and writing into the one exception whose reason survives a runner."""
    try:
        yield
    except UnreadableShard as error:
        is_gone = error.__cause__ is None or isinstance(error.__cause__, FileNotFoundError)
        raise EnvironmentFault(str(error), is_input=is_gone) from error
    except OSError as error:
        raise EnvironmentFault(f"{error.strerror or error}: {error.filename or 'a file of the run'}") from error


class ListedBlocks(beam.DoFn):
    """The number of a part of the run's blocks → (ordinal, block) of each of them."""

    def __init__(self, layout: Layout, mark: Mark) -> None:
        self._layout, self._mark = layout, mark

    def setup(self) -> None:
        """Other versions might not know the blocks."""
        self._mark.require_versions()

    def process(self, element: int) -> Iterator[Numbered]:
        """Read a part."""
        self._mark.require_folder()
        with environment_faults():
            yield from listed_blocks(self._layout, element)


class StageBlock(beam.DoFn):
    """(ordinal, block) → (ordinal, Staged), and to each join's own output ((kind, partition), PackedClaims)."""

    def __init__(
        self, terms: Terms, layout: Layout, mark: Mark, partitions: int, *, local: bool, progress: bool
    ) -> None:
        self._terms, self._layout, self._mark, self._partitions = terms, layout, mark, partitions
        self._local, self._progress = local, progress
        self._benches: dict[str, Bench] = {}

    def setup(self) -> None:
        """Compile what does not pickle, and have Arrow give memory back: its own pool holds on to a third more."""
        self._mark.require_versions()
        pa.set_memory_pool(pa.system_memory_pool())
        self._benches = {name: prepare(terms) for name, terms in self._terms.items()}
        self._layout = for_worker(self._layout)

    def teardown(self) -> None:
        """Leave no files."""
        leave_worker(self._layout)

    def process(self, element: Numbered) -> Iterator[Any]:
        """Judge one block."""
        ordinal, block = element
        self._mark.require_folder()
        bench = self._benches[block.stream]
        progress = note_progress(block, self._layout) if self._progress else None
        with environment_faults():
            staged, parts = stage_once(
                ordinal, block, bench, self._layout, self._partitions, progress, travel=not self._local
            )
        yield ordinal, staged
        for join, part, rows in parts:
            packed = packed_claims(ordinal, block, self._layout, rows)
            # Without a fact, records meet their own kind only.
            yield beam.pvalue.TaggedOutput(join.name, (("" if join.fact else bench.kind.name, part), packed))


class JudgeClaims(beam.DoFn):
    """((kind, partition), claims of one join) → (block ordinal, (position in the block, finding or evidence)).

    What counts only if its own record stands goes to the output BROUGHT, under the block of that record.
    """

    BROUGHT = "brought"

    def __init__(self, join: Join, terms: Terms, earlier: Mapping[str, Sequence[Index]] = MappingProxyType({})) -> None:
        """`earlier` are the indexes of earlier runs by the kind of their records."""
        self._join, self._terms, self._earlier = join, terms, dict(earlier)

    def process(self, element: tuple[tuple[str, int], Iterable[PackedClaims]]) -> Iterator[Any]:
        """Judge one partition of the join."""
        (kind, _), claims = element
        indexes = self._earlier.get(kind)
        earlier = partial(earlier_claims, self._join, indexes) if indexes else None
        with environment_faults():
            for ordinal, position, judged in judge_claims(self._join, claims, self._terms, earlier):
                row = ordinal, (position, judged)
                yield beam.pvalue.TaggedOutput(self.BROUGHT, row) if isinstance(judged, Brought) else row


class Refusals(beam.DoFn):
    """(block ordinal, (position, finding or evidence)) → (block ordinal, position) of what is refused in `spans`."""

    def __init__(self, spans: Sequence[range]) -> None:
        self._spans = tuple(spans)

    def process(self, element: tuple[int, tuple[int, Judged]]) -> Iterator[tuple[int, int]]:
        """Pass the position on, or nothing."""
        ordinal, (position, judged) = element
        if refuses(judged) and any(ordinal in span for span in self._spans):
            yield ordinal, position


class KeepStanding(beam.DoFn):
    """(ordinal, {"refused": [position], "brought": [(position, Brought)]}) → (ordinal, (position, evidence))."""

    def process(self, element: tuple[int, dict[str, Iterable[Any]]]) -> Iterator[Any]:
        """Hand on what the records of one block say, to the blocks that it is about."""
        _, joined = element
        yield from standing(joined["refused"], joined["brought"])


class SettleBlock(beam.DoFn):
    """(ordinal, {"staged": [Staged], "found": [(position, finding or evidence)]}) → Settled."""

    def __init__(self, terms: Terms, layout: Layout, mark: Mark) -> None:
        self._terms, self._layout, self._mark = terms, layout, mark

    def setup(self) -> None:
        """Derive the columns once."""
        self._mark.require_versions()
        self._schemas = {name: stream_schema(terms) for name, terms in self._terms.items()}
        self._layout = for_worker(self._layout)

    def teardown(self) -> None:
        """Leave no files."""
        leave_worker(self._layout)

    def process(self, element: tuple[int, dict[str, list[Any]]]) -> Iterator[Settled]:
        """Write one block's final files."""
        _, joined = element
        self._mark.require_folder()
        staged: Staged = joined["staged"][0]
        found: list[tuple[int, Judged]] = joined["found"]
        stream = staged.block.stream
        with environment_faults():
            settled = settle_once(staged, found, self._terms[stream], self._schemas[stream], self._layout)
        yield settled
