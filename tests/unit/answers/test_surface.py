from __future__ import annotations

import pytest

from transforms.answers.surface import bare, plain, without_element_labels, without_label
from transforms.answers.verdict import UnparsableError


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("x", "x"),
        ("  x.\n", "x"),
        ("$x$", "x"),
        ("$$x$$", "x"),
        ("\\(x\\)", "x"),
        ("\\[ x \\].", "x"),
        ("\\boxed{x}", "x"),
        ("$\\boxed{x^{2}}.$", "x^{2}"),
        ("\\boxed{\\boxed{x}}", "\\boxed{\\boxed{x}}"),  # an odd thing, and no answer
        ("$x$ or $y$", "$x$ or $y$"),
        ("\\boxed{2}^{3}", "\\boxed{2}^{3}"),
        ("$", "$"),
        ("$$", ""),
        ("x..", "x."),
        ("", ""),
    ],
)
def test_what_surrounds_an_answer(text: str, inner: str) -> None:
    assert bare(text) == inner


def test_the_longest_answer() -> None:
    assert len(bare("x" * 1000)) == 1000
    with pytest.raises(UnparsableError, match="it has 1001 characters, an answer at most 1000"):
        bare("x" * 1001)


def test_one_sign_for_each_meaning() -> None:
    assert plain("a − b · c ⋅ d × e ∗ f ÷ g") == "a - b * c * d * e * f / g"
    assert plain("a\\cdot b\\times c\\timesx") == "a* b* c\\timesx"
    assert plain("x² y⁻¹² z⁺³") == "x^{2} y^{-12} z^{+3}"
    assert plain("\u00a0a\\,\\; b\\quad\nc\\ d ") == "a b c d"
    assert plain("–—‐~") == "–—‐~"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("y = x^2", "x^2"),
        ("f(x) = x^2", "x^2"),
        ("f(x, y)=x", "x"),
        ("y_1 ≈ 2", "2"),
        ("y_{max} = 2", "2"),
        ("θ = 2", "2"),
        ("\\theta = 2", "2"),
        ("\\Delta x = 2", "\\Delta x = 2"),
        ("x = 2", "x = 2"),  # a variable of the task: an equation
        ("x(t) = 2", "2"),
        ("y = z = 2", "z = 2"),
        ("2 = y", "2 = y"),
        ("y == 2", "= 2"),
    ],
)
def test_labels(text: str, rest: str) -> None:
    assert without_label(text, frozenset({"x"})) == rest


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("1, 2", "1, 2"),
        ("x = 1, x = 2", "1,2"),
        ("x=1 or x=2", "1,2"),
        ("x = 1 \\text{ or } x = 2", "1,2"),
        ("{x=1,x=2}", "{1,2}"),
        ("x = 1, 2", "1, 2"),
        ("x ∈ {1, 2}", "{1, 2}"),
        ("x \\in \\{1, 2\\}", "\\{1, 2\\}"),
    ],
)
def test_labels_of_elements(text: str, rest: str) -> None:
    assert without_element_labels(text) == rest


def test_one_solution_in_two_unknowns_is_no_set() -> None:
    with pytest.raises(UnparsableError, match="labelled with 2 different names"):
        without_element_labels("x = 1, y = 2")
