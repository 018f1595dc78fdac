"""Who works with files of this machine alone does not load what buckets need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import run
from source_tree import ROOT

SAMPLE = ROOT / "manifests" / "sample" / "campaign.json"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(SAMPLE, tmp_path_factory.mktemp("out"))


@pytest.mark.parametrize("command", ["check", "verify", "cat"])
def test_no_client_is_loaded_for(command: str, published: Path) -> None:
    script = (
        "import sys\n"
        "from pipeline.__main__ import run_command\n"
        f"code = run_command({[command, str(SAMPLE if command == 'check' else published)]!r})\n"
        "client = {'google.api_core', 'google.auth', 'google.cloud', 'google_crc32c', 'requests'}\n"
        "print(int(code), sorted(client & sys.modules.keys()), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "0 []\n"
