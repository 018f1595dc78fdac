"""Faults of every kind of record: how a sound bundle is spoiled, and which code the spoilt record must get.

The faults of bytes, parsing and of preference pairs among themselves are in `pairwise.py` and `groups.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pipeline.sample import bundles
from pipeline.sample.bundles import Bundle, document
from pipeline.sample.pairwise import line, put
from transforms.digests import sha256_hex

Spoil = Callable[[Bundle], None]
Build = Callable[[Random, int], Bundle]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fault: `stream`'s first record of the bundle that `build` makes and `spoil` spoils must get `code`.

    `facts` says that only facts show it: where the campaign goes without them, the record gets no such code.
    """

    code: str
    stream: str
    build: Build
    spoil: Spoil
    facts: bool = False


def _set(stream: str, *path: Any, to: Any) -> Spoil:
    """Set a member of the stream's first record."""
    return put(stream, 0, *path, to=to)


def _drop(stream: str, index: int = 0) -> Spoil:
    return lambda bundle: bundle[stream].pop(index) and None


def _answers(*path: Any, to: Any) -> Spoil:
    return _set("answers", *path, to=to)


def _traces(*path: Any, to: Any) -> Spoil:
    return _set("traces", *path, to=to)


def _talks(*path: Any, to: Any) -> Spoil:
    return _set("conversations", *path, to=to)


def _maths(*path: Any, to: Any) -> Spoil:
    return _set("derivations", *path, to=to)


def _drop_event(index: int) -> Spoil:
    return lambda bundle: bundle["conversations"][0]["events"].pop(index) and None


def _without_result(bundle: Bundle) -> None:
    events = bundle["conversations"][0]["events"]
    del events[2]
    events[-1]["content"] = "The times are not known."


def _four_documents(bundle: Bundle) -> None:
    """All of them are documents of the task; the call asked for three."""
    names = [*(source["document_id"] for source in bundle["documents"]), "doc-0", "doc-1"]
    bundle["traces"][0]["steps"][0]["result"]["document_ids"] = names


def _result_first(bundle: Bundle) -> None:
    events = bundle["conversations"][0]["events"]
    events[1], events[2] = events[2], events[1]


def _repeat_citation(bundle: Bundle) -> None:
    bundle["answers"][0]["citations"] *= 2


def _abstain_with_citations(bundle: Bundle) -> None:
    bundle["answers"][0]["abstain"] = True


def _shouted(bundle: Bundle) -> None:
    """A second answer whose task's id differs in case alone."""
    for stream in ("answers", "tasks"):
        value = bundle[stream][0]
        bundle[stream].append({**value, "task_id": value["task_id"].upper()})


def _unusable_expected_answer(bundle: Bundle) -> None:
    bundle["tasks"][0]["expected_answer"] = bundles.numeric_expected("3", "furlongs per fortnights")
    del bundle["derivations"]


def _edited_document(bundle: Bundle) -> None:
    """The document that stands in the stream is another version than the one cited."""
    source = bundle["documents"][0]
    bundle["documents"][0] = document(source["document_id"], source["text"] + " Revised.")


def _handed_in_by_a_stranger(bundle: Bundle) -> None:
    value = bundle["annotations"][0]
    bundle["assignments"] = [
        {
            "schema_version": "assignment-v1",
            "task_id": value["task_id"],
            "contributor": "u-9",
            "record_sha256": sha256_hex(line(value)),
        }
    ]


def _symbolic(answer: str, expression: str = "(x - 1)^2") -> Spoil:
    def spoil(bundle: Bundle) -> None:
        bundle["derivations"][0]["final_answer"] = answer
        bundle["tasks"][0]["expected_answer"] = bundles.symbolic_expected(expression)

    return spoil


_OTHER = "b" * 64
# Equal, and beyond what is proven within bounds.
_UNDECIDED = _symbolic("log(x^3 + 1)", "log(x + 1) + log(x^2 - x + 1)")

