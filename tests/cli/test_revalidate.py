"""`assay revalidate`: what earlier runs published, judged again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from backfills import ALL, accepted, by_command, by_plain_functions, manifest, origins, refused
from commands import assay, run
from golden_campaigns import STREAM, merged
from golden_campaigns import by_plain_functions as run_plainly
from processes import workers
from small_campaign import BOOKS, CODES, PACKED, PLAIN, write_small
from source_tree import ROOT
from tampering import ACCEPTED, REJECTED, seal
from test_golden import agree

from transforms.digests import file_sha256, sha256_hex
from transforms.records import Outcome

EVERY_LINE = {*(("golden", PLAIN, number) for number in range(1, 8)), *(("golden", PACKED, n) for n in range(1, 5))}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def source(campaign: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(campaign, tmp_path_factory.mktemp("source"))


def changed(campaign: Path, **members: object) -> Path:
    """The campaign with a merge patch, beside it."""
    path = campaign.with_name(f"{sha256_hex(repr(members).encode())[:8]}.json")
    path.write_text(json.dumps(merged(json.loads(campaign.read_bytes()), members)), encoding="utf-8")
    return path


def test_the_same_campaign_gives_the_same_outcomes(campaign: Path, source: Path, tmp_path: Path) -> None:
    again = by_command(campaign, tmp_path / "command", source)
    assert agree(by_plain_functions(campaign, tmp_path / "plain", source), again)
    assert agree(by_command(campaign, tmp_path / "workers", source, flags=workers(2)), again)
    assert assay("verify", again, "--inputs").code == 0
    stream = manifest(again)["streams"][STREAM]
    assert (stream["records"], stream["codes"]) == (BOOKS, CODES)
    assert origins(again, STREAM) == EVERY_LINE
    assert {row["assay_archival_bytes"] for row in accepted(again, STREAM)} == {
        row["assay_archival_bytes"] for row in accepted(source, STREAM)
    }


def test_the_manifest_names_its_sources(campaign: Path, source: Path, tmp_path: Path) -> None:
    again = manifest(by_command(campaign, tmp_path, source, outcomes=()))
    assert again["mode"] == "revalidate"
    assert again["sources"] == [
        {
            "run_id": "golden",
            "manifest_sha256": file_sha256(source / "manifest.json"),
            "uri": str(source),
            "outcomes": ["accepted"],
            "streams": {STREAM: {"read": 6, "left": 5}},
            "as_judged": [STREAM],
        }
    ]
    assert [row["shard"] for row in again["inputs"]] == [
        f"golden/{ACCEPTED}",
        f"golden/{ACCEPTED}".replace(PLAIN, PACKED),
    ]
    assert again["streams"][STREAM]["records"] == {"read": 6, "accepted": 6, "rejected": 0, "held": 0}


def test_a_record_is_followed_through_several_backfills(campaign: Path, source: Path, tmp_path: Path) -> None:
    once = by_command(campaign, tmp_path / "once", source)
    twice = by_command(campaign, tmp_path / "twice", once, flags=("--run-id", "twice"))
    twice = twice.with_name("twice")
    assert origins(twice, STREAM) == EVERY_LINE
    assert manifest(twice)["streams"][STREAM]["codes"] == CODES
    assert assay("verify", twice, "--inputs").code == 0
    row = accepted(twice, STREAM)[0]
    before = pq.read_table(tmp_path / "once" / row["assay_shard"], partitioning=None).to_pylist()[row["assay_line"] - 1]
    assert before["assay_record_sha256"] == row["assay_record_sha256"]
    first = pq.read_table(source.parent / before["assay_shard"], partitioning=None).to_pylist()[
        before["assay_line"] - 1
    ]
    assert (first["assay_shard"], first["assay_line"]) == (row["assay_origin_shard"], row["assay_origin_line"])


@pytest.mark.parametrize("name", ["kinds", "baselines", "workbench"])
def test_every_kind(name: str, tmp_path: Path) -> None:
    """Records of all kinds, documents and adapted records among them, end as they did; private ones had no bytes."""
    path = ROOT / "manifests" / name / "campaign.json"
    source = run_plainly(path, tmp_path / "source").folder
    again = by_plain_functions(path, tmp_path, source)
    assert assay("verify", again).code == 0
    for stream, before in manifest(source)["streams"].items():
        after = manifest(again)["streams"][stream]
        if "clinical-evidence-missing" in before["codes"]:
            assert after["codes"].pop("bytes-not-kept") == before["codes"].pop("clinical-evidence-missing")
        else:
            assert after["records"] == before["records"]
        assert after["codes"] == before["codes"]
        one, other = (
            sorted((row["assay_archival_bytes"], row.get("assay_source_bytes")) for row in accepted(run, stream))
            for run in (source, again)
        )
        assert one == other


@pytest.mark.parametrize(("before", "after"), [("raw", "jcs"), ("jcs", "raw"), ("jcs", "jcs")])
def test_another_canonical_form(before: str, after: str, campaign: Path, tmp_path: Path) -> None:
    """What joins refuse keeps the bytes that were read."""
    source = run(changed(campaign, canonicalisation=before), tmp_path / "source")
    path = changed(campaign, canonicalisation=after)
    again = by_command(path, tmp_path, source)
    assert manifest(again)["streams"][STREAM]["codes"] == CODES
    raw = {row["origin"]["line"]: row.get("raw") for row in refused(again, Outcome.REJECTED)}
    assert raw == {row["line"]: row.get("raw") for row in refused(source, Outcome.REJECTED)}


def test_records_without_bytes_are_rejected(campaign: Path, tmp_path: Path) -> None:
    """Neither a digest nor the first bytes are a record; a bound that was raised does not bring the rest back."""
    lengths = sorted({len(line) for line in (campaign.parent / "shards" / PLAIN).read_bytes().splitlines()})
    narrow = changed(campaign, limits={"max_record_bytes": lengths[-2]})
    source = run(narrow, tmp_path / "source")
    assert manifest(source)["streams"][STREAM]["codes"]["record-too-large"] == 2
    again = by_command(campaign, tmp_path / "truncated", source)
    rows = [row for row in refused(again, Outcome.REJECTED) if row["findings"][0]["code"] == "bytes-not-kept"]
    assert [(row["raw_truncated"], row["byte_length"]) for row in rows] == [(True, lengths[-1])] * 2
    source = run(changed(campaign, rejects={"payload": "digest-only"}), tmp_path / "digests")
    again = by_command(campaign, tmp_path / "digest-only", source)
    assert manifest(again)["streams"][STREAM]["codes"] == {"bytes-not-kept": 5, "repeated-annotation": 2}
    digests = {row["record_sha256"] for outcome in (Outcome.REJECTED, Outcome.HELD) for row in refused(source, outcome)}
    assert {row["record_sha256"] for row in refused(again, Outcome.REJECTED)} == digests
    assert not any("raw" in row for row in refused(again, Outcome.REJECTED))
    assert origins(again, STREAM) == EVERY_LINE
    assert assay("verify", again).code == 0


def test_shards_beside_the_runs(campaign: Path, source: Path, tmp_path: Path) -> None:
    """What is read for the first time has no origin; what stands in a run already is a duplicate of it."""
    shard = campaign.parent / "shards" / PACKED
    again = by_command(campaign, tmp_path, source, outcomes=(), flags=("--input", f"{STREAM}={shard}"))
    rows = manifest(again)["inputs"]
    assert [row["shard"] for row in rows] == [PACKED, f"golden/{ACCEPTED}", f"golden/{ACCEPTED}".replace(PLAIN, PACKED)]
    assert manifest(again)["streams"][STREAM]["codes"] == {"duplicate-record": 4, "repeated-annotation": 4}
    assert {row["assay_origin_run"] for row in accepted(again, STREAM)} == {"golden", None}


def test_several_runs_in_any_order(campaign: Path, source: Path, tmp_path: Path) -> None:
    other = run_plainly(campaign, tmp_path / "other").folder.rename(tmp_path / "other" / "second")
    seal(other, lambda value: value.update(run_id="second"))
    one = by_command(campaign, tmp_path / "one", source, other)
    assert agree(by_command(campaign, tmp_path / "two", other, source), one)
    assert manifest(one)["streams"][STREAM]["records"]["read"] == 2 * BOOKS["read"]
    assert [row["run_id"] for row in manifest(one)["sources"]] == ["golden", "second"]


def tampered(source: Path, folder: Path, name: str) -> Path:
    copy = folder / "golden"
    shutil.copytree(source, copy)
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    return copy


@pytest.mark.parametrize("name", ["manifest.json", "SHA256SUMS", "campaign/campaign.json", ACCEPTED, REJECTED])
def test_a_tampered_run_publishes_nothing(name: str, campaign: Path, source: Path, tmp_path: Path) -> None:
    copy = tampered(source, tmp_path, name)
    said = assay("revalidate", campaign, "--from", copy, "--output", tmp_path / "out", "--rejected", "--quiet")
    assert said.code == 3
    assert said.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [ACCEPTED, REJECTED])
def test_a_changed_record_behind_new_digests(name: str, campaign: Path, source: Path, tmp_path: Path) -> None:
    """Each record's own digest is compared as well."""
    copy = tmp_path / "golden"
    shutil.copytree(source, copy)
    path = copy / name
    if name == ACCEPTED:
        rows = pq.read_table(path, partitioning=None)
        forged = rows.column("assay_archival_bytes").to_pylist()[1:]
        at = rows.schema.get_field_index("assay_archival_bytes")
        pq.write_table(rows.set_column(at, rows.schema.field(at), [[b"{}", *forged]]), path)
    else:
        path.write_bytes(path.read_bytes().replace(b'"raw":"{', b'"raw":" {'))
    seal(copy)
    said = assay("revalidate", campaign, "--from", copy, "--output", tmp_path / "out", "--rejected", "--quiet")
    assert (said.code, said.err.count("\n")) == (3, 1)
    assert "was changed" in said.err
    assert not list((tmp_path / "out").iterdir())


