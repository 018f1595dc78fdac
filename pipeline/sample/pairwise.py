"""Synthetic pairwise-v2 records, and the faults that can be put into them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pipeline.sample.text import answer, prompt, rationale

Record = dict[str, Any]


def record(random: Random, number: int) -> Record:
    """A sound record; `number` makes its task and its texts unlike every other's."""
    ticket = f"T-{number:08d}"
    preference = random.choices(("A", "B", "tie", "neither"), (45, 40, 10, 5))[0]
    sentences = random.randint(2, 14)
    messages = [{"role": "user", "content": prompt(random, ticket)}]
    if random.random() < 0.3:
        first = {"role": "user", "content": prompt(random, f"{ticket}-first")}
        messages = [first, {"role": "assistant", "content": answer(random, ticket, 2)}, *messages]
    if random.random() < 0.2:
        messages.insert(0, {"role": "system", "content": "You are a careful programming assistant."})
    patch = f"Corrected: {answer(random, ticket, 1)}" if preference == "neither" else None
    return {
        "task_id": f"task-{number:08d}",
        "messages": messages,
        "response_a": "First way. " + answer(random, ticket, sentences),
        "response_b": "Second way. " + answer(random, ticket, sentences),
        "preference": preference,
        "rationale": rationale(random, preference),
        "golden_patch": patch,
        "schema_version": "pairwise-v2",
        "rubric_version": "code-review-v1",
        "ratings": {key: random.randint(3, 5) for key in ("factuality", "reasoning", "instruction_adherence", "style")},
    }


def line(value: Any) -> bytes:
    """A record as an exporter writes it."""
    return json.dumps(value, ensure_ascii=False).encode()


def put(*path: Any, to: Any) -> Callable[[Any], None]:
    """A change of a value: sets the member at `path`."""

    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


Spoil = Callable[[Record], bytes]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a single record: the code it must get, and how a sound record is spoiled into it.

    `per_million` is its share of all records.
    """

    code: str
    spoil: Spoil
    per_million: int = 200


def _with(**changes: Any) -> Spoil:
    return lambda value: line({**value, **changes})


def _without(key: str) -> Spoil:
    return lambda value: line({name: member for name, member in value.items() if name != key})


def _replaced(old: bytes, new: bytes) -> Spoil:
    def spoil(value: Record) -> bytes:
        data = line(value)
        assert old in data, old
        return data.replace(old, new, 1)

    return spoil


def _rating(text: bytes) -> Spoil:
    def spoil(value: Record) -> bytes:
        value["ratings"]["style"] = 4
        return line(value).replace(b'"style": 4', b'"style": ' + text, 1)

    return spoil


_WORDS = "a word and another one that nobody needs to read "

FAULTS: tuple[Fault, ...] = (
    Fault("blank-record", lambda value: b"  "),
    Fault("record-too-large", _with(response_a=_WORDS * 1600), 20),
    Fault("invalid-utf8", _replaced(b"Ticket", b"Tick\xffet")),
    Fault("byte-order-mark", lambda value: b"\xef\xbb\xbf" + line(value)),
    Fault("invalid-json", lambda value: line(value)[:-1], 400),
    Fault("duplicate-key", _replaced(b'"ratings": {', b'"ratings": {"style": 5, ')),
    Fault("non-finite-number", _rating(b"NaN")),
    Fault("number-out-of-range", _rating(b"18446744073709551616")),
    Fault("lone-surrogate", _replaced(b"First way", b"First \\ud83d way")),
    Fault("nesting-too-deep", _rating(b"[" * 100 + b"]" * 100)),
    Fault("not-an-object", lambda value: line([value]), 100),
    Fault("missing-schema-version", _without("schema_version")),
    Fault("unsupported-schema-version", _with(schema_version="pairwise-v1"), 300),
    Fault("schema/required", _without("preference"), 500),
    Fault("schema/type", _rating(b'"4"'), 500),
    Fault("schema/enum", _with(preference="C"), 500),
    Fault("schema/pattern", _with(task_id="task 1\n")),
    Fault("schema/minLength", _with(rationale="Good."), 500),
    Fault("schema/maxLength", _with(rationale=_WORDS * 90)),
    Fault("schema/minItems", _with(messages=[])),
    Fault("schema/maxItems", _with(messages=[{"role": "user", "content": "Once more, please."}] * 65)),
    Fault("schema/minimum", _rating(b"0")),
    Fault("schema/maximum", _rating(b"6"), 300),
    Fault("schema/additionalProperties", _with(annotator_mood="cheerful"), 300),
    Fault("empty-text", _with(rationale="\u200b \u00a0" * 10), 300),
    Fault("turn-order", _with(messages=[{"role": "user", "content": "Hello there."}] * 2)),
    Fault(
        "final-turn-not-user",
        _with(messages=[{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Yes?"}]),
    ),
    Fault("identical-candidates", lambda value: line({**value, "response_b": value["response_a"] + "\u200b"}), 300),
    Fault(
        "rationale-contradicts-preference",
        _with(
            preference="A",
            golden_patch=None,
            rationale="Response B is clearly better. It keeps the order that was asked for.",
        ),
        300,
    ),
    Fault(
        "golden-patch-equals-candidate",
        lambda value: line(
            {
                **value,
                "preference": "neither",
                "golden_patch": value["response_a"],
                "rationale": "Each response misses the request, so a corrected one is attached.",
            }
        ),
    ),
    Fault("unsupported-rubric-version", _with(rubric_version="code-review-v0")),
    Fault("conversation-too-large", _with(messages=[{"role": "user", "content": _WORDS * 600}]), 50),
)
