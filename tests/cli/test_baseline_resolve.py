"""`assay baseline resolve`: what it prints, and its exit codes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from baseline_records import baseline, changed
from baseline_runs import ALL_STAND, measured, question, run_of_documents, stopped
from commands import Said, assay
from golden_campaigns import STREAM, by_plain_functions
from small_campaign import write_small
from test_start_up import HEAVY, loaded

INPUTS = "3fd0a91c4e77b2085a1d"
SMALL, WARM = baseline(), changed(baseline(), "covariateProfile", "temperature", "0")
STOPPED = stopped(measured({"model": "large-1", "region": "north"}))
ODD = measured({"größe\u202e": '"\x1b[2J'}, serviceContractId="ver\ntrag", serviceName="dienst\x07", inputsIdentity="é")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four identities, which tests must leave as they are."""
    folder = tmp_path_factory.mktemp("resolve")
    documents = {"cold.yaml": SMALL, "warm.yaml": WARM, "stopped.yaml": STOPPED, "odd/ä\x1b.yaml": ODD}
    return run_of_documents(folder, documents)


def ask(run: Path, *arguments: str) -> Said:
    return assay("baseline", "resolve", "--run", run, *arguments)


def asked(run: Path, *covariates: str, **changes: str) -> Said:
    """Ask for the contract, the service and the inputs of the first record, or for others, under these covariates."""
    options = {"contract": "contract", "service": "service", "inputs": INPUTS, **changes}
    named = [part for name, value in options.items() for part in (f"--{name}", value)]
    return ask(run, *named, *(part for covariate in covariates for part in ("--covariate", covariate)))


def differences(run: Path, *covariates: str, **changes: str) -> list[tuple[str, list[str]]]:
    """Shard and differences of each near miss, where nothing answers."""
    said = asked(run, *covariates, **changes)
    assert (said.code, said.err) == (1, "assay: no baseline answers\n")
    found: list[tuple[str, list[str]]] = []
    for line in said.out.splitlines():
        if line.startswith("near: "):
            found.append((line.removeprefix(f"near: {STREAM}/").removesuffix(" line 1"), []))
        else:
            found[-1][1].append(line.strip())
    return found


def test_a_match(run: Path) -> None:
    said = asked(run, "temperature=0.0", "model=small-4")
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "match: annotations/cold.yaml line 1\n"
        "  record_sha256    74d298e55a718c6a65724a7eb3293e23f13a1f8d4f65e9580c9ed580e68b1ba6\n"
        "  fingerprint      verified over the form text\n"
        "  generatedAt      2026-08-03T12:00:00+00:00\n"
        "  execution        10 of 10 samples, COMPLETED\n"
        "  confidenceLevel  0.95\n"
        "  expires          90 days after generatedAt, at 2026-11-01T12:00:00Z\n"
        "\n"
        "  criterion  mode           successes/trials  observedPassRate  wilsonLowerBound\n"
        "  c          inferential    8/10              0.800000          0.540793\n"
        "  seen       observational  10/10             -                 -\n"
    )


def test_a_match_as_json(run: Path) -> None:
    said = ask(run, *question(SMALL), "--format", "json")
    assert (said.code, said.err) == (0, "")
    answer = json.loads(said.out)
    assert answer == {
        "match": {
            "place": {"stream": "annotations", "shard": "cold.yaml", "line": 1},
            "record_sha256": "74d298e55a718c6a65724a7eb3293e23f13a1f8d4f65e9580c9ed580e68b1ba6",
            "fingerprint_form": "text",
            "generatedAt": "2026-08-03T12:00:00+00:00",
            "execution": {"samplesPlanned": 10, "samplesExecuted": 10, "terminationReason": "COMPLETED"},
            "confidenceLevel": 0.95,
            "expiration": {"expiresInDays": 90, "expiresAt": "2026-11-01T12:00:00Z"},
            "criteria": [
                {
                    "name": "c",
                    "mode": "inferential",
                    "successes": 8,
                    "trials": 10,
                    "observedPassRate": 0.8,
                    "wilsonLowerBound": 0.540793,
                },
                {"name": "seen", "mode": "observational", "successes": 10, "trials": 10},
            ],
        },
        "refused_incomplete": [],
        "near": [],
    }
    assert json.dumps(answer, indent=2) + "\n" == said.out
    assert ask(run, *question(SMALL), "--format", "json") == said


