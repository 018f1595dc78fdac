"""The line between the rooms, both ends in this process: what crosses it, and what does not."""

from __future__ import annotations

import operator
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from pipeline.evaluate.rooms.peer import MOST_BYTES, Line, Lost, Peer
from pipeline.evaluate.rooms.remote import ALL, LENT, Remote
from pipeline.evaluate.rooms.values import FUNCTIONS, TYPES


class Thing:
    """Anything of the candidate's."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def take(self, value: Any) -> Any:
        self.seen.append(value)
        return value

    def reach(self, lent: Any, operation: str) -> Any:
        return lent._assay_apply(operation, lent, "__globals__")

    def __eq__(self, other: object) -> bool:
        self.seen.append(other)
        return True

    def __sub__(self, other: Any) -> int:
        self.seen.append(other)
        return 0

    def __contains__(self, other: object) -> bool:
        self.seen.append(other)
        return True

    def __lt__(self, other: object) -> bool:
        self.seen.append(other)
        return True

    __hash__ = None  # type: ignore[assignment]


@pytest.fixture
def ends() -> Iterator[tuple[Line, Line]]:
    """Both ends of a line."""
    pair = socket.socketpair()
    with pair[0], pair[1], pair[0].makefile("rwb") as first, pair[1].makefile("rwb") as second:
        yield Line(first, first), Line(second, second)  # type: ignore[arg-type]
        for end in pair:
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def room(ends: tuple[Line, Line]) -> Iterator[tuple[Thing, Remote]]:
    """A thing of the candidate's, and what the tests have of it."""
    thing, serving = Thing(), Peer(ends[1], ALL, sends=TYPES, takes=FUNCTIONS)
    thread = threading.Thread(target=serving.serve, daemon=True)
    thread.start()
    tests = Peer(ends[0], LENT, sends=FUNCTIONS, takes=TYPES)
    yield thing, tests.read_object(serving.write_object(thing))


def test_a_plain_value_is_never_shown_to_what_it_is_compared_with(room: tuple[Thing, Remote]) -> None:
    thing, remote = room
    # What else it is, is refused where it stands.
    assert remote != 5
    assert operator.eq(remote, 5) is False
    assert 5 not in [remote]
    for attempt in (operator.lt, operator.ge):
        with pytest.raises(TypeError):
            attempt(remote, 5)
        with pytest.raises(TypeError):
            attempt(5, remote)
    assert thing.seen == []
    with pytest.raises(TypeError):
        operator.sub(remote, 5)
    # By its name it may be asked.
    assert remote.__contains__(5) is True
    assert thing.seen == [5, 5]


def test_two_objects_are_compared_by_themselves(room: tuple[Thing, Remote]) -> None:
    thing, remote = room
    assert remote == remote.take
    assert thing.seen == [thing.take]


def test_an_object_comes_back_as_itself(room: tuple[Thing, Remote]) -> None:
    thing, remote = room
    assert remote.take(remote) is remote
    assert thing.seen[0] is thing
    lent = object()
    assert remote.take([lent])[0] is lent
    assert isinstance(thing.seen[1][0], Remote)


def test_a_lent_object_gives_nothing_but_its_calls(room: tuple[Thing, Remote]) -> None:
    for operation in ("getattr", "setattr", "isinstance", "repr", "eval"):
        with pytest.raises(KeyError):
            room[1].reach(lambda: None, operation)


