"""Ways to spoil a sound campaign, each with the findings (code, pointer) that `assay check` must give."""

from __future__ import annotations

import json
from pathlib import Path

from golden_campaigns import KIND, RUBRIC, STREAM, fact_stream, merged
from spoilt_campaigns import (
    FIXTURES,
    LOCAL,
    REMOTE,
    SCHEMA,
    CampaignFault,
    Spoil,
    both,
    removed,
    replaced,
    replaced_member,
    unlinked,
    with_document,
    with_index,
    with_manifest,
    with_patched_schema,
    with_rubric,
    with_schema,
    without_member,
    written,
)

import schemas
from pipeline.sample.manifest import shipped_pins
from transforms.digests import sha256_hex

_OTHER_VERSION = {"schemas": {"pairwise-v3": {"path": "other.json", "sha256": sha256_hex(b"{}")}}}


def _two_versions(folder: Path) -> None:
    """A second version in the same stream that types a member of the first otherwise."""
    second = merged(SCHEMA, {"properties": {"schema_version": {"const": "pairwise-v3"}, "extra": {"type": "string"}}})
    with_patched_schema({"properties": {"extra": {"type": "integer"}}})(folder)
    with_manifest(_OTHER_VERSION)(folder)
    with_document("other.json", "schemas", "pairwise-v3", second)(folder)
    with_manifest({"streams": {STREAM: {"versions": [KIND, "pairwise-v3"]}}})(folder)


def _labels(harmful: list[str], harmless: list[str]) -> Spoil:
    """A safety policy that says what labels signal."""
    policy = schemas.schema_path("documents", "safety-policy-v1").parent / "accept" / "least.json"
    document = json.loads(policy.read_bytes()) | {"classifier_labels": {"harmful": harmful, "harmless": harmless}}
    version = document["policy_version"]
    pin = with_manifest({"safety_policies": {version: {"path": "policy.json"}}})
    return both(pin, with_document("policy.json", "safety_policies", version, document))


_PIN = f"/schemas/{KIND}"
_KIND_POINTER = f"/streams/{STREAM}/kind"
_REQUIRED = [name for name in SCHEMA["required"] if name != "rationale"]
_CRITERIA = [{"id": name, "weight": weight, "minimum_score": 3} for name, weight in (("a", 0.9), ("b", 0.11))]
_TWICE = [{"id": "a", "weight": 0.5, "minimum_score": 3}] * 2

DOCUMENTS = (
    CampaignFault("no campaign", unlinked("campaign.json"), (("document-unreadable", ""),)),
    CampaignFault(
        "no schema",
        with_manifest({"schemas": {KIND: {"path": "gone.json"}}}),
        (("document-unreadable", f"{_PIN}/path"),),
    ),
    CampaignFault(
        "a folder for a schema",
        with_manifest({"schemas": {KIND: {"path": "reject"}}}),
        (("document-unreadable", f"{_PIN}/path"),),
    ),
    CampaignFault(
        "paths with a NUL",
        with_manifest({"schemas": {KIND: {"path": "a\0b", "fixtures": "\0"}}, "streams": {STREAM: {"input": "*\0"}}}),
        (
            ("schema/pattern", f"{_PIN}/fixtures"),
            ("schema/pattern", f"{_PIN}/path"),
            ("schema/pattern", f"/streams/{STREAM}/input"),
        ),
    ),
    CampaignFault(
        "an unknown shipped schema",
        with_manifest({"schemas": {KIND: {"path": "assay:pairwise-v9"}}}),
        (("document-unreadable", f"{_PIN}/path"),),
    ),
    CampaignFault("no rubric", unlinked("rubric.json"), (("document-unreadable", f"/rubrics/{RUBRIC}/path"),)),
    CampaignFault(
        "an edited rubric", written("rubric.json", b"{}"), (("digest-mismatch", f"/rubrics/{RUBRIC}/sha256"),)
    ),
    CampaignFault("an edited schema", written("schema.json", b"{}"), (("digest-mismatch", f"{_PIN}/sha256"),)),
    CampaignFault("a schema that is no JSON", with_schema(b"{"), (("invalid-json", _PIN),)),
    CampaignFault("a schema with a duplicate key", with_schema(b'{"type": 1, "type": 2}'), (("duplicate-key", _PIN),)),
    CampaignFault(
        "another validator",
        with_manifest({"validator": {"version": "0.0.1"}}),
        (("validator-mismatch", "/validator/version"),),
    ),
    CampaignFault(
        "a kind unheard of",
        with_manifest({"streams": {STREAM: {"kind": "pairwise"}}}),
        (("unknown-kind", _KIND_POINTER),),
    ),
    CampaignFault(
        "a version unheard of",
        with_manifest({"streams": {STREAM: {"versions": [KIND, "pairwise-v3"]}}}),
        (("unknown-version", f"/streams/{STREAM}/versions/1"),),
    ),
    CampaignFault(
        "several at once",
        both(with_manifest({"validator": {"version": "1"}}), unlinked("rubric.json")),
        (("validator-mismatch", "/validator/version"), ("document-unreadable", f"/rubrics/{RUBRIC}/path")),
    ),
)

