"""Records a second that stage 6 decides in one process: preference pairs with three reviews and a run of tests each.

python tests/bench/decisions.py [RECORDS]

Each record has a program of its own, and its evidence waits in a file as it does in a run. The first row has no gates;
the next ones add one gate for code at a time, the last all of them and the linter, which is a process for each program.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from pipeline.campaign import Campaign, load_campaign
from pipeline.sample.acceptance.campaign import write_acceptance_sample
from pipeline.sample.acceptance.case import Row, Subject
from pipeline.sample.acceptance.evidence import panel, tested
from pipeline.sample.acceptance.rubrics import CODE
from pipeline.sample.acceptance.subjects import pair
from pipeline.sample.pairwise import line
from transforms.acceptance.values import Gate
from transforms.blocks.decide import decide_records
from transforms.digests import canonical_json, digest
from transforms.joins.join import Attached
from transforms.joins.parked import Parked
from transforms.records import Line, Outcome
from transforms.terms import StreamTerms

_RULES = ("E711", "F401")
_LINTED = Gate("max_linter_findings", 0)
_GIVEN = (*panel("ann", "ben", "cho"), tested())

Records = tuple[tuple[int, Line], ...]
Evidence = dict[int, list[Attached]]


def subjects(count: int) -> Iterator[Subject]:
    """Preference pairs, each with a program of its own."""
    random, build = Random(1), pair("A")
    return (build(random, f"timed-{number:06d}") for number in range(count))


def parked(rows: Iterable[Row], path: Path) -> Iterator[Attached]:
    """Evidence, written behind what a file holds."""
    with path.open("ab") as file:
        for row in rows:
            data = digest(line(row.value)) + canonical_json(row.value)
            yield Attached(row.value["schema_version"], Parked(str(path), file.tell(), len(data)))
            file.write(data)


def prepared(count: int, path: Path) -> tuple[Records, Evidence]:
    """The records to decide, and the evidence on each."""
    records, evidence = [], {}
    for position, subject in enumerate(subjects(count)):
        data = line(subject.value)
        records.append((position, Line(position + 1, 0, len(data), data)))
        evidence[position] = list(parked((give(subject) for give in _GIVEN), path))
    return tuple(records), evidence


def rate(records: Records, evidence: Evidence, terms: StreamTerms, gates: Iterable[Gate], *, lint: bool) -> float:
    """Records a second of processor time, that of the linter's processes included; all must be accepted."""
    assert terms.acceptance is not None
    assert terms.acceptance.code is not None
    code = replace(terms.acceptance.code, linter_rules=_RULES if lint else ())
    rubric = replace(terms.rubrics[CODE], gates=tuple(gates))
    own = replace(terms, rubrics={CODE: rubric}, acceptance=replace(terms.acceptance, code=code))
    assert own.acceptance is not None
    began = sum(os.times()[:4])
    for decided in decide_records(records, {}, evidence, own, own.acceptance):
        assert decided.decision.outcome is Outcome.ACCEPTED, decided.decision
    return len(records) / (sum(os.times()[:4]) - began)


def main(count: int) -> None:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        campaign = load_campaign(write_acceptance_sample(folder / "sample", 1, 1))
        assert isinstance(campaign, Campaign), campaign
        terms = campaign.streams["annotations"].terms
        gates = terms.rubrics[CODE].gates
        records, evidence = prepared(count, folder / "evidence")
        print("| gates | records/s |")
        print("|---|---|")
        print(f"| none: three reviews, scores, votes | {rate(records, evidence, terms, (), lint=False):,.0f} |")
        for gate in gates:
            print(f"| {gate.name} | {rate(records, evidence, terms, (gate,), lint=False):,.0f} |")
        print(f"| these {len(gates)} | {rate(records, evidence, terms, gates, lint=False):,.0f} |")
        few, linted = records[: max(1, count // 20)], (*gates, _LINTED)
        print(f"| these {len(gates)} and {_LINTED.name} | {rate(few, evidence, terms, linted, lint=True):,.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 4000)
