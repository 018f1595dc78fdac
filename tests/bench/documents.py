"""Write a grounded-QA campaign of any size: documents of some kilobytes, records that quote them, and tasks.

python tests/bench/documents.py DIR DOCUMENTS RECORDS
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from pipeline.sample.bundles import citation, document, task
from pipeline.sample.manifest import empty_folder, manifest, shipped_pins, write_manifest
from pipeline.sample.pairwise import Record, line
from pipeline.sample.text import answer

_DOCUMENT_CHARACTERS = 10_000
_SHARDS = 8
_KINDS = {"answers": "grounded-qa-v1", "documents": "document-v1", "tasks": "input-task-v1"}


def write(output: Path, documents: int, records: int) -> Path:
    """The campaign's manifest; one record in a hundred misquotes."""
    empty_folder(output)
    random = Random(1)
    base = "\n".join(answer(random, f"B-{i}", 20) for i in range(200))
    for shard in range(_SHARDS):
        with (output / "shards" / f"documents-{shard}.jsonl").open("wb") as file:
            for number in range(shard, documents, _SHARDS):
                file.write(line(source(number, base)) + b"\n")
        answers = (output / "shards" / f"answers-{shard}.jsonl").open("wb")
        tasks = (output / "shards" / f"tasks-{shard}.jsonl").open("wb")
        with answers, tasks:
            for number in range(shard, records, _SHARDS):
                value, issued = cited(number, source(number % documents, base))
                answers.write(line(value) + b"\n")
                tasks.write(line(issued) + b"\n")
    streams = {
        stream: {"kind": kind, "versions": [kind], "input": f"shards/{stream}-*.jsonl"}
        for stream, kind in _KINDS.items()
    }
    campaign = manifest(
        "documents",
        "Many documents and records that quote them.",
        rubrics={},
        pins=shipped_pins(_KINDS.values()),
        streams=streams,
        without=[],
    )
    return write_manifest(output / "campaign.json", campaign)


def source(number: int, base: str) -> Record:
    """Document `number`: a window of `base` that begins with its own name."""
    at = number * 7919 % (len(base) - _DOCUMENT_CHARACTERS)
    return document(f"doc-{number:06d}", f"Document {number}.\n{base[at : at + _DOCUMENT_CHARACTERS]}")


def cited(number: int, of: Record) -> tuple[Record, Record]:
    """A record that quotes a document twice, and its task."""
    citations = []
    for start in (number % 5000, 5000 + number % 4000):
        shift = int(number % 100 == 0)
        citations.append(citation(of, start + shift, of["text"][start : start + 80]))
    value = {
        "task_id": f"qa-{number:07d}",
        "domain": "general_rag",
        "question": f"What does {of['document_id']} say (question {number})?",
        "answer": "It says what is quoted.",
        "citations": citations,
        "abstain": False,
    }
    issued = task(
        value["task_id"],
        "grounded_qa",
        "grounded-qa-v1",
        question=value["question"],
        documents=[of["document_id"]],
    )
    return value, issued


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
