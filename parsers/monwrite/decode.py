"""Decodes records of one type and length into columns."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.monwrite.layout import Record
from iosq.parsers.smf.columns import Bytes, all_null, column
from iosq.parsers.smf.layout import Field

BUILT = Field("MRHDRTOD", 8, 8, "tod")


def columns(record: Record, data: Sequence[bytes]) -> dict[str, pa.Array]:
    """Every field of records of the same length as an Arrow array; NULL if the records are too short for it."""
    grid = _grid(data)
    return {f.name: _field(f, grid) for f in record.fields}


def times(data: Sequence[bytes]) -> pa.Array:
    """The time at which each record was built."""
    return _field(BUILT, _grid([d[: BUILT.end] for d in data]))


def _grid(data: Sequence[bytes]) -> Bytes:
    return np.frombuffer(b"".join(data), np.uint8).reshape(len(data), -1)


def _field(field: Field, grid: Bytes) -> pa.Array:
    fits = field.end <= grid.shape[1]
    made = column(field, grid[:, field.offset : field.end], None) if fits else all_null(field, len(grid))
    if pa.types.is_dictionary(made.type):
        made = made.dictionary_decode()
    return pc.utf8_trim_whitespace(made) if field.format == "ebcdic" else made
