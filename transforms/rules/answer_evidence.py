"""Does an agent's answer rest on documents that no successful call returned? Lexical, for English.

A conservative rule: it prefers silence to a false alarm. docs/rules-agent-trace.md states it in full.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from transforms.records import Code, Finding, Severity, Stage
from transforms.rules.prose_ids import asserted, cited, is_bare, is_usual, names, shape, stems, tokens, tokens_like
from transforms.rules.rule import severity_of
from transforms.rules.text import excerpt
from transforms.terms import Action

ANSWER_CITES_FAILED_CALL = Code(
    "answer-cites-failed-call",
    Stage.RULES,
    Severity.REJECT,
    "The answer rests on documents that no successful call returned: it cites one (rejected), claims retrieved "
    "evidence where there is none (held), or seems to name one (a warning). A lexical rule, for English.",
    'the only call failed, and the answer says "High tide is at noon [doc-a]."',
    "Have the agent answer from what its calls returned, or say that they returned nothing. The policy for this code "
    'may be "reject", "hold" or "allow"; it then holds for all three.',
)
CODES: tuple[Code, ...] = (ANSWER_CITES_FAILED_CALL,)

_MOST_SUSPECTS = 64

_CLAIM_CUES = ("retriev", "return", "fetch", "found", "looked", "search")
_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|`[^`\n]*`")
_DOCUMENT = (
    r"(?:documents?|sources?|passages?|articles?|records?|pages?|files?|excerpts?|results?|evidence|references?)"
)
_GOT = r"(?:retrieved|returned|fetched|found|looked[- ]up)"
_SAYS = (
    r"(?:(?:clearly|also|explicitly|directly|both|all) )?(?:confirm(?:s|ed)?|stat(?:e|es|ed)|show(?:s|ed)?|say|says|"
    r"said|indicat(?:e|es|ed)|lists?|listed|report(?:s|ed)?|support(?:s|ed)?|prov(?:e|es|ed)|mention(?:s|ed)?|"
    r"describ(?:e|es|ed)|notes?|noted|explain(?:s|ed)?|gives?|gave|contain(?:s|ed)?|establish(?:es|ed)?|"
    r"verif(?:y|ies|ied)|demonstrat(?:e|es|ed)|specif(?:y|ies|ied))\b"
)
_CLAIM = re.compile(
    rf"\b(?:(?:the|this|these|both|all) {_GOT} {_DOCUMENT} {_SAYS}"
    rf"|(?:according to|based on|per|as (?:stated|shown|listed|confirmed|noted|described|reported|given) (?:in|by)) "
    rf"(?:the|this|these) {_GOT} {_DOCUMENT}\b"
    rf"|the {_DOCUMENT} (?:that |which )?(?:i|we) (?:retrieved|found|fetched|looked up) {_SAYS}"
    rf"|(?:i|we) (?:retrieved|found|fetched) (?:an?|one|two|three|several|the) {_DOCUMENT} "
    rf"(?:(?:that|which) {_SAYS}|(?:confirming|stating|showing|saying)\b)"
    rf"|the (?:search|retrieval) results {_SAYS})",
    re.IGNORECASE,
)

_Fault = tuple[Severity, str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the results of a trace mention.

    `returned` are the ids of documents that a successful call returned, `failed` those that only failed calls
    did. `given` yields the texts that the agent got: an id that stands there is not the answer's invention.
    """

    returned: frozenset[str]
    failed: frozenset[str]
    given: Callable[[], Iterable[str]]


def gather(results: Iterable[tuple[bool, Iterable[str]]], given: Callable[[], Iterable[str]]) -> Evidence:
    """The evidence of a trace's results, each as (success, document ids)."""
    returned: set[str] = set()
    failed: set[str] = set()
    for success, document_ids in results:
        (returned if success else failed).update(document_ids)
    return Evidence(frozenset(returned), frozenset(failed - returned), given)


def check_answer(answer: str, pointer: str, evidence: Evidence, policies: Mapping[str, Action]) -> Iterator[Finding]:
    """The findings of an answer that stands at `pointer`: at most one for each way to rest on nothing."""
    for default, message in _faults(answer, evidence):
        stated = ANSWER_CITES_FAILED_CALL.code in policies
        severity = severity_of(ANSWER_CITES_FAILED_CALL, policies) if stated else default
        if severity is not None:
            yield Finding(ANSWER_CITES_FAILED_CALL.code, message, pointer, severity=severity)


def _faults(answer: str, evidence: Evidence) -> Iterator[_Fault]:
    suspect = any(True for _ in _suspects(answer, evidence))
    if evidence.returned and not evidence.failed and not suspect:
        return  # most answers end here
    prose = asserted(answer)
    if evidence.failed:
        yield from _failed_only(prose, evidence)
    if suspect:
        yield from _never_returned(prose, evidence)
    if not evidence.returned:
        yield from _claims(prose)


def _suspects(text: str, evidence: Evidence) -> Iterator[str]:
    """Tokens that look like ids of this trace and are none: of the shape of one, or, where it shows none, usual ids."""
    known = evidence.returned | evidence.failed
    shapes = set(filter(None, map(shape, known)))
    lowered = {identifier.lower() for identifier in known}
    for token in tokens_like(text, shapes) if known else filter(is_usual, tokens(text)):
        if not any(stem.lower() in lowered for stem in stems(token)):
            yield token


def _failed_only(prose: str, evidence: Evidence) -> Iterator[_Fault]:
    citations = cited(prose)
    for identifier in sorted(evidence.failed):
        if identifier in citations or names(prose, identifier):
            yield Severity.REJECT, f"the answer cites {excerpt(identifier)}, which only a failed call returned"
            return


def _never_returned(prose: str, evidence: Evidence) -> Iterator[_Fault]:
    given = "\n".join(evidence.given()).lower()
    distinct = islice(dict.fromkeys(_suspects(prose, evidence)), _MOST_SUSPECTS)
    suspects = [token for token in distinct if token.lower() not in given]
    citations = cited(prose) if suspects else frozenset()
    for token in suspects:
        if token in citations:
            yield Severity.REJECT, f"the answer cites {excerpt(token)}, which no call returned"
            return
    for token in filter(is_bare, suspects):
        yield Severity.WARN, f"the answer names {excerpt(token)}, which no call returned"
        return


def _claims(prose: str) -> Iterator[_Fault]:
    lowered = prose.lower()
    if not any(cue in lowered for cue in _CLAIM_CUES):
        return
    claim = _CLAIM.search(_QUOTED.sub("quoted", prose))
    if claim:
        yield Severity.HOLD, f"no call returned a document, yet the answer says {excerpt(claim[0])}"
