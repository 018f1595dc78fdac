"""The same shards and the same campaign give the same bytes, whoever runs them, where, and with how many workers."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pytest
from processes import assay, digests, sample, workers
from source_tree import ROOT

RECORDS = 400


@dataclass(frozen=True)
class Made:
    """A campaign, and the committed run of it that others are compared with."""

    campaign: Path
    run: Path


@dataclass(frozen=True)
class Way:
    """How to run the campaign: the environment and the flags."""

    about: str
    environment: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    umask: int = 0o022


WAYS = (
    Way("one worker, unordered sets", {"PYTHONHASHSEED": "1"}, workers(1)),
    Way("without asserts", {"PYTHONOPTIMIZE": "1"}, workers(2)),
    Way("a proxy that does not lead back", {"http_proxy": "http://127.0.0.1:9", "no_proxy": "example.org"}, workers(2)),
    Way("two workers, another time zone", {"TZ": "Asia/Kathmandu"}, workers(2)),
    Way("three workers, closed to others", {}, workers(3), 0o077),
    Way("three threads", {"PYTHONHASHSEED": "2"}, ("--direct_running_mode=multi_threading", "--direct_num_workers=3")),
    Way(
        "no locale, open to all",
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "America/St_Johns"},
        (),
        0o000,
    ),
)


def run(campaign: Path, output: Path, *flags: str, **how: Any) -> Path:
    """The folder of a run under the name that is derived from campaign and shards."""
    done = assay("run", campaign, "--output", output, "--quiet", *flags, **how)
    assert (done.returncode, done.stderr) == (0, "")
    (folder,) = (Path(how.get("cwd", ".")) / output).iterdir()
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("first")
    campaign = sample(folder / "campaign", RECORDS)
    return Made(campaign, run(campaign, folder / "out"))


def test_there_is_something_to_compare(made: Made) -> None:
    names = digests(made.run)
    for outcome, least in (("accepted", 10), ("rejected", 10), ("held", 3)):
        assert sum(name.startswith(f"{outcome}/") for name in names) > least
    assert {"manifest.json", "SHA256SUMS", "report.html", "campaign/campaign.json"} <= names.keys()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.about)
def test_a_way_to_run(way: Way, made: Made, tmp_path: Path) -> None:
    output = tmp_path / "elsewhere" / "out"
    again = run(made.campaign, output, *way.flags, environment=way.environment, umask=way.umask)
    assert again.name == made.run.name
    assert digests(again) == digests(made.run)


@pytest.mark.parametrize("order", [1, -1], ids=["in order", "in reverse"])
def test_patterns_in_any_order(order: int, made: Made, tmp_path: Path) -> None:
    shards = made.campaign.parent / "shards"
    patterns = [shards / "annotations-00000.jsonl", shards / "annotations-0000[12].jsonl*"][::order]
    flags = [flag for pattern in patterns for flag in ("--input", f"annotations={pattern}")]
    again = run(made.campaign, tmp_path / "out", *flags)
    assert digests(again) == digests(made.run)


def test_a_copy_of_the_campaign_run_from_another_folder(made: Made, tmp_path: Path) -> None:
    copy = tmp_path / "copied" / "to"
    shutil.copytree(made.campaign.parent, copy)
    again = run(Path("to/campaign.json"), Path("../out"), cwd=copy.parent, environment={"LANG": "de_DE.UTF-8"})
    assert again.parent.resolve() == tmp_path / "out"
    assert digests(again) == digests(made.run)


@pytest.mark.parametrize("flags", [workers(1), workers(2)], ids=["one worker", "two workers"])
def test_modules_in_the_working_folder_are_another_projects(flags: tuple[str, ...], tmp_path: Path) -> None:
    """Neither Beam's worker processes nor the one that checks answers take them for ours, or for the library's."""
    for name in ("pipeline", "transforms", "schemas", "sympy", "numpy"):
        (tmp_path / "work" / name).mkdir(parents=True)
        (tmp_path / "work" / name / "__init__.py").write_text("raise SystemExit('another project')\n", encoding="utf-8")
    command = [Path(sys.executable).with_name("assay"), "run", ROOT / "manifests/kinds/campaign.json", "--quiet"]
    for folder, how in ((tmp_path / "work", flags), (tmp_path, workers(1))):
        arguments = [*command, "--output", folder / "out", *how]
        done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert digests(tmp_path / "work" / "out") == digests(tmp_path / "out")


def test_nothing_says_where_or_who(made: Made, tmp_path: Path) -> None:
    who = {"USER": "zaphod", "LOGNAME": "zaphod", "HOME": str(tmp_path / "zaphod"), "HOSTNAME": "heartofgold"}
    output = tmp_path / "out"
    again = run(made.campaign, output, environment=who)
    words = [*who.values(), str(output), str(made.campaign.parent), socket.gethostname(), os.uname().nodename]
    telling = re.compile("|".join(rf"\b{re.escape(word.strip('/'))}\b" for word in words))
    manifest = orjson.loads((again / "manifest.json").read_bytes())
    texts = [*strings(manifest), (again / "report.html").read_text(encoding="utf-8")]
    texts += [(again / "SHA256SUMS").read_text(encoding="utf-8")]
    assert [text for text in texts if telling.search(text)] == []
    assert {row["uri"] for row in manifest["inputs"]} == {
        f"shards/annotations-{index:05d}.jsonl{suffix}" for index, suffix in enumerate(("", ".gz", ""))
    }


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value but the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from strings(member)
