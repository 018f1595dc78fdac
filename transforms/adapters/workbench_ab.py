"""workbench-ab-v1 → pairwise-v2: the A/B interface's export as preference pairs (docs/adapters.md has the table).

Nothing is judged here and nothing is made up: a text or a score of the result stands in the source as it is. What
pairwise-v2 bounds, such as the length of a rationale, is left to its schema.
"""

from __future__ import annotations

from collections.abc import Iterator

from transforms.records import Code, Finding, Json, Severity, Stage

MISSING_RATING = Code(
    "adapter-missing-rating",
    Stage.STRUCTURE,
    Severity.REJECT,
    "The source has no score for a dimension that the target must have rated.",
    'a workbench record that scores "correctness" and "readability" but not "factuality"',
    "Obtain the missing rating from the contributor or a reviewer and export the record again; none is filled in.",
)
NO_EQUIVALENT = Code(
    "adapter-no-equivalent",
    Stage.STRUCTURE,
    Severity.REJECT,
    "The source says something that the target cannot say, or lacks something other than a rating that it must have.",
    "scores on a scale of 1 to 10, a message of a tool, a criterion of its own, or no choice between A and B",
    "Obtain what is missing. A criterion may stay in the source alone where the stream's `left_in_source` names it; "
    "all else needs a kind that can say it.",
)
CODES: tuple[Code, ...] = (MISSING_RATING, NO_EQUIVALENT)

RATINGS = ("factuality", "reasoning", "instruction_adherence", "style")
_SCALE = {"minimum": 1, "maximum": 5}
_ROLES = ("system", "user", "assistant")
_TEXTS = ("task_id", "response_a", "response_b", "rubric_version")
# Members that the target names otherwise.
_NAMES = {"preference": "choice", "rationale": "comments", "golden_patch": "correction", "ratings": "criteria"}
# What the target must have beside ratings, and the source may lack.
_NEEDED = {
    "choice": "no choice was made, and none is made up",
    "comments": "there is no comment, and pairwise-v2 must have a rationale",
    "rubric_version": "no rubric is named, and pairwise-v2 must name the one that was followed",
}


def adapt(source: Json, left_in_source: frozenset[str]) -> Json | tuple[Finding, ...]:
    """The pairwise-v2 value of a valid workbench-ab-v1 one, or why there is none.

    `left_in_source` names criteria beyond the four ratings that the campaign lets stay in the source alone.
    """
    findings = (*_missing(source), *_unsayable(source, left_in_source))
    if findings:
        return findings
    return {
        **{name: source[name] for name in _TEXTS},
        "messages": source["messages"] if "messages" in source else [{"role": "user", "content": source["prompt"]}],
        "preference": source["choice"],
        "rationale": source["comments"],
        "golden_patch": source.get("correction"),
        "schema_version": "pairwise-v2",
        "ratings": {name: source["criteria"][name] for name in RATINGS},
    }


def origin(pointer: str, source: Json) -> str:
    """The member of the source that the member of the result at `pointer` is told from."""
    member, slash, rest = pointer.removeprefix("/").partition("/")
    if member == "messages" and "prompt" in source:
        return "/prompt"
    return f"/{_NAMES.get(member, member)}{slash}{rest}" if pointer else ""


def _missing(source: Json) -> Iterator[Finding]:
    for name in RATINGS:
        if name not in source["criteria"]:
            yield Finding(MISSING_RATING.code, f"there is no score for {name}", "/criteria")
        elif source["criteria"][name] is None:
            yield Finding(MISSING_RATING.code, f"{name} was not scored", f"/criteria/{name}")
    for name, message in _NEEDED.items():
        if source.get(name) is None:
            yield _none(message, f"/{name}" if name in source else "")


def _unsayable(source: Json, left_in_source: frozenset[str]) -> Iterator[Finding]:
    for index, message in enumerate(source.get("messages", ())):
        if message["role"] not in _ROLES:
            yield _none("pairwise-v2 has no such role", f"/messages/{index}/role")
    if source["scale"] != _SCALE:
        yield _none("pairwise-v2 scores from 1 to 5, and no score is converted", "/scale")
    for name, score in source["criteria"].items():
        if name in RATINGS:
            yield from _unsayable_score(score, f"/criteria/{name}")
        elif name not in left_in_source:
            yield _none(
                "pairwise-v2 has no such rating, and the campaign does not leave it in the source", f"/criteria/{name}"
            )


def _unsayable_score(score: object, pointer: str) -> Iterator[Finding]:
    if isinstance(score, dict):
        yield _none("there is a score for each response, and pairwise-v2 has one for both", pointer)
    elif isinstance(score, float) and not score.is_integer():
        yield _none("pairwise-v2 scores in whole numbers, and no score is rounded", pointer)


def _none(message: str, pointer: str) -> Finding:
    return Finding(NO_EQUIVALENT.code, message, pointer)
