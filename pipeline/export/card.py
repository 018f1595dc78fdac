"""The dataset card: README.md with the front matter by which Hugging Face `datasets` knows splits and columns.

Without it the columns would be inferred from the first lines read, and conversations that begin without a tool call
would hide that others have some. Form: Hugging Face Hub documentation, "Data files configuration".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pipeline.export.splits import Split

CARD = "README.md"

# A type is a text's, a struct's by its members, or that of a list of such structs.
Type = str | dict[str, "Type"] | list[dict[str, "Type"]]
Columns = dict[str, Type]

_TEXT = "string"
_SAID: Columns = {"role": _TEXT, "content": _TEXT}
_CALL: Columns = {"id": _TEXT, "type": _TEXT, "function": {"name": _TEXT, "arguments": _TEXT}}
PREFERENCE: Columns = {"prompt": [_SAID], "chosen": [_SAID], "rejected": [_SAID]}
CONVERSATION: Columns = {"messages": [{**_SAID, "tool_calls": [_CALL], "tool_call_id": _TEXT, "name": _TEXT}]}

# By the folder of its files, the split that the library loads: "-" is not allowed in its names.
_SPLITS = {Split.HELD_OUT.value: "test"}


def card(columns: Columns, folders: Collection[str], format_name: str) -> str:
    """The card of an export whose rows have these columns and stand in these folders."""
    return "\n".join(
        (
            "---",
            "configs:",
            "- config_name: default",
            "  data_files:",
            *(f"  - split: {_SPLITS.get(name, 'train')}\n    path: {name}/*.jsonl" for name in sorted(folders)),
            "dataset_info:",
            "  features:",
            *_features(columns, "  "),
            "---",
            "",
            f"Exported by Assay as {format_name}. `export.json` says of which run and how, `lineage.parquet` has the",
            "record of every row.",
            "",
        )
    )


def _features(members: Columns, indent: str) -> Iterator[str]:
    for name, kind in members.items():
        yield f"{indent}- name: {name}"
        if isinstance(kind, str):
            yield f"{indent}  dtype: {kind}"
        else:
            below = kind[0] if isinstance(kind, list) else kind
            yield f"{indent}  {'list' if isinstance(kind, list) else 'struct'}:"
            yield from _features(below, indent + "  ")