@pytest.mark.parametrize(("value", "shard"), [(SMALL, "cold.yaml"), (WARM, "warm.yaml"), (ODD, "odd/ä\x1b.yaml")])
def test_each_identity_has_its_own_record(value: Any, shard: str, run: Path) -> None:
    said = ask(run, *question(value), "--format", "json")
    assert (said.code, json.loads(said.out)["match"]["place"]["shard"]) == (0, shard)


# Near misses.


def test_a_covariate_of_another_value_the_closest_first(run: Path) -> None:
    assert differences(run, "model=small-4", "temperature=0.00") == [
        ("cold.yaml", ['covariateProfile/temperature: asked for "0.00", there is "0.0"']),
        ("warm.yaml", ['covariateProfile/temperature: asked for "0.00", there is "0"']),
        (
            "stopped.yaml",
            [
                'covariateProfile/model: asked for "small-4", there is "large-1"',
                'covariateProfile/region: not asked for, there is "north"',
                'covariateProfile/temperature: asked for "0.00", there is none',
            ],
        ),
    ]


def test_a_covariate_less_and_one_more(run: Path) -> None:
    assert differences(run, "model=small-4")[0] == (
        "cold.yaml",
        ['covariateProfile/temperature: not asked for, there is "0.0"'],
    )
    assert differences(run, "model=small-4", "temperature=0", "region=")[0] == (
        "warm.yaml",
        ['covariateProfile/region: asked for "", there is none'],
    )


def test_the_parts_that_are_no_covariates(run: Path) -> None:
    assert differences(run, "model=small-4", "temperature=0.0", contract="Contract", inputs="0")[0] == (
        "cold.yaml",
        [
            'serviceContractId: asked for "Contract", there is "contract"',
            f'inputsIdentity: asked for "0", there is "{INPUTS}"',
        ],
    )


def test_near_misses_as_json(run: Path) -> None:
    said = ask(
        run, *question(changed(SMALL, "covariateProfile", {"model": "small-4", "seed": "1"})), "--format", "json"
    )
    assert (said.code, said.err) == (1, "assay: no baseline answers\n")
    answer = json.loads(said.out)
    assert (answer["match"], answer["refused_incomplete"]) == (None, [])
    assert answer["near"][0] == {
        "place": {"stream": "annotations", "shard": "cold.yaml", "line": 1},
        "differences": [
            {"key": "covariateProfile/seed", "wanted": "1", "found": None},
            {"key": "covariateProfile/temperature", "wanted": None, "found": "0.0"},
        ],
    }
    assert [near["place"]["shard"] for near in answer["near"]] == ["cold.yaml", "warm.yaml", "stopped.yaml"]
    assert json.dumps(answer, indent=2) + "\n" == said.out


def test_nothing_is_near(run: Path) -> None:
    said = asked(run, contract="a", service="b", inputs="c")
    assert (said.code, said.out, said.err) == (1, "", "assay: no baseline answers\n")
    said = ask(run, "--contract", "a", "--service", "b", "--inputs", "c", "--format", "json")
    assert (said.code, json.loads(said.out)) == (1, {"match": None, "refused_incomplete": [], "near": []})


# Runs that did not complete.


def test_an_incomplete_one_is_refused_and_named(run: Path) -> None:
    said = ask(run, *question(STOPPED))
    assert (said.code, said.err) == (1, "assay: no baseline answers\n")
    assert said.out.splitlines()[0] == (
        "refused: annotations/stopped.yaml line 1: its run did not complete: BUDGET_TIME_EXHAUSTED"
    )
    assert [line for line in said.out.splitlines() if not line.startswith(" ")][1:] == [
        "near: annotations/cold.yaml line 1",
        "near: annotations/warm.yaml line 1",
    ]
    answer = json.loads(ask(run, *question(STOPPED), "--format", "json").out)
    assert answer["refused_incomplete"] == [
        {
            "place": {"stream": "annotations", "shard": "stopped.yaml", "line": 1},
            "terminationReason": "BUDGET_TIME_EXHAUSTED",
        }
    ]


def test_an_incomplete_one_that_is_asked_for(run: Path) -> None:
    said = ask(run, *question(STOPPED), "--include-incomplete")
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "match: annotations/stopped.yaml line 1"
    assert lines[4] == "  execution        10 of 20 samples, BUDGET_TIME_EXHAUSTED"


