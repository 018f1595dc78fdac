"""The catalogue rows of `schema/<keyword>`: one for every keyword that a record can break."""

from __future__ import annotations

from transforms.records import Code, Severity, Stage
from transforms.schema_engines.interface import FALSE_SCHEMA

# keyword: summary, example, remedy
_ROWS: dict[str, tuple[str, str, str]] = {
    FALSE_SCHEMA: (
        "a value stands where the schema allows none (a `false` schema)",
        '{"legacy": 1} where the schema says {"properties": {"legacy": false}}',
        "Leave the value out.",
    ),
    "additionalProperties": (
        "an object has a property that its closed schema does not name",
        '{"task_id": "t-1", "reviewer": "…"} where the schema has no "reviewer"',
        "Remove the property, or correct its spelling.",
    ),
    "anyOf": (
        "a value matches none of the alternatives",
        '{"id": true} where the schema asks for a string or an integer by `anyOf`',
        "Make the value match one alternative; the schema pointer leads to them.",
    ),
    "const": (
        "a value is not the one that the schema fixes",
        '{"tool": "search"} where the schema says {"const": "retrieve_documents"}',
        "Write the value that the message names.",
    ),
    "contains": (
        "an array has too few or too many items of a kind",
        '[{"role": "system"}] where at least one item must have the role "user"',
        "Add or remove items until their number is within the bounds in the message.",
    ),
    "dependentRequired": (
        "a property is missing that another property makes necessary",
        '{"card": "…"} where `card` asks for `billing_address` too',
        "Add the property, or remove the one that asks for it.",
    ),
    "enum": (
        "a value is none of those that the schema lists",
        '{"preference": "a"} where the schema lists "A", "B", "tie" and "neither"',
        "Use one of the listed values exactly as written; case and white space count.",
    ),
    "exclusiveMaximum": (
        "a number is not below its upper bound",
        '{"confidenceLevel": 1} where it must be less than 1',
        "Correct the number; the bound itself is not allowed.",
    ),
    "exclusiveMinimum": (
        "a number is not above its lower bound",
        '{"confidenceLevel": 0} where it must be greater than 0',
        "Correct the number; the bound itself is not allowed.",
    ),
    "format": (
        "a string has not the format that the schema names, in a campaign that asserts formats",
        '{"generatedAt": "yesterday"} where the format is "date-time"',
        "Write the string in that format.",
    ),
    "items": (
        "an array is longer than a schema allows that describes each item by its position",
        "[1, 2, 3] where two items are described and `items` is false",
        "Remove the items at the end.",
    ),
    "maxItems": (
        "an array has too many items",
        "33 steps where the schema allows 32",
        "Split or shorten the array at its source; nothing is cut here.",
    ),
    "maxLength": (
        "a string has too many characters (Unicode code points)",
        "a rationale of 4,001 characters where 4,000 are allowed",
        "Shorten the text at its source; nothing is cut here.",
    ),
    "maxProperties": (
        "an object has too many properties",
        "an object of 11 properties where 10 are allowed",
        "Remove properties that do not belong to the object.",
    ),
    "maximum": (
        "a number is above its upper bound",
        '{"style": 6} on a scale from 1 to 5',
        "Correct the number; a rating is never clamped to its scale.",
    ),
    "minItems": (
        "an array has too few items",
        '{"messages": []} where at least one message is needed',
        "Supply the missing items.",
    ),
    "minLength": (
        "a string has too few characters (Unicode code points)",
        '{"rationale": "A is better"} where 15 characters are asked for',
        "Complete the text.",
    ),
    "minProperties": (
        "an object has too few properties",
        '{"criteria": {}} where at least one criterion is needed',
        "Supply the missing properties.",
    ),
    "minimum": (
        "a number is below its lower bound",
        '{"style": 0} on a scale from 1 to 5',
        "Correct the number; a rating is never clamped to its scale.",
    ),
    "multipleOf": (
        "a number is no multiple of the step in the schema, in exact decimals",
        '{"price": 19.991} where the step is 0.01',
        "Round the number at its source.",
    ),
    "not": (
        "a value matches a schema that it must not match",
        '{"status": "draft"} where the schema says {"not": {"const": "draft"}}',
        "Change the value; the schema pointer leads to what is excluded.",
    ),
    "oneOf": (
        "a value matches none of the alternatives, or more than one",
        "a number that meets two alternatives of a `oneOf`",
        "Make the value match exactly one alternative; the schema pointer leads to them.",
    ),
    "pattern": (
        "a string does not match its regular expression (ECMA-262: `$` is the very end, `\\d` is 0 to 9)",
        '{"task_id": "order 1"} where only letters, digits, "_" and "-" are allowed',
        "Correct the string; look for blanks or a line feed at its end.",
    ),
    "propertyNames": (
        "an object has a property whose name the schema does not allow",
        "a key of 300 characters where names have at most 256",
        "Rename the property.",
    ),
    "required": (
        "a property is missing",
        'a record without "preference"',
        "Supply the property; no default is ever filled in.",
    ),
    "type": (
        "a value has the wrong JSON type (5.0 is an integer, true is no number)",
        '{"style": "4"} where an integer is asked for',
        "Write the value in the type that the message names, such as 4 without quotation marks.",
    ),
    "unevaluatedItems": (
        "an array has an item that no part of its schema allows",
        "[1, 2] where only the first item is described",
        "Remove the item.",
    ),
    "unevaluatedProperties": (
        "an object has a property that no part of its schema allows",
        '{"kind": "a", "only_for_b": 1} where another branch of the schema describes "only_for_b"',
        "Remove the property, or correct what selects the branch.",
    ),
    "uniqueItems": (
        "an array has two equal items (1 and 1.0 are equal, 1 and true are not)",
        '{"document_ids": ["d-1", "d-1"]}',
        "Remove the repeated item.",
    ),
}

KEYWORD_CODES = tuple(
    Code(f"schema/{keyword}", Stage.STRUCTURE, Severity.REJECT, *row) for keyword, row in sorted(_ROWS.items())
)