SCENARIOS: tuple[Scenario, ...] = (
    Scenario("unknown-task", "annotations", bundles.pairwise, _drop("tasks"), True),
    Scenario("task-mismatch", "annotations", bundles.pairwise, _set("tasks", "response_a", to="Another text."), True),
    Scenario(
        "version-not-assigned", "annotations", bundles.pairwise, _set("tasks", "rubric_version", to="old-v0"), True
    ),
    Scenario("unauthorized-contributor", "annotations", bundles.pairwise, _handed_in_by_a_stranger, True),
    Scenario("duplicate-call-id", "traces", bundles.trace, _traces("steps", 1, "call_id", to="call-1")),
    Scenario("call-order", "traces", bundles.trace, _traces("steps", 0, "call_id", to="call-9")),
    Scenario("top-k-exceeded", "traces", bundles.trace, _four_documents),
    Scenario("failed-call-with-evidence", "traces", bundles.trace, _traces("steps", 1, "result", "success", to=False)),
    Scenario("answer-cites-failed-call", "traces", bundles.trace, _traces("final_answer", to="It is in [doc-99999].")),
    Scenario("unauthorized-document", "traces", bundles.trace, _set("tasks", "documents", to=[]), True),
    Scenario("unlogged-call", "traces", bundles.trace, _drop("executions"), True),
    Scenario("missing-call", "traces", bundles.trace, lambda bundle: bundle["traces"][0]["steps"].pop() and None, True),
    Scenario("log-mismatch", "traces", bundles.trace, _set("executions", "result", "success", to=False), True),
    Scenario("latency-mismatch", "traces", bundles.trace, _set("executions", "server_latency_ms", to=9000), True),
    Scenario("undeclared-tool", "conversations", bundles.conversation, _talks("events", 1, "tool", to="run_shell")),
    Scenario(
        "tool-version-not-declared",
        "conversations",
        bundles.conversation,
        _talks("events", 1, "schema_version", to="7"),
    ),
    Scenario("unpaired-call", "conversations", bundles.conversation, _without_result),
    Scenario("unpaired-result", "conversations", bundles.conversation, _drop_event(1)),
    Scenario("result-before-call", "conversations", bundles.conversation, _result_first),
    Scenario(
        "evidence-digest-mismatch",
        "conversations",
        bundles.conversation,
        _talks("events", 2, "evidence", 0, "sha256", to=_OTHER),
        True,
    ),
    Scenario("final-answer-missing", "conversations", bundles.conversation, _drop_event(3)),
    Scenario("schema/false", "conversations", bundles.conversation, _talks("events", 0, "call_id", to="call-1")),
    Scenario(
        "schema/uniqueItems", "traces", bundles.trace, _traces("steps", 1, "result", "document_ids", to=["d", "d"])
    ),
    Scenario("unusable-expected-answer", "tasks", bundles.derivation, _unusable_expected_answer),
    Scenario("look-alike-id", "answers", bundles.grounded, _shouted),
    Scenario("span-order", "answers", bundles.grounded, _answers("citations", 0, "end", to=1)),
    Scenario("duplicate-citation", "answers", bundles.grounded, _repeat_citation),
    Scenario("abstain-with-citations", "answers", bundles.grounded, _abstain_with_citations),
    Scenario("clinical-evidence-missing", "answers", bundles.grounded, _answers("domain", to="clinical_qa")),
    Scenario("span-out-of-bounds", "answers", bundles.grounded, _answers("citations", 0, "end", to=10**6), True),
    Scenario("quote-mismatch", "answers", bundles.grounded, _answers("citations", 0, "quote", to="Not there."), True),
    Scenario("unknown-document", "answers", bundles.grounded, _drop("documents"), True),
    Scenario("document-digest-mismatch", "answers", bundles.grounded, _edited_document, True),
    Scenario("duplicate-step", "derivations", bundles.derivation, _maths("derivation", to=["Divide."] * 2)),
    Scenario("numeric-answer-mismatch", "derivations", bundles.derivation, _maths("final_answer", to="999 m/s"), True),
    Scenario("unit-mismatch", "derivations", bundles.derivation, _maths("final_answer", to="3 kg"), True),
    Scenario("unparsable-answer", "derivations", bundles.derivation, _maths("final_answer", to="9**9**9"), True),
    Scenario("symbolic-answer-mismatch", "derivations", bundles.derivation, _symbolic("x^2 - 1"), True),
    Scenario("answer-check-timeout", "derivations", bundles.derivation, _UNDECIDED, True),
)