def test_an_older_one_that_completed_answers(tmp_path: Path) -> None:
    newer = stopped({**SMALL, "generatedAt": "2026-08-04T12:00:00Z", "expiration": {"expiresInDays": 7}}, "ABORT\n")
    run = run_of_documents(tmp_path, {"a.yaml": SMALL, "b.yaml": newer}, ALL_STAND)
    said = ask(run, *question(SMALL))
    assert (said.code, said.out.splitlines()[0]) == (0, "match: annotations/a.yaml line 1")
    assert said.out.splitlines()[-1] == "refused: annotations/b.yaml line 1: its run did not complete: ABORT\\n"
    said = ask(run, *question(SMALL), "--include-incomplete")
    assert (said.code, said.out.splitlines()[0]) == (0, "match: annotations/b.yaml line 1")
    assert "  expires          7 days after generatedAt\n" in said.out


# Unusual names and values.


def test_unusual_names_are_shown_escaped(run: Path) -> None:
    said = ask(run, *question(changed(ODD, "covariateProfile", {"größe": "1"})))
    assert said.code == 1
    assert said.out == (
        "near: annotations/odd/ä\\x1b.yaml line 1\n"
        '  covariateProfile/größe: asked for "1", there is none\n'
        '  covariateProfile/größe\\u202e: not asked for, there is "\\"\\u001b[2J"\n'
    )


def test_unusual_criteria(tmp_path: Path) -> None:
    seen = {"mode": "observational", "trials": 0, "successes": 0}
    value = measured(
        criteria={
            "a\nb": seen,
            "c": {"mode": "inferential", "trials": 0, "successes": 0, "wilsonLowerBound": None},
        },
        execution={"samplesPlanned": 0, "samplesExecuted": 0, "terminationReason": "COMPLETED"},
        confidenceLevel=0.5,
    )
    del value["latency"], value["expiration"]
    said = ask(run_of_documents(tmp_path, {"a.yaml": value}), *question(value))
    assert said.code == 0
    assert said.out.splitlines()[3:] == [
        "  generatedAt      2026-08-03T12:00:00+00:00",
        "  execution        0 of 0 samples, COMPLETED",
        "  confidenceLevel  0.5",
        "",
        "  criterion  mode           successes/trials  observedPassRate  wilsonLowerBound",
        "  a\\nb       observational  0/0               -                 -",
        "  c          inferential    0/0               -                 null",
    ]


@pytest.mark.parametrize("name", ["~", "file:", "a:b?c", os.fsdecode(b"\xff")])
def test_a_run_in_a_folder_of_an_unusual_name(
    name: str, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(run, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    said = ask(Path(name), *question(SMALL))
    assert (said.code, said.out.splitlines()[0]) == (0, "match: annotations/cold.yaml line 1")


# What cannot be asked.


def test_a_file_that_was_tampered_with(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    file = copy / "accepted" / STREAM / "documents-b00000.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"2")
    said = ask(copy, *question(SMALL))
    assert (said.code, said.out) == (3, "")
    assert said.err == f"assay: {file}: its SHA-256 is not the listed one\n"


def test_no_run(tmp_path: Path) -> None:
    said = ask(tmp_path / "none\n", *question(SMALL))
    assert (said.code, said.out) == (2, "")
    shown = f"{tmp_path}/none\\n is no committed run: No such file or directory"
    assert said.err == f"assay: manifest-missing: manifest.json: {shown}\n"


def test_a_run_without_baselines(tmp_path: Path) -> None:
    run = by_plain_functions(write_small(tmp_path / "c"), tmp_path / "out").folder
    said = ask(run, *question(SMALL))
    assert (said.code, said.out, said.err) == (2, "", f"assay: {run}: none of its streams holds baselines\n")


@pytest.mark.parametrize(
    ("covariates", "reason"),
    [
        (("model",), "--covariate 'model': KEY=VALUE is wanted"),
        (("model=a", "seed=1", "model=b"), "--covariate 'model=b': 'model' was given before"),
    ],
)
def test_covariates_that_are_none(covariates: tuple[str, ...], reason: str, run: Path) -> None:
    said = asked(run, *covariates)
    assert (said.code, said.out, said.err) == (2, "", f"assay: {reason}\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["resolve"], "Missing option '--run'."),
        (["resolve", "--run", "r", "--contract", "c", "--service", "s"], "Missing option '--inputs'."),
        (["other"], "No such command 'other'."),
    ],
)
def test_usage(arguments: list[str], reason: str) -> None:
    said = assay("baseline", *arguments)
    assert (said.code, said.out, said.err) == (2, "", f"assay: {reason}\n")


@pytest.mark.parametrize(
    "arguments", [["--help"], ["baseline", "--help"], ["baseline", "resolve", "--help"]], ids=" ".join
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded(*arguments) & HEAVY == set()
