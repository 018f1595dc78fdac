"""Annotations of each kind, with the task and the documents that they rest on."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pipeline.sample.acceptance.case import Build, Row, Subject
from pipeline.sample.acceptance.programs import COUNTS, KEEPS_ORDER
from pipeline.sample.acceptance.rubrics import CLINICAL, CODE, DERIVATION, GROUNDED
from pipeline.sample.acceptance.trusted import CONTRIBUTORS
from pipeline.sample.bundles import citation, document, numeric_expected, symbolic_expected, task
from pipeline.sample.pairwise import Record
from pipeline.sample.text import prompt, rationale
from transforms.digests import sha256_hex

Blocks = tuple[str, ...]
_JUDGED = {"A": ("A",), "B": ("B",), "tie": ("A", "B"), "neither": ("patch",)}


def pair(
    preference: str = "A",
    *,
    a: Blocks = (KEEPS_ORDER,),
    b: Blocks = (COUNTS,),
    patch: Blocks | None = None,
    rubric: str = CODE,
    says: str = "",
) -> Build:
    """A preference pair; `a`, `b` and `patch` are the blocks of code in each text, and `says` ends the rationale."""
    blocks = {"A": a, "B": b, "patch": patch}

    def build(random: Random, task_id: str) -> Subject:
        name = task_id.replace("-", "_")
        texts = {seat: _text(seat, _named(own, name)) for seat, own in blocks.items() if own is not None}
        value: Record = {
            "task_id": task_id,
            "messages": [{"role": "user", "content": prompt(random, task_id)}],
            "response_a": texts["A"],
            "response_b": texts["B"],
            "preference": preference,
            "rationale": rationale(random, preference) + says,
            "golden_patch": texts.get("patch"),
            "schema_version": "pairwise-v2",
            "rubric_version": rubric,
            "ratings": {key: random.randint(3, 5) for key in ("factuality", "reasoning", "style")}
            | {"instruction_adherence": 4},
        }
        shown = {key: value[key] for key in ("messages", "response_a", "response_b")}
        issued = _task(task_id, "pairwise", "pairwise-v2", rubric_version=rubric, **shown)
        judged = ("patch",) if patch is not None else _JUDGED[preference]
        programs = tuple(_program(_named(blocks[seat] or (), name)) for seat in judged)
        return Subject("annotations", rubric, value, (issued,), programs)

    return build


def _named(blocks: Blocks, name: str) -> Blocks:
    return tuple(block.format(name=name) for block in blocks)


def _text(seat: str, blocks: Blocks) -> str:
    prose = {"A": "First way.", "B": "Second way.", "patch": "Corrected."}[seat]
    return "\n\n".join((f"{prose} It reads the input once.", *(f"```python\n{block}```" for block in blocks)))


def _program(blocks: Blocks) -> str:
    """The digest of the code in a text: that of its block, or that over the digests of several."""
    digests = [sha256_hex(block.encode()) for block in blocks]
    return digests[0] if len(digests) == 1 else sha256_hex("".join(f"{digest}\n" for digest in digests).encode())


def _task(task_id: str, kind: str, version: str, **members: object) -> Row:
    return Row("tasks", task(task_id, kind, version, contributors=list(CONTRIBUTORS), **members))


Cite = Callable[[Record], Record]
"""A citation of a document."""

QUOTED = {
    "answers": "the first ferry leaves at 06:40",
    "clinical": "adults start with one tablet of 5 mg",
}
_TEXTS = {
    "answers": "Timetable {name} 🌊. From May to September {quoted}; on Sundays there is none before eight.",
    "clinical": "Leaflet {name}. Unless the kidneys are impaired, {quoted} in the morning.",
}


def cited(source: Record) -> Record:
    """A sound citation."""
    quote = next(text for text in QUOTED.values() if text in source["text"])
    return citation(source, source["text"].index(quote), quote)


def answer(
    *cites: Cite, clinical: bool = False, abstain: bool = False, general: bool = False, relabelled: bool = False
) -> Build:
    """An answer that cites a document in these ways.

    `general` puts a clinical one into the stream of the others; a `relabelled` one does not say what it is.
    """
    stream, rubric = ("clinical", CLINICAL) if clinical and not general else ("answers", GROUNDED)
    domain = "clinical_qa" if clinical else "general_rag"
    said = "The sources do not say." if abstain else f"As the source says, {QUOTED[stream]}."

    def build(random: Random, task_id: str) -> Subject:
        source = document(f"doc-{task_id}", _TEXTS[stream].format(name=task_id, quoted=QUOTED[stream]))
        citations = [cite(source) for cite in cites]
        value: Record = {
            "task_id": task_id,
            "domain": "general_rag" if relabelled else domain,
            "question": f"Question {task_id}: what is known of this{random.choice((', and since when', ''))}?",
            "answer": said,
            "citations": citations,
            "abstain": abstain,
        }
        issued = _task(
            task_id,
            "grounded_qa",
            "grounded-qa-v1",
            question=value["question"],
            documents=sorted({source["document_id"], *(own["document_id"] for own in citations)}),
            abstention_permitted=True,
            domain=domain,
        )
        return Subject(stream, rubric, value, (Row("documents", source), issued))

    return build


SQUARE: Record = {"problem": "Multiply out (x - 1)^2.", "expected": symbolic_expected("(x - 1)^2")}


def derivation(final: str = "2.5 m/s", *, problem: str = "", expected: Record | None = None) -> Build:
    """A derivation with this final answer. Unless said otherwise, 2.5 m/s within one per cent is expected.

    An empty `expected` is none.
    """

    def build(random: Random, task_id: str) -> Subject:
        asked = problem or "A cart covers 10 metres in 4 seconds. How fast is it?"
        value: Record = {
            "task_id": task_id,
            "problem": f"Problem {task_id}. {asked}",
            "assumptions": ["Nothing changes meanwhile."],
            "derivation": ["Write down what is given.", random.choice(("Work it out.", "Reckon it out."))],
            "final_answer": final,
            "reasoning_score": 4,
        }
        issued = _task(
            task_id,
            "math_derivation",
            "math-derivation-v1",
            problem=value["problem"],
            expected_answer=numeric_expected("2.5", "m/s") if expected is None else expected or None,
        )
        return Subject("derivations", DERIVATION, value, (issued,))

    return build
