"""The domain that an answer states against that of its task."""

from __future__ import annotations

from pathlib import Path

import pytest
from joined import judged
from small_records import issued, qa

from transforms.joins.domains import JOIN
from transforms.records import Finding, Json, Place, Severity
from transforms.terms import Action, StreamTerms

GENERAL, CLINICAL = "general_rag", "clinical_qa"


def judge(folder: Path, record: str, *tasks: str | None, **policies: Action) -> list[tuple[str, int, Finding]]:
    renamed = {code.replace("_", "-"): action for code, action in policies.items()}
    terms = {
        "answers": StreamTerms("answers", "grounded-qa-v1", {}, policies=renamed),
        "tasks": StreamTerms("tasks", "input-task-v1", {}),
    }
    value = qa(domain=record)
    stated: list[Json] = [{} if domain is None else {"domain": domain} for domain in tasks]
    return judged(
        JOIN, {"answers": [value], "tasks": [issued("grounded-qa-v1", value, **one) for one in stated]}, terms, folder
    )


@pytest.mark.parametrize(
    ("record", "tasks"),
    [(GENERAL, [GENERAL]), (CLINICAL, [CLINICAL]), (CLINICAL, [None]), (GENERAL, []), (GENERAL, [None])],
)
def test_a_domain_that_no_task_contradicts(record: str, tasks: list[str | None], tmp_path: Path) -> None:
    assert judge(tmp_path, record, *tasks) == []


@pytest.mark.parametrize(
    ("record", "tasks", "stating"),
    [
        (GENERAL, [CLINICAL], [1]),
        (CLINICAL, [GENERAL], [1]),
        ("general", [GENERAL], [1]),
        (GENERAL, [None, CLINICAL], [2]),
        (GENERAL, [GENERAL, CLINICAL], [1, 2]),
    ],
)
def test_another_domain_than_that_of_the_task(
    record: str, tasks: list[str | None], stating: list[int], tmp_path: Path
) -> None:
    named = tuple(Place("tasks", "a.jsonl", line) for line in stating)
    expected = Finding("domain-mismatch", "its task states another domain", "/domain", None, named, Severity.REJECT)
    assert judge(tmp_path, record, *tasks) == [("answers", 1, expected)]


@pytest.mark.parametrize("action", [Action.ALLOW, Action.HOLD])
def test_no_policy_allows_it(action: Action, tmp_path: Path) -> None:
    [(_, _, found)] = judge(tmp_path, GENERAL, CLINICAL, domain_mismatch=action)
    assert found.severity is Severity.REJECT
