"""The candidate's room: its code is loaded as the module `solution`, and does what the tests ask of it.

All of this process is the candidate's to change. Nothing that it says is believed but the values that it returns.
"""

from __future__ import annotations

import importlib
import os

from pipeline.evaluate.rooms.peer import Line, Peer
from pipeline.evaluate.rooms.plan import SOLUTION, enter, private, read_plan
from pipeline.evaluate.rooms.remote import ALL
from pipeline.evaluate.rooms.values import FUNCTIONS, TYPES


def main() -> None:
    """Load the code, and serve until the tests are over."""
    channel = private(0)
    with os.fdopen(channel, "rb") as reader, os.fdopen(os.dup(channel), "wb") as writer:
        line = Line(reader, writer)
        enter(read_plan())
        line.send({"entered": True})
        # Both rooms are open, and that is noted, before anything of the candidate's runs.
        line.receive()
        peer = Peer(line, ALL, sends=TYPES, takes=FUNCTIONS)
        try:
            module = importlib.import_module(SOLUTION)
        except BaseException:
            line.send({"loaded": False})
            return
        line.send({"loaded": True, "module": peer.write_object(module)})
        peer.serve()


if __name__ == "__main__":
    main()
