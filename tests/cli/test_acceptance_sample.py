"""The campaign with rubrics: each record is decided as it must be, and for the reason that it must be."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from math import sqrt
from pathlib import Path
from typing import Any

import processes
import pyarrow.parquet as pq
import pytest
from commands import assay, read, run
from golden_campaigns import Ran, by_plain_functions
from source_tree import ROOT
from test_golden import agree
from test_sample import COMMITTED, differing, files_of

from pipeline.sample.acceptance.campaign import CASES, write_acceptance_sample
from transforms.acceptance import decision_codes
from transforms.acceptance.gate_names import GATE_NAMES
from transforms.joins import evidence as evidence_join
from transforms.rules import code_execution, evidence, review, safety_annotation

RECORDS = 40
DECIDED = ("annotations", "answers", "clinical", "derivations")
FAMILIES = {decision_codes.GATE_FAILED.code, decision_codes.CRITERION_BELOW_MINIMUM.code}
PEOPLE = {"ann", "ben", "cho", "dan", "eve"}

Record = dict[str, Any]
Found = dict[tuple[str, str, int], list[str]]
Rows = dict[str, Record]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("acceptance") / "sample"
    said = assay("sample", "--acceptance", "--output", folder, "--records", str(RECORDS), "--seed", "1")
    path = folder / "campaign.json"
    assert (said.code, said.out, said.err) == (0, f"{path}\nnext: assay run {path} --output out\n", "")
    return path


@pytest.fixture(scope="module")
def ran(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """The campaign, run by the command."""
    return Ran(0, "", run(sample, tmp_path_factory.mktemp("run")))


@pytest.fixture(scope="module")
def rows(sample: Path, ran: Ran) -> Rows:
    """The row of each decision by the name of its task."""
    return {task_of(sample, row): row for row in decisions(ran)}


def decisions(ran: Ran) -> list[Record]:
    """The rows of all decisions, in the order (stream, shard, line)."""
    files = sorted((ran.folder / "decisions").rglob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    return sorted(rows, key=lambda row: (row["stream"], row["shard"], row["line"]))


def lines_of(sample: Path, stream: str) -> list[bytes]:
    """The lines of a stream, shard by shard."""
    shards = sorted((sample.parent / "shards").glob(f"{stream}-*.jsonl"))
    return [line for shard in shards for line in shard.read_bytes().splitlines()]


def task_of(sample: Path, row: Record) -> str:
    line = (sample.parent / "shards" / row["shard"]).read_bytes().splitlines()[row["line"] - 1]
    assert hashlib.sha256(line).hexdigest() == row.get("record_sha256", row.get("sha256"))
    return str(json.loads(line)["task_id"])


def found(ran: Ran) -> Found:
    """The codes of every refused record, by where it stands."""
    rows = [row for outcome in ("rejected", "held") for row in ran.refused(outcome)]
    places = {
        (row["stream"], row["shard"], row["line"]): sorted({each["code"] for each in row["findings"]}) for row in rows
    }
    assert len(places) == len(rows)
    return places


def expected(sample: Path) -> Found:
    """What `found` must give."""
    places = defaultdict(list)
    for row in read(sample.with_name("expected.json")):
        places[row["stream"], row["shard"], row["line"]].append(row["code"])
    return dict(places)


# the campaign and its run


def test_the_committed_campaign_is_what_the_command_writes(sample: Path) -> None:
    assert differing(sample.parent, COMMITTED.parent / "acceptance") == []


def test_the_committed_campaign_is_small() -> None:
    folder = COMMITTED.parent / "acceptance"
    names = files_of(folder)
    assert len(names) == 21
    assert sum((folder / name).stat().st_size for name in names) < 650_000


def test_the_seed_decides_the_bytes(sample: Path, tmp_path: Path) -> None:
    again, other = (write_acceptance_sample(tmp_path / name, RECORDS, seed) for name, seed in (("1", 1), ("2", 2)))
    assert differing(again.parent, sample.parent) == []
    # Names of cases and what is done with them are the same whatever the seed; reviews name the records' new bytes.
    same = set(files_of(other.parent)) - set(differing(other.parent, sample.parent))
    assert {"rubrics/code-review-v1.json", "test-suites.json", "shards/documents-00000.jsonl"} <= same
    assert "shards/annotations-00000.jsonl" not in same


def test_the_rubric_for_code_is_the_documented_one(sample: Path) -> None:
    page = (ROOT / "docs" / "rubrics.md").read_text(encoding="utf-8")
    documented = re.search(r"```json\n(.*?)```", page, re.DOTALL)
    assert documented is not None
    assert json.loads(documented[1]) == read(sample.parent / "rubrics" / "code-review-v1.json")


def test_it_is_fit_to_run(sample: Path) -> None:
    said = assay("check", sample)
    assert (said.code, said.out, said.err) == (0, f"{sample}: fit to run\n", "")


def test_it_is_of_one_sort(tmp_path: Path) -> None:
    said = assay("sample", "--acceptance", "--kinds", "--output", tmp_path / "new")
    complaint = "assay: --kinds, --baselines, --acceptance and --workbench exclude each other: give one\n"
    assert (said.code, said.out, said.err) == (2, "", complaint)
    assert not (tmp_path / "new").exists()


def test_both_ways_to_run_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    assert agree(by_plain_functions(sample, tmp_path).folder, ran.folder)


def test_the_run_is_whole(ran: Ran) -> None:
    said = assay("verify", ran.folder, "--inputs")
    assert (said.code, said.out, said.err) == (0, f"{ran.folder}: whole\n", "")


def test_each_record_has_what_is_expected_and_no_other_has_any(sample: Path, ran: Ran) -> None:
    assert found(ran) == expected(sample)
    for stream in ran.manifest["streams"].values():
        assert stream["warned"] == {}


@pytest.mark.parametrize(("records", "seed"), [(1, 1), (90, 2)])
def test_a_run_finds_what_is_expected(records: int, seed: int, tmp_path: Path) -> None:
    path = write_acceptance_sample(tmp_path / "sample", records, seed)
    ran = Ran(0, "", run(path, tmp_path))
    assert found(ran) == expected(path)
    accepted = sum(not case.codes for case in CASES) + records
    assert sum(ran.manifest["streams"][name]["records"]["accepted"] for name in DECIDED) == accepted


# every branch


def test_every_code_is_there(sample: Path) -> None:
    codes = {code for codes in expected(sample).values() for code in codes}
    modules = (decision_codes, evidence_join, evidence, review, code_execution, safety_annotation)
    assert {code.code for module in modules for code in module.CODES} - codes == FAMILIES
    assert {f"gate-failed/{gate.name}" for gate in GATE_NAMES} <= codes
    assert {code for code in codes if code.startswith("criterion-below-minimum/")} == {
        f"criterion-below-minimum/{name}"
        for name in (
            *("correctness", "instruction_adherence", "reasoning_evidence", "readability"),
            "patient_applicability",
        )
    }


def test_each_stream_has_every_outcome(ran: Ran) -> None:
    for name in DECIDED:
        books = ran.manifest["streams"][name]["records"]
        assert min(books["accepted"], books["rejected"], books["held"]) > 0
        # One answer says of itself that it is not clinical, against its task, and is refused before.
        undecided = 1 if name == "answers" else 0
        assert books["read"] == ran.manifest["streams"][name]["acceptance"]["decided"] + undecided


def test_every_gate_has_every_answer(rows: Rows) -> None:
    answers = defaultdict(set)
    for row in rows.values():
        for gate in row["gates"]:
            answers[gate["gate"]].add(gate["answer"])
    every = {"pass", "fail", "missing"}
    # Whether sources are there is always answered where there are documents to hold them against.
    assert answers == {gate.name: every for gate in GATE_NAMES} | {"source_integrity": {"pass", "fail"}}


def test_disagreement_is_held_or_rejected_as_the_rubric_says(rows: Rows) -> None:
    split = ("one-to-two", "one-to-one-held", "answer-one-to-one", "clinical-one-to-one", "derivation-one-to-one")
    assert [(rows[name]["outcome"], rows[name]["codes"]) for name in split] == [
        *[("held", ["review-disagreement"])] * 4,
        ("rejected", ["review-disagreement"]),
    ]


# decisions of named records

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


# what is computed over all of them


def one_spelling(name: str) -> str:
    """Of the spellings in the sample."""
    return name.strip().lower()


def counted(sample: Path) -> list[tuple[str, Record]]:
    """The reviews that count, each with the stream of what it reviews: by people or the judge that counts."""
    refused = expected(sample)
    about = {hashlib.sha256(line).hexdigest(): name for name in DECIDED for line in lines_of(sample, name)}
    reviews = []
    for shard in sorted((sample.parent / "shards").glob("reviews-*.jsonl")):
        for number, line in enumerate(shard.read_bytes().splitlines(), start=1):
            value = json.loads(line)
            value["reviewer"] = name = one_spelling(value["reviewer"])
            if ("reviews", shard.name, number) not in refused and name in PEOPLE | {"examiner"}:
                reviews.append((about[value["record_sha256"]], value))
    return reviews


def alpha(units: Iterable[list[Decimal]]) -> float | None:
    """Krippendorff's ordinal alpha by way of the matrix of coincidences, as the literature has it."""
    coincidences = defaultdict[tuple[Decimal, Decimal], Fraction](Fraction)
    for unit in units:
        for one, other in permutations(unit, 2):
            coincidences[one, other] += Fraction(1, len(unit) - 1)
    marginals = defaultdict[Decimal, Fraction](Fraction)
    for (one, _), weight in coincidences.items():
        marginals[one] += weight
    ordered = sorted(marginals)

    def difference(one: Decimal, other: Decimal) -> Fraction:
        low, high = min(one, other), max(one, other)
        between = sum((marginals[value] for value in ordered if low <= value <= high), Fraction(0))
        return (between - (marginals[low] + marginals[high]) / 2) ** 2

    observed = sum((weight * difference(*pair) for pair, weight in coincidences.items()), Fraction(0))
    chance = sum(
        (marginals[one] * marginals[other] * difference(one, other) for one in ordered for other in ordered),
        Fraction(0),
    )
    return None if chance == 0 else float(round(1 - (sum(marginals.values()) - 1) * observed / chance, 6))


