from unicodedata import is_normalized, normalize

from hypothesis import given
from hypothesis import strategies as st

from transforms.rules.rationale import contradiction
from transforms.rules.text import INVISIBLE, excerpt, has_substance, has_visible, normalised, same_text

BLANKS = sorted(INVISIBLE)
# Letters that compose, marks of several classes, jamo, and what is dropped: the places where things go wrong.
TRICKY = st.text(
    st.sampled_from("aeE<= \n\u200b\u200d\u0301\u0323\u0338\u034f\u1100\u1161\u11a8가é\u212b\u3099か素😀\U000e0041.-")
)
TEXTS = st.text() | TRICKY
BLANK_TEXTS = st.text(st.sampled_from(BLANKS))


@given(TEXTS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once
    assert is_normalized("NFC", once)
    assert INVISIBLE.isdisjoint(once)


@given(TEXTS)
def test_canonically_equivalent_texts_normalise_alike(text: str) -> None:
    assert normalised(normalize("NFC", text)) == normalised(text)
    assert normalised(normalize("NFD", text)) == normalised(text)


@given(BLANK_TEXTS)
def test_invisible_characters_alone_are_never_visible(text: str) -> None:
    assert normalised(text) == ""
    assert not has_visible(text)
    assert not has_substance(text)


@given(st.lists(st.tuples(st.characters() | st.sampled_from("e\u0301\u1100\u1161"), BLANK_TEXTS)))
def test_invisible_characters_never_change_a_text(pieces: list[tuple[str, str]]) -> None:
    plain = "".join(char for char, _ in pieces)
    padded = "".join(char + blanks for char, blanks in pieces)
    assert normalised(padded) == normalised(plain)
    assert same_text(padded, plain)
    assert has_visible(padded) == has_visible(plain)
    assert has_substance(padded) == has_substance(plain)


@given(TEXTS)
def test_visibility_survives_normalisation(text: str) -> None:
    assert has_visible(normalised(text)) == has_visible(text)
    assert has_substance(normalised(text)) == has_substance(text)
    assert has_visible(text) or not has_substance(text)


@given(TEXTS, TEXTS, TRICKY, st.integers(0, 140))
def test_the_shortcut_of_same_text_agrees_with_the_definition(start: str, end: str, other: str, times: int) -> None:
    first, second = start * times + end, start * times + other
    assert same_text(first, second) == (normalised(first) == normalised(second))


@given(st.text(st.characters()) | st.text(st.sampled_from('"\\\n\U000e0041x')), st.integers(1, 60))
def test_an_excerpt_is_bounded_printable_utf8(text: str, limit: int) -> None:
    quoted = excerpt(text, limit)
    assert len(quoted) <= limit + len('""...')
    assert quoted.isprintable()
    assert quoted.encode()


WORDS = st.sampled_from(
    [
        *("A", "B", "@a", "Response", "answer", "a", "b", "is", "was", "better", "worse", "than", "not", "tie", "both"),
        *("are", "equally", "good", "neither", "because", "but", "I", "prefer", "the", "overall", "acceptable", "wins"),
        *(",", ".", ";", ":", "?", '"', "'", "`", "“", "”", "’", "\n", "no", "e.g."),
    ]
)


@given(st.lists(WORDS, max_size=60), st.sampled_from(["A", "B", "tie", "neither"]))
def test_the_lexical_rule_takes_any_text(words: list[str], preference: str) -> None:
    sentence = contradiction(" ".join(words), preference)
    assert sentence is None or sentence


@given(st.lists(WORDS, max_size=20))
def test_no_rationale_contradicts_both_candidates_and_ties(words: list[str]) -> None:
    text = " ".join(words)
    verdicts = [contradiction(text, preference) for preference in ("A", "B", "tie", "neither")]
    assert None in verdicts
