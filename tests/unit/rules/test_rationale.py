import pytest

from transforms.records import Severity
from transforms.rules.rationale import CODES, check, contradiction
from transforms.rules.rule import RuleContext
from transforms.terms import Action

CONTRADICTED = [
    # recorded preference, rationale, the sentence that contradicts it
    ("A", "Response B is better.", "Response B is better."),
    ("A", "B is better.", "B is better."),
    ("A", "RESPONSE B IS BETTER!", "RESPONSE B IS BETTER!"),
    ("A", "response_b is better than response_a.", "response_b is better than response_a."),
    ("A", "**Response B** is clearly the better answer.", "Response B is clearly the better answer."),
    ("A", "B is clearly the better answer", "B is clearly the better answer"),
    ("A", "B is the winner.", "B is the winner."),
    ("A", "Answer B is much better overall.", "Answer B is much better overall."),
    ("A", "Candidate B is superior to Candidate A.", "Candidate B is superior to Candidate A."),
    ("A", "B is better in every respect.", "B is better in every respect."),
    ("A", "Response B is preferred.", "Response B is preferred."),
    ("A", "I prefer B.", "I prefer B."),
    ("A", "I strongly prefer Response B over Response A.", "I strongly prefer Response B over Response A."),
    ("A", "I'd go with Response B.", "I'd go with Response B."),
    ("A", "I’d pick B because it compiles.", "I'd pick B because it compiles."),
    ("A", "Chose B because it names the right prime.", "Chose B because it names the right prime."),
    ("A", "My preference is B.", "My preference is B."),
    ("A", "Verdict: Response B", "Verdict: Response B"),
    ("A", "My vote goes to Response B.", "My vote goes to Response B."),
    ("A", "The better response is B.", "The better response is B."),
    ("A", "B wins.", "B wins."),
    ("A", "Response B easily beats Response A.", "Response B easily beats Response A."),
    ("A", "A is worse than B.", "A is worse than B."),
    ("A", "Response A is not as good as Response B.", "Response A is not as good as Response B."),
    ("A", "I think that B is better.", "I think that B is better."),
    ("A", "Overall, B is better.", "Overall, B is better."),
    ("A", "Response B is better because it keeps the order.", "Response B is better because it keeps the order."),
    (
        "A",
        "Response B is better because it handles empty input while Response A crashes.",
        "Response B is better because it handles empty input while Response A crashes.",
    ),
    (
        "A",
        "Response B is better because it returns a list; Response A does not work on empty input.",
        "Response B is better because it returns a list;",
    ),
    ("A", "B is better: it cites its source.", "B is better: it cites its source."),
    ("A", "Response A misses the edge case, e.g. none. Response B is better.", "Response B is better."),
    ("A", "Response A is shown on the left.\n\nResponse B is better.", "Response B is better."),
    ("A", "Response A fails. Response B is better.", "Response B is better."),
    ("A", "Both run. Overall, B is better. It is short.", "Overall, B is better."),
    ("A", "In my opinion, B is better. It is short.", "In my opinion, B is better."),
    ("A", "I prefer B. It is better than A in every way.", "I prefer B."),
    ("A", 'Response A says "this is correct". I prefer B.', "I prefer B."),
    ("A", "B is slightly better.", "B is slightly better."),
    ("A", "I slightly prefer B.", "I slightly prefer B."),
    ("A", "It's a tie.", "It's a tie."),
    ("A", "This is a tie because they return the same list.", "This is a tie because they return the same list."),
    ("A", "Both are equally good.", "Both are equally good."),
    ("A", "A and B are equally good.", "A and B are equally good."),
    ("A", "There is no clear winner.", "There is no clear winner."),
    ("A", "Neither is better than the other.", "Neither is better than the other."),
    ("A", "Neither response is acceptable.", "Neither response is acceptable."),
    ("A", "Neither A nor B is usable.", "Neither A nor B is usable."),
    ("B", "Response A is better.", "Response A is better."),
    ("B", "Overall A is the stronger answer.", "Overall A is the stronger answer."),
    ("B", "Response B is worse.", "Response B is worse."),
    ("B", "Both responses are equally good.", "Both responses are equally good."),
    ("tie", "Response B is better.", "Response B is better."),
    ("tie", "I prefer A because it is short.", "I prefer A because it is short."),
    ("neither", "Response B is better.", "Response B is better."),
    ("neither", "Both are equally good.", "Both are equally good."),
    ("neither", "It is a tie.", "It is a tie."),
]

