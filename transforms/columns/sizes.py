"""How much memory rows take, counted per row: additive, whatever batches the rows stand in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Sizes = npt.NDArray[np.int64]

# Counted for every value: what a number takes, or the offset of a string or a list.
_WORD = 8


def row_sizes(table: pa.Table) -> Sizes:
    """The bytes of each row's values, nearly those of Arrow; one number per row."""
    sizes = np.zeros(table.num_rows, np.int64)
    for column in table.columns:
        if column.num_chunks:
            sizes += np.concatenate([_value_sizes(chunk) for chunk in column.chunks])
    return sizes


def _value_sizes(array: pa.Array) -> Sizes:
    kind = array.type
    sizes = np.full(len(array), _WORD, np.int64)
    if pa.types.is_struct(kind):
        for member in array.flatten():
            sizes += _value_sizes(member)
    elif pa.types.is_list(kind) or pa.types.is_map(kind):
        sizes += _list_sizes(array, array.values)
    elif pa.types.is_string(kind) or pa.types.is_binary(kind):
        sizes += pc.binary_length(array).fill_null(0).to_numpy(zero_copy_only=False)
    return sizes


def _list_sizes(array: pa.Array, values: pa.Array) -> Sizes:
    """The bytes of each list's values, or of each map's entries. A slice of lists still has the values of the whole."""
    offsets = array.offsets.to_numpy()
    first, last = int(offsets[0]), int(offsets[-1])
    total = np.zeros(last - first + 1, np.int64)
    np.cumsum(_value_sizes(values.slice(first, last - first)), out=total[1:])
    sizes: Sizes = np.diff(total[offsets - first])
    sizes[array.is_null().to_numpy(zero_copy_only=False)] = 0
    return sizes
