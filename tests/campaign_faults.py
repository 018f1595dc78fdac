"""Ways to spoil a sound campaign, each with the findings (code, pointer) that `assay check` must give."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from golden_campaigns import GOLDEN, KIND, RUBRIC, STREAM, fact_stream, merged, write_campaign

import schemas
from pipeline.sample.manifest import shipped_pins
from transforms.digests import sha256_hex

SCHEMA = schemas.load_schema("records", KIND)
FIXTURES = schemas.schema_path("records", KIND).parent
LOCAL = json.loads((GOLDEN / "reports" / "26-unresolvable-local-ref.schema.json").read_bytes())
REMOTE = json.loads((GOLDEN / "reports" / "26-remote-ref.schema.json").read_bytes())

Spoil = Callable[[Path], None]
Found = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CampaignFault:
    """What is done to the campaign's folder, and what is found.

    `early` says whether `assay run` finds it too; fixtures are judged by `assay check` alone.
    """

    name: str
    spoil: Spoil
    found: Found
    early: bool = True


def write_sound(folder: Path) -> Path:
    """A campaign that passes, with its own schema, fixtures and rubric; the path of its manifest."""
    shutil.copytree(FIXTURES, folder, dirs_exist_ok=True)
    (folder / "shards").mkdir()
    (folder / "shards" / "a.jsonl").write_bytes((GOLDEN / "reports" / "06-crlf.jsonl").read_bytes())
    return write_campaign(folder, "shards/*.jsonl", {}, {})


def _manifest(patch: Any) -> Spoil:
    """A merge patch of the manifest."""

    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        path.write_text(json.dumps(merged(json.loads(path.read_bytes()), patch)), encoding="utf-8")

    return spoil


def _both(first: Spoil, second: Spoil) -> Spoil:
    def spoil(folder: Path) -> None:
        first(folder)
        second(folder)

    return spoil


def _without(member: str) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        manifest = json.loads(path.read_bytes())
        del manifest[member]
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return spoil


def _replaced_member(member: str, value: Any) -> Spoil:
    return _both(_without(member), _manifest({member: value}))


def _replaced(old: bytes, new: bytes) -> Spoil:
    """Another text in the manifest's bytes."""

    def spoil(folder: Path) -> None:
        path = folder / "campaign.json"
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))

    return spoil


def _written(name: str, data: bytes) -> Spoil:
    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return spoil


def _document(name: str, member: str, version: str, document: Any) -> Spoil:
    """Another document, pinned as it is; bytes are written as they are."""

    def spoil(folder: Path) -> None:
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        (folder / name).write_bytes(data)
        _manifest({member: {version: {"sha256": sha256_hex(data)}}})(folder)

    return spoil


def with_schema(document: Any) -> Spoil:
    """Another schema document, pinned as it is; bytes are written as they are."""
    return _document("schema.json", "schemas", KIND, document)


def _patched_schema(patch: Any) -> Spoil:
    return with_schema(merged(SCHEMA, patch))


def _rubric(patch: Any) -> Spoil:
    def spoil(folder: Path) -> None:
        sound = json.loads((folder / "rubric.json").read_bytes())
        _document("rubric.json", "rubrics", RUBRIC, merged(sound, patch))(folder)

    return spoil


def _index(change: Callable[[dict[str, Any]], Any]) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "reject" / "index.json"
        index = json.loads(path.read_bytes())
        change(index)
        path.write_text(json.dumps(index), encoding="utf-8")

    return spoil


def _unlinked(name: str) -> Spoil:
    return lambda folder: (folder / name).unlink()


def _removed(name: str) -> Spoil:
    return lambda folder: shutil.rmtree(folder / name)


_OTHER_VERSION = {"schemas": {"pairwise-v3": {"path": "other.json", "sha256": sha256_hex(b"{}")}}}


def _two_versions(folder: Path) -> None:
    """A second version in the same stream that types a member of the first otherwise."""
    second = merged(SCHEMA, {"properties": {"schema_version": {"const": "pairwise-v3"}, "extra": {"type": "string"}}})
    _patched_schema({"properties": {"extra": {"type": "integer"}}})(folder)
    _manifest(_OTHER_VERSION)(folder)
    _document("other.json", "schemas", "pairwise-v3", second)(folder)
    _manifest({"streams": {STREAM: {"versions": [KIND, "pairwise-v3"]}}})(folder)


