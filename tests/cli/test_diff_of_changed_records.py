"""assay diff where bytes changed: another canonical form, edits, an adapter, documents, streams that come and go."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import rfc8785
from backfills import by_plain_functions as backfill
from baseline_runs import measured, run_of_documents
from commands import assay
from golden_campaigns import STREAM, by_plain_functions, write_campaign
from migrated import old, write_migrating, write_shard
from small_campaign import record
from synthetic_runs import Told, write_synthetic_run

from pipeline.sample.manifest import shipped_pins
from pipeline.sample.pairwise import line
from pipeline.sample.workbench import LEFT_IN_SOURCE, SOURCE, comparison
from transforms.baselines.identity import identity
from transforms.digests import sha256_hex
from transforms.records import Outcome

KIND = "agent-trace-v1"


def made(folder: Path, lines: Iterable[bytes], campaign: dict[str, Any]) -> Path:
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return by_plain_functions(write_campaign(folder, "a.jsonl", campaign, {}), folder / "out").folder


def diff(before: Path, after: Path) -> Any:
    said = assay("diff", before, after, "--format", "json")
    assert (said.code, said.err) == (1, "")
    return json.loads(said.out)


def how(found: Any) -> list[tuple[str, str, str]]:
    return sorted((row["matched_by"], row["before_outcome"], row["after_outcome"]) for row in found["changes"])


def test_a_flip_in_a_canonical_campaign(tmp_path: Path) -> None:
    """Accepted records are known by their RFC 8785 form there, refused ones by their bytes as read."""
    lines = [line(record(1)), line(record(1, ratings={**record(1)["ratings"], "style": 1})), line(record(2))]
    policies = ({"identity": {"repeated-annotation": policy}} for policy in ("allow", "hold"))
    campaigns = ({"canonicalisation": "jcs", "streams": {STREAM: policy}} for policy in policies)
    found = diff(*(made(tmp_path / name, lines, one) for name, one in zip("ab", campaigns, strict=True)))
    assert found["streams"][STREAM]["matched"] == {"digest": 1, "content": 2}
    assert how(found) == [("content", "accepted", "held")] * 2
    for row in found["changes"]:
        assert row["after_sha256"] in map(sha256_hex, lines)
        assert row["before_sha256"] in [sha256_hex(rfc8785.dumps(json.loads(one))) for one in lines]


def test_another_canonical_form(tmp_path: Path) -> None:
    lines = [line(record(number)) for number in range(3)]
    found = diff(*(made(tmp_path / form, lines, {"canonicalisation": form}) for form in ("raw", "jcs")))
    stream = found["streams"][STREAM]
    assert (stream["matched"], stream["rewritten"], stream["flipped"]) == ({"content": 3}, 3, 0)
    assert (found["is_empty"], found["changes"]) == (False, [])


def test_edits(tmp_path: Path) -> None:
    """A mended record and one with another rationale are found by identity; another answer is another record."""
    before = [record(1, ratings={}), record(2), record(3), record(4)]
    reworded, other = record(2)["rationale"] + " Indeed.", record(3, response_b="Another answer altogether.")
    after = [record(1), record(2, rationale=reworded), other, record(4)]
    found = diff(*(made(tmp_path / name, map(line, lines), {}) for name, lines in (("a", before), ("b", after))))
    stream = found["streams"][STREAM]
    assert stream["matched"] == {"digest": 1, "identity": 2, "unmatched": 2}
    assert (stream["flipped"], stream["rewritten"]) == (3, 1)
    assert how(found) == [
        ("identity", "rejected", "accepted"),
        ("unmatched", "absent", "accepted"),
        ("unmatched", "accepted", "absent"),
    ]
    (mended,) = (row for row in found["changes"] if row["matched_by"] == "identity")
    assert (mended["before_codes"], mended["after_codes"]) == (["schema/required"], [])
    assert mended["before_sha256"] == sha256_hex(line(before[0]))
    assert mended["after_sha256"] == sha256_hex(line(after[0]))


def test_told_by_an_adapter(tmp_path: Path) -> None:
    """A record and what it was told from are one, whichever of them a run keeps."""
    first = comparison(Random(1), 1)
    lines = [line(first), line({**first, "submitted_at": "2026-04-01T09:30:00Z"}), line(comparison(Random(2), 2))]
    adapter = {"source": SOURCE, "left_in_source": list(LEFT_IN_SOURCE)}
    runs = []
    for policy in ("allow", "reject"):
        stream = {"adapter": adapter, "identity": {"duplicate-record": policy, "repeated-annotation": "allow"}}
        campaign = {"schemas": shipped_pins([SOURCE]), "streams": {STREAM: stream}}
        runs.append(made(tmp_path / policy, lines, campaign))
    found = diff(*runs)
    assert found["streams"][STREAM]["matched"] == {"digest": 3}
    assert how(found) == [("digest", "accepted", "rejected")] * 2
    assert {row["after_sha256"] for row in found["changes"]} == set(map(sha256_hex, lines[:2]))


def test_migrated(tmp_path: Path) -> None:
    """A run that keeps the digests of what its records were made of, after one that had those."""
    old, new = (b'{"task_id": "1", "prompt": "p"}', b'{"task_id": "2", "prompt": "q"}')
    before = {"s": (KIND, [[Told(old), Told(new, Outcome.REJECTED, ("code",))]])}
    after = {"s": ("agent-trace-v2", [[Told(b'{"task_id": "9"}', source=new), Told(b'{"task_id": "8"}', source=old)]])}
    runs = (write_synthetic_run(tmp_path / name, streams) for name, streams in (("a", before), ("b", after)))
    found = diff(*runs)
    stream = found["streams"]["s"]
    assert (stream["matched"], stream["rewritten"]) == ({"digest": 2}, 1)
    assert stream["kind"] == {"before": KIND, "after": "agent-trace-v2"}
    assert how(found) == [("digest", "rejected", "accepted")]


def test_migrated_beside_records_that_needed_no_migration(tmp_path: Path) -> None:
    """Of the latter a run keeps no source: they are known by their own digest."""
    campaign = write_migrating(tmp_path / "campaign")
    write_shard(campaign.parent, [old(record(0)), record(1), old(record(2)), record(3)])
    runs = [by_plain_functions(campaign, tmp_path / name).folder for name in "ab"]
    assert assay("diff", *runs, "--format", "json").code == 0
    again = backfill(campaign, tmp_path / "again", runs[0])
    said = assay("diff", runs[0], again, "--format", "json")
    assert json.loads(said.out)["streams"][STREAM]["matched"] == {"digest": 4}
    assert (said.code, said.err) == (0, "")


def test_baselines_by_their_identity(tmp_path: Path) -> None:
    value, dates = measured({"region": "eu"}), ("2026-08-03T12:00:00+00:00", "2026-08-03T13:00:00+00:00")
    unlike = {**value, "confidenceLevel": 3}
    found = diff(
        run_of_documents(tmp_path / "a", {"a.yaml": unlike, "b.yaml": {**measured(), "generatedAt": dates[0]}}),
        run_of_documents(tmp_path / "b", {"z.yaml": value, "c.yaml": {**measured(), "generatedAt": dates[1]}}),
    )
    assert found["streams"][STREAM]["matched"] == {"identity": 2}
    (mended,) = (row for row in found["changes"] if row["before_outcome"] == "rejected")
    assert mended["identity_sha256"] == identity(value).digest().hex()


def test_a_stream_that_one_run_has(tmp_path: Path) -> None:
    told = [[Told(b'{"task_id": "1", "prompt": "p"}'), Told(b"{", Outcome.REJECTED, ("json-syntax",))]]
    one = write_synthetic_run(tmp_path / "a", {"s": (KIND, told), "t": (KIND, [])})
    other = write_synthetic_run(tmp_path / "b", {"s": (KIND, told)})
    gone = write_synthetic_run(tmp_path / "c", {"t": (KIND, [])})
    found = diff(one, other)
    assert (found["streams"]["s"]["flipped"], found["changes"]) == (0, [])
    assert found["streams"]["t"]["kind"] == {"before": KIND, "after": None}
    assert "\nt (agent-trace-v1 → no stream): 0 flipped" in assay("diff", one, other).out
    found = diff(other, gone)
    assert how(found) == [("unmatched", "accepted", "absent"), ("unmatched", "rejected", "absent")]
    assert found["streams"]["s"]["codes"]["json-syntax"] == {"before": 1, "after": 0, "lost": 1, "gained": 0}


def test_more_changes_than_are_shown(tmp_path: Path) -> None:
    told = [[Told(json.dumps({"task_id": str(number), "prompt": "p"}).encode()) for number in range(23)]]
    runs = [write_synthetic_run(tmp_path / name, {"s": (KIND, shards)}) for name, shards in (("a", told), ("b", []))]
    said = assay("diff", *runs)
    listed = [row for row in said.out.splitlines() if row.endswith(": accepted → absent")]
    assert (len(listed), said.out.splitlines()[-1]) == (20, "… and 3 more: --format json or --output lists all")
    assert len(diff(*runs)["changes"]) == 23
