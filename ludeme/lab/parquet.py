"""Tables of games as Parquet files: a row for each game, sorted by its number.

What a game has one of is a column of its type; a fixed list where it has one for each player or
site; a list where it has one for each move or state. What a table is of stands in the file's
metadata under `ludeme`, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludeme.lab.games import COLUMNS, Array, Column, Games, Setting, lengths_of

if TYPE_CHECKING:
    import pyarrow

KEY = b"ludeme"


def write_table(games: Games, path: Path, facts: Mapping[str, Any]) -> None:
    """Write a table; *facts* stand beside its setting. The file is safe on disk on return."""
    import os

    from pyarrow import parquet

    head = json.dumps({"setting": games.setting.as_dict(), **facts}, ensure_ascii=False)
    table = _to_arrow(games).replace_schema_metadata({KEY: head.encode()})
    with path.open("wb") as file:
        parquet.write_table(table, file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())


def read_table(path: Path) -> Games:
    """Read a table. Raises ValueError if the file is not one."""
    from pyarrow import ArrowException, parquet

    try:
        table = parquet.read_table(path)
        head = json.loads((table.schema.metadata or {})[KEY])
        setting = Setting.from_dict(head["setting"])
        return Games(setting, _from_arrow(table, setting))
    except (ArrowException, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"`{path.name}` holds no games: {error}") from None


def _to_arrow(games: Games) -> pyarrow.Table:
    import pyarrow

    names, arrays = [], []
    for name, array in games.columns.items():
        column = COLUMNS[name]
        if prod(_shape(column, games.setting)) == 0:
            continue  # nothing is kept of an axis without places
        names.append(name)
        values = _values(column, array, games.setting)
        if column.entries != "game":
            ends = np.cumsum(lengths_of(games.columns, column.entries))
            offsets = pyarrow.array(np.concatenate([[0], ends]), pyarrow.int64())
            values = pyarrow.LargeListArray.from_arrays(offsets, values)
        arrays.append(values)
    return pyarrow.table(arrays, names)


def _values(column: Column, array: Array, setting: Setting) -> pyarrow.Array:
    import pyarrow

    flat = pyarrow.array(np.ascontiguousarray(array).reshape(-1))
    if not column.shape:
        return flat
    return pyarrow.FixedSizeListArray.from_arrays(flat, prod(_shape(column, setting)))


def _from_arrow(table: pyarrow.Table, setting: Setting) -> dict[str, Array]:
    detailed = "width" in table.column_names
    games = table.num_rows
    columns: dict[str, Array] = {}
    for column in COLUMNS.values():
        if column.detailed and not detailed:
            continue
        shape = _shape(column, setting)
        if prod(shape) == 0:
            columns[column.name] = np.zeros((games, *shape), column.type)
            continue
        values = table.column(column.name).combine_chunks()
        if column.entries != "game":
            values = values.flatten()
        if column.shape:
            values = values.flatten()
        found = values.to_numpy(zero_copy_only=False).astype(column.type, copy=False)
        columns[column.name] = found.reshape(-1, *shape)
    return columns


def _shape(column: Column, setting: Setting) -> tuple[int, ...]:
    return tuple(setting.sizes[axis] for axis in column.shape)
