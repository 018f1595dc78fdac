"""The loop that one would write first: `json.loads` with hooks, and `jsonschema`. It hashes, but writes nothing.

python tests/bench/textbook_loop.py CAMPAIGN.json RECORDS
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

import schemas


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate key")
    return value


def refuse(constant: str) -> None:
    raise ValueError(constant)


def main() -> None:
    shard = sorted((Path(sys.argv[1]).parent / "shards").glob("*.jsonl"))[0]
    validator = Draft202012Validator(schemas.load_schema("records", "pairwise-v2"))
    good = 0
    with shard.open("rb") as file:
        for line in itertools.islice(file, int(sys.argv[2])):
            try:
                value = json.loads(line, object_pairs_hook=unique, parse_constant=refuse)
            except ValueError:
                continue
            good += not list(validator.iter_errors(value))
            hashlib.sha256(line).hexdigest()
    print(good)


if __name__ == "__main__":
    main()
