"""The migrations of a campaign manifest: what can be wrong with them, and a stream's terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pipeline.campaign_codes import MIGRATION_MISSTATED, UNKNOWN_VERSION, problem
from pipeline.migration_fit import Declared, misdeclared
from pipeline.pinned import Parsed, registry
from transforms.columns.subschemas import root
from transforms.kinds import ANNOTATIONS, KINDS
from transforms.migrations.members import path_of
from transforms.migrations.operations import Operation
from transforms.migrations.read_operations import read_operations
from transforms.records import Finding, Json
from transforms.terms import MigrationTerms


def check_migrations(manifest: Json, parsed: Parsed) -> Iterator[Finding]:
    """What is wrong with the manifest's migrations. The pinned schemas are sound by themselves."""
    first: dict[tuple[str, str], int] = {}
    for index, row in enumerate(manifest.get("migrations", ())):
        pointer = f"/migrations/{index}"
        unknown = [name for name in ("from", "to") if row[name] not in manifest["schemas"]]
        for name in unknown:
            yield problem(UNKNOWN_VERSION, f"{row[name]!r} is none of the campaign's schemas", f"{pointer}/{name}")
        if row["kind"] not in ANNOTATIONS:
            known = ", ".join(sorted(ANNOTATIONS))
            yield _misstated(
                f"records of kind {row['kind']!r} are not migrated; those of {known} are", f"{pointer}/kind"
            )
        elif first.setdefault((row["kind"], row["from"]), index) != index:
            yield _misstated(f"there is a migration from {row['from']} already", pointer)
        elif not unknown:
            yield from _check_one(row, pointer, manifest, parsed)


def _check_one(row: Json, pointer: str, manifest: Json, parsed: Parsed) -> Iterator[Finding]:
    if not any(row["from"] in _sources(stream, manifest) for stream in manifest["streams"].values()):
        message = f"leads no stream of the kind from {row['from']} to a version that it lists"
        yield _misstated(message, pointer)
    if row.get("policy") == "refuse":
        return
    registered = registry(parsed)
    source, target = (root(parsed["schema", row[end]], registered) for end in ("from", "to"))
    judgements = tuple(map(path_of, row.get("judgements", ())))
    operations = _operations(row)
    field = KINDS[row["kind"]].version_field
    for number, message in misdeclared(Declared(row["kind"], field, source, target, operations, judgements)):
        yield _misstated(message, pointer if number is None else f"{pointer}/operations/{number}")


def _misstated(message: str, pointer: str) -> Finding:
    return problem(MIGRATION_MISSTATED, message, pointer)


def _sources(stream: Json, manifest: Json) -> set[str]:
    """The versions that a stream migrates, or refuses to."""
    if "adapter" in stream or stream.get("format") == "documents":
        return set()
    own = [row for row in manifest.get("migrations", ()) if row["kind"] == stream["kind"]]
    listed, found = set(stream["versions"]), set[str]()
    # Backwards from what the stream lists: a circle never gets there.
    for _ in own:
        for row in own:
            if row["to"] in listed | found and row["from"] not in listed:
                found.add(row["from"])
    return found


def migration_terms(stream: Json, manifest: Json, parsed: Parsed) -> Mapping[str, MigrationTerms]:
    """The migrations that a stream's records take part in, by the version that they start from."""
    rows = {row["from"]: row for row in manifest.get("migrations", ()) if row["kind"] == stream["kind"]}
    return {
        version: MigrationTerms(version, rows[version]["to"], parsed["schema", version], _operations(rows[version]))
        for version in sorted(_sources(stream, manifest))
        if not _is_refused(version, stream, rows)
    }


def _operations(row: Json) -> tuple[Operation, ...]:
    return read_operations(row.get("operations", ()))


def _is_refused(version: str, stream: Json, rows: Mapping[str, Json]) -> bool:
    """Whether a step of the chain from `version` is refused."""
    while version not in stream["versions"]:
        if rows[version].get("policy") == "refuse":
            return True
        version = rows[version]["to"]
    return False
