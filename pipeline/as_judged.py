"""Must records that an earlier run accepted be judged again, or did nothing change but rubrics?"""

from __future__ import annotations

from pipeline.manifest import Manifest
from pipeline.versions import pinned_versions
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.records import Json

# Members of a campaign manifest that structure and rules within a record depend on.
_DECIDING = ("dialect", "validator", "canonicalisation", "limits")
# Those of a stream that they do not depend on: where it is read, and what rubrics do.
_ASIDE = ("input", "acceptance")


def judged_alike(name: str, manifest: Manifest, before: Json, now: Json) -> bool:
    """Whether structure and rules within a record would say of the stream's accepted records what they said.

    `manifest` is that of the earlier run, `before` and `now` are the campaign manifests. All of this must hold: the
    same versions of the product, of its checks and of all libraries; the same schemas; the same limits, engine, form
    of archival bytes; the same policies; annotations, neither adapted nor migrated; and nothing that
    the earlier run warned of within an accepted record, for a warning leaves no trace beside it.
    """
    row, kind = manifest["streams"][name], manifest["streams"][name]["kind"]
    if kind not in ANNOTATIONS or name not in now["streams"] or manifest["versions"] != pinned_versions():
        return False
    if "adapter" in row or "migrations" in row or _migrates(now, kind):
        return False
    if _schemas(before) != _schemas(now) or any(before.get(member) != now.get(member) for member in _DECIDING):
        return False
    warnings = {code.code for rule in KINDS[kind].rules for code in rule.codes}
    return _own(before["streams"][name]) == _own(now["streams"][name]) and warnings.isdisjoint(row["warned"])


def _migrates(campaign: Json, kind: str) -> bool:
    return any(row["kind"] == kind for row in campaign.get("migrations", ()))


def _schemas(campaign: Json) -> dict[str, str]:
    return {version: pin["sha256"] for version, pin in campaign["schemas"].items()}


def _own(stream: Json) -> Json:
    return {member: value for member, value in stream.items() if member not in _ASIDE}
