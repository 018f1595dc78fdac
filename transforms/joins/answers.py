"""Final answers against the answer that the task expects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from transforms.acceptance.text_gates import EXPECTED_ANSWER
from transforms.answers.checker import check_answer
from transforms.answers.expected import parse_expected
from transforms.answers.verdict import CODES
from transforms.digests import digest
from transforms.joins.join import Attached, Claim, Entry, Join, Judgement, Member, Terms, all_of, finding, policy

_EXPECTED, _ANSWER = b"E", b"A"


def claim(entry: Entry) -> Iterator[Claim]:
    """Key: the task. Rows: what is expected, as JSON; a final answer, as text."""
    key = digest(entry.value["task_id"].encode())
    if entry.kind == "math-derivation-v1":
        yield Claim(key, _ANSWER, entry.value["final_answer"].encode())
    elif entry.value["expected_answer"] is not None:
        yield Claim(key, _EXPECTED, orjson.dumps(entry.value["expected_answer"]))


def judge(members: Sequence[Member], terms: Terms) -> Judgement:
    """Each final answer of the task; where a task was issued twice, the first says what is expected."""
    expected = next((member for member in members if member.payload == _EXPECTED), None)
    if expected is None or expected.text is None:
        return
    task = all_of([expected])
    wanted = parse_expected(orjson.loads(expected.text.read()))
    for index, member in enumerate(members):
        if member.payload != _ANSWER or member.text is None:
            continue
        yield index, Attached(EXPECTED_ANSWER)
        verdict = check_answer(member.text.read().decode(), wanted)
        if verdict.code is None:
            continue
        action = policy(verdict.code, terms[member.place.stream])
        if found := finding(verdict.code, action, verdict.message, task, pointer="/final_answer"):
            yield index, found


JOIN = Join(
    name="answers",
    codes=CODES,
    payload_bytes=1,
    claim=claim,
    judge=judge,
    kinds=frozenset(("input-task-v1", "math-derivation-v1")),
    fact="tasks",
    texts=True,
)