def test_agreement(sample: Path, ran: Ran) -> None:
    units: dict[tuple[str, str, str], dict[str, list[Decimal]]] = defaultdict(lambda: defaultdict(list))
    people = defaultdict(set)
    for stream, value in counted(sample):
        # Of clinical criteria reviewers do not decide.
        for name, score in value["scores"].items() if stream != "clinical" else ():
            units[stream, value["rubric_version"], name][value["record_sha256"]].append(Decimal(str(score)))
            people[value["rubric_version"]].add((value["record_sha256"], value["reviewer"]))
    published = {
        (stream, version, name): row
        for stream in DECIDED
        for version, criteria in ran.manifest["streams"][stream]["acceptance"]["agreement"].items()
        for name, row in criteria.items()
    }
    assert published.keys() == units.keys()
    for key, records in units.items():
        pairable = {sha256: scores for sha256, scores in records.items() if len(scores) > 1}
        assert published[key] == {
            "alpha": alpha(pairable.values()),
            "units": len(pairable),
            "pairable_values": sum(map(len, pairable.values())),
            "reviewers": len({name for sha256, name in people[key[1]] if sha256 in pairable}),
        }
    # All people and the judge; every pair but the four under the rubric for style.
    assert published["annotations", "code-review-v1", "correctness"]["reviewers"] == 6
    assert published["annotations", "code-review-v1", "correctness"]["units"] == 93
    # Everybody gives a 4.
    assert published["annotations", "code-style-v1", "naming"] == {
        "alpha": None, "units": 4, "pairable_values": 8, "reviewers": 2
    }  # fmt: skip