def _labels(harmful: list[str], harmless: list[str]) -> Spoil:
    """A safety policy that says what labels signal."""
    policy = schemas.schema_path("documents", "safety-policy-v1").parent / "accept" / "least.json"
    document = json.loads(policy.read_bytes()) | {"classifier_labels": {"harmful": harmful, "harmless": harmless}}
    version = document["policy_version"]
    pin = _manifest({"safety_policies": {version: {"path": "policy.json"}}})
    return _both(pin, _document("policy.json", "safety_policies", version, document))


_PIN = f"/schemas/{KIND}"
_KIND_POINTER = f"/streams/{STREAM}/kind"
_REQUIRED = [name for name in SCHEMA["required"] if name != "rationale"]
_CRITERIA = [{"id": name, "weight": weight, "minimum_score": 3} for name, weight in (("a", 0.9), ("b", 0.11))]
_TWICE = [{"id": "a", "weight": 0.5, "minimum_score": 3}] * 2

DOCUMENTS = (
    CampaignFault("no campaign", _unlinked("campaign.json"), (("document-unreadable", ""),)),
    CampaignFault(
        "no schema", _manifest({"schemas": {KIND: {"path": "gone.json"}}}), (("document-unreadable", f"{_PIN}/path"),)
    ),
    CampaignFault(
        "a folder for a schema",
        _manifest({"schemas": {KIND: {"path": "reject"}}}),
        (("document-unreadable", f"{_PIN}/path"),),
    ),
    CampaignFault(
        "paths with a NUL",
        _manifest({"schemas": {KIND: {"path": "a\0b", "fixtures": "\0"}}, "streams": {STREAM: {"input": "*\0"}}}),
        (
            ("schema/pattern", f"{_PIN}/fixtures"),
            ("schema/pattern", f"{_PIN}/path"),
            ("schema/pattern", f"/streams/{STREAM}/input"),
        ),
    ),
    CampaignFault(
        "an unknown shipped schema",
        _manifest({"schemas": {KIND: {"path": "assay:pairwise-v9"}}}),
        (("document-unreadable", f"{_PIN}/path"),),
    ),
    CampaignFault("no rubric", _unlinked("rubric.json"), (("document-unreadable", f"/rubrics/{RUBRIC}/path"),)),
    CampaignFault(
        "an edited rubric", _written("rubric.json", b"{}"), (("digest-mismatch", f"/rubrics/{RUBRIC}/sha256"),)
    ),
    CampaignFault("an edited schema", _written("schema.json", b"{}"), (("digest-mismatch", f"{_PIN}/sha256"),)),
    CampaignFault("a schema that is no JSON", with_schema(b"{"), (("invalid-json", _PIN),)),
    CampaignFault("a schema with a duplicate key", with_schema(b'{"type": 1, "type": 2}'), (("duplicate-key", _PIN),)),
    CampaignFault(
        "another validator",
        _manifest({"validator": {"version": "0.0.1"}}),
        (("validator-mismatch", "/validator/version"),),
    ),
    CampaignFault(
        "a kind unheard of", _manifest({"streams": {STREAM: {"kind": "pairwise"}}}), (("unknown-kind", _KIND_POINTER),)
    ),
    CampaignFault(
        "a version unheard of",
        _manifest({"streams": {STREAM: {"versions": [KIND, "pairwise-v3"]}}}),
        (("unknown-version", f"/streams/{STREAM}/versions/1"),),
    ),
    CampaignFault(
        "several at once",
        _both(_manifest({"validator": {"version": "1"}}), _unlinked("rubric.json")),
        (("validator-mismatch", "/validator/version"), ("document-unreadable", f"/rubrics/{RUBRIC}/path")),
    ),
)

