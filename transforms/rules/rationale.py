"""Does a rationale plainly contradict the recorded preference? A conservative lexical rule, for English.

It reports only a rationale that gives an overall verdict in one of a few plain forms, all of them against the
recorded preference, and that says nothing which might speak for that preference.
docs/rules-pairwise.md states the rule in full. Every pattern takes time linear in the rationale.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import RuleContext, severity_of
from transforms.rules.text import excerpt

RATIONALE_CONTRADICTS_PREFERENCE = Code(
    "rationale-contradicts-preference",
    Stage.RULES,
    Severity.HOLD,
    "The rationale plainly gives another verdict than the recorded preference (a lexical rule, for English).",
    '"preference": "A" and "rationale": "Response B is better because it keeps the order."',
    "Ask the contributor which of the two is meant, and correct that one. The policy for this code may be "
    '"hold", "reject" or "allow".',
)
CODES: tuple[Code, ...] = (RATIONALE_CONTRADICTS_PREFERENCE,)

# No form below matches without one of these; many rationales end here.
_CUES = (
    *("better", "best", "prefer", "superior", "strong", "win", "won", "beat", "outperform", "choose", "chose"),
    *("choice", "pick", "select", "favo", "went with", "go with", "verdict", "vote", "worse", "worst", "inferior"),
    *("weak", "good", "tie", "draw", "toss-up", "equal", "on par", "neither", "acceptable"),
    *("unusable", "inadequate", "bad", "poor"),
)

_QUOTE_MARKS = ('"', "`", "“", "”", "«", "»", " '", "('")
_QUOTED = re.compile(r"\"[^\"]*\"|`[^`]*`|“[^“”]*”|«[^«»]*»|(?<=[ (])'[^' ]+'")
_SENTENCE_END = re.compile(r" (?<=[.!?;] )(?<!\b[eE]\.g\. )(?<!\b[iI]\.e\. )(?<!\bvs\. )(?<!\bcf\. )")

# A candidate's name: "Response B", "response_b", "B"; never a bare "a", which is an article.
_LABEL = r"(?:(?:the )?(?:response|answer|candidate|output|completion|solution|reply|assistant)[ _-][ab]|(?-i:[AB]))\b"
_NAME = re.compile(rf"\b{_LABEL}", re.IGNORECASE)
_X, _Y = rf"(?P<x>{_LABEL})", rf"(?P<y>{_LABEL})"
_NOUN = r"(?:response|answer|candidate|output|completion|solution|reply|one|choice|option)"
_PAIR = (
    rf"(?:both(?: of them|(?: of the)? {_NOUN}s)?|they|the(?:se)? two(?: {_NOUN}s)?|(?:both )?{_LABEL} and {_LABEL})"
)
_DEGREE = (
    r"(?:(?:clearly|much|far|significantly|slightly|somewhat|marginally|definitely|obviously|strictly|simply|"
    r"easily|considerably|substantially|noticeably|plainly|by far|overall|a bit|a little|a lot) ){0,2}"
)
_SCOPE = r"(?: overall| in general| by far| of the two| in (?:every|all) (?:way|respect|regard)s?)?"
_THAN = rf"(?: (?:than|to|over) (?:{_Y}|the other(?: {_NOUN})?))?"
_LEAD = (
    r"(?:(?:overall|in summary|in short|to sum up|in conclusion|all in all|on balance|in my (?:view|opinion)),? )?"
    r"(?:(?:so|thus|hence|therefore|clearly),? )?(?:(?:i|we) (?:think|believe|find|feel|conclude) (?:that )?)?"
)
_TAIL = r"(?P<tail>(?:,? (?:because|since|due to)\b|:) .*)?"


@dataclass(frozen=True, slots=True)
class _Form:
    """One plain form of an overall verdict.

    `names` is what it names; None where it names the candidate in group `x`, or with `against` the other
    one. A match with the group `bare` may be about one aspect only.
    """

    pattern: re.Pattern[str]
    names: frozenset[str] | None = None
    against: bool = False


def _form(pattern: str, names: frozenset[str] | None = None, *, against: bool = False) -> _Form:
    return _Form(re.compile(_LEAD + pattern + _TAIL, re.IGNORECASE), names, against)


_OTHER = {"A": "B", "B": "A"}
_TIE, _TIE_OR_NEITHER = frozenset({"tie"}), frozenset({"tie", "neither"})
_FORMS = (
    _form(
        rf"{_X} (?:is|was) {_DEGREE}(?:(?P<bare>better|best|superior|preferable|stronger)|preferred|"
        rf"(?:the|my|a) {_DEGREE}(?:better|best|superior|preferable|preferred|stronger|strongest|winning|winner|"
        rf"preference|pick|choice)(?: {_NOUN})?){_SCOPE}{_THAN}"
    ),
    _form(rf"{_X} (?P<bare>{_DEGREE}(?:wins|won|beats|outperforms))(?: {_Y})?{_SCOPE}"),
    _form(
        r"(?:(?:i|we)(?: would|'d| have|'ve)? )?(?:(?:strongly|clearly|slightly|definitely|much) )?"
        r"(?:prefer(?:red)?|choose|chose|pick(?:ed)?|select(?:ed)?|favou?r(?:ed)?|go with|went with) "
        rf"{_X}(?: (?:over|to) {_Y})?{_SCOPE}"
    ),
    _form(
        r"(?:(?:the|my|our) )?(?:(?:final|overall|clear) )?(?:preference|verdict|winner|choice|pick|vote|"
        rf"(?:better|best|preferred|stronger|superior) {_NOUN})(?: is| was| goes to|:) {_X}{_SCOPE}"
    ),
    _form(
        rf"{_X} (?:is|was) {_DEGREE}(?:(?P<bare>worse|inferior|weaker|not as good)|"
        rf"the {_DEGREE}(?:worse|worst|inferior|weaker)(?: {_NOUN})?){_SCOPE}(?: (?:than|to|as) {_Y})?",
        against=True,
    ),
    _form(
        r"(?P<bare>(?:(?:it|this)(?: is|'s| was) )?(?:(?:basically|essentially|effectively|clearly) )?"
        rf"(?:a )?(?:clear |perfect )?(?:tie|draw|toss-up)|{_PAIR} (?:are |were )?(?:tied|tie)|"
        rf"{_PAIR} (?:are|were) equally (?:good|strong|great)){_SCOPE}",
        _TIE,
    ),
    _form(
        rf"(?P<bare>{_PAIR} (?:are|were) (?:equal(?: in quality)?|of equal quality|on par|equally acceptable)|"
        rf"(?:there is |there's )?no (?:clear |real )?winner|neither (?:of them |{_NOUN} )?(?:is|was) (?:clearly )?"
        rf"better(?: than the other)?|(?:i|we) have no preference){_SCOPE}",
        _TIE_OR_NEITHER,
    ),
    _form(
        rf"(?P<bare>neither(?: of (?:them|the two)(?: {_NOUN}s)?| {_NOUN}| {_LABEL} nor {_LABEL})? (?:is|was|are|were) "
        rf"(?:really )?(?:acceptable|good(?: enough)?|adequate|satisfactory|usable)|{_PAIR} (?:are|were) "
        rf"(?:equally )?(?:unacceptable|unusable|inadequate|bad|poor|weak)|(?:i|we) prefer neither){_SCOPE}",
        _TIE_OR_NEITHER,
    ),
)
_OVERALL = re.compile(
    r"\b(?:overall|in (?:summary|short|conclusion|general)|to sum up|all in all|on balance|in (?:every|all))\b",
    re.IGNORECASE,
)
_SLIGHT = re.compile(r"\b(?:slightly|somewhat|marginally|a bit|a little)\b", re.IGNORECASE)  # may stand beside a tie
_OF_THE_PAIR = re.compile(rf"\b(?:{_LABEL}|(?:both|neither|they|responses|answers|candidates)\b)", re.IGNORECASE)
_FRAME = re.compile(
    r"(?:suppose|imagine|assum(?:e|ing)|pretend|say|consider|regarding|concerning|as (?:for|to)|next|now|then|on|in|"
    r"for|if|when|with)\b|.*:",
    re.IGNORECASE,
)

# What makes the rule keep silent: a turn of thought after the verdict, or a word for the recorded preference.
_TURN = re.compile(
    r"\b(?:but|however|although|though|yet|unless|despite|nevertheless|nonetheless|conversely|ultimately|"
    r"except (?:that|for)|only if|even if|if (?:you|we|one)|that said|in the end|on reflection|i meant?|"
    r"on the other hand|scratch that|sorry|oops)\b|, if\b"
)
_COMPARED = re.compile(r"\b(?:than|over|unlike|compared (?:to|with)) @[ab]")
_MENTION = re.compile(r"(@[ab]|\b(?:first|former|second|latter|other)\b)")
_MENTIONS = {
    "A": frozenset({"@a", "first", "former", "other"}),
    "B": frozenset({"@b", "second", "latter", "other"}),
}
_CLAUSE = re.compile(r"[,:()]|\b(?:and|while|whereas|because|since|so|where|when|which|that|as)\b")
_FAULTLESS = re.compile(
    r"(?:\b(?:not|no|never|without)|n't)(?: [a-z]+)? (?:wrong|bad|worse|inferior|weak|fail|miss|errors?|issues?|"
    r"bugs?|problems?|flaws?|mistakes?)\b"
)
_DENIED = re.compile(r"(?:\b(?:not|never|cannot|without|fails? to|failed to|unable to)|n't)(?: [a-z'-]+){1,3}")
_PRAISE = re.compile(
    r"\b(?:better|best|prefer[a-z]*|superior|strong[a-z]*|win|wins|won|winner|beats?|cho[os]se?|chosen|choice|"
    r"pick(?:ed)?|select(?:ed)?|favou?r(?:ed)?|go|goes|going|went|good|great|excellent|ideal|perfect|flawless|"
    r"fine|nice|well|right|correct|correctly|accurate|accurately|precise|complete|completely|thorough|sound|"
    r"valid|works?|passe[sd]|succeed[a-z]*|solve[sd]?|answers|follow[a-z]*|preserves?|keeps|handles|deserves|"
    r"edge(?! cases?)|ahead|more|fewer|shorter|clearer|cleaner|simpler|easier|faster|safer|closer|nicer|richer|fuller|"
    r"tidier|deeper|briefer|friendlier|clear|clean|concise|useful|helpful|acceptable|satisf[a-z]+|"
    r"impress[a-z]+|recommend[a-z]*|liked?|has it)\b"
)
_EVENNESS = re.compile(
    r"\b(?:tied?|draw|equal[a-z]*|even|same|both|similar[a-z]*|identical|comparabl[ey]|either|neither|par|close|"
    r"difference)\b"
)
_FAULT = re.compile(
    r"n't\b|\b(?:not?|nor|none|never|neither|without|only|cannot|still|just|least|less|fail[a-z]*|wrong[a-z]*|"
    r"incorrect[a-z]*|miss[a-z]*|lack[a-z]*|errors?|bugs?|buggy|flaw[a-z]*|broken|breaks|un[a-z]+able|"
    r"insufficient|inadequate|incomplete|inaccurate|wors[et]|poor[a-z]*|bad[a-z]*|weak[a-z]*|fix[a-z]*|"
    r"correct(?:ed|ion|s)|golden|patch[a-z]*|rewr[a-z]+|improv[a-z]+|issues?|problems?)\b"
)


def check(value: Json, context: RuleContext) -> Sequence[Finding]:
    """The rule, on a valid pairwise-v2 record."""
    sentence = contradiction(value["rationale"], value["preference"])
    if sentence is None:
        return ()
    severity = severity_of(RATIONALE_CONTRADICTS_PREFERENCE, context.policies)
    if severity is None:
        return ()
    message = f"the rationale says {excerpt(sentence)}, the recorded preference is {value['preference']}"
    return (Finding(RATIONALE_CONTRADICTS_PREFERENCE.code, message, "/rationale", severity=severity),)


def contradiction(rationale: str, preference: str) -> str | None:
    """The sentence whose verdict contradicts `preference` ("A", "B", "tie" or "neither"), or None."""
    if not _has_cue(rationale):
        return None
    sentences = _sentences(rationale)
    verdicts: dict[int, _Verdict] = {}
    for index, sentence in enumerate(sentences):
        verdict = _verdict(sentences, index) if _has_cue(sentence) else None
        if verdict is None:
            continue
        if preference in verdict.names:
            return None
        verdicts[index] = verdict
    if not verdicts:
        return None
    named = frozenset.intersection(*(verdict.names for verdict in verdicts.values()))
    last = max(verdicts)
    rest = [
        verdicts[index].reason if index in verdicts else _tokenised(sentence)
        for index, sentence in enumerate(sentences)
    ]
    if not named or any(map(_TURN.search, rest[last:])) or _speaks_for(preference, named, rest):
        return None
    return sentences[last]


def _has_cue(text: str) -> bool:
    lowered = text.lower()
    return any(cue in lowered for cue in _CUES)


def _sentences(rationale: str) -> list[str]:
    """The sentences, on one line each, quotations blanked; none where a quotation does not end.

    A line break ends no sentence, so that a heading stays part of what it heads.
    """
    text = " " + " ".join(rationale.replace("’", "'").replace("‘", "'").replace("*", "").split())
    if _quotes(text):
        text = _QUOTED.sub("quoted", text)
        if _quotes(text):
            return []
    return _SENTENCE_END.split(text.lstrip())


def _quotes(text: str) -> bool:
    return any(mark in text for mark in _QUOTE_MARKS)


def _tokenised(sentence: str) -> str:
    """The sentence in lower case, with `@a` and `@b` for the candidates."""
    return _NAME.sub(lambda match: "@" + match[0][-1], sentence).lower()


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The preferences that a sentence names, and the reason that it adds."""

    names: frozenset[str]
    reason: str


