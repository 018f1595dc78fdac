import numpy as np
import pyarrow as pa

from transforms.columns.sizes import row_sizes

TURN = pa.struct([("role", pa.string()), ("n", pa.int64())])


def test_scalars_count_a_word_and_text_its_bytes_too() -> None:
    table = pa.table({"n": [1, None], "b": [True, False], "t": ["é", None], "raw": [b"abc", b""]})
    assert row_sizes(table).tolist() == [8 + 8 + (8 + 2) + (8 + 3), 8 + 8 + 8 + 8]


def test_nested_values_count_for_their_row() -> None:
    turns = pa.array([[{"role": "user", "n": 1}, None], [], None], pa.list_(TURN))
    assert row_sizes(pa.table({"x": turns})).tolist() == [8 + (24 + 4) + 24, 8, 8]


def test_maps_count_as_lists_of_their_entries() -> None:
    pairs = [[("a", "1"), ("bc", None)], [], None]
    entry = pa.struct([pa.field("key", pa.string(), nullable=False), ("value", pa.string())])
    sizes = row_sizes(pa.table({"x": pa.array(pairs, pa.map_(pa.string(), pa.string()))}))
    assert sizes.tolist() == [8 + (24 + 2) + (24 + 2), 8, 8]
    entries = [pair and [{"key": key, "value": value} for key, value in pair] for pair in pairs]
    assert row_sizes(pa.table({"x": pa.array(entries, pa.list_(entry))})).tolist() == sizes.tolist()


def test_what_stands_behind_a_null_does_not_count() -> None:
    hidden = pa.ListArray.from_arrays(pa.array([0, 2, 3]), pa.array(["x", "y", "z"]), mask=pa.array([True, False]))
    assert row_sizes(pa.table({"x": hidden})).tolist() == [8, 8 + 9]


def test_sizes_do_not_depend_on_batches() -> None:
    rows = [
        {
            "x": [{"role": "r" * n, "n": n}] * (n % 4),
            "y": None if n % 3 else "y" * n,
            "z": None if n % 5 == 1 else [("k" * m, "v" * n) for m in range(n % 4)],
        }
        for n in range(20)
    ]
    schema = pa.schema([("x", pa.list_(TURN)), ("y", pa.string()), ("z", pa.map_(pa.string(), pa.string()))])
    whole = pa.Table.from_pylist(rows, schema=schema)
    for cut in range(21):
        parts = [whole.slice(0, cut), whole.slice(cut)]
        assert np.concatenate([row_sizes(part) for part in parts]).tolist() == row_sizes(whole).tolist()
        assert row_sizes(pa.concat_tables(parts)).tolist() == row_sizes(whole).tolist()
    assert row_sizes(schema.empty_table()).tolist() == []
