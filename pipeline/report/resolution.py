"""What a run answers to the question for a baseline, as text or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TextIO

from pipeline.baselines.answer import Answer, Near
from pipeline.baselines.published import Published, Record
from pipeline.report.printable import printable
from pipeline.report.text import table
from transforms.baselines.resolution import Difference
from transforms.baselines.stated import shown
from transforms.records import Json, Place

_CRITERIA = ("criterion", "mode", "successes/trials", "observedPassRate", "wilsonLowerBound")
_STATED = ("observedPassRate", "wilsonLowerBound")
_LONGEST_SHOWN = 80


def print_answer(answer: Answer, form: str, out: TextIO) -> None:
    """The match, those refused, the near misses: blocks of lines, or one JSON object.

    Lines show at most 80 characters of a text and 40 of a number; JSON has all of a text.
    """
    if form == "json":
        print(json.dumps(_answer_row(answer), indent=2, default=float), file=out)
        return
    for line in _lines(answer):
        print(printable(line), file=out)


def _answer_row(answer: Answer) -> Json:
    """Decimals are left for `json.dumps` to make floats of."""
    return {
        "match": answer.match and _match_row(*answer.match),
        "refused_incomplete": [
            {"place": _place_row(baseline.place), "terminationReason": baseline.reason}
            for baseline in answer.incomplete
        ],
        "near": [_near_row(near) for near in answer.near],
    }


def _match_row(baseline: Published, record: Record) -> Json:
    value, execution = record.value, record.value["execution"]
    row = {
        "place": _place_row(baseline.place),
        "record_sha256": record.sha256,
        "fingerprint_form": record.fingerprint_form,
        "generatedAt": value["generatedAt"],
        "execution": {
            "samplesPlanned": int(execution["samplesPlanned"]),
            "samplesExecuted": int(execution["samplesExecuted"]),
            "terminationReason": execution["terminationReason"],
        },
        "confidenceLevel": value["confidenceLevel"],
    }
    if "expiration" in value:
        row["expiration"] = _expiration_row(value["expiration"])
    return row | {"criteria": [_criterion_row(name, each) for name, each in value["criteria"].items()]}


def _expiration_row(expiration: Json) -> Json:
    stated = {"expiresAt": expiration["expiresAt"]} if "expiresAt" in expiration else {}
    return {"expiresInDays": int(expiration["expiresInDays"]), **stated}


def _criterion_row(name: str, criterion: Json) -> Json:
    counts = {key: int(criterion[key]) for key in ("successes", "trials")}
    stated = {key: criterion[key] for key in _STATED if key in criterion}
    return {"name": name, "mode": criterion["mode"], **counts, **stated}


def _near_row(near: Near) -> Json:
    rows = [{"key": part.key, "wanted": part.wanted, "found": part.found} for part in near.differences]
    return {"place": _place_row(near.baseline.place), "differences": rows}


def _place_row(place: Place) -> Json:
    return {"stream": place.stream, "shard": place.shard, "line": place.line}


def _lines(answer: Answer) -> Iterator[str]:
    if answer.match:
        yield from _match_lines(*answer.match)
    for baseline in answer.incomplete:
        yield f"refused: {_place(baseline.place)}: its run did not complete: {_cut(baseline.reason)}"
    for near in answer.near:
        yield f"near: {_place(near.baseline.place)}"
        for part in near.differences:
            yield f"  {part.key}: {_difference(part)}"


def _match_lines(baseline: Published, record: Record) -> Iterator[str]:
    row = _match_row(baseline, record)
    execution = row["execution"]
    yield f"match: {_place(baseline.place)}"
    yield f"  record_sha256    {row['record_sha256']}"
    yield f"  fingerprint      verified over the form {row['fingerprint_form']}"
    yield f"  generatedAt      {_cut(row['generatedAt'])}"
    samples = f"{execution['samplesExecuted']} of {execution['samplesPlanned']} samples"
    yield f"  execution        {samples}, {_cut(execution['terminationReason'])}"
    yield f"  confidenceLevel  {shown(row['confidenceLevel'])}"
    if expiration := row.get("expiration"):
        at = f", at {_cut(expiration['expiresAt'])}" if "expiresAt" in expiration else ""
        yield f"  expires          {expiration['expiresInDays']} days after generatedAt{at}"
    yield ""
    cells = [_criterion_cells(criterion) for criterion in row["criteria"]]
    yield from (f"  {line}" for line in table(_CRITERIA, cells))


def _criterion_cells(row: Json) -> tuple[str, ...]:
    stated = (_number(row[key]) if key in row else "-" for key in _STATED)
    return printable(row["name"]), row["mode"], f"{row['successes']}/{row['trials']}", *stated


def _number(value: Any) -> str:
    return "null" if value is None else shown(value)


def _difference(part: Difference) -> str:
    wanted = "not asked for" if part.wanted is None else f"asked for {_quoted(part.wanted)}"
    found = "none" if part.found is None else _quoted(part.found)
    further = f", the same for {_LONGEST_SHOWN} characters" if wanted == f"asked for {found}" else ""
    return f"{wanted}, there is {found}{further}"


def _place(place: Place) -> str:
    return f"{place.stream}/{place.shard} line {place.line}"


def _quoted(text: str) -> str:
    """Between quotation marks, so that nothing looks like text, and text that looks like a number is told apart."""
    return json.dumps(text[:_LONGEST_SHOWN], ensure_ascii=False) + ("…" if len(text) > _LONGEST_SHOWN else "")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
