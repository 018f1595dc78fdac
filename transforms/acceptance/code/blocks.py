"""The code blocks of a Markdown text (CommonMark 0.31, sections 4.4 and 4.5), in lists and quotations too."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

# Blocks only, and without HTML blocks, so that a fence right under a tag is one: no code goes unseen.
_MARKDOWN = MarkdownIt("zero").enable(["fence", "code", "list", "blockquote"]).disable("inline")
# The first word, without what highlighters add to it: "{.python .numbered}", "python:main.py", "python title=…"; of a
# directive ("{code-cell} python") the word after it.
_LABEL = re.compile(r"[\s{.]*(?:(?:code|code-block|code-cell|sourcecode)\}\s*)?([^\s{}.,:;=]+)")


@dataclass(frozen=True, slots=True)
class Blocks:
    """The label and content of each fenced block, contents of indented blocks, and the lines outside fenced blocks.

    Labels are in lower case, "" where there is none.
    """

    fenced: tuple[tuple[str, str], ...]
    indented: tuple[str, ...]
    outside: tuple[str, ...]


def blocks_in(text: str) -> Blocks:
    """The blocks of a text; none is looked for where it has no fence."""
    if "```" not in text and "~~~" not in text:
        return Blocks((), (), ())
    lines: list[str | None] = list(re.split(r"\r\n|\r|\n", text))
    fenced, indented = [], []
    for token in _MARKDOWN.parse(text):
        if token.type == "code_block":
            indented.append(token.content)
        elif token.type == "fence":
            label = _LABEL.match(token.info)
            fenced.append((label[1].lower() if label else "", token.content))
            start, end = token.map or (0, 0)
            lines[start:end] = [None] * (end - start)
    return Blocks(tuple(fenced), tuple(indented), tuple(line for line in lines if line is not None))
