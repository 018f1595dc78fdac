import pytest

from transforms.records import Code, Finding, Json, Severity, Stage
from transforms.rules.rule import Rule, RuleContext, apply, severity_of
from transforms.terms import Action

HELD = Code("some-code", Stage.RULES, Severity.HOLD, "summary", "example", "remedy")


def _long(value: Json, context: RuleContext) -> list[Finding]:
    return [Finding("long", str(value["n"]))] if value["n"] > len(context.policies) else []


def _both(_value: Json, _context: RuleContext) -> tuple[Finding, ...]:
    return (Finding("one", ""), Finding("two", ""))


def test_findings_come_in_the_order_of_the_rules() -> None:
    rules = (Rule((), _both), Rule((), _long), Rule((), _both))
    codes = [finding.code for finding in apply(rules, {"n": 1}, RuleContext())]
    assert codes == ["one", "two", "long", "one", "two"]


def test_no_rules_no_findings() -> None:
    assert apply((), {}, RuleContext()) == ()
    assert apply((Rule((), _long),), {"n": 0}, RuleContext()) == ()


@pytest.mark.parametrize(
    ("action", "severity"),
    [(Action.REJECT, Severity.REJECT), (Action.HOLD, Severity.HOLD), (Action.ALLOW, None)],
)
def test_a_policy_replaces_the_severity(action: Action, severity: Severity | None) -> None:
    assert severity_of(HELD, {"some-code": action}) is severity


def test_without_a_policy_the_code_decides() -> None:
    assert severity_of(HELD, {"other-code": Action.REJECT}) is Severity.HOLD


@pytest.mark.parametrize("action", [Action.KEEP_FIRST, Action.ALLOW_TIE])
def test_an_action_without_meaning_is_refused(action: Action) -> None:
    with pytest.raises(ValueError, match="has no meaning for some-code"):
        severity_of(HELD, {"some-code": action})