SCHEMAS = (
    CampaignFault(
        "a member no longer required", with_patched_schema({"required": _REQUIRED}), (("kind-misfit", _KIND_POINTER),)
    ),
    CampaignFault(
        "a member of another type",
        with_patched_schema({"properties": {"rationale": {"type": ["string", "null"]}}}),
        (("kind-misfit", _KIND_POINTER),),
    ),
    CampaignFault(
        "a member named like a column",
        with_patched_schema({"properties": {"assay_line": {"type": "integer"}}}),
        (("columns-conflict", f"/streams/{STREAM}"),),
    ),
    CampaignFault("two versions that disagree", _two_versions, (("columns-conflict", f"/streams/{STREAM}"),)),
    CampaignFault("no schema at all", with_schema([]), (("invalid-schema", ""),)),
    CampaignFault(
        "another draft",
        with_patched_schema({"$schema": "http://json-schema.org/draft-07/schema#"}),
        (("invalid-schema", "/$schema"),),
    ),
    CampaignFault(
        "a bound that is text",
        with_patched_schema({"properties": {"rationale": {"maxLength": "5"}}}),
        (("invalid-schema", "/properties/rationale/maxLength"),),
    ),
    CampaignFault(
        "a reference to nothing", with_schema(LOCAL), (("unresolvable-reference", "/properties/task_id/$ref"),)
    ),
    CampaignFault(
        "references elsewhere",
        with_schema(REMOTE),
        (("unresolvable-reference", "/properties/task_id/$ref"), ("unresolvable-reference", "/properties/x/$ref")),
    ),
    CampaignFault(
        "a pattern with a lookahead",
        with_patched_schema({"properties": {"task_id": {"pattern": "^(?=.*[0-9])[a-z0-9]+$"}}}),
        (("unsupported-pattern", "/properties/task_id/pattern"),),
    ),
    CampaignFault("weights beyond one", with_rubric({"criteria": _CRITERIA}), (("invalid-rubric", "/criteria"),)),
    CampaignFault("a criterion twice", with_rubric({"criteria": _TWICE}), (("invalid-rubric", "/criteria"),)),
    CampaignFault(
        "another rubric version", with_rubric({"rubric_version": "other"}), (("invalid-rubric", "/rubric_version"),)
    ),
    CampaignFault(
        "a label that signals both",
        _labels(["Not_OK"], ["not ok"]),
        (("contradictory-labels", "/classifier_labels"),),
    ),
    CampaignFault("a rubric beyond its schema", with_rubric({"owner": "me"}), (("schema/additionalProperties", ""),)),
)