CONSISTENT = [
    # the recorded verdict itself
    ("A", "A is better than B."),
    ("A", "Response A is better because it keeps the order, which B does not."),
    ("A", "B is worse."),
    ("B", "I prefer B over A."),
    ("tie", "It's a tie."),
    ("tie", "Neither is better than the other."),
    ("neither", "Neither is acceptable."),
    ("tie", "Neither is acceptable."),
    ("neither", "Both are equally bad."),
    # no verdict at all
    ("A", "Response A preserves insertion order. Response B removes duplicates."),
    ("A", "Thirteen has no divisors besides one and itself; fifteen equals three times five."),
    ("A", "B 更好，因为它保留了顺序。"),
    ("tie", "B is slightly better."),
    ("tie", "Overall, response B is a little better than response A."),
    # negation
    ("A", "B is not better."),
    ("A", "B is no better than A."),
    ("A", "It is not true that B is better."),
    ("A", "I do not think B is better."),
    ("A", "I don't prefer B."),
    ("A", "Nobody would say that B is better."),
    ("A", "A is no worse."),
    ("A", "A is not worse than B."),
    ("A", "It is not a tie."),
    # conditions, hedges, questions, other people's views
    ("A", "B would be better if it compiled."),
    ("A", "B is better if speed is all that counts."),
    ("A", "If only style counted, B is better."),
    ("A", "B is better only for beginners."),
    ("A", "I would have preferred B with tests."),
    ("A", "B is arguably better."),
    ("A", "B is probably the better answer."),
    ("A", "At first glance B is better."),
    ("A", "Is B better?"),
    ("A", "B is better?"),
    ("A", "Some reviewers say B is better."),
    ("A", "I thought B is better."),
    ("A", "Suppose the reader knows Python well. B is better."),
    # one aspect
    ("A", "B is better formatted."),
    ("A", "B is better at formatting."),
    ("A", "B is better in style."),
    ("A", "I prefer B's tone."),
    ("A", "I prefer B for its tone."),
    ("A", "B wins on style."),
    ("A", "Stylistically, B is better."),
    ("A", "In terms of style, B is better."),
    ("A", "Style: B is better. Facts: hard to tell."),
    ("A", "Style\nB is better.\nFacts\nHard to tell."),
    ("A", "I read both twice. Style. B is better."),
    ("A", "Now look at the formatting. B is better."),
    ("A", "Formatting matters to this user. B is better."),
    ("A", "Formatting: Response A uses bullets. B is better."),
    ("A", "The match ended two to two. It's a tie."),
    ("A", "Both compile. B is better. The facts decide it."),
    ("A", "It's a tie on style."),
    ("A", "Both are equally good at formatting."),
    ("A", "A is worse formatted."),
    # contrast and a word for the recorded preference
    ("A", "B is better formatted but A is correct."),
    ("A", "B is better, but A is correct."),
    ("A", "Although B is better written, the facts decide."),
    ("A", "B is better because it is short, but it is wrong."),
    ("A", "B is better because it is short, whereas A is correct."),
    ("A", "B is better. However, it does not compile."),
    ("A", "B is better. A is correct."),
    ("A", "B is better. The facts go to A."),
    ("A", "B is better. The other one has no errors."),
    ("A", "B is better. Response A, on formatting, is clearer."),
    ("A", "B is better. I prefer A."),
    ("A", "B is better. It's a tie."),
    ("A", "Both are equally good. A is shorter."),
    ("A", "Both are equally good. Went with the shorter one."),
    ("A", "Neither is acceptable. Response A at least compiles."),
    ("B", "A is better. The second response is right on the facts."),
    ("tie", "B is better. On the facts both agree."),
    ("neither", "B is better. It still gets the sum wrong."),
    ("neither", "Both are equally good because both fail."),
    # quotations
    ("A", 'The prompt ends with "B is better." as its example.'),
    ("A", 'The text reads "Hello there, my friend. B is better.'),
    ("A", "It prints `x. B is better.` as asked."),
    ("A", "The user wrote 'as you said. B is better."),
    ("A", "> B is better."),
    # other things named A or B
    ("A", "Plan B is better."),
    ("B", "A better answer is seventeen."),
    ("B", "It gives the answer a better shape."),
    ("A", "B is better than B."),
    ("A", "B is better than nothing."),
]


@pytest.mark.parametrize(("preference", "rationale", "sentence"), CONTRADICTED)
def test_a_plain_verdict_against_the_preference_is_found(preference: str, rationale: str, sentence: str) -> None:
    assert contradiction(rationale, preference) == sentence


@pytest.mark.parametrize(("preference", "rationale"), CONSISTENT)
def test_anything_less_is_not(preference: str, rationale: str) -> None:
    assert contradiction(rationale, preference) is None


@pytest.mark.parametrize(
    "piece",
    [
        "B is better because ",
        "'",
        "“",
        '"',
        "@a ",
        "A ",
        "not ",
        "clearly much far ",
        "both of them and ",
        "a" * 50,
        ". ",
    ],
)
def test_a_rationale_of_4000_characters_ends(piece: str) -> None:
    text = (piece * 4000)[:3980] + " B is better."
    assert contradiction(text, "B") is None


def _record(preference: str, rationale: str) -> dict[str, object]:
    return {"preference": preference, "rationale": rationale}


def test_the_finding_is_a_hold_by_default() -> None:
    (finding,) = check(_record("A", "Response B is better because it keeps the order of values."), RuleContext())
    assert finding.code == CODES[0].code == "rationale-contradicts-preference"
    assert finding.pointer == "/rationale"
    assert finding.severity is Severity.HOLD
    assert finding.message == (
        'the rationale says "Response B is better because it keeps th"..., the recorded preference is A'
    )


@pytest.mark.parametrize(("action", "severity"), [(Action.HOLD, Severity.HOLD), (Action.REJECT, Severity.REJECT)])
def test_the_policy_sets_the_severity(action: Action, severity: Severity) -> None:
    context = RuleContext(policies={"rationale-contradicts-preference": action})
    assert [finding.severity for finding in check(_record("A", "B is better."), context)] == [severity]


def test_the_policy_may_allow_it() -> None:
    context = RuleContext(policies={"rationale-contradicts-preference": Action.ALLOW})
    assert check(_record("A", "B is better."), context) == ()
