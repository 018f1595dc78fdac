"""Jobs staged for Dataflow in an emulated bucket, and what is in them."""

from __future__ import annotations

import bz2
import json
import os
import re
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import apache_beam
import pytest
from apache_beam.portability.api import beam_runner_api_pb2
from commands import Said, assay
from emulators import download
from source_tree import ROOT

from transforms.storage.location import Remote

GIVEN = ("--runner=DataflowRunner", "--project=some-project", "--region=europe-west1", "--temp_location=gs://temp/jobs")
TEMPLATE = "template.json"
STORAGE = "storage.googleapis.com"
# The form in which Beam packs functions: bzip2 in base64.
_PACKED = re.compile(rb"QlpoOT[A-Za-z0-9+/]+=*")


@dataclass(frozen=True)
class StagedJob:
    """What the command said and left, the job as it would be sent, and every object of its bucket, by key."""

    said: Said
    left: list[str]
    job: dict[str, Any]
    objects: dict[str, bytes]

    @property
    def packages(self) -> dict[str, bytes]:
        """What the job tells workers to install or to keep, by name."""
        listed = self.job["environment"]["workerPools"][0].get("packages", [])
        return {one["name"]: self.objects[one["location"].removeprefix(f"{STORAGE}/temp/")] for one in listed}

    @property
    def options(self) -> dict[str, Any]:
        """Beam's options, as workers get them."""
        found: dict[str, Any] = self.job["environment"]["sdkPipelineOptions"]["options"]
        return found

    @property
    def pipeline(self) -> bytes:
        return self.objects[self.options["pipelineUrl"].removeprefix("gs://temp/")]

    @cached_property
    def transforms(self) -> dict[str, str]:
        """The URN of every step, by its name with those of the steps that it is part of."""
        graph = beam_runner_api_pb2.Pipeline.FromString(self.pipeline)
        return {one.unique_name: one.spec.urn for one in graph.components.transforms.values()}

    @property
    def unpacked(self) -> bytes:
        """The graph with all that is packed in it."""
        return b"\n".join(_unpack(self.pipeline))


def _unpack(data: bytes) -> Iterator[bytes]:
    yield data
    for found in _PACKED.findall(data):
        yield from _unpack(bz2.decompress(b64decode(found)))


def without_credentials(patch: pytest.MonkeyPatch) -> None:
    """Beam would look for credentials for half a minute, the emulator needs none."""
    from apache_beam.internal.gcp import auth

    patch.setattr(auth._Credentials, "_credentials_init", True)
    patch.setattr(auth._Credentials, "_credentials", None)


def stage(campaign: Remote, *flags: str) -> StagedJob:
    """Stage the job of `assay run` for a campaign in a bucket, with its output in that bucket too."""
    output = Remote(campaign.bucket, "out")
    template = f"--template_location=gs://temp/{TEMPLATE}"
    said = assay("run", campaign, "--output", output, "--run-id", "nightly", "--quiet", *GIVEN, template, *flags)
    objects = download(Remote("temp"))
    return StagedJob(said, list(download(output)), json.loads(objects[TEMPLATE]), objects)


def of_this_machine(data: bytes) -> list[bytes]:
    """Folders of this machine that the bytes name, but for those of Beam's files, which its own lambdas name."""
    beam = re.escape(os.fsencode(Path(apache_beam.__file__).parent))
    others = re.sub(beam + rb"/[\w/]+\.py", b"", data)
    folders = {os.fsencode(path) for path in (ROOT, Path.home(), Path(tempfile.gettempdir()))}
    return sorted(folder for folder in folders if folder in others)
