"""Made-up prose and code for synthetic records. No sentence of it is anybody's."""

from __future__ import annotations

from random import Random

_VERBS = ("sort", "merge", "filter", "count", "group", "rename", "split", "cache", "compress", "validate")
_NOUNS = ("invoices", "sensor readings", "user names", "log lines", "map tiles", "recipes", "train times", "seed lots")
_LIMITS = (
    "without loading the whole file",
    "and keep the first of each duplicate",
    "in the order in which they arrived",
    "so that the result is stable between runs",
    "but leave malformed entries where they are",
    "using only the standard library",
    "and say what happens on empty input",
)
_CLAIMS = (
    "It walks the input once and keeps a set of what it has seen.",
    "Memory grows with the number of distinct keys, not with the input.",
    "The key is normalised before it is compared, so case does not matter.",
    "An empty input gives an empty result and no exception.",
    "The function does not change its argument; callers can reuse the list.",
    "Errors are collected and returned beside the result instead of being raised.",
    "Sorting is left to the caller because the order of arrival is meaningful here.",
    "The loop ends early once the bound is reached, which matters for long streams.",
    "Grüße aus der Prüfung: non-ASCII text such as “naïve café” stays as it is.",
    "Ties are broken by position, so that two runs over the same data agree.",
    "The helper is pure, which makes it easy to test with a small table of cases.",
    "If the key is missing, the entry is skipped and counted in the summary.",
)
_CODE = (
    "def {name}(values):\n    seen = set()\n    out = []\n    for value in values:\n        if value not in seen:\n"
    "            seen.add(value)\n            out.append(value)\n    return out",
    "def {name}(values, limit=100):\n    counts = {{}}\n    for value in values[:limit]:\n"
    "        counts[value] = counts.get(value, 0) + 1\n    return sorted(counts.items())",
    "def {name}(lines):\n    for number, line in enumerate(lines, 1):\n        if not line.strip():\n"
    "            continue\n        yield number, line.rstrip()",
)
_WORDS_TEXT = (
    "a an the this that each every some one list set map tree queue record field key value index row column table "
    "file line block page buffer stream input output result error limit bound order count total sum share rate "
    "range cache copy slice window token parser reader writer caller helper loop branch case test check step pass "
    "first second last next empty sorted stable unique missing stale fresh small large constant linear early late "
    "lazy eager reads writes keeps drops counts returns yields raises skips merges splits compares groups stores "
    "moves walks starts ends holds grows shrinks repeats avoids before after while until unless because so when "
    "where with without under over between inside outside beside only also still never always once twice again "
    "here there memory time disk network thread process worker batch job schema version digest offset pointer "
    "naïve Größe café entrée "
)
_WORDS = tuple(_WORDS_TEXT.split())
_STRENGTHS = (
    "keeps the order that was asked for",
    "handles the empty input",
    "states its memory bound",
    "explains why the loop ends early",
    "leaves malformed entries where they are",
)
_WEAKNESSES = (
    "returns them in arbitrary order",
    "raises on an empty list",
    "reads everything into memory",
    "never says what it does with duplicates",
    "changes the argument in place",
)


def _sentence(random: Random) -> str:
    """Words in a row, as varied as prose is, which made-up sentences alone are not."""
    return " ".join(random.choices(_WORDS, k=random.randint(7, 18))).capitalize() + "."


def prompt(random: Random, ticket: str) -> str:
    """A user's request; `ticket` makes it unlike every other."""
    return (
        f"Ticket {ticket}: write a function that can {random.choice(_VERBS)} {random.choice(_NOUNS)} "
        f"{random.choice(_LIMITS)}. {random.choice(_CLAIMS)} Please explain the choice briefly."
    )


def answer(random: Random, ticket: str, sentences: int) -> str:
    """A candidate: prose around a piece of code."""
    name = f"{random.choice(_VERBS)}_{ticket.replace('-', '_').lower()}"
    prose = " ".join((random.choice(_CLAIMS), *(_sentence(random) for _ in range(sentences))))
    return f"{prose}\n\n```python\n{random.choice(_CODE).format(name=name)}\n```\n\n{random.choice(_CLAIMS)}"


def rationale(random: Random, preference: str) -> str:
    """A reviewer's reason that agrees with `preference`."""
    strength, weakness = random.choice(_STRENGTHS), random.choice(_WEAKNESSES)
    if preference == "tie":
        return f"Each response {strength}, and each {weakness}; nothing separates them on this request."
    if preference == "neither":
        return f"Each response {weakness}, which the request rules out, so a corrected version is attached."
    other = "B" if preference == "A" else "A"
    return f"Response {preference} {strength}, while response {other} {weakness}, which the request rules out."
