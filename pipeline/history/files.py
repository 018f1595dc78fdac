"""An index in a file that was checked: its bytes stay those that were digested."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from pipeline.committed.folder import open_file
from transforms.identities.read import Index, key_ranges
from transforms.identities.table import index_schema
from transforms.joins.join import Join
from transforms.parquet import open_parquet
from transforms.records import EarlierRun
from transforms.shards.digested import ChangedWhileRead, Digested, unchanged
from transforms.storage.location import Location


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The file `path` within `folder`, as it was when it was digested. A `transforms.identities.read.Source`."""

    folder: Location
    path: str
    digested: Digested

    @property
    def name(self) -> str:
        """The file's whole path."""
        return str(self.folder / self.path)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes. Raises OSError, also where they are no longer what was digested."""
        try:
            with open_file(self.folder, self.path) as file, unchanged(file, self.digested) as same:
                yield same
        except ChangedWhileRead as error:
            raise OSError(error.errno, str(error), self.name) from error


def index_in(file: CheckedFile, join: Join, run: EarlierRun) -> Index:
    """The index that a file holds. Raises OSError, and ValueError or pyarrow's ArrowException where it holds none."""
    with file.open() as binary, open_parquet(binary) as parquet:
        if not parquet.schema_arrow.equals(index_schema(join).remove_metadata()):
            raise ValueError("its columns are not those of an index")
        return Index(run, file, *key_ranges(parquet))