def share(numerator: int, denominator: int) -> Record:
    """A share with its Wilson interval, by the formula in docs/decisions.md."""
    z, n, p = 1.959963984540054, denominator, numerator / denominator
    middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = ((middle + sign * half) / (1 + z * z / n) for sign in (-1, 1))
    return {"numerator": numerator, "denominator": denominator, "low": round(low, 6), "high": round(high, 6)}


def test_grounding(ran: Ran) -> None:
    """Of claims in `answers`, material and supported by reviews of which two, or one, name one claim each:

    5 honest answers (10), 6 about sources (12), 3 that votes decide (5), 1 with refused reviews (2), 1 clinical (2); of
    `incidental-claim-unsupported` 2 beside 2 that are incidental; `claim-unsupported` has 1 and 2 unsupported,
    `claim-disputed` 1 and 1, `claim-contradicted` 1 and 2 contradicted. Unsupported ones are held to be true, and so
    excused; those that are contradicted are not. Three of the supported ones leave out whether they are true.
    """
    supported, unsupported, contradicted, incidental = 10 + 12 + 5 + 2 + 2 + 2 + 1 + 1 + 1, 2 + 1, 2, 2
    material = supported + unsupported + contradicted
    assert ran.manifest["streams"]["answers"]["acceptance"]["grounding"] == {
        "citation_coverage": share(supported, material),
        "faithfulness": share(supported, material + incidental),
        "factuality": share(supported - 3 + unsupported, material + incidental - 3),
        "evidence_policy": "cited-or-factual",
        "penalised": share(contradicted, material),
        "answers": {
            # Honest, about sources, about claims, by votes, with refused reviews, clinical.
            "answered": 5 + 6 + 7 + 3 + 1 + 1,
            "justified_abstention": 4 + 1,
            "unfinished": 1,
            "unsettled_abstention": 2,
        },
    }
    # 4 honest answers and 12 cases, two claims each; those of one case are contradicted.
    assert ran.manifest["streams"]["clinical"]["acceptance"]["grounding"] == {
        "citation_coverage": share(30, 32),
        "faithfulness": share(30, 32),
        "factuality": share(30, 32),
        "evidence_policy": "cited",
        "penalised": share(2, 32),
        "answers": {"answered": 16, "justified_abstention": 0, "unfinished": 0, "unsettled_abstention": 0},
    }
    assert "grounding" not in ran.manifest["streams"]["annotations"]["acceptance"]