def _verdict(sentences: list[str], index: int) -> _Verdict | None:
    """The overall verdict of one sentence, or None where it gives none in a plain form."""
    sentence = sentences[index].rstrip(".!;")
    for form in _FORMS:
        match = form.pattern.fullmatch(sentence)
        if match is None:
            continue
        groups = match.groupdict()
        tail = groups["tail"] or ""
        head = sentence[: len(sentence) - len(tail)]
        if groups.get("bare") and not _stands_alone(sentences, index, head):
            return None
        names = form.names or _named(groups["x"], groups.get("y"), form.against)
        if names and _SLIGHT.search(head):
            names |= _TIE
        return _Verdict(names, _tokenised(tail)) if names else None
    return None


def _named(subject: str, compared: str | None, against: bool) -> frozenset[str]:
    """The candidate that a comparison names, nothing where it compares one with itself."""
    label = subject[-1].upper()
    if compared and compared[-1].upper() == label:
        return frozenset()
    return frozenset({_OTHER[label] if against else label})


def _stands_alone(sentences: list[str], index: int, head: str) -> bool:
    """Whether a bare verdict is about the whole: it says so, or it opens or closes the rationale.

    One that closes it must follow a sentence on the candidates that sets no scene: "Now the style. B is better."
    """
    if index == 0 or _OVERALL.search(head):
        return True
    previous = sentences[index - 1]
    return index == len(sentences) - 1 and bool(_OF_THE_PAIR.search(previous)) and not _FRAME.match(previous)


def _speaks_for(preference: str, named: frozenset[str], texts: list[str]) -> bool:
    """Whether anything beside the verdicts might speak for the recorded preference."""
    if preference == "tie":
        return any(map(_EVENNESS.search, texts))
    if preference == "neither":
        return any(map(_FAULT.search, texts))
    texts = [_COMPARED.sub("", text) for text in texts]
    if named & _MENTIONS.keys():
        return any(_praises(text, _MENTIONS[preference]) for text in texts)
    return any(_MENTION.search(text) or _praised(text) for text in texts)


def _praises(text: str, mentions: frozenset[str]) -> bool:
    """Whether the sentence praises a candidate: in the clause that leads to its mention, or up to the next one."""
    parts = _MENTION.split(text)
    for place in range(1, len(parts), 2):
        if parts[place] not in mentions:
            continue
        before = _CLAUSE.split(parts[place - 1])[-1]
        after = _CLAUSE.split(parts[place + 1])
        if place + 2 < len(parts) and len(after) > 1:
            del after[-1]  # leads to the next mention
        if any(map(_praised, (before, *after))):
            return True
    return False


def _praised(text: str) -> bool:
    return bool(_FAULTLESS.search(text) or _PRAISE.search(_DENIED.sub("", text)))
