"""The codes of a campaign that cannot be run, or is run with a warning. All are found before a record is read."""

from __future__ import annotations

from transforms.records import Code, Finding, Severity, Stage


def _campaign(code: str, summary: str, example: str, remedy: str, severity: Severity = Severity.CAMPAIGN) -> Code:
    return Code(code, Stage.CAMPAIGN, severity, summary, example, remedy)


DOCUMENT_UNREADABLE = _campaign(
    "document-unreadable",
    "The campaign manifest, or a schema or rubric it names, cannot be read.",
    '"path": "schemas/pairwise.json", and no such file beside the campaign manifest',
    "Correct the path (relative to the campaign manifest) or the file's permissions.",
)
DIGEST_MISMATCH = _campaign(
    "digest-mismatch",
    "A pinned document has changed: its SHA-256 is not the one in the campaign manifest.",
    "a rubric's weights were edited after the campaign was pinned",
    "If the change is deliberate, give the document a new version and run `assay pin`; otherwise restore it.",
)
VALIDATOR_MISMATCH = _campaign(
    "validator-mismatch",
    "The installed validator is not the version that the campaign pins.",
    '"version": "0.60.0" where 0.61.2 is installed',
    "Install the pinned version, or run `assay pin` after reading what the new one changes.",
)
UNKNOWN_KIND = _campaign(
    "unknown-kind",
    "A stream's kind is no record kind of this release.",
    '"kind": "pairwise"',
    "Use a kind that the message lists.",
)
UNKNOWN_ADAPTER = _campaign(
    "unknown-adapter",
    "A stream's adapter is none of this release, or does not give records of the stream's kind and versions.",
    '"adapter": {"source": "workbench-ab-v1"} in a stream of kind agent-trace-v1',
    "Use a source that the message lists, in a stream of the kind and version that its adapter gives.",
)
MIGRATION_MISSTATED = _campaign(
    "migration-misstated",
    "A migration's operations do not lead from its one schema to the other, make a judgement of something else, or no "
    "stream needs them.",
    "a rename of /votes to /ratings/style, where nothing says that votes are that rating",
    "Declare what becomes of each member, and which members of the source are judgements; see docs/migrations.md.",
)
UNKNOWN_VERSION = _campaign(
    "unknown-version",
    "A stream lists a schema version that the campaign does not pin.",
    '"versions": ["pairwise-v3"] without an entry pairwise-v3 under "schemas"',
    "Add the schema to the campaign, or correct the version.",
)
UNDECLARED_ABSENCE = _campaign(
    "undeclared-absence",
    "Tasks, documents, executions or rubrics that the kinds could be joined with are not there, and the campaign "
    "does not say that it goes without them; or it says so and they are there.",
    'a pairwise stream, no stream of tasks, and no "without": ["tasks"]',
    "Add the stream or the rubric, or list what the campaign goes without.",
)
ACCEPTANCE_MISSTATED = _campaign(
    "acceptance-misstated",
    "A stream's `acceptance` names a rubric that its records cannot be judged by.",
    "a grounded-qa-v1 stream whose rubric has the gate syntax_valid, or names no rubric at all",
    "Name a pinned rubric whose gates the stream's kind can answer; kinds that declare a rubric themselves name none.",
)
ACCEPTANCE_UNREACHABLE = _campaign(
    "acceptance-unreachable",
    "No record of a stream can ever be accepted, whatever it says and whoever speaks for it: a gate that nothing can "
    "answer, more reviews than there are reviewers, evidence that nobody may give.",
    'a rubric with the gate syntax_valid, and no "code" in the acceptance of the stream that it decides',
    "Add what the message names, or take the demand out of the rubric under a new version.",
)
ACCEPTANCE_LIMITED = _campaign(
    "acceptance-limited",
    "Some records of a stream can never be accepted, or none because the campaign goes without what would decide them. "
    "A warning: the campaign can be run.",
    '"disagreement_action": "adjudicate" in a campaign that names no adjudicators: disagreements stay held',
    "Add what the message names before the run, if such records are to be decided.",
    Severity.WARN,
)
CONTRIBUTORS_UNKNOWN = _campaign(
    "contributors-unknown",
    "Rubrics decide and no stream of assignments says who handed records in, so nobody's review of their own record is "
    "found. A warning: the campaign can be run.",
    'a stream with "acceptance" in a campaign without a stream of kind assignment-v1',
    "Add a stream of assignments, or see to it elsewhere that nobody reviews what they handed in.",
    Severity.WARN,
)
FOREIGN_SETTING = _campaign(
    "foreign-setting",
    "A stream has a setting, or a policy for a code, that is for other kinds of record: nothing would ever read it.",
    '"rules": {"wilson-bound": "hold"} in a stream of kind pairwise-v2',
    "Move the setting to a stream of a kind that the message names, or remove it.",
)
UNUSED_SETTING = _campaign(
    "unused-setting",
    "A setting of a stream does nothing in this campaign: the facts or the rubrics that it is about are not there. "
    "A warning: the campaign can be run.",
    '"joins": {"unknown-task": "hold"} in a campaign without tasks',
    "Add what the setting is about, or remove it.",
    Severity.WARN,
)
CONTRADICTORY_LABELS = _campaign(
    "contradictory-labels",
    "A safety policy lists a classifier's label as harmful and as harmless. Case, underscores and spaces do not tell "
    "labels apart.",
    '"classifier_labels": {"harmful": ["Not_OK"], "harmless": ["not ok"]}',
    "Leave the label in one of the lists, or in none if it says nothing by itself.",
)
EVIDENCE_MISNAMED = _campaign(
    "evidence-misnamed",
    "The campaign's `evidence` would count one voice as several: a name in two spellings, a judge among the people, or "
    "one configuration of a model under two names.",
    '"reviewers": ["ann", "Ann"], or two judges with the same model, prompt_sha256 and parameters',
    "Name each person once, in one spelling, and each configuration of a model once; leave judges out of reviewers and "
    "adjudicators.",
)
KIND_MISFIT = _campaign(
    "kind-misfit",
    "A schema promises less than the rules of its stream's kind take for granted.",
    "a pairwise schema of the campaign's own that no longer requires `rationale`",
    "Require the member that the message names and state its type; the schema may say more than the shipped one.",
)
COLUMNS_CONFLICT = _campaign(
    "columns-conflict",
    "A stream's schemas do not give one table.",
    "two versions of a stream type the field `score` differently, or a field is named like a provenance column",
    "Give the versions streams of their own, or rename the field that the message names.",
)
FIXTURE_DISAGREES = _campaign(
    "fixture-disagrees",
    "A schema's fixture does not do what it says: an accept/ one is refused, or a reject/ one has other codes.",
    "accept/minimal.json is rejected with schema/required",
    "Correct the schema or the fixture; a reject/ fixture's codes stand in reject/index.json.",
)
FIXTURES_MISSING = _campaign(
    "fixtures-missing",
    "A schema has no accepted or no rejected fixtures, so nothing shows that its boundary is strict.",
    "schemas/my-kind/ has accept/ but no reject/",
    "Add accept/*.json, reject/*.json and reject/index.json (file name → list of codes) beside the schema.",
)
CODES = (
    DOCUMENT_UNREADABLE,
    DIGEST_MISMATCH,
    VALIDATOR_MISMATCH,
    UNKNOWN_KIND,
    UNKNOWN_ADAPTER,
    MIGRATION_MISSTATED,
    UNKNOWN_VERSION,
    UNDECLARED_ABSENCE,
    ACCEPTANCE_MISSTATED,
    ACCEPTANCE_UNREACHABLE,
    ACCEPTANCE_LIMITED,
    CONTRIBUTORS_UNKNOWN,
    FOREIGN_SETTING,
    UNUSED_SETTING,
    CONTRADICTORY_LABELS,
    EVIDENCE_MISNAMED,
    KIND_MISFIT,
    COLUMNS_CONFLICT,
    FIXTURE_DISAGREES,
    FIXTURES_MISSING,
)


def problem(code: Code, message: str, pointer: str = "") -> Finding:
    """A finding against the campaign."""
    return Finding(code.code, message, pointer, severity=code.severity)
