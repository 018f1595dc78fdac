"""The versioned JSON Schemas that ship with the package, as data.

`records/<version>/` holds the schemas of record kinds, `documents/<version>/` those of the product's own
documents; each folder has `schema.json` with `accept/` and `reject/` fixtures beside it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, cast


def schema_path(group: str, version: str) -> Path:
    """The path of a shipped schema; `group` is "records" or "documents"."""
    return Path(str(resources.files(__name__))) / group / version / "schema.json"


@cache
def load_schema(group: str, version: str) -> dict[str, Any]:
    """A shipped schema, parsed. Raises FileNotFoundError for an unknown one."""
    return cast(dict[str, Any], json.loads(schema_path(group, version).read_text(encoding="utf-8")))
