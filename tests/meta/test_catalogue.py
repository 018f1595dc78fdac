"""Every code is produced by a case, and every case names codes that exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from acceptance_limits import ERRORS, WARNINGS
from backfills import BACKFILL_CODES
from campaign_faults import CAMPAIGN_FAULTS
from decision_forgeries import FORGERIES as DECISION_FORGERIES
from forgeries import FORGERIES, INPUT_FORGERIES
from golden_campaigns import GOLDEN
from shard_faults import SHARD_FAULTS
from source_tree import ROOT

import schemas
from pipeline.catalogue import catalogue, row_of
from pipeline.report.codes import reference_page
from pipeline.stream_settings import raised_by
from transforms.baselines import fingerprint
from transforms.joins.table import JOINS
from transforms.kinds import FACTS, KINDS
from transforms.records import Code, Severity, Stage

CATALOGUE = catalogue()
CAMPAIGNS = [ROOT / "manifests" / name / "expected.json" for name in ("kinds", "baselines", "acceptance", "workbench")]
# What a record may contradict by itself, and facts may as well.
RULES_AND_JOINS = {
    "call-order",
    "conversation-too-large",
    "undeclared-tool",
    "document-digest-mismatch",
    "evidence-digest-mismatch",
}


def golden_codes() -> Iterator[str]:
    for path in (GOLDEN / "pairwise").glob("*/case.json"):
        for codes in json.loads(path.read_bytes())["lines"].values():
            yield from codes
    for name in ("reports", "reports-kinds"):
        for case in json.loads((GOLDEN / name / "expected.json").read_bytes()).values():
            for codes in case.get("lines", {}).values():
                yield from codes
            yield from case.get("warnings", ())
            yield from case.get("warned", ())
            if "fault" in case:
                yield case["fault"]


def produced() -> set[str]:
    """The codes of all cases, each of which a test runs through the command; of members of a family the family's."""
    codes = {
        *golden_codes(),
        *BACKFILL_CODES,
        *(row["code"] for path in CAMPAIGNS for row in json.loads(path.read_bytes())),
        *(shard.code for shard in SHARD_FAULTS),
        *(code for limit in (*ERRORS, *WARNINGS) for code, _ in limit.found),
        *(code for fault in CAMPAIGN_FAULTS for code, _ in fault.found),
        *(code for forgery in (*FORGERIES, *INPUT_FORGERIES, *DECISION_FORGERIES) for code in forgery.codes),
    }
    rows = {code: row_of(code, CATALOGUE) for code in codes}
    return {row.code if row else code for code, row in rows.items()}


def test_every_code_has_a_case() -> None:
    assert sorted(CATALOGUE.keys() - produced()) == []


def test_every_case_has_a_code() -> None:
    assert sorted(produced() - CATALOGUE.keys()) == []


@pytest.mark.parametrize("name", sorted(path.parent.name for path in (GOLDEN / "pairwise").glob("*/case.json")))
def test_a_golden_case_is_complete(name: str) -> None:
    folder = GOLDEN / "pairwise" / name
    case = json.loads((folder / "case.json").read_bytes())
    assert sorted(path.name for path in folder.iterdir()) == ["case.json", "input.jsonl"]
    assert case.keys() - {"campaign", "schema"} == {"about", "lines"}
    code = name.replace("schema-", "schema/", 1)
    # A case that is named after a code shows it.
    assert code not in CATALOGUE or any(code in codes for codes in case["lines"].values())


@pytest.mark.parametrize("code", CATALOGUE.values(), ids=lambda code: code.code)
def test_a_row_says_enough(code: Code) -> None:
    assert re.fullmatch(r"(schema/[a-zA-Z]+|[a-z0-9]+(-[a-z0-9]+)*)", code.code)
    for text in (code.summary, code.example, code.remedy):
        assert 10 <= len(text) <= 400
        assert text == text.strip()
        assert "\n" not in text
    assert code.remedy.endswith(".")
    assert re.fullmatch(r"\d+\.\d+\.\d+", code.since)


def test_stages_and_severities_go_together() -> None:
    within = {Severity.REJECT, Severity.HOLD, Severity.WARN}
    allowed = {
        Stage.BYTES: {Severity.REJECT, Severity.SHARD, Severity.WARN},
        Stage.PARSING: {Severity.REJECT},
        Stage.STRUCTURE: {Severity.REJECT},
        Stage.RULES: within,
        Stage.JOINS: within,
        Stage.ACCEPTANCE: {Severity.REJECT, Severity.HOLD},
        Stage.PUBLISH: {Severity.INTEGRITY},
        Stage.CAMPAIGN: {Severity.CAMPAIGN, Severity.WARN},
    }
    assert [code.code for code in CATALOGUE.values() if code.severity not in allowed[code.stage]] == []


def test_rules_and_joins_report_codes_of_their_stage() -> None:
    rules = {code for kind in KINDS.values() for rule in kind.rules for code in rule.codes}
    joins = {code for join in JOINS for code in join.codes}
    assert {code.code for code in rules & joins} == RULES_AND_JOINS
    fingerprints = set(fingerprint.CODES)
    assert {code for code in CATALOGUE.values() if code.stage is Stage.RULES} == rules | fingerprints
    assert {code for code in CATALOGUE.values() if code.stage is Stage.JOINS} == joins - rules


def test_every_join_has_a_name_of_its_own() -> None:
    assert len({join.name for join in JOINS}) == len(JOINS)


def test_facts_and_kinds_know_each_other() -> None:
    """A kind may be joined with a fact where the record kind that states it meets it in a join, and nowhere else."""
    for kind in KINDS.values():
        facts = {join.fact for join in JOINS if join.fact and join.kinds and kind.name in join.kinds} - {"evidence"}
        stated = {fact for fact, name in FACTS.items() if name == kind.name}
        assert set(kind.facts) == (facts if not stated and kind.name != "assignment-v1" else set())
        assert not stated or facts == stated


def test_a_campaign_may_set_a_policy_for_every_join_code_and_for_no_other() -> None:
    stream = schemas.load_schema("documents", "campaign-v1")["$defs"]["stream"]["properties"]
    identity = stream["identity"]["properties"].keys() - {"annotations_per_task"}
    joins = set(stream["joins"]["propertyNames"]["enum"])
    assert identity.isdisjoint(joins)
    # Where a record's own calls are out of order no policy helps, so there is none for the log's word on it either.
    # Nor may a campaign let a clinical record pass under another label.
    assert identity | joins == {code.code for join in JOINS for code in join.codes} - {"domain-mismatch"}
    rules = {code.code for code in CATALOGUE.values() if code.stage is Stage.RULES}
    assert stream["rules"]["properties"].keys() <= rules - RULES_AND_JOINS


def test_every_policy_is_for_some_kind() -> None:
    stream = schemas.load_schema("documents", "campaign-v1")["$defs"]["stream"]["properties"]
    joins = {*stream["joins"]["propertyNames"]["enum"], *stream["identity"]["properties"]} - {"annotations_per_task"}
    assert [code for code in sorted(joins) if not raised_by(code)] == []


def test_the_reference_page_is_current() -> None:
    assert (ROOT / "docs" / "codes.md").read_text(encoding="utf-8") == reference_page(CATALOGUE)
