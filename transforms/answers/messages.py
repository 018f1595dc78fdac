"""Messages between a process and its worker: a length in 4 bytes, big endian, then UTF-8 JSON."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">I")


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write one message and flush. Raises BrokenPipeError where nobody reads."""
    data = json.dumps(message).encode()
    stream.write(_LENGTH.pack(len(data)) + data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """The next message, or None at the end of the stream, also where that cuts a message short."""
    head = _exactly(stream, _LENGTH.size)
    if head is None:
        return None
    data = _exactly(stream, _LENGTH.unpack(head)[0])
    return None if data is None else json.loads(data)


def _exactly(stream: BinaryIO, count: int) -> bytes | None:
    data = b""
    while len(data) < count:
        more = stream.read(count - len(data))
        if not more:
            return None
        data += more
    return data
