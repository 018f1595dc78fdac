"""What is decided of named records of the campaign with rubrics, and what is recorded of each decision."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from acceptance_runs import DECIDED, Rows, lines_of, task_of
from golden_campaigns import Ran

# Weights of code-review-v1 are 0.45, 0.25, 0.2 and 0.1; medians in this order; then what votes and outcome are.
NAMED = {
    # 0.45·4 + 0.25·5 + 0.2·4 + 0.1·3 = 1.8 + 1.25 + 0.8 + 0.3
    "accepted-with-dissent": ("4 5 4 3", "4.15", "accepted", "ann cho", "ben", "ben"),
    # 1.8 + 1 + 0.8 + 0.4
    "accepted-at-the-bound": ("4 4 4 4", "4", "accepted", "ann ben cho", "", ""),
    # 0.45·4.5 + 0.25·4 + 0.2·4 + 0.1·3 = 2.025 + 1 + 0.8 + 0.3
    "even-number-of-reviews": ("4.5 4 4 3", "4.125", "accepted", "ann ben cho dan", "", ""),
    # 1.8 + 1 + 0.8 + 0.3
    "score-below": ("4 4 4 3", "3.9", "rejected", "ann ben cho", "", "ann ben cho"),
    # 1.35 + 1.25 + 1 + 0.5
    "incorrect": ("3 5 5 5", "4.1", "rejected", "ann ben cho", "", "ann ben cho"),
    # 2.25 + 0.875 + 1 + 0.5
    "not-as-instructed": ("5 3.5 5 5", "4.625", "rejected", "ann ben cho", "", "ann ben cho"),
    # 2.25 + 1.25 + 0.4 + 0.5
    "without-evidence": ("5 5 2 5", "4.4", "rejected", "ann ben cho", "", "ann ben cho"),
    # 2.25 + 1.25 + 1 + 0.2
    "unreadable": ("5 5 5 2", "4.7", "rejected", "ann ben cho", "", "ann ben cho"),
    # 1.35 + 0.75 + 1 + 0.5
    "score-and-minimums-below": ("3 3 5 5", "3.6", "rejected", "ann ben cho", "", "ann ben cho"),
    "all-reject": ("4 4 4 4", "4", "rejected", "", "ann ben cho", ""),
    "two-to-two": ("4 4 4 4", "4", "held", "ann ben", "cho dan", ""),
    "two-to-three": ("4 4 4 4", "4", "held", "ann ben", "cho dan eve", ""),
    "three-to-two": ("4 4 4 4", "4", "accepted", "ann ben cho", "dan eve", "dan eve"),
    "adjudicated-to-accept": ("4 4 4 4", "4", "accepted", "ann", "ben cho", "ben cho"),
    "adjudicated-to-reject": ("4 4 4 4", "4", "rejected", "ann ben", "cho dan", "ann ben"),
    "adjudicators-disagree": ("4 4 4 4", "4", "held", "ann", "ben cho", ""),
    "adjudicated-by-a-reviewer": ("4 4 4 4", "4", "held", "ann", "ben cho", ""),
    "adjudicated-by-another-as-well": ("4 4 4 4", "4", "accepted", "ann", "ben cho", "ben cho"),
    "adjudicated-twice-the-same": ("4 4 4 4", "4", "held", "ann", "ben cho", ""),
    "spelled-otherwise": ("4 4 4 4", "4", "accepted", " CHO Ben ann", "", ""),
    "contributor-unknown": ("4 4 4 4", "4", "accepted", "ann ben cho", "", ""),
    "adjudicated-for-nothing": ("4 4 4 4", "4", "accepted", "ann ben cho", "", ""),
    "judge-is-counted": ("4 4 4 4", "4", "accepted", "ann ben examiner", "", ""),
    "judge-dissents-unheard": ("4 4 4 4", "4", "accepted", "ann ben cho", "", ""),
    "refused-reviews": ("4 4 4 4", "4", "accepted", "ann ben cho", "", ""),
    # 0.6·3 + 0.4·4 of grounded-answers-v1
    "answer-below-score": ("3 4", "3.4", "rejected", "ann ben", "", "ann ben"),
    # 0.5·5 + 0.5·3.5 of clinical-answers-v1
    "not-for-this-patient": ("5 3.5", "4.25", "rejected", "ann ben", "", "ann ben"),
    # Nothing is weighed where a gate fails or is not answered, or where reviews are missing; votes are kept.
    "tests-fail": ("", None, "rejected", "ann ben cho", "", "ann ben cho"),
    "not-tested": ("", None, "held", "ann ben cho", "", ""),
    "judge-is-not-counted": ("", None, "held", "ann ben", "", ""),
    "own-review": ("", None, "held", "ann ben", "", ""),
    "own-review-spelled-otherwise": ("", None, "held", "ann ben", "", ""),
    "reviewed-twice-in-two-spellings": ("", None, "held", "ann ben", "", ""),
    "judge-poses-as-a-person": ("", None, "held", "ann ben", "", ""),
    "reviewed-twice-by-one": ("", None, "held", "ann ben", "", ""),
    "adjudicated-but-incomplete": ("", None, "held", "ann", "ben", ""),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_named_decision(rows: Rows, name: str) -> None:
    row = rows[name]
    medians = " ".join(criterion["aggregate"] for criterion in row["criteria"])
    votes = (" ".join(sorted(row[column])) for column in ("accepting", "rejecting", "dissent"))
    assert (medians, row["weighted_score"], row["outcome"], *votes) == NAMED[name]


def test_every_weighted_score_is_the_exact_sum(sample: Path, rows: Rows) -> None:
    """Over the medians of the scores that are recorded, with the weights as they are written."""
    weighed = [row for row in rows.values() if row["weighted_score"] is not None]
    assert len(weighed) > 60
    for row in weighed:
        text = (sample.parent / "rubrics" / f"{row['rubric_version']}.json").read_text(encoding="utf-8")
        rubric = json.loads(text, parse_float=Fraction, parse_int=Fraction)
        total = Fraction(0)
        for criterion, result in zip(rubric["criteria"], row["criteria"], strict=True):
            scores = sorted(map(Fraction, result["scores"]))
            count = len(scores)
            middle = (scores[(count - 1) // 2] + scores[count // 2]) / 2
            assert (criterion["id"], middle) == (result["id"], Fraction(result["aggregate"]))
            assert criterion["minimum_score"] == Fraction(result["minimum"])
            total += criterion["weight"] * middle
        assert Fraction(row["weighted_score"]) == total


def test_who_handed_a_record_in_is_known_or_counted(ran: Ran, rows: Rows) -> None:
    assert [name for name, row in rows.items() if not row["contributor_known"]] == ["contributor-unknown"]
    unknown = {name: ran.manifest["streams"][name]["acceptance"]["contributor_unknown"] for name in DECIDED}
    assert unknown == {"annotations": 1, "answers": 0, "clinical": 0, "derivations": 0}
    assert "contributor unknown for 1 of" in (ran.folder / "report.html").read_text(encoding="utf-8")


def test_who_adjudicates_a_record_has_not_reviewed_it(rows: Rows) -> None:
    said = {name: row["adjudications"] for name, row in rows.items()}
    both = {(one["adjudicator"], one["independent"]) for one in said["adjudicated-by-another-as-well"]}
    assert both == {("cho", False), ("lead", True)}
    assert [one["independent"] for one in said["adjudicated-by-a-reviewer"]] == [False]
    assert said["adjudicated-twice-the-same"] == []


def test_all_that_was_said_is_recorded(sample: Path, rows: Rows) -> None:
    scores = [
        {"id": "correctness", "score": "1"},
        {"id": "instruction_adherence", "score": "1"},
        {"id": "readability", "score": "1"},
        {"id": "reasoning_evidence", "score": "1"},
    ]
    (judge,) = (one for one in rows["judge-dissents-unheard"]["reviews"] if one["reviewer"] == "screener")
    digests = {hashlib.sha256(line).hexdigest() for line in lines_of(sample, "reviews")}
    assert judge.pop("sha256") in digests
    assert judge == {
        "reviewer": "screener", "automatic": True, "independent": False, "vote": "reject", "scores": scores
    }  # fmt: skip
    (counted,) = (one for one in rows["judge-is-counted"]["reviews"] if one["automatic"])
    assert (counted["reviewer"], counted["independent"]) == ("examiner", True)
    said = [(one["adjudicator"], one["subject"], one["vote"]) for one in rows["adjudicators-disagree"]["adjudications"]]
    assert said == [("lead", "acceptance", "accept"), ("second-lead", "acceptance", "reject")]
    (privacy,) = rows["adjudicated-on-privacy-alone"]["adjudications"]
    assert (privacy["subject"], rows["adjudicated-on-privacy-alone"]["codes"]) == ("privacy", ["review-disagreement"])


def test_refused_evidence_counts_for_nothing(sample: Path, rows: Rows) -> None:
    about = Counter(json.loads(line)["task_id"] for line in lines_of(sample, "reviews"))
    # The panel's, and twenty that are refused, of which one names another task.
    assert about["refused-reviews"] == 3 + 20 - 1
    assert sorted(one["reviewer"] for one in rows["refused-reviews"]["reviews"]) == ["ann", "ben", "cho"]
    assert len(rows["refused-executions"]["executions"]) == 1
    assert rows["refused-adjudications"]["adjudications"] == []
    assert rows["no-tests-are-pinned"]["executions"] == []


def test_gates_name_the_code_that_they_judged(sample: Path, rows: Rows) -> None:
    values = {value["task_id"]: value for value in map(json.loads, lines_of(sample, "annotations"))}

    def digests(text: str) -> list[str]:
        """Of the blocks of code in a text."""
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        return [hashlib.sha256(block.encode()).hexdigest() for block in blocks]

    def over(*several: str) -> str:
        return hashlib.sha256("".join(f"{digest}\n" for digest in several).encode()).hexdigest()

    judged = {name: {gate["gate"]: gate["evidence_sha256"] for gate in row["gates"]} for name, row in rows.items()}
    (code,) = digests(values["accepted-with-dissent"]["response_a"])
    (a,), (b,) = (digests(values["tie-with-both-tested"][seat]) for seat in ("response_a", "response_b"))
    (patch,) = digests(values["patch-is-judged"]["golden_patch"])
    (patched,) = digests(values["preferred-and-patched"]["golden_patch"])
    assert judged["accepted-with-dissent"]["syntax_valid"] == code
    assert judged["tie-with-both-tested"]["syntax_valid"] == over(a, b)
    assert judged["two-blocks"]["syntax_valid"] == over(*digests(values["two-blocks"]["response_a"]))
    assert judged["patch-is-judged"]["syntax_valid"] == patch
    assert judged["preferred-and-patched"]["syntax_valid"] == patched
    runs = {hashlib.sha256(line).hexdigest(): json.loads(line) for line in lines_of(sample, "code-executions")}
    assert runs[judged["accepted-with-dissent"]["required_tests_pass"]]["code_sha256"] == code
    both = {runs[sha256]["code_sha256"] for sha256 in rows["tie-with-both-tested"]["executions"]}
    assert both == {a, b}
    failed = runs[judged["tie-with-failing-b"]["required_tests_pass"]]
    assert failed["tests"]["failed"] == ["test_order"]
    assert failed["code_sha256"] == digests(values["tie-with-failing-b"]["response_b"])[0]


def test_what_clinical_answers_wait_for(sample: Path, ran: Ran) -> None:
    held = {task_of(sample, row): row for row in ran.refused("held") if row["stream"] == "clinical"}
    waiting = {
        name: [each["message"] for each in row["findings"] if each["code"] == "clinical-evidence-missing"]
        for name, row in held.items()
    }
    clinical, privacy, source = "qualified adjudication", "privacy review", "authorised source evidence"
    wanted = {
        "not-cleared-at-all": (clinical, privacy, source),
        "not-adjudicated": (clinical,),
        "adjudicated-by-the-unqualified": (clinical,),
        "privacy-not-reviewed": (privacy,),
        "privacy-refused": (privacy,),
        "source-not-authorised": (source,),
    }
    assert waiting == {name: [f"a clinical record waits for {', '.join(words)}"] for name, words in wanted.items()} | {
        "clinical-one-to-one": [],
        "scored-by-reviewers-alone": [],
    }
    assert all("raw" not in row for row in held.values())


def test_clinical_criteria_are_for_those_who_are_qualified(sample: Path, rows: Rows, ran: Ran) -> None:
    unheard = rows["scores-of-reviewers-do-not-weigh"]
    assert (unheard["outcome"], [each["scores"] for each in unheard["criteria"]]) == ("accepted", [["4"], ["4"]])
    assert {score["score"] for each in unheard["reviews"] for score in each["scores"]} == {"1"}
    assert rows["not-for-this-patient"]["criteria"][1]["scores"] == ["3.5"]
    assert rows["scored-by-reviewers-alone"]["codes"] == ["qualified-score-missing"]
    assert "clinical-relabelled" not in rows
    refused = {task_of(sample, row): row for row in ran.refused("rejected") if row["stream"] == "answers"}
    # The text of a clinical answer stays out of refused files, whatever it calls itself.
    assert "raw" not in refused["clinical-relabelled"]


def test_what_the_linter_finds_is_recorded_where_no_gate_asks(rows: Rows) -> None:
    row = rows["linter-decides-nothing"]
    assert (row["outcome"], row["linter"]) == ("accepted", [{"rule": "E711", "count": 1}, {"rule": "F401", "count": 1}])
    assert {row["linter"] is None for name, row in rows.items() if row["stream"] != "annotations"} == {True}
