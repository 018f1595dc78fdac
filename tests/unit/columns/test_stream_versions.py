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


def free_names(values: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


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
        named = {"type": "object", "additionalProperties": closed(role=role)}
        return columns(role=role, turns=turns, by_name={"type": "object", "additionalProperties": role}, named=named)

    table = unify([version({"enum": ["user"]}), version(STRING)])
    assert table == version(STRING)
    assert table.equals(version(STRING), check_metadata=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (STRING, INTEGER),
        (INTEGER, NUMBER),
        (STRING, {}),
        ({"enum": ["a"]}, {}),
        (closed(a=STRING), closed(b=STRING)),
        (free_names(STRING), free_names(INTEGER)),
        (free_names(STRING), free_names({"type": "array", "items": STRING})),
        (free_names(closed(a=STRING)), {"type": "array", "items": closed(name=STRING, a=STRING)}),
    ],
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
    criteria=free_names(closed(mode=STRING)),
    profile=free_names(STRING),
    notes=free_names({"type": "array", "items": closed(text=STRING)}),
)


def test_a_schema_covers_itself_and_less() -> None:
    assert covers(REQUIRED, REQUIRED) == ()
    more = columns(
        note=STRING,
        task={"enum": ["a", "b"]},
        messages={"type": "array", "items": closed(name=STRING, role={"enum": ["user"]}, content=STRING)},
        ratings=closed(style=INTEGER, tone=INTEGER),
        criteria=free_names({"type": "object", "properties": {"trials": INTEGER, "mode": STRING}}),
        profile=free_names({"enum": ["a", "b"]}),
        notes=free_names({"type": "array", "items": closed(page=INTEGER, text=STRING)}),
    )
    assert covers(more, REQUIRED) == ()


def test_what_a_schema_lacks_is_named_by_its_path() -> None:
    less = columns(
        task={},
        messages={"type": "array", "items": closed(content=INTEGER)},
        ratings=closed(style=NUMBER),
        criteria=free_names(closed(other=STRING)),
        profile=free_names(INTEGER),
        notes=free_names({"type": "array", "items": closed(text=INTEGER)}),
    )
    assert covers(less, REQUIRED) == (
        "task",
        "messages[].role",
        "messages[].content",
        "ratings.style",
        "criteria{}.mode",
        "profile{}",
        "notes{}[].text",
    )
    everything_else = ("messages", "ratings", "criteria", "profile", "notes")
    assert covers(columns(task=STRING, messages=STRING), REQUIRED) == everything_else


def test_another_form_is_another_column() -> None:
    other = columns(
        criteria={"type": "array", "items": closed(name=STRING, mode=STRING)},
        profile=free_names({}),
        notes={"type": "array", "items": closed(key=STRING, value={"type": "array", "items": closed(text=STRING)})},
    )
    wanted = pa.schema([REQUIRED.field(name) for name in ("criteria", "profile", "notes")])
    assert covers(other, wanted) == ("criteria", "profile", "notes")
    assert covers(columns(criteria=free_names(closed(name=STRING, mode=STRING))), wanted)[0] == "criteria"


def test_additional_properties_are_not_required() -> None:
    opened = arrow_schema({"properties": {"a": STRING}}, {})
    assert covers(columns(a=STRING), opened) == ()
