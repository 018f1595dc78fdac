"""What the lines of an answer show of long texts and odd numbers; `assay baseline resolve` has the rest."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from baseline_records import baseline

from pipeline.baselines.answer import Answer, Near
from pipeline.baselines.published import Published, Record
from pipeline.committed.run import Output, Run
from pipeline.report.resolution import print_answer
from transforms.baselines.identity import identity
from transforms.baselines.resolution import Candidate, Difference
from transforms.records import Place


def published(reason: str = "COMPLETED") -> Published:
    candidate = Candidate(identity(baseline()), 0, reason == "COMPLETED")
    run, output = Run(Path("run"), {}, "", ()), Output("accepted/s/x.parquet", 0, "")
    return Published(Place("s", "a.yaml", 1), candidate, reason, run, output, 0, 0)


def printed(answer: Answer, form: str = "text") -> list[str]:
    out = io.StringIO()
    print_answer(answer, form, out)
    return out.getvalue().splitlines()


def test_numbers_are_plain_and_bounded() -> None:
    value: Any = baseline()
    value["confidenceLevel"] = Decimal("0." + "9" * 100)
    value["criteria"]["c"].update(observedPassRate=Decimal("1E-7"), wilsonLowerBound=Decimal("0E-8"))
    value["generatedAt"] = "x" * 100
    answer = Answer((published(), Record("ab", "text", value)), (), ())
    lines = printed(answer)
    assert lines[3] == f"  generatedAt      {'x' * 80}…"
    assert lines[5] == f"  confidenceLevel  0.{'9' * 38}…"
    assert lines[9].split() == ["c", "inferential", "8/10", "0.0000001", "0.00000000"]
    criterion = json.loads("\n".join(printed(answer, "json")))["match"]["criteria"][0]
    assert (criterion["observedPassRate"], criterion["wilsonLowerBound"]) == (1e-7, 0.0)


def test_covariates_are_cut() -> None:
    parts = (
        Difference("covariateProfile/a", "short", "y" * 5000),
        Difference("covariateProfile/b", "y" * 80 + "1", "y" * 80 + "2"),
        Difference("covariateProfile/c", None, "z" * 80),
    )
    answer = Answer(None, (published("R" * 81),), (Near(published(), parts),))
    assert printed(answer) == [
        f"refused: s/a.yaml line 1: its run did not complete: {'R' * 80}…",
        "near: s/a.yaml line 1",
        f'  covariateProfile/a: asked for "short", there is "{"y" * 80}"…',
        f'  covariateProfile/b: asked for "{"y" * 80}"…, there is "{"y" * 80}"…, the same for 80 characters',
        f'  covariateProfile/c: not asked for, there is "{"z" * 80}"',
    ]
    differences = json.loads("\n".join(printed(answer, "json")))["near"][0]["differences"]
    assert differences[0]["found"] == "y" * 5000