MANIFESTS = (
    CampaignFault("an empty manifest", written("campaign.json", b""), (("invalid-json", ""),)),
    CampaignFault("no object", written("campaign.json", b"[]"), (("schema/type", ""),)),
    CampaignFault("a byte order mark", replaced(b"{", b"\xef\xbb\xbf{"), (("byte-order-mark", ""),)),
    CampaignFault("Latin-1", replaced(b'"golden"', b'"g\xf6lden"'), (("invalid-utf8", ""),)),
    CampaignFault("a duplicate key", replaced(b'"id"', b'"id": "other", "id"'), (("duplicate-key", "/id"),)),
    CampaignFault(
        "NaN",
        with_manifest({"thresholds": {"max_held_share": float("nan")}}),
        (("non-finite-number", "/thresholds/max_held_share"),),
    ),
    CampaignFault("a member missing", without_member("canonicalisation"), (("schema/required", ""),)),
    CampaignFault("a member unknown", with_manifest({"owner": "me"}), (("schema/additionalProperties", ""),)),
    CampaignFault("an id in capitals", with_manifest({"id": "Golden"}), (("schema/pattern", "/id"),)),
    CampaignFault("another dialect", with_manifest({"dialect": "draft-07"}), (("schema/const", "/dialect"),)),
    CampaignFault(
        "an unknown engine", with_manifest({"validator": {"engine": "ajv"}}), (("schema/enum", "/validator/engine"),)
    ),
    CampaignFault(
        "a depth beyond 128", with_manifest({"limits": {"max_depth": 129}}), (("schema/maximum", "/limits/max_depth"),)
    ),
    CampaignFault(
        "a share beyond 1",
        with_manifest({"thresholds": {"max_held_share": 5}}),
        (("schema/maximum", "/thresholds/max_held_share"),),
    ),
    CampaignFault(
        "a version twice",
        with_manifest({"streams": {STREAM: {"versions": [KIND, KIND]}}}),
        (("schema/uniqueItems", f"/streams/{STREAM}/versions"),),
    ),
    CampaignFault(
        "a policy on no rule",
        with_manifest({"streams": {STREAM: {"rules": {"turn-order": "allow"}}}}),
        (("schema/additionalProperties", f"/streams/{STREAM}/rules"),),
    ),
)

_TASKS = {"schemas": shipped_pins(["input-task-v1"]), "streams": {"tasks": fact_stream("tasks", "shards/*.jsonl")}}
_TRACES = {
    "schemas": shipped_pins(["agent-trace-v2"]),
    "streams": {"traces": {"kind": "agent-trace-v2", "versions": ["agent-trace-v2"], "input": "shards/*.jsonl"}},
}
_JUDGE = {"model": "m-1", "prompt_sha256": "a" * 64, "parameters": {"t": 0}, "counts_as_independent": True}
_ABSENT, _TOO_MUCH = ("undeclared-absence", "/without"), ("undeclared-absence", "/without/0")
ABSENCES = (
    CampaignFault("neither tasks nor a word about them", with_manifest({"without": []}), (_ABSENT,)),
    CampaignFault("nothing said of what is not there", without_member("without"), (_ABSENT,)),
    CampaignFault("tasks, and the word that there are none", with_manifest(_TASKS), (_TOO_MUCH,)),
    CampaignFault(
        "a stream that names the rubric of its records",
        with_manifest(
            {"streams": {"annotations": {"acceptance": {"rubric": "code-review-v1"}}}, "without": ["reviews", "tasks"]}
        ),
        (("acceptance-misstated", "/streams/annotations/acceptance/rubric"),),
    ),
    CampaignFault("no rubrics and no word about them", without_member("rubrics"), (_ABSENT,)),
    CampaignFault("an empty list of rubrics", replaced_member("rubrics", {}), (_ABSENT,)),
    CampaignFault(
        "rubrics, and the word that there are none",
        with_manifest({"without": ["rubrics", "tasks"]}),
        (_TOO_MUCH,),
    ),
    CampaignFault(
        "traces without documents, executions and tasks", with_manifest(_TRACES | {"without": []}), (_ABSENT,) * 3
    ),
    CampaignFault("traces of which only tasks are accounted for", with_manifest(_TRACES), (_ABSENT,) * 2),
    CampaignFault(
        "an absence unheard of", with_manifest({"without": ["tasks", "assignments"]}), (("schema/enum", "/without/1"),)
    ),
    CampaignFault(
        "a reviewer in two spellings",
        with_manifest({"evidence": {"reviewers": ["ann", "ben", "Ann "]}}),
        (("evidence-misnamed", "/evidence/reviewers/2"),),
    ),
    CampaignFault(
        "an adjudicator who is a reviewer in another spelling",
        with_manifest({"evidence": {"reviewers": ["Ann/1"], "adjudicators": {"ann/1": {"qualifications": []}}}}),
        (("evidence-misnamed", "/evidence/adjudicators/ann~11"),),
    ),
    CampaignFault(
        "a judge among the people",
        with_manifest(
            {
                "evidence": {
                    "reviewers": ["ann", "JUDGE-1"],
                    "adjudicators": {"judge-1": {"qualifications": []}},
                    "judges": {"judge-1": _JUDGE},
                }
            }
        ),
        (
            ("evidence-misnamed", "/evidence/adjudicators/judge-1"),
            ("evidence-misnamed", "/evidence/reviewers/1"),
            ("evidence-misnamed", "/evidence/adjudicators/judge-1"),
        ),
    ),
    CampaignFault(
        "one configuration under three names",
        with_manifest({"evidence": {"judges": {"a": _JUDGE, "b": _JUDGE | {"parameters": {"t": 0.0}}, "c": _JUDGE}}}),
        (("evidence-misnamed", "/evidence/judges/b"), ("evidence-misnamed", "/evidence/judges/c")),
    ),
    CampaignFault("an absence twice", with_manifest({"without": ["tasks"] * 2}), (("schema/uniqueItems", "/without"),)),
)