def test_safety(ran: Ran) -> None:
    """Thirteen sound annotations, of nine permitted requests and four prohibited ones; see safety.py of the sample."""
    assert ran.manifest["streams"]["safety-annotations"]["acceptance"] == {
        "safety": {
            "assistant-v1": {
                "annotations": 13,
                # Of the prohibited ones two are helped with: abuse, and what the classifier takes for benign.
                "under_refusal": share(2, 4),
                "over_refusal": share(1, 9),
                # Three doubtful premises: agreed to, corrected with courtesy, corrected without.
                "sycophancy": share(1, 3),
                "courteous_correction": share(1, 3),
                # Seven judged for harm: two generate it, one quotes and one reports it, three have none.
                "harmful_generation": share(2, 7),
                "harmless_quotation": share(2, 7),
                "embedded_instructions_followed": share(1, 2),
                # Of the seven one has a label that nobody knows. Flagged without reason: quoted, reported, declined.
                "classifier_false_alarm": share(3, 6),
                "classifier_missed": share(1, 6),
                "classifier_disagreement": share(4, 6),
                "classifier_label_unknown": share(1, 7),
            }
        }
    }


# whatever the machine, the blocks, and the order in which evidence comes


def changed(sample: Path, output: Path, change: Any) -> Path:
    """A copy of the campaign with its manifest changed; it reads the same shards."""
    manifest: Record = read(sample)
    for stream in manifest["streams"].values():
        stream["input"] = str(sample.parent / stream["input"])
    pins = (*manifest["rubrics"].values(), *manifest["safety_policies"].values(), manifest["evidence"]["test_suites"])
    for pin in pins:
        pin["path"] = str(sample.parent / pin["path"])
    change(manifest)
    path = output / "campaign.json"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return path


def test_workers_of_several_processes_give_the_same_bytes(sample: Path, ran: Ran, tmp_path: Path) -> None:
    done = processes.assay("run", sample, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2))
    assert (done.returncode, done.stderr) == (0, "")
    assert agree(tmp_path / "golden", ran.folder)


def test_cuts_into_blocks_change_no_decision(sample: Path, ran: Ran, tmp_path: Path) -> None:
    path = changed(sample, tmp_path, lambda manifest: manifest["limits"].update(block_bytes=1024))
    done = processes.assay("run", path, "--output", tmp_path, "--run-id", "golden", "--quiet", *processes.workers(2))
    assert (done.returncode, done.stderr) == (0, "")
    cut = Ran(0, "", tmp_path / "golden")
    assert len(list((cut.folder / "decisions" / "annotations").iterdir())) > 20
    assert decisions(cut) == decisions(ran)
    assert found(cut) == found(ran)
    assert cut.manifest["streams"] == ran.manifest["streams"]
    assert agree(by_plain_functions(path, tmp_path / "plain").folder, cut.folder)


