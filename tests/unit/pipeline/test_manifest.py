from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from small_campaign import write_small

import schemas
from pipeline.campaign import Campaign, load_campaign
from pipeline.exits import Exit, RunError
from pipeline.manifest import build_manifest, manifest_bytes, shard_faults
from pipeline.plan import Plan
from pipeline.publish import checksums
from transforms.blocks.summary import OutputFile, Settled
from transforms.digests import merkle_root, sha256_hex
from transforms.records import Outcome, Shard, ShardFault
from transforms.shards.blocks import AnyBlock
from transforms.shards.plan import Block, Inspection
from transforms.structure import check, compile_validator
from transforms.terms import Validator

FAULT = ShardFault("truncated-shard", "the file ends within gzip member 1")
ROOTS = [sha256_hex(b"one"), sha256_hex(b"two")]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    loaded = load_campaign(write_small(tmp_path_factory.mktemp("campaign")))
    assert isinstance(loaded, Campaign)
    return loaded


def shard(name: str) -> Shard:
    return Shard("annotations", name, f"shards/{name}", f"/exports/{name}", 100)


def inspection(name: str, blocks: int, lines: int | None = None, fault: ShardFault | None = None) -> Inspection:
    of = shard(name)
    cut = tuple(Block(of, index, 10 * index, 10 * index + 10, 1, "0" * 64, False) for index in range(blocks))
    return Inspection(of, sha256_hex(name.encode()), 100, cut, (fault,) if fault else (), lines)


def settled(
    ordinal: int, block: AnyBlock, read: int, rejected: int = 0, held: int = 0, blanks: int = 0, **counts: Any
) -> Settled:
    outcomes = {
        Outcome.ACCEPTED: read - rejected - held,
        Outcome.REJECTED: rejected,
        Outcome.HELD: held,
    }
    return Settled(ordinal, block, read, blanks, outcomes, **counts)


def test_books_codes_and_outputs(campaign: Campaign) -> None:
    plan = Plan((inspection("a.jsonl", 2, lines=7), inspection("b.jsonl", 1, lines=2)))
    first, second, third = plan.blocks
    done = [
        settled(0, first, 4, rejected=1, blanks=1, codes=Counter({"blank-record": 1})),
        settled(
            1, second, 2, held=1, codes=Counter({"repeated-annotation": 2}), warned=Counter({"repeated-annotation": 1})
        ),
        settled(2, third, 2, rejected=2, codes=Counter({"blank-record": 2})),
    ]
    files = [
        OutputFile("report.html", 5, sha256_hex(b"r")),
        OutputFile("accepted/annotations/b", 9, sha256_hex(b"b"), 0, ROOTS[1]),
        OutputFile("accepted/annotations/a", 9, sha256_hex(b"a"), 4, ROOTS[0]),
    ]
    manifest = build_manifest("r", campaign, plan, done, files)
    compiled = compile_validator(schemas.load_schema("documents", "digest-manifest-v1"), Validator())
    assert check(manifest, compiled, 100) == ()
    assert [row["records"] for row in manifest["inputs"]] == [
        {"read": 6, "accepted": 4, "rejected": 1, "held": 1},
        {"read": 2, "accepted": 0, "rejected": 2, "held": 0},
    ]
    stream = manifest["streams"]["annotations"]
    assert stream["records"] == {"read": 8, "accepted": 4, "rejected": 3, "held": 1}
    assert list(stream["codes"].items()) == [("blank-record", 3), ("repeated-annotation", 2)]
    assert (stream["warned"], stream["blank_lines"]) == ({"repeated-annotation": 1}, 1)
    assert [row["path"] for row in manifest["outputs"]] == [
        "accepted/annotations/a",
        "accepted/annotations/b",
        "report.html",
    ]
    assert [row.get("rows") for row in manifest["outputs"]] == [4, 0, None]
    assert manifest["merkle_root"] == merkle_root(bytes.fromhex(root) for root in ROOTS)
    # All that b.jsonl has is blank, which makes it an empty shard.
    assert [(row["shard"], row["code"]) for row in manifest["warnings"]] == [("b.jsonl", "empty-shard")]


