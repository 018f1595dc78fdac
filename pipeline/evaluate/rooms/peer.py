"""The line between the rooms: each asks the other to apply an operation to values, and may be asked meanwhile."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO
from weakref import WeakValueDictionary

from pipeline.evaluate.rooms.remote import Apply, Remote
from pipeline.evaluate.rooms.values import Values, Written

_LENGTH_BYTES = 4
MOST_BYTES = 16 << 20
_COPIED = (list, dict, set, bytearray)

Message = dict[str, Any]


class Lost(BaseException):
    """The other room has ended, or does not keep to the form. No test that expects exceptions expects this one."""


class Line:
    """Messages over one descriptor, each with its length before it."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader, self._writer = reader, writer

    def send(self, message: Message) -> None:
        """Write one message. Raises OSError, or ValueError where it is too large."""
        data = json.dumps(message).encode()
        if len(data) > MOST_BYTES:
            raise ValueError("too large a message")
        self._writer.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
        self._writer.flush()

    def receive(self) -> Message:
        """The next message. Raises EOFError at the end, OSError, or ValueError where it is malformed."""
        length = int.from_bytes(self._read(_LENGTH_BYTES), "big")
        if length > MOST_BYTES:
            raise ValueError("too large a message")
        message = json.loads(self._read(length))
        if not isinstance(message, dict):
            raise ValueError("malformed message")
        return message

    def _read(self, count: int) -> bytes:
        data = self._reader.read(count)
        if len(data) < count:
            raise EOFError
        return data


class Peer:
    """One end. `operations` are what the other end may ask for; `sends` and `takes` are those of `Values`."""

    def __init__(
        self, line: Line, operations: Mapping[str, Apply], sends: Mapping[str, Any], takes: Mapping[str, Any]
    ) -> None:
        self._line, self._operations = line, operations
        self._values = Values(self, sends, takes)
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._remotes: WeakValueDictionary[int, Remote] = WeakValueDictionary()
        self._lock = threading.RLock()
        self._serving: int | None = None
        self.lost = False

    def write_object(self, value: Any) -> Written:
        """The number of an object of ours; -1 and below are the other room's."""
        if isinstance(value, Remote):
            return -1 - value._assay_number
        if id(value) not in self._numbers:
            # The list keeps the object, so that its id stays its own.
            self._numbers[id(value)] = len(self._objects)
            self._objects.append(value)
        return self._numbers[id(value)]

    def read_object(self, written: Written) -> Any:
        """The object of that number, or what stands for it."""
        if written < 0:
            return self._objects[-1 - written]
        remote = self._remotes.get(written)
        if remote is None:
            remote = self._remotes[written] = Remote(self.apply, written)
        return remote

    def apply(self, operation: str, /, *arguments: Any, **named: Any) -> Any:
        """Have the other room apply an operation; its result, or its exception. Raises Lost."""
        if self._serving not in (None, threading.get_ident()):
            raise RuntimeError("only the thread that was called may call back")
        with self._lock:
            if self.lost:
                raise Lost
            given: dict[Any, Any] = {**dict(enumerate(arguments)), **named}
            asked = {"apply": operation, "given": [[key, self._values.write(value)] for key, value in given.items()]}
            try:
                self._line.send(asked)
                answer = self._answer()
                for key, changed in answer["changed"]:
                    _replace(given[key], self._values.read(changed))
                if "same" in answer:
                    return given[answer["same"]]
                result = self._values.read(answer["value"])
                if (raised := answer["raised"]) and not isinstance(result, BaseException):
                    raise TypeError("no exception")
            except Exception as error:
                # The line broke, or what came is malformed: whichever way, nothing more of it can be understood.
                self.lost = True
                raise Lost from error
            if raised:
                raise result
            return result

    def _answer(self) -> Message:
        """The answer to what was asked, after whatever is asked before it."""
        while "apply" in (message := self._line.receive()):
            self._line.send(self._applied(message))
        return message

    def serve(self) -> None:
        """Do what is asked until the other end closes."""
        self._serving = threading.get_ident()
        while True:
            try:
                message = self._line.receive()
            except EOFError:
                return
            self._line.send(self._applied(message))

    def _applied(self, message: Message) -> Message:
        """The answer: the result or the exception, and those arguments that are not as they were."""
        written = message["given"]
        given = {key: self._values.read(value) for key, value in written}
        raised = False
        try:
            arguments = [value for key, value in given.items() if isinstance(key, int)]
            named = {key: value for key, value in given.items() if isinstance(key, str)}
            result = self._operations[message["apply"]](*arguments, **named)
        except BaseException as error:
            result, raised = error, True
        changed = [[key, now] for key, now in self._written_anew(given, written)]
        same = [key for key, value in given.items() if value is result and isinstance(value, _COPIED)]
        if same:
            return {"changed": changed, "same": same[0]}
        return {"changed": changed, "value": self._values.write(result), "raised": raised}

    def _written_anew(self, given: Mapping[Any, Any], written: Written) -> Iterator[tuple[Any, Written]]:
        for key, before in written:
            if isinstance(given[key], _COPIED) and (now := self._values.write(given[key])) != before:
                yield key, now


def _replace(value: Any, now: Any) -> None:
    """Make a container that was copied equal to its copy. Raises TypeError where they are of two kinds."""
    if type(now) not in _COPIED or not isinstance(value, type(now)):
        raise TypeError("malformed change")
    if isinstance(value, dict | set):
        value.clear()
        value.update(now)
    else:
        value[:] = now