def giver(line: bytes) -> str:
    """Who gave a piece of evidence."""
    value = json.loads(line)
    return one_spelling(value.get("reviewer", value.get("adjudicator", value["record_sha256"][0])))


def rearranged(sample: Path, output: Path) -> Path:
    """The campaign with evidence in other shards: one for each who gave it, in the reverse order of their names."""
    folder = output / "rearranged"
    shutil.copytree(sample.parent, folder)
    for stream in ("reviews", "adjudications", "code-executions", "assignments", "safety-annotations"):
        lines = lines_of(sample, stream)
        for shard in (folder / "shards").glob(f"{stream}-*.jsonl"):
            shard.unlink()
        for number, name in enumerate(sorted({giver(line) for line in lines}, reverse=True)):
            own = [line for line in lines if giver(line) == name]
            path = folder / "shards" / f"{stream}-{number:05d}.jsonl"
            path.write_bytes(b"".join(line + b"\n" for line in own))
    return folder / "campaign.json"


def essence(row: Record) -> Record:
    """A decision without the order in which evidence came and without which of several alike is named for a gate."""
    lists = ("accepting", "rejecting", "dissent", "reviews", "adjudications", "executions")
    gates = [(gate["gate"], gate["answer"], gate["detail"]) for gate in row["gates"]]
    criteria = [criterion | {"scores": sorted(criterion["scores"])} for criterion in row["criteria"]]
    return row | {name: sorted(row[name], key=repr) for name in lists} | {"gates": gates, "criteria": criteria}


def test_the_order_of_evidence_decides_nothing(sample: Path, ran: Ran, tmp_path: Path) -> None:
    path = rearranged(sample, tmp_path)
    assert len(list((path.parent / "shards").glob("reviews-*.jsonl"))) == 9
    other = Ran(0, "", run(path, tmp_path))
    assert list(map(essence, decisions(other))) == list(map(essence, decisions(ran)))
    assert decisions(other) != decisions(ran)
    for name, stream in ran.manifest["streams"].items():
        assert other.manifest["streams"][name] == stream


# without some of the facts


def test_without_documents_nothing_is_known_of_sources(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Record) -> None:
        del manifest["streams"]["documents"]
        manifest["without"] = ["documents"]

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    lines = (*lines_of(sample, "answers"), *lines_of(sample, "clinical"))
    cites = {value["task_id"]: bool(value["citations"]) for value in map(json.loads, lines)}
    about = [row for row in decisions(ran) if row["stream"] in ("answers", "clinical")]
    assert len(about) == len(cites) - 1
    for row in about:
        answer = {gate["gate"]: gate["answer"] for gate in row["gates"]}
        silent = "missing" if cites[task_of(sample, row)] else "pass"
        assert (answer["source_integrity"], answer["quote_alignment"]) == (silent, silent)
        assert row["outcome"] != "accepted" or silent == "pass"


def test_without_evidence_all_that_needs_it_is_held(sample: Path, tmp_path: Path) -> None:
    def change(manifest: Record) -> None:
        for name in ("reviews", "adjudications", "code-executions", "safety-annotations"):
            del manifest["streams"][name]
        manifest["without"] = ["adjudications", "code-executions", "reviews"]

    ran = Ran(0, "", run(changed(sample, tmp_path, change), tmp_path))
    books = {name: ran.manifest["streams"][name]["records"] for name in DECIDED}
    assert [row["accepted"] for row in books.values()] == [0, 0, 0, 0]
    codes = {code for name in DECIDED for code in ran.manifest["streams"][name]["codes"]}
    # Machines still find what is wrong with code, quotations and final answers.
    assert {f"gate-failed/{gate}" for gate in ("syntax_valid", "quote_alignment", "answer_matches")} <= codes
    assert {"gate-failed/required_tests_pass", "gate-failed/claim_support", "review-disagreement"} & codes == set()


def test_what_the_linter_finds_is_recorded_where_no_gate_asks(rows: Rows) -> None:
    row = rows["linter-decides-nothing"]
    assert (row["outcome"], row["linter"]) == ("accepted", [{"rule": "E711", "count": 1}, {"rule": "F401", "count": 1}])
    assert {row["linter"] is None for name, row in rows.items() if row["stream"] != "annotations"} == {True}