def test_what_changed(campaign: Path, source: Path, tmp_path: Path) -> None:
    """A stricter policy rejects what was accepted with a warning."""
    stricter = changed(campaign, streams={STREAM: {"identity": {"repeated-annotation": "reject"}}})
    flags = ("--diff", tmp_path / "diff", "--held", "--rejected", "--quiet", "--run-id", "again")
    said = assay("revalidate", stricter, "--from", source, "--output", tmp_path, *flags)
    assert (said.code, said.err) == (0, "")
    assert f"{STREAM} (pairwise-v2): 2 flipped" in said.out
    again = assay("diff", source, tmp_path / "again", "--output", tmp_path / "same")
    assert again.code == 1
    assert agree(tmp_path / "same", tmp_path / "diff" / "golden")
    said = assay("revalidate", stricter, "--from", source, "--output", tmp_path / "new", *flags)
    assert (said.code, "exists already" in said.err) == (2, True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("inside", ["", "accepted/further"])
def test_nothing_is_written_into_a_committed_run(inside: str, campaign: Path, source: Path, tmp_path: Path) -> None:
    """Not by a run, a backfill, or through a link either: what is not listed would spoil it."""
    (tmp_path / "link").symlink_to(source)
    output = tmp_path / "link" / inside
    for command in (("run", campaign), ("revalidate", campaign, "--from", source)):
        said = assay(*command, "--output", output, "--run-id", "again", "--quiet")
        line = f"assay: {output / 'again'} lies within a run, which nothing may be added to\n"
        assert (said.code, said.err) == (2, line)
    assert assay("verify", source).code == 0


def test_a_difference_within_the_new_run(campaign: Path, source: Path, tmp_path: Path) -> None:
    flags = ("--run-id", "again", "--diff", tmp_path / "again" / "diff", "--quiet")
    said = assay("revalidate", campaign, "--from", source, "--output", tmp_path, *flags)
    assert (said.code, "lies within the new run's folder" in said.err) == (2, True)
    assert not (tmp_path / "again").exists()


def test_a_difference_that_cannot_be_written(campaign: Path, source: Path, tmp_path: Path) -> None:
    """The run is committed by then, and the line says so."""
    (tmp_path / "file").touch()
    flags = ("--run-id", "again", "--diff", tmp_path / "file" / "diff", "--quiet")
    said = assay("revalidate", campaign, "--from", source, "--output", tmp_path, *flags)
    assert (said.code, f"; the run {tmp_path / 'again'} is committed" in said.err) == (3, True)
    assert assay("verify", tmp_path / "again").code == 0


def test_a_file_that_is_no_longer_listed(campaign: Path, source: Path, tmp_path: Path) -> None:
    """Its records would be lost: the run's own counts tell."""
    copy = tmp_path / "golden"
    shutil.copytree(source, copy)
    rows = manifest(copy)["outputs"]
    seal(copy, lambda value: value.update(outputs=[row for row in rows if row["path"] != REJECTED]))
    said = assay("revalidate", campaign, "--from", copy, "--output", tmp_path / "out", "--rejected", "--quiet")
    assert (said.code, "are not all that were rejected" in said.err) == (3, True)
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_a_source(campaign: Path, source: Path, tmp_path: Path) -> None:
    def refuse(path: Path, *runs: Path) -> str:
        asked = [argument for folder in runs for argument in ("--from", folder)]
        said = assay("revalidate", path, *asked, "--output", tmp_path / "out", "--quiet")
        assert said.code == 2
        assert not (tmp_path / "out").exists()
        return said.err

    assert "no committed run" in refuse(campaign, tmp_path)
    assert "are both the run golden" in refuse(campaign, source, source)
    assert "'annotations', whose records would be lost" in refuse(
        ROOT / "manifests" / "baselines" / "campaign.json", source
    )
    kinds = json.loads((ROOT / "manifests" / "kinds" / "campaign.json").read_bytes())
    answers = kinds["streams"]["answers"] | {"input": f"shards/{PLAIN}"}
    other = changed(
        campaign,
        schemas={"grounded-qa-v1": kinds["schemas"]["grounded-qa-v1"]},
        streams={STREAM: {**answers, "identity": {}}},
        without=["tasks", "documents"],
    )
    assert "the records of annotations are pairwise-v2, the campaign's grounded-qa-v1" in refuse(other, source)


def test_the_name_is_derived_from_campaign_and_sources(campaign: Path, source: Path, tmp_path: Path) -> None:
    names = set()
    for flags in ((), ("--held",), ("--held", "--rejected")):
        assert assay("revalidate", campaign, "--from", source, "--output", tmp_path, "--quiet", *flags).code == 0
        names = {folder.name for folder in tmp_path.iterdir()}
    assert len(names) == len(ALL)
    said = assay("revalidate", campaign, "--from", source, "--output", tmp_path, "--quiet")
    assert (said.code, "is committed already" in said.err) == (2, True)
