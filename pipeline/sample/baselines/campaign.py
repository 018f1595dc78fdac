"""A synthetic campaign of baselines: files and JSON lines, honest ones and every fault, and what a run must find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random

from pipeline.sample.baselines.faults import CHANGES, RUN, Fault
from pipeline.sample.baselines.forms import FILES, Form, as_is, exported, signed, with_crlf
from pipeline.sample.baselines.groups import GROUPS
from pipeline.sample.baselines.honest import honest
from pipeline.sample.baselines.measures import VERSION, baseline
from pipeline.sample.baselines.rewrites import REWRITES
from pipeline.sample.manifest import empty_folder, manifest, shipped_pins, write_json, write_lines, write_manifest
from pipeline.sample.pairwise import Record
from transforms.terms import KIB

_FILES, _LINES = "baselines", "exported"
_SHARDS = 2
# In turn. Eleven, so that every form meets every size and every kind of honest baseline.
_FORMS = (*[Form.YAML] * 5, Form.TEXT_LINE, Form.OBJECT_LINE, Form.TEXT_LINE, Form.JSON, Form.YAML, Form.TEXT_LINE)


@dataclass(frozen=True, slots=True)
class _Export:
    """An exported baseline: its form, what a file of it is named, its bytes, and the code it must get, if any."""

    form: Form
    name: str
    data: bytes
    code: str | None = None


def write_baselines_sample(output: Path, records: int, seed: int) -> Path:
    """Write a campaign of `records` honest baselines, and every fault, under `output`; its manifest's path.

    The stream `baselines` has a file for each record, `exported` JSON lines of both forms. `expected.json` names,
    for each fault, stream, shard, line and code. Same arguments, same bytes. Raises RunError where `output` is not
    empty.
    """
    empty_folder(output, (_FILES, _LINES))
    exports = list(_exports(records, Random(seed)))
    expected = [*_write_files(output / _FILES, exports), *_write_lines(output / _LINES, exports)]
    write_json(output / "expected.json", expected)
    campaign = manifest(
        "baselines",
        "Baselines as files and as JSON lines, each fault at least once.",
        rubrics={},
        pins=shipped_pins([VERSION]),
        streams={
            _FILES: _stream([f"{_FILES}/**/*.yaml", f"{_FILES}/**/*.json"], format="documents"),
            _LINES: _stream(f"{_LINES}/*.jsonl"),
        },
        without=[],
    )
    campaign["limits"] = {"max_record_bytes": 12 * KIB}
    return write_manifest(output / "campaign.json", campaign)


def _stream(pattern: str | list[str], **members: str) -> Record:
    return {"kind": VERSION, "versions": [VERSION], "input": pattern, **members}


def _exports(records: int, random: Random) -> Iterator[_Export]:
    """Sound baselines come first, so that no shard of lines begins with a broken one."""
    for number in range(records):
        value, form = signed(honest(random, number)), _FORMS[number % len(_FORMS)]
        data = exported(value, form, with_crlf if number % 13 == 1 else as_is)
        yield _Export(form, f"{value['serviceName']}/{number:06d}", data)
    for number, (name, build) in enumerate(GROUPS, records):
        for place, member in enumerate(build(baseline(random, number, RUN))):
            yield _Export(member.form, f"again/{name}-{place}", member.data, member.code)
    for place, (fault, form) in enumerate(_faults()):
        name = f"spoilt/{place:03d}-{fault.code.replace('/', '-')}"
        yield _Export(form, name, fault.spoilt(random, records + len(GROUPS) + place, form), fault.code)


def _faults() -> Iterator[tuple[Fault, Form]]:
    """Every fault, in the forms that it asks for; those that ask for none take the forms in turn."""
    turns = cycle(Form)
    for fault in (*CHANGES, *REWRITES):
        for form in fault.forms or (next(turns),):
            yield fault, form


def _write_files(folder: Path, exports: list[_Export]) -> Iterator[Record]:
    for export in exports:
        if export.form in FILES:
            shard = f"{export.name}.{export.form}"
            path = folder / shard
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(export.data)
            yield from _row(_FILES, shard, 1, export)


def _write_lines(folder: Path, exports: list[_Export]) -> Iterator[Record]:
    lines = [export for export in exports if export.form not in FILES]
    for index in range(_SHARDS):
        shard, own = f"part-{index:05d}.jsonl", lines[index::_SHARDS]
        write_lines(folder / shard, (export.data for export in own))
        for number, export in enumerate(own, start=1):
            yield from _row(_LINES, shard, number, export)


def _row(stream: str, shard: str, line: int, export: _Export) -> Iterator[Record]:
    if export.code:
        yield {"stream": stream, "shard": shard, "line": line, "code": export.code}