ANSWERS = [
    b"{}",
    b"[]",
    b"5",
    b"\xff",
    b'{"changed": [], "value": 1.5, "raised": false}',
    b'{"changed": [], "value": {}, "raised": false}',
    b'{"changed": [], "value": [], "raised": false}',
    b'{"changed": [], "value": ["pickle", ""], "raised": false}',
    b'{"changed": [], "value": ["named", "eval"], "raised": false}',
    b'{"changed": [], "value": ["named", "getattr"], "raised": false}',
    b'{"changed": [], "value": ["object", "a"], "raised": false}',
    b'{"changed": [], "value": ["object", -100], "raised": false}',
    b'{"changed": [], "value": ["set", [["list", []]]], "raised": false}',
    b'{"changed": [], "value": ["bytes", "a"], "raised": false}',
    b'{"changed": [], "value": ["int", "z"], "raised": false}',
    b'{"changed": [], "value": ["Decimal", "x"], "raised": false}',
    b'{"changed": [], "value": 1, "raised": true}',
    b'{"changed": [["missing", 1]], "value": 1, "raised": false}',
    b'{"changed": [[1, "text"]], "value": 1, "raised": false}',
    b'{"changed": [], "same": 9}',
    b'{"changed": [], "value": ["error", [["Exception"], [], []]], "raised": true}',
    b'{"changed": [], "value": ' + b'["list", [' * 3000 + b"]]" * 3000 + b', "raised": false}',
    b'{"apply": 5}',
    b'{"apply": "call", "given": 5}',
]


@pytest.mark.parametrize("answer", ANSWERS, ids=range(len(ANSWERS)))
def test_what_is_malformed_ends_the_line(ends: tuple[Line, Line], answer: bytes) -> None:
    tests = Peer(ends[0], LENT, sends=FUNCTIONS, takes=TYPES)
    remote = tests.read_object(0)
    ends[1]._writer.write(len(answer).to_bytes(4, "big") + answer)
    ends[1]._writer.flush()
    with pytest.raises(Lost):
        remote([1, 2])
    assert tests.lost
    # What comes later is not even looked at.
    ends[1].send({"changed": [], "value": 4, "raised": False})
    with pytest.raises(Lost):
        remote()


def test_too_large_a_message(ends: tuple[Line, Line]) -> None:
    tests = Peer(ends[0], LENT, sends=FUNCTIONS, takes=TYPES)
    ends[1]._writer.write((MOST_BYTES + 1).to_bytes(4, "big"))
    ends[1]._writer.flush()
    with pytest.raises(Lost):
        tests.read_object(0)()
    with pytest.raises(ValueError, match="too large a message"):
        ends[0].send({"value": "x" * MOST_BYTES})


def test_the_end_of_the_line() -> None:
    ours, theirs = socket.socketpair()
    theirs.sendall(b"\0\0\0\x09{")
    theirs.shutdown(socket.SHUT_WR)
    with theirs, ours, ours.makefile("rwb") as file:
        tests = Peer(Line(file, file), LENT, sends=FUNCTIONS, takes=TYPES)  # type: ignore[arg-type]
        with pytest.raises(Lost):
            tests.read_object(0)()
    assert issubclass(Lost, BaseException)
    assert not issubclass(Lost, Exception)


@pytest.mark.parametrize(
    ("written", "raised"),
    [
        (["error", [[[], "ValueError"], ["tuple", ["a"]], ["dict", []]]], ValueError("a")),
        (["error", [[[], "KeyboardInterrupt"], ["tuple", []], ["dict", []]]], Exception()),
        (["error", [[[], "print"], ["tuple", ["a"]], ["dict", []]]], Exception("a")),
    ],
)
def test_exceptions(ends: tuple[Line, Line], written: Any, raised: Exception) -> None:
    tests = Peer(ends[0], LENT, sends=FUNCTIONS, takes=TYPES)
    ends[1].send({"changed": [], "value": written, "raised": True})
    with pytest.raises(type(raised)) as caught:
        tests.read_object(0)()
    assert (type(caught.value), caught.value.args) == (type(raised), raised.args)


def test_the_form_of_a_request(ends: tuple[Line, Line]) -> None:
    tests = Peer(ends[0], LENT, sends=FUNCTIONS, takes=TYPES)
    ends[1].send({"changed": [], "value": None, "raised": False})
    assert tests.read_object(3)(1, name=(2,)) is None
    assert ends[1].receive() == {
        "apply": "call",
        "given": [[0, ["object", -4]], [1, 1], ["name", ["tuple", [2]]]],
    }
