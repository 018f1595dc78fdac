from typing import Any

import pyarrow as pa
import pytest

from transforms.columns.derive import arrow_schema, covers, unify
from transforms.columns.marks import CATEGORY, mark_of


def columns(**properties: Any) -> pa.Schema:
    return arrow_schema({"type": "object", "additionalProperties": False, "properties": properties}, {})


STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def test_versions_become_one_table() -> None:
    first = columns(task=STRING, version={"const": "v1"})
    second = columns(version={"const": "v2"}, note=STRING, task=STRING)
    table = unify([first, second])
    assert table.names == ["task", "version", "note"]
    assert mark_of(table.field("version")) == CATEGORY
    assert unify([first]) == first


def test_an_enum_that_becomes_free_text_is_text_at_any_depth() -> None:
    def version(role: Any) -> pa.Schema:
        turns = {"type": "array", "items": closed(role=role)}
        return columns(role=role, turns=turns, by_name={"type": "object", "additionalProperties": role})

    table = unify([version({"enum": ["user"]}), version(STRING)])
    assert table == version(STRING)
    assert table.equals(version(STRING), check_metadata=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [(STRING, INTEGER), (INTEGER, NUMBER), (STRING, {}), ({"enum": ["a"]}, {}), (closed(a=STRING), closed(b=STRING))],
)
def test_versions_that_disagree_are_refused(one: Any, other: Any) -> None:
    with pytest.raises(ValueError, match="disagree about column 'x'"):
        unify([columns(a=STRING, x=one), columns(x=other)])


def test_what_an_open_version_does_not_name_is_no_property_of_another() -> None:
    opened = arrow_schema({"properties": {"a": STRING}}, {})
    with pytest.raises(ValueError, match="'additional_properties'"):
        unify([opened, columns(additional_properties=STRING)])


REQUIRED = columns(
    task=STRING,
    messages={"type": "array", "items": closed(role=STRING, content=STRING)},
    ratings=closed(style=INTEGER),
    criteria={"type": "object", "additionalProperties": closed(mode=STRING)},
)


def test_a_schema_covers_itself_and_less() -> None:
    assert covers(REQUIRED, REQUIRED) == ()
    more = columns(
        note=STRING,
        task={"enum": ["a", "b"]},
        messages={"type": "array", "items": closed(name=STRING, role={"enum": ["user"]}, content=STRING)},
        ratings=closed(style=INTEGER, tone=INTEGER),
        criteria={"type": "object", "additionalProperties": {"type": "object", "properties": {"mode": STRING}}},
    )
    assert covers(more, REQUIRED) == ()


def test_what_a_schema_lacks_is_named_by_its_path() -> None:
    less = columns(
        task={},
        messages={"type": "array", "items": closed(content=INTEGER)},
        ratings=closed(style=NUMBER),
        criteria={"type": "object", "additionalProperties": closed(other=STRING)},
    )
    assert covers(less, REQUIRED) == (
        "task",
        "messages[].role",
        "messages[].content",
        "ratings.style",
        "criteria{}.mode",
    )
    assert covers(columns(task=STRING, messages=STRING), REQUIRED) == ("messages", "ratings", "criteria")
    pairs = {"type": "array", "items": closed(key=STRING, value=closed(mode=STRING))}
    names = pa.schema([REQUIRED.field("criteria")])
    assert covers(columns(criteria=pairs), names) == ("criteria",)


def test_additional_properties_are_not_required() -> None:
    opened = arrow_schema({"properties": {"a": STRING}}, {})
    assert covers(columns(a=STRING), opened) == ()