def test_a_faulty_shard_has_no_records_and_is_warned_of(campaign: Campaign) -> None:
    planned, read = inspection("a.jsonl", 0, fault=FAULT), inspection("b.jsonl.gz", 1)
    sound = inspection("c.jsonl", 1, lines=1)
    plan = Plan((planned, read, sound))
    done = [Settled(0, plan.blocks[0], fault=FAULT), settled(1, plan.blocks[1], 1)]
    manifest = build_manifest("r", campaign, plan, done, [])
    fault = {"code": FAULT.code, "message": FAULT.message}
    assert [row.get("fault") for row in manifest["inputs"]] == [fault, fault, None]
    assert [row["records"]["read"] for row in manifest["inputs"]] == [0, 0, 1]
    assert manifest["warnings"] == [
        {**fault, "stream": "annotations", "shard": name} for name in ("a.jsonl", "b.jsonl.gz")
    ]
    assert shard_faults(plan, done) == [(planned.shard, FAULT), (read.shard, FAULT)]


def test_a_shard_too_large_to_read_has_no_digest(campaign: Campaign) -> None:
    plan = Plan((replace(inspection("a.jsonl", 0, fault=FAULT), sha256=None),))
    assert "sha256" not in build_manifest("r", campaign, plan, [], [])["inputs"][0]


@pytest.mark.parametrize(
    ("read", "lines", "outcomes", "reason"),
    [
        (3, 3, {Outcome.ACCEPTED: 2}, "the books do not balance: "),
        (3, 3, {Outcome.ACCEPTED: 3, Outcome.HELD: 1}, "the books do not balance: "),
        (3, 4, {Outcome.ACCEPTED: 3}, "4 lines planned, 3 read"),
        (3, 2, {Outcome.REJECTED: 3}, "2 lines planned, 3 read"),
    ],
)
def test_books_that_do_not_balance(
    campaign: Campaign, read: int, lines: int, outcomes: dict[Outcome, int], reason: str
) -> None:
    plan = Plan((inspection("a.jsonl", 1, lines),))
    with pytest.raises(RunError) as raised:
        build_manifest("r", campaign, plan, [Settled(0, plan.blocks[0], read, 0, outcomes)], [])
    assert raised.value.exit_code == Exit.INTERNAL
    assert raised.value.reason.startswith(f"annotations/a.jsonl: {reason}")


def test_blocks_that_are_lost_or_come_twice(campaign: Campaign) -> None:
    plan = Plan((inspection("a.jsonl", 2),))
    one = settled(0, plan.blocks[0], 1)
    for done in ([one], [one, one], [one, one, one]):
        with pytest.raises(RunError) as raised:
            build_manifest("r", campaign, plan, done, [])
        assert raised.value.reason == f"2 blocks planned, {len(done)} came back, 1 different ones"


def test_the_order_of_blocks_and_files_makes_no_difference(campaign: Campaign) -> None:
    plan = Plan((inspection("a.jsonl", 2), inspection("b.jsonl", 1)))
    done = [settled(index, block, 2, codes=Counter({f"c{index}": 1})) for index, block in enumerate(plan.blocks)]
    files = [OutputFile(name, 1, sha256_hex(b""), 1, ROOTS[0]) for name in ("x", "y", "z")]
    one = build_manifest("r", campaign, plan, done, files)
    assert manifest_bytes(one) == manifest_bytes(build_manifest("r", campaign, plan, done[::-1], files[::-1]))


def test_the_bytes_are_canonical_and_end_with_a_line_feed(campaign: Campaign) -> None:
    manifest = build_manifest("r", campaign, Plan(()), [], [])
    assert manifest_bytes(manifest) == rfc8785.dumps(manifest) + b"\n"
    assert manifest["merkle_root"] == sha256_hex(b"")


def test_checksums_are_sorted_by_path_and_hold_the_manifest(campaign: Campaign) -> None:
    files = [OutputFile(name, 1, sha256_hex(name.encode())) for name in ("report.html", "campaign/x", "held/y")]
    manifest = build_manifest("r", campaign, Plan(()), [], files)
    names = ["campaign/x", "held/y", "manifest.json", "report.html"]
    digests = [sha256_hex(b"data" if name == "manifest.json" else name.encode()) for name in names]
    expected = "".join(f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True))
    assert checksums(manifest, b"data") == expected.encode()


def test_nothing_of_the_machine_is_in_it(campaign: Campaign) -> None:
    plan = Plan((inspection("a.jsonl", 1),))
    data = manifest_bytes(build_manifest("r", campaign, plan, [settled(0, plan.blocks[0], 1)], []))
    assert str(Path.cwd()).encode() not in data
    assert b"/exports" not in data
    assert str(campaign.folder).encode() not in data
