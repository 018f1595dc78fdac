from __future__ import annotations

import json
from html import escape
from typing import Any

import schemas
from pipeline.report.html import render_html

EVERY_MEMBER = schemas.schema_path("documents", "digest-manifest-v1").parent / "accept" / "every-member.json"
HOSTILE = "<img src=x onerror='alert(1)'>\"&amp;]]>"


def manifest() -> dict[str, Any]:
    value: dict[str, Any] = json.loads(EVERY_MEMBER.read_bytes())
    return value


def test_a_page() -> None:
    page = render_html(manifest())
    assert page.startswith('<!doctype html>\n<html lang="en"><meta charset="utf-8">\n<title>tides-1</title>\n')
    assert page.endswith("</html>\n")
    assert "<h1>tides-1</h1>" in page
    numbers = "".join(f'<td class="n">{count}</td>' for count in (3, 1, 1, 1))
    assert f"<tr><td>annotations</td><td>pairwise-v2</td>{numbers}</tr>" in page
    assert '<tr><td>annotations</td><td>repeated-annotation</td><td class="n">2</td></tr>' in page
    assert "<td>b.jsonl</td><td>80,000,000,000</td><td>0</td><td></td></tr>" in page
    assert '<p class="w">annotations/b.jsonl: <code>shard-too-large</code> the file is larger' in page
    assert '<p class="w">/: <code>empty-shard</code>' in page
    assert page.count("<table>") == page.count("</table>") == 5


def test_nothing_is_fetched_or_run() -> None:
    page = render_html(manifest())
    assert not [word for word in ("<script", "<link", "src=", "href=", "url(", "@import", "http") if word in page]


def test_everything_is_escaped() -> None:
    value = manifest()
    value["run_id"] = value["versions"]["python"] = HOSTILE
    value["streams"] = {HOSTILE: {**value["streams"]["annotations"], "kind": HOSTILE, "codes": {HOSTILE: 1}}}
    for row in value["inputs"]:
        row |= {"stream": HOSTILE, "shard": HOSTILE}
    for row in value["documents"]:
        row |= {"role": HOSTILE, "version": HOSTILE}
    value["warnings"] = [dict.fromkeys(("code", "message", "stream", "shard"), HOSTILE)]
    page = render_html(value)
    assert "<img" not in page
    heads, books, codes, inputs, documents, versions, warning = 2, 2, 2, 3 * 2, 3 * 2, 1, 4
    assert page.count(escape(HOSTILE)) == heads + books + codes + inputs + documents + versions + warning


def test_the_page_depends_on_the_manifest_alone() -> None:
    assert render_html(manifest()) == render_html(manifest())
