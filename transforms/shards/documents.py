"""Documents: files that are one record each, judged some at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from transforms.digests import sha256_hex
from transforms.records import Line, Place, Shard, Syntax
from transforms.shards.faults import UnreadableShard
from transforms.shards.files import BUFFER_BYTES, read
from transforms.shards.lines import LongLine
from transforms.terms import Limits

# So many to a block: enough rows for a file, and blocks enough for several workers.
MOST_DOCUMENTS = 1024

_SYNTAXES = {".json": Syntax.JSON, ".yaml": Syntax.YAML, ".yml": Syntax.YAML}


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was planned: its file, and the SHA-256 (hex) of its bytes."""

    shard: Shard
    sha256: str


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """Documents of one stream that are judged as a whole, sorted by name.

    `index` counts the stream's blocks from 0. A document is the only record of its shard, and stands on line 1.
    """

    stream: str
    index: int
    documents: tuple[Document, ...]

    @property
    def stem(self) -> str:
        """What the names of the block's files begin with."""
        return f"documents-b{self.index:05d}"

    @property
    def size(self) -> int:
        """The bytes of all documents."""
        return sum(document.shard.size for document in self.documents)

    @property
    def names(self) -> tuple[str, ...]:
        """The documents' names."""
        return tuple(document.shard.name for document in self.documents)

    def place(self, position: int) -> Place:
        """Where the record stands that is counted `position` from the block's first."""
        return Place(self.stream, self.documents[position].shard.name, 1)

    def position(self, place: Place) -> int:
        """The reverse of `place`."""
        return bisect_left(self.documents, place.shard, key=lambda document: document.shard.name)

    def shard_at(self, position: int) -> Shard:
        """The shard of a record."""
        return self.documents[position].shard


def syntax_of(name: str) -> Syntax | None:
    """The notation that a document's name promises by its suffix, in upper or lower case; None for any other."""
    return _SYNTAXES.get(PurePosixPath(name).suffix.lower())


def cut_documents(stream: str, documents: Sequence[Document], block_bytes: int) -> tuple[DocumentBlock, ...]:
    """The blocks of a stream: each ends at `MOST_DOCUMENTS`, or with the document that reaches `block_bytes`."""
    blocks: list[DocumentBlock] = []
    held: list[Document] = []
    size = 0
    for document in documents:
        held.append(document)
        size += document.shard.size
        if len(held) == MOST_DOCUMENTS or size >= block_bytes:
            blocks.append(DocumentBlock(stream, len(blocks), tuple(held)))
            held, size = [], 0
    if held:
        blocks.append(DocumentBlock(stream, len(blocks), tuple(held)))
    return tuple(blocks)


def read_documents(
    block: DocumentBlock, limits: Limits, on_bytes: Callable[[int], None] | None = None
) -> Iterator[tuple[Shard, Line]]:
    """Yield the documents of a block in order.

    A document over `limits.max_record_bytes` is `oversized` and keeps its first bytes, as a line would. `on_bytes` is
    called about once per buffer's worth with the number of the block's bytes read so far. Raises UnreadableShard where
    a file cannot be read, or its bytes are not those that were planned.
    """
    done = told = 0
    for document in block.documents:
        line = _read(document, limits.max_record_bytes)
        done += line.length
        if on_bytes and (done >= told + BUFFER_BYTES or document is block.documents[-1]):
            told = done
            on_bytes(done)
        yield document.shard, line


def _read(document: Document, limit: int) -> Line:
    shard, whole = document.shard, LongLine(limit)
    for buffer in read(shard):
        whole.add(buffer)
    line = whole.line(1, 0)
    if (line.sha256 or sha256_hex(line.data)) != document.sha256:
        raise UnreadableShard(f"{shard.name}: its bytes are not those that were planned: the file changed")
    return replace(line, syntax=syntax_of(shard.name) or Syntax.JSON)