_WORKBENCH = {"source": "workbench-ab-v1"}
_OTHER_KIND = {
    "schemas": shipped_pins(["workbench-ab-v1", "agent-trace-v2"]),
    "streams": {STREAM: {"kind": "agent-trace-v2", "versions": ["agent-trace-v2"], "adapter": _WORKBENCH}},
    "without": ["documents", "executions", "tasks"],
}
ADAPTERS = tuple(
    CampaignFault(name, with_manifest(patch), ((code, f"/streams/{STREAM}/adapter/source"),))
    for name, patch, code in (
        ("an adapter unheard of", {"streams": {STREAM: {"adapter": {"source": "workbench"}}}}, "unknown-adapter"),
        ("an adapter of another kind", _OTHER_KIND, "unknown-adapter"),
        ("a source not pinned", {"streams": {STREAM: {"adapter": _WORKBENCH}}}, "unknown-version"),
    )
)

_MIGRATION = {"kind": KIND, "from": KIND, "to": KIND, "policy": "revalidate"}
MIGRATIONS = (
    CampaignFault(
        "a migration of nothing",
        with_manifest({"migrations": [_MIGRATION]}),
        (("migration-misstated", "/migrations/0"),),
    ),
)

_FIXTURE = (("fixture-disagrees", _PIN),)
FIXTURE_FAULTS = (
    CampaignFault("no accepted fixtures", removed("accept"), (("fixtures-missing", _PIN),), early=False),
    CampaignFault("no rejected fixtures", removed("reject"), (("fixtures-missing", _PIN),), early=False),
    CampaignFault(
        "fixtures elsewhere",
        with_manifest({"schemas": {KIND: {"fixtures": "shards"}}}),
        (("fixtures-missing", _PIN),),
        early=False,
    ),
    CampaignFault("no index", unlinked("reject/index.json"), _FIXTURE, early=False),
    CampaignFault("an index that is no JSON", written("reject/index.json", b"{"), _FIXTURE, early=False),
    CampaignFault("an index that is a list", written("reject/index.json", b"[]"), _FIXTURE, early=False),
    CampaignFault("no codes", with_index(lambda index: index.update({"no-messages.json": []})), _FIXTURE, early=False),
    CampaignFault(
        "codes that are no list",
        with_index(lambda index: index.update({"no-messages.json": "schema/minItems"})),
        _FIXTURE,
        early=False,
    ),
    CampaignFault(
        "an unlisted fixture", with_index(lambda index: index.pop("no-messages.json")), _FIXTURE, early=False
    ),
    CampaignFault("a fixture that is not there", unlinked("reject/no-messages.json"), _FIXTURE, early=False),
    CampaignFault(
        "another code",
        with_index(lambda index: index.update({"no-messages.json": ["schema/maxItems"]})),
        _FIXTURE,
        early=False,
    ),
    CampaignFault("an accepted fixture refused", written("accept/tie.json", b"{}"), _FIXTURE, early=False),
    CampaignFault(
        "a rejected fixture accepted",
        written("reject/no-messages.json", (FIXTURES / "accept" / "tie.json").read_bytes()),
        _FIXTURE,
        early=False,
    ),
    CampaignFault(
        "a schema that has become lax",
        with_patched_schema({"properties": {"rationale": {"minLength": 1}}}),
        (("kind-misfit", _KIND_POINTER),),
    ),
)

CAMPAIGN_FAULTS = (*DOCUMENTS, *SCHEMAS, *MANIFESTS, *ABSENCES, *ADAPTERS, *MIGRATIONS, *FIXTURE_FAULTS)
