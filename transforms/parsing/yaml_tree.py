"""Parser events of one YAML document to JSON-like values, without recursion, and the faults met on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transforms.parsing.exact_numbers import Exact
from transforms.parsing.json_reference import DUPLICATE_KEY, LONE_SURROGATE, excerpt, pointer
from transforms.parsing.yaml_scalars import Refused, Scalar, plain_scalar
from transforms.parsing.yaml_surrogates import has_lone_surrogate, unmask
from transforms.records import Code, Finding, Severity, Stage

YAML_TAG = Code(
    "yaml-tag",
    Stage.PARSING,
    Severity.REJECT,
    "A YAML value has a tag. Tags retype values, and some loaders run code for them.",
    'confidenceLevel: !!str 0.95 or terminationReason: !!python/name:os.getcwd ""',
    "Remove the tag; put the value between quotes if it is meant as text.",
)
YAML_MERGE_KEY = Code(
    "yaml-merge-key",
    Stage.PARSING,
    Severity.REJECT,
    "A YAML object has the merge key <<, which brings in members that are not written there.",
    "<<: *defaults",
    'Write the members out. A key that is really named << goes between quotes: "<<".',
)
YAML_ALIAS = Code(
    "yaml-alias",
    Stage.PARSING,
    Severity.REJECT,
    "A YAML value has an anchor (&name) or is an alias (*name): a few of them can stand for endless data.",
    "first: &a [1, 2] and later second: *a",
    "Write each value out where it belongs; switch anchors off in the emitter.",
)
NON_STRING_KEY = Code(
    "non-string-key",
    Stage.PARSING,
    Severity.REJECT,
    "A key of a YAML object is no text: a number, a boolean, null, missing, a list or an object.",
    "criteria: {1: {mode: inferential}}",
    'Put the key between quotes if it is meant as text: "1".',
)
CODES: tuple[Code, ...] = (YAML_TAG, YAML_MERGE_KEY, YAML_ALIAS, NON_STRING_KEY)

# libyaml's bindings have no types.
_Event = Any


@dataclass(slots=True)
class _Open:
    """An array or object that is being read; `key` is that of the member whose value comes next."""

    value: list[Any] | dict[str, Any]
    key: str | None = None


@dataclass(slots=True)
class Tree:
    """What the events of one document build.

    `faults` holds the first fault of each code; where there is any, `root` means nothing. `plain` is as in
    `json_strict.Parsed`. `stand_in` is that of the masked text, `exact` as in `plain_scalar`.
    """

    stand_in: str | None
    exact: Exact | None
    root: Any = None
    plain: bool = True
    faults: dict[str, Finding] = field(default_factory=dict)
    _open: list[_Open] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """How many arrays and objects are open."""
        return len(self._open)

    def scalar(self, event: _Event) -> None:
        """Take a scalar: a key or a value."""
        text: str = event.value
        if event.tag is not None or event.anchor is not None:
            self._properties(event)
        if self.stand_in is not None:
            text = unmask(text, self.stand_in, escapes=event.style == '"')
        value = text if event.style else plain_scalar(text, exact=self.exact)
        top = self._open[-1] if self._open else None
        if top is not None and top.key is None and type(top.value) is dict:
            self._key(text, value, top, event)
        else:
            self._place(self._sound(value, event))

    def alias(self, event: _Event) -> None:
        """Take an alias: a fault, whatever it stands for."""
        self._fault(YAML_ALIAS.code, f"the alias {excerpt('*' + event.anchor)}", event)
        self._place(None)

    def begin(self, value: list[Any] | dict[str, Any], event: _Event) -> None:
        """Open an array or object."""
        if event.tag is not None or event.anchor is not None:
            self._properties(event)
        top = self._open[-1] if self._open else None
        if top is not None and top.key is None and type(top.value) is dict:
            self._fault(NON_STRING_KEY.code, "an array or object stands as a key", event)
        self._open.append(_Open(value))

    def end(self) -> None:
        """Close the innermost array or object."""
        self._place(self._open.pop().value)

    def _place(self, value: Any) -> None:
        if not self._open:
            self.root = value
            return
        top = self._open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            # Only what was refused as a key gets here: any text keeps keys and values in step.
            top.key = ""
        else:
            top.value[top.key] = value
            top.key = None

    def _key(self, text: str, typed: Scalar | Refused, top: _Open, event: _Event) -> None:
        if not isinstance(typed, str):
            message = f"the key {excerpt(text)} is no text" if text else "a key is missing"
            self._fault(NON_STRING_KEY.code, message, event)
        repeated = text in top.value
        top.key = text
        if repeated:
            self._fault(DUPLICATE_KEY.code, f"the key {excerpt(text)} appears more than once in one object", event)
        if text == "<<" and not event.style:
            self._fault(YAML_MERGE_KEY.code, "a merge key", event)
        if not text.isascii():
            self.plain = False
            if has_lone_surrogate(text):
                self._fault(LONE_SURROGATE.code, f"the key {excerpt(text)} holds a lone surrogate", event)

    def _sound(self, value: Scalar | Refused, event: _Event) -> Scalar:
        """Give a value that is no key, having noted what is wrong with it."""
        if isinstance(value, str):
            if self.stand_in is not None and has_lone_surrogate(value):
                self._fault(LONE_SURROGATE.code, "the string holds a lone surrogate", event)
            return value
        if isinstance(value, Refused):
            self._fault(value.code, value.message, event)
            return None
        if value is not None and not isinstance(value, int):
            self.plain = False
        return value

    def _properties(self, event: _Event) -> None:
        if event.tag is not None:
            self._fault(YAML_TAG.code, f"the tag {excerpt(event.tag)}", event)
        if event.anchor is not None:
            self._fault(YAML_ALIAS.code, f"the anchor {excerpt('&' + event.anchor)}", event)

    def _fault(self, code: str, message: str, event: _Event) -> None:
        if code in self.faults:
            return
        mark = event.start_mark
        path: list[str | int] = []
        for level in self._open:
            step = len(level.value) if isinstance(level.value, list) else level.key
            if step is None:
                # The fault is at a key, or within what stands as one: the object is as near as a pointer gets.
                break
            path.append(step)
        self.faults[code] = Finding(code, f"{message} at line {mark.line + 1}, column {mark.column + 1}", pointer(path))