SCHEMAS = (
    CampaignFault(
        "a member no longer required", _patched_schema({"required": _REQUIRED}), (("kind-misfit", _KIND_POINTER),)
    ),
    CampaignFault(
        "a member of another type",
        _patched_schema({"properties": {"rationale": {"type": ["string", "null"]}}}),
        (("kind-misfit", _KIND_POINTER),),
    ),
    CampaignFault(
        "a member named like a column",
        _patched_schema({"properties": {"assay_line": {"type": "integer"}}}),
        (("columns-conflict", f"/streams/{STREAM}"),),
    ),
    CampaignFault("two versions that disagree", _two_versions, (("columns-conflict", f"/streams/{STREAM}"),)),
    CampaignFault("no schema at all", with_schema([]), (("invalid-schema", ""),)),
    CampaignFault(
        "another draft",
        _patched_schema({"$schema": "http://json-schema.org/draft-07/schema#"}),
        (("invalid-schema", "/$schema"),),
    ),
    CampaignFault(
        "a bound that is text",
        _patched_schema({"properties": {"rationale": {"maxLength": "5"}}}),
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
        _patched_schema({"properties": {"task_id": {"pattern": "^(?=.*[0-9])[a-z0-9]+$"}}}),
        (("unsupported-pattern", "/properties/task_id/pattern"),),
    ),
    CampaignFault("weights beyond one", _rubric({"criteria": _CRITERIA}), (("invalid-rubric", "/criteria"),)),
    CampaignFault("a criterion twice", _rubric({"criteria": _TWICE}), (("invalid-rubric", "/criteria"),)),
    CampaignFault(
        "another rubric version", _rubric({"rubric_version": "other"}), (("invalid-rubric", "/rubric_version"),)
    ),
    CampaignFault(
        "a label that signals both",
        _labels(["Not_OK"], ["not ok"]),
        (("contradictory-labels", "/classifier_labels"),),
    ),
    CampaignFault("a rubric beyond its schema", _rubric({"owner": "me"}), (("schema/additionalProperties", ""),)),
)

