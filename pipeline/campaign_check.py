"""`assay check`: all that can be refused before a record is read, fixtures included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pipeline.campaign import Campaign, campaign_of, load_manifest
from pipeline.campaign_codes import FIXTURE_DISAGREES, FIXTURES_MISSING, problem
from pipeline.documents import read_document
from pipeline.pinned import Reference, references
from transforms.acceptance.values import EvidenceTerms
from transforms.judge import Bench, judge, prepare
from transforms.parsing.json_strict import loads_document
from transforms.records import Finding, Line, Outcome
from transforms.storage import objects
from transforms.storage.location import Location, Remote, within
from transforms.terms import Limits

INDEX = "index.json"


def check_campaign(path: Location) -> tuple[Finding, ...]:
    """Everything wrong with the campaign at `path`, and what to be warned of; () for one that is fit in all respects.

    A campaign is fit to run where all findings are warnings.
    """
    loaded = load_manifest(path)
    if isinstance(loaded, tuple):
        return loaded
    campaign = campaign_of(loaded)
    if isinstance(campaign, tuple):
        return campaign
    found = list(campaign.warnings)
    for reference in references(loaded.value):
        if reference.role == "schema":
            found += _check_fixtures(reference, campaign)
    return tuple(found)


def _check_fixtures(reference: Reference, campaign: Campaign) -> Iterator[Finding]:
    """The fixtures of one schema, judged as the streams that use it would judge them."""
    folder = fixtures_folder(reference, campaign.folder)
    accepted = _fixtures(folder / "accept")
    rejected = [path for path in _fixtures(folder / "reject") if path.name != INDEX]
    if not accepted or not rejected:
        side = "accept" if not accepted else "reject"
        yield problem(FIXTURES_MISSING, f"{reference.version}: no {side}/ fixtures", reference.pointer)
        return
    expected = _read_index(folder / "reject" / INDEX)
    if isinstance(expected, str):
        yield problem(FIXTURE_DISAGREES, f"{reference.version}: {expected}", reference.pointer)
        return
    unlisted = sorted({path.name for path in rejected} ^ set(expected))
    if unlisted:
        message = f"{reference.version}: reject/{INDEX} and the files beside it differ on {unlisted[0]}"
        yield problem(FIXTURE_DISAGREES, message, reference.pointer)
        return
    for bench in _benches(reference.version, campaign):
        wanted = [*((path, []) for path in accepted), *((path, sorted(expected[path.name])) for path in rejected)]
        for path, codes in wanted:
            yield from _judge_fixture(path, codes, bench, reference)


def fixtures_folder(reference: Reference, folder: Location) -> Location:
    """Where a schema's accept/ and reject/ are: the folder the pin names, else the schema's own."""
    return within(folder, reference.fixtures) if reference.fixtures else reference.source(folder).parent


def _fixtures(folder: Location) -> list[Location]:
    """The JSON files in a folder, by name."""
    if not isinstance(folder, Remote):
        return [*sorted(folder.glob("*.json"))]
    return [one for one, _ in objects.listing(folder) if one.parent == folder and one.name.endswith(".json")]


def _benches(version: str, campaign: Campaign) -> Iterator[Bench]:
    """One bench per stream that lists, adapts or migrates the version, under default policies and without a rubric.

    Fixtures show what the schema and the kind's rules refuse; what a campaign adds or forgives is not theirs to show.
    """
    for stream in campaign.streams.values():
        terms = replace(stream.terms, policies={}, limits=Limits(), tools={}, evidence=EvidenceTerms(anyone=True))
        terms = replace(terms, rubrics={}, acceptance=None)
        if version in terms.schemas:
            yield prepare(replace(terms, schemas={version: terms.schemas[version]}, adapter=None, migrations={}))
        if version in terms.migrations:
            yield prepare(terms)
        if terms.adapter and terms.adapter.source == version:
            yield prepare(replace(terms, adapter=replace(terms.adapter, left_in_source=frozenset())))


def _judge_fixture(path: Location, codes: list[str], bench: Bench, reference: Reference) -> Iterator[Finding]:
    data = read_document(path).rstrip(b"\n")
    verdict = judge(Line(1, 0, len(data), data), bench)
    found = sorted({finding.code for finding in verdict.findings})
    if found != codes or (verdict.outcome is Outcome.ACCEPTED) != (not codes):
        says = ", ".join(codes) or "accepted"
        gives = ", ".join(found) or "accepted"
        message = f"{reference.version}: {path.parent.name}/{path.name} says {says}, judging gives {gives}"
        yield problem(FIXTURE_DISAGREES, message, reference.pointer)


def _read_index(path: Location) -> dict[str, list[str]] | str:
    """reject/index.json: fixture's file name → the codes it is refused with; or why it cannot be used."""
    try:
        value: Any = loads_document(read_document(path))
    except OSError:
        return f"no reject/{INDEX}"
    if isinstance(value, Finding) or not isinstance(value, dict):
        return f"reject/{INDEX} is no JSON object"
    for codes in value.values():
        if not isinstance(codes, list) or not codes or not all(isinstance(code, str) for code in codes):
            return f"reject/{INDEX} must give each file a list of codes"
    return value
