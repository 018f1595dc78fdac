"""The records of a committed run whose code waits for tests: the accepted and the held ones, with the code of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import orjson

from pipeline.campaign import Campaign
from pipeline.committed.archival import read_archival, read_strictly
from pipeline.committed.run import Output, Run, lines, named, open_run, record_changed, row_groups
from pipeline.evaluate.program import Program, programs
from pipeline.exits import Exit, RunError
from transforms.acceptance.code.extract import PYTHON, extract
from transforms.acceptance.values import CodeTerms
from transforms.adapters.translate import Translated, Translator, prepare_translator, translate
from transforms.blocks.refusals import kept_bytes
from transforms.digests import canonical_json, sha256_hex
from transforms.reading import Read
from transforms.records import Finding, Json, Line, Outcome, Place
from transforms.storage.location import Location
from transforms.terms import Limits, StreamTerms

KIND = "pairwise-v2"

_COLUMNS = ("assay_stream", "assay_shard", "assay_line", "assay_record_sha256", "assay_archival_bytes")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record: its place, its task, the SHA-256 (hex) of its archival bytes, and its programs.

    There is a program for each text of the record that is judged; none where these hold no code, or where the run did
    not keep the record's bytes.
    """

    place: Place
    task_id: str
    record_sha256: str
    programs: tuple[Program, ...]


def code_streams(campaign: Campaign) -> dict[str, CodeTerms]:
    """The campaign's streams whose records' code is judged, with their terms. Raises RunError where there are none."""
    found = {}
    for name, stream in campaign.streams.items():
        acceptance = stream.terms.acceptance
        if stream.terms.kind == KIND and acceptance and acceptance.code and acceptance.code.language == PYTHON:
            found[name] = acceptance.code
    if not found:
        raise RunError(Exit.USAGE, f"the campaign judges no {PYTHON} code of any stream of {KIND}")
    return found


def candidates(folder: Location, campaign: Campaign, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    """The accepted and the held records of the streams, in the order of the run's files.

    Raises RunError where `folder` holds no committed run of a campaign of that id, or where a file is not the one that
    its manifest lists.
    """
    run = _run(folder, campaign)
    for output in run.outputs:
        if output.stream not in streams or output.folder not in (Outcome.ACCEPTED, Outcome.HELD):
            continue
        if output.folder == Outcome.ACCEPTED:
            yield from _of_accepted(run, output, streams)
        else:
            yield from _of_held(run, output, campaign, streams)


def _run(folder: Location, campaign: Campaign) -> Run:
    run = open_run(folder)
    judged = run.manifest["campaign"]
    for member, wanted in (("id", campaign.id), ("canonicalisation", campaign.canonicalisation)):
        if judged[member] != wanted:
            raise RunError(Exit.USAGE, f"{folder}: the run's campaign has {member} {judged[member]!r}, not {wanted!r}")
    return run


def _of_accepted(run: Run, output: Output, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    for group in row_groups(run, output, _COLUMNS):
        for row in group.to_pylist():
            with named(run, output):
                stream, shard, line, sha256, archival = (row[name] for name in _COLUMNS)
                place = Place(stream, shard, line)
                if sha256_hex(archival) != sha256:
                    raise record_changed(run, output, place)
                candidate = _candidate(place, read_archival(archival, KIND), sha256, streams)
            yield candidate


def _of_held(run: Run, output: Output, campaign: Campaign, streams: Mapping[str, CodeTerms]) -> Iterator[Candidate]:
    translators = {name: prepare_translator(campaign.streams[name].terms) for name in streams}
    for line in lines(run, output):
        with named(run, output):
            row = orjson.loads(line)
            place = Place(row["stream"], row["shard"], row["line"])
            terms = campaign.streams[place.stream].terms
            candidate = _of_refused(run, output, place, row, terms, translators[place.stream], streams)
        yield candidate


def _of_refused(
    run: Run,
    output: Output,
    place: Place,
    row: Json,
    terms: StreamTerms,
    translator: Translator | None,
    streams: Mapping[str, CodeTerms],
) -> Candidate:
    """What was held is still the adapter's source where there is one."""
    data = kept_bytes(row)
    if data is None:
        return Candidate(place, "", row["record_sha256"], ())
    if sha256_hex(data) != row["record_sha256"]:
        raise record_changed(run, output, place)
    read = read_strictly(data, _adapted(translator)) if translator else read_archival(data, KIND)
    archival = canonical_json(read.value, plain=read.plain) if terms.canonicalisation == "jcs" else data
    return _candidate(place, read, sha256_hex(archival), streams)


def _adapted(translator: Translator) -> Callable[[Line, Limits], Read | tuple[Finding, ...]]:
    def read(line: Line, limits: Limits) -> Read | tuple[Finding, ...]:
        told = translate(line, translator, limits)
        return told.read if isinstance(told, Translated) else told

    return read


def _candidate(place: Place, read: Read, sha256: str, streams: Mapping[str, CodeTerms]) -> Candidate:
    value: Json = read.value
    return Candidate(place, value["task_id"], sha256, programs(extract(value, streams[place.stream]).snippets))
