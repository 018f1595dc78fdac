from transforms.citations.near_quotes import FoldedText, Near, differences


def test_canonical_singletons_are_told_though_several_folds_hide_them() -> None:
    assert differences("\u2126", "\u03a9") == ("Unicode normalisation",)  # OHM SIGN and OMEGA
    assert differences("same", "same") == ()


def test_invisible_characters_around_white_space_belong_to_the_ends() -> None:
    assert differences("gate", "gate \u200b") == ("white space at its ends",)
    assert differences("gate", "gate\u200b") == ("invisible characters",)
    assert differences("", " \u200b") == ()


def test_long_runs_of_marks_are_not_composed() -> None:
    # One accent is part of "é"; the run of those after it is at most 30 where it is composed.
    assert differences("é" + "\u0301" * 29, "e" + "\u0301" * 30) == ("Unicode normalisation",)
    assert differences("é" + "\u0301" * 30, "e" + "\u0301" * 31) == ()


def test_texts_that_differ_in_more_are_not_alike() -> None:
    assert differences("gate", "gates") == ()
    assert differences("gate" * 5000, "gate") == ()


def test_a_place_far_into_a_large_document() -> None:
    text = "The tide “turns” at six\u00a0sharp.\r\n" * 40_000
    at = len(text) * 3 // 4
    folded = FoldedText(text[:at] + "Café 😀, c’est “fermé”\r\n" + text[at:])
    near = folded.find('CAFE\u0301 😀, c\'est "fermé"')
    assert near == Near(at, at + 21, ("typographic marks", "Unicode normalisation", "case"))


def test_a_folded_text_is_searched_across_its_chunks() -> None:
    text = "".join(f"Word{index} " for index in range(2000))
    quote = "".join(f"wORD{index}\u00a0" for index in range(400))
    start = text.index("Word700")
    moved = quote.replace("wORD", "wORD7")  # no such words
    assert FoldedText(text).find(quote) == Near(0, len(quote), ("kinds of space", "case"))
    assert FoldedText(text).find("wORD700\u00a0wORD701") == Near(start, start + 15, ("kinds of space", "case"))
    assert FoldedText(text).find(moved) is None
    assert FoldedText("").find("x") is None
