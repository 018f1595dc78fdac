import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transforms.rules.prose_ids import asserted, cited, is_bare, is_usual, names, shape, stems, tokens, tokens_like


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("doc-a", "doc-a"),
        ("doc-harbour", "doc-a"),
        ("doc-12", "doc-0"),
        ("doc-3f", "doc-0"),
        ("kb/2024/17", "kb/0/0"),
        ("tide.2024-b", "tide.0-a"),
        ("d1", "d0"),
        ("D23", "D0"),
        ("doc", None),
        ("12", None),
        ("a1b2", None),
        ("3f-a", None),
        ("doc a", None),
        ("doc-", None),
        ("doc--a", None),
        ("dök-1", None),
        ("=1+1", None),
        ("", None),
    ],
)
def test_the_shape_of_an_id(identifier: str, expected: str | None) -> None:
    assert shape(identifier) == expected


def test_tokens_come_in_order_with_repetitions() -> None:
    assert list(tokens("See doc-a, kb/7: (d1)! or doc-a.")) == ["doc-a", "kb/7", "d1", "doc-a"]


TOKENS = st.sampled_from(["doc-a", "doc-1", "d1", "d", "D2", "kb/7", "kb.7", "a1-x", "doc", "word", "ä", "[", "=", "."])


@settings(deadline=None)
@given(
    st.lists(st.tuples(TOKENS, st.sampled_from([" ", "", "-"])), max_size=12),
    st.sets(st.sampled_from(["doc-a", "doc-0", "d0", "kb/0", "a0-a", "D0"])),
)
def test_tokens_of_a_shape_are_those_among_all(parts: list[tuple[str, str]], shapes: set[str]) -> None:
    text = "".join(token + gap for token, gap in parts)
    assert list(tokens_like(text, shapes)) == [token for token in tokens(text) if shape(token) in shapes]


@pytest.mark.parametrize(
    "text",
    [
        "word at/ well- 12 3f-a",
        "https://example.org/doc-a",
        "me@doc-a",
        "/srv/doc-a",
        "doc-ä",
        "xädoc-a",
        "doc-a_",
        "doc-" + "a" * 125,
    ],
)
def test_what_is_no_token(text: str) -> None:
    assert list(tokens(text)) == []


def test_a_token_and_what_of_it_ends_before_a_separator() -> None:
    assert list(stems("doc-a.pdf")) == ["doc-a.pdf", "doc-a", "doc"]
    assert list(stems("d1")) == ["d1"]


def test_tokens_that_are_ids_outside_a_citation() -> None:
    assert all(map(is_bare, ["doc-a", "doc-ab", "doc-3fe", "doc-12", "kb/well-7", "d1"]))
    assert not any(map(is_bare, ["doc-abc", "doc-like", "kb/7/well"]))


def test_usual_ids() -> None:
    assert all(map(is_usual, ["doc-a", "Source_b", "document:12", "src#3", "chunk/9f", "PASSAGE-4"]))
    assert not any(map(is_usual, ["docs-a", "doc-a-b", "d1", "e-mail", "doc.a", "undoc-a"]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]", {"a"}),
        ("[a, 'b'; “c”]", {"a", "b", "c"}),
        ("[doc: a]", {"doc: a", "a"}),
        ("(doc: a)", {"a"}),
        ("(see document a, id: b)", {"a", "id: b", "b"}),
        ("(Source a.)", {"a"}),
        ("document a", {"a"}),
        ('Sources: "a".', {"a"}),
        ("reference id a", {"a"}),
        ("[a][b]", {"a", "b"}),
        ("x[a] f(x)[a] [a](b)", set()),
        ("(a)", set()),
        ("[a\nb]", set()),
        ("[" + "a" * 201 + "]", set()),
        ("undocumented a", set()),
    ],
)
def test_explicit_citations(text: str, expected: set[str]) -> None:
    assert cited(text) == expected


@pytest.mark.parametrize(
    ("text", "identifier", "expected"),
    [
        ("See doc-a.", "doc-a", True),
        ("doc-a", "doc-a", True),
        ("(doc-a), 'doc-a': doc-a!", "doc-a", True),
        ("-doc-a- or", "doc-a", True),
        ("_doc-a_ in italics", "doc-a", True),
        ("xdoc-a, then doc-a", "doc-a", True),
        ("xdoc-a doc-ab my-doc-a doc-a.pdf doc-a_2 ädoc-a", "doc-a", False),
        ("The word is noon.", "noon", False),
        ("At 17.", "17", False),
        ("At 1.5.", "1.5", False),
        ("On Tafel 3/Süd, at noon", "Tafel 3/Süd", True),
        ("On Tafel 3/Südost", "Tafel 3/Süd", False),
        ("It is =A1+1.", "=A1+1", True),
        ("xn 1 n 1 n", "n 1 n", True),  # the second of two that overlap
    ],
)
def test_an_id_in_prose(text: str, identifier: str, expected: bool) -> None:
    assert names(text, identifier) is expected


@settings(deadline=None)
@given(st.sampled_from(["doc-b", "kb/7", "=a+1x", "d2", "Tafel 3"]), st.text(max_size=40), st.text(max_size=40))
def test_an_id_between_blanks_is_a_token(identifier: str, before: str, after: str) -> None:
    assert names(f"{before} {identifier} {after}", identifier)
    assert not names(f"x{identifier}x", identifier)
    assert not names(f"x-{identifier}", identifier)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is. It isn't! Is it?", "It is.\n\nIs it?"),
        ("It isn’t. It is", "It is"),
        ("I see, e.g. no tide. It is.", "It is."),
        ("These were not found:\n- doc-b\n\nIt is.", "It is."),
        ("It is.\nIf so, it is.", "It is."),
        ("The call timed out. A timeout. Time out.", ""),
        ("A nothingness, a knot, notable, iffy.", "A nothingness, a knot, notable, iffy."),
        ("It ```is not``` so.", "It   so."),
        ("It ```is. Not so.", "It  "),
        ("", ""),
    ],
)
def test_asserted_sentences(text: str, expected: str) -> None:
    assert asserted(text) == expected