MANIFESTS = (
    CampaignFault("an empty manifest", _written("campaign.json", b""), (("invalid-json", ""),)),
    CampaignFault("no object", _written("campaign.json", b"[]"), (("schema/type", ""),)),
    CampaignFault("a byte order mark", _replaced(b"{", b"\xef\xbb\xbf{"), (("byte-order-mark", ""),)),
    CampaignFault("Latin-1", _replaced(b'"golden"', b'"g\xf6lden"'), (("invalid-utf8", ""),)),
    CampaignFault("a duplicate key", _replaced(b'"id"', b'"id": "other", "id"'), (("duplicate-key", "/id"),)),
    CampaignFault(
        "NaN",
        _manifest({"thresholds": {"max_held_share": float("nan")}}),
        (("non-finite-number", "/thresholds/max_held_share"),),
    ),
    CampaignFault("a member missing", _without("canonicalisation"), (("schema/required", ""),)),
    CampaignFault("a member unknown", _manifest({"owner": "me"}), (("schema/additionalProperties", ""),)),
    CampaignFault("an id in capitals", _manifest({"id": "Golden"}), (("schema/pattern", "/id"),)),
    CampaignFault("another dialect", _manifest({"dialect": "draft-07"}), (("schema/const", "/dialect"),)),
    CampaignFault(
        "an unknown engine", _manifest({"validator": {"engine": "ajv"}}), (("schema/enum", "/validator/engine"),)
    ),
    CampaignFault(
        "a depth beyond 128", _manifest({"limits": {"max_depth": 129}}), (("schema/maximum", "/limits/max_depth"),)
    ),
    CampaignFault(
        "a share beyond 1",
        _manifest({"thresholds": {"max_held_share": 5}}),
        (("schema/maximum", "/thresholds/max_held_share"),),
    ),
    CampaignFault(
        "a version twice",
        _manifest({"streams": {STREAM: {"versions": [KIND, KIND]}}}),
        (("schema/uniqueItems", f"/streams/{STREAM}/versions"),),
    ),
    CampaignFault(
        "a policy on no rule",
        _manifest({"streams": {STREAM: {"rules": {"turn-order": "allow"}}}}),
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
    CampaignFault("neither tasks nor a word about them", _manifest({"without": []}), (_ABSENT,)),
    CampaignFault("nothing said of what is not there", _without("without"), (_ABSENT,)),
    CampaignFault("tasks, and the word that there are none", _manifest(_TASKS), (_TOO_MUCH,)),
    CampaignFault(
        "a stream that names the rubric of its records",
        _manifest(
            {"streams": {"annotations": {"acceptance": {"rubric": "code-review-v1"}}}, "without": ["reviews", "tasks"]}
        ),
        (("acceptance-misstated", "/streams/annotations/acceptance/rubric"),),
    ),
    CampaignFault("no rubrics and no word about them", _without("rubrics"), (_ABSENT,)),
    CampaignFault("an empty list of rubrics", _replaced_member("rubrics", {}), (_ABSENT,)),
    CampaignFault(
        "rubrics, and the word that there are none",
        _manifest({"without": ["rubrics", "tasks"]}),
        (_TOO_MUCH,),
    ),
    CampaignFault(
        "traces without documents, executions and tasks", _manifest(_TRACES | {"without": []}), (_ABSENT,) * 3
    ),
    CampaignFault("traces of which only tasks are accounted for", _manifest(_TRACES), (_ABSENT,) * 2),
    CampaignFault(
        "an absence unheard of", _manifest({"without": ["tasks", "assignments"]}), (("schema/enum", "/without/1"),)
    ),
    CampaignFault(
        "a reviewer in two spellings",
        _manifest({"evidence": {"reviewers": ["ann", "ben", "Ann "]}}),
        (("evidence-misnamed", "/evidence/reviewers/2"),),
    ),
    CampaignFault(
        "an adjudicator who is a reviewer in another spelling",
        _manifest({"evidence": {"reviewers": ["Ann/1"], "adjudicators": {"ann/1": {"qualifications": []}}}}),
        (("evidence-misnamed", "/evidence/adjudicators/ann~11"),),
    ),
    CampaignFault(
        "a judge among the people",
        _manifest(
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
        _manifest({"evidence": {"judges": {"a": _JUDGE, "b": _JUDGE | {"parameters": {"t": 0.0}}, "c": _JUDGE}}}),
        (("evidence-misnamed", "/evidence/judges/b"), ("evidence-misnamed", "/evidence/judges/c")),
    ),
    CampaignFault("an absence twice", _manifest({"without": ["tasks"] * 2}), (("schema/uniqueItems", "/without"),)),
)

_WORKBENCH = {"source": "workbench-ab-v1"}
_OTHER_KIND = {
    "schemas": shipped_pins(["workbench-ab-v1", "agent-trace-v2"]),
    "streams": {STREAM: {"kind": "agent-trace-v2", "versions": ["agent-trace-v2"], "adapter": _WORKBENCH}},
    "without": ["documents", "executions", "tasks"],
}
ADAPTERS = tuple(
    CampaignFault(name, _manifest(patch), ((code, f"/streams/{STREAM}/adapter/source"),))
    for name, patch, code in (
        ("an adapter unheard of", {"streams": {STREAM: {"adapter": {"source": "workbench"}}}}, "unknown-adapter"),
        ("an adapter of another kind", _OTHER_KIND, "unknown-adapter"),
        ("a source not pinned", {"streams": {STREAM: {"adapter": _WORKBENCH}}}, "unknown-version"),
    )
)

_FIXTURE = (("fixture-disagrees", _PIN),)
FIXTURE_FAULTS = (
    CampaignFault("no accepted fixtures", _removed("accept"), (("fixtures-missing", _PIN),), early=False),
    CampaignFault("no rejected fixtures", _removed("reject"), (("fixtures-missing", _PIN),), early=False),
    CampaignFault(
        "fixtures elsewhere",
        _manifest({"schemas": {KIND: {"fixtures": "shards"}}}),
        (("fixtures-missing", _PIN),),
        early=False,
    ),
    CampaignFault("no index", _unlinked("reject/index.json"), _FIXTURE, early=False),
    CampaignFault("an index that is no JSON", _written("reject/index.json", b"{"), _FIXTURE, early=False),
    CampaignFault("an index that is a list", _written("reject/index.json", b"[]"), _FIXTURE, early=False),
    CampaignFault("no codes", _index(lambda index: index.update({"no-messages.json": []})), _FIXTURE, early=False),
    CampaignFault(
        "codes that are no list",
        _index(lambda index: index.update({"no-messages.json": "schema/minItems"})),
        _FIXTURE,
        early=False,
    ),
    CampaignFault("an unlisted fixture", _index(lambda index: index.pop("no-messages.json")), _FIXTURE, early=False),
    CampaignFault("a fixture that is not there", _unlinked("reject/no-messages.json"), _FIXTURE, early=False),
    CampaignFault(
        "another code",
        _index(lambda index: index.update({"no-messages.json": ["schema/maxItems"]})),
        _FIXTURE,
        early=False,
    ),
    CampaignFault("an accepted fixture refused", _written("accept/tie.json", b"{}"), _FIXTURE, early=False),
    CampaignFault(
        "a rejected fixture accepted",
        _written("reject/no-messages.json", (FIXTURES / "accept" / "tie.json").read_bytes()),
        _FIXTURE,
        early=False,
    ),
    CampaignFault(
        "a schema that has become lax",
        _patched_schema({"properties": {"rationale": {"minLength": 1}}}),
        (("kind-misfit", _KIND_POINTER),),
    ),
)

CAMPAIGN_FAULTS = (*DOCUMENTS, *SCHEMAS, *MANIFESTS, *ABSENCES, *ADAPTERS, *FIXTURE_FAULTS)
