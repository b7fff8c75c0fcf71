"""Records of one type and length as columns, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.arrow import TYPES
from iosq.parsers.monwrite.layout import Field, Record

EPOCH_US = 2_208_988_800_000_000  # microseconds from 1900 to 1970
EBCDIC = np.frombuffer(bytes(range(256)).decode("cp037").encode("latin-1"), np.uint8)
HEX = np.frombuffer(b"0123456789ABCDEF", np.uint8)


def micros(tod: pa.Array) -> pa.Array:
    """Microseconds since 1970 of store-clock values (uint64 array or int); bit 51 is one microsecond."""
    return (tod >> 12).astype(np.int64) - EPOCH_US if isinstance(tod, np.ndarray) else (tod >> 12) - EPOCH_US


def columns(record: Record, data: Sequence[bytes]) -> dict[str, pa.Array]:
    """Every field of records of the same length as an Arrow array; NULL where the record is too short for it."""
    length = len(data[0])
    grid = np.frombuffer(b"".join(data), np.uint8).reshape(len(data), length)
    fits = {f.name: f.offset + f.length <= length for f in record.fields}
    return {
        f.name: _field(grid[:, f.offset : f.offset + f.length], f)
        if fits[f.name]
        else pa.nulls(len(data), TYPES[f.type])
        for f in record.fields
    }


def times(data: Sequence[bytes]) -> NDArray[np.int64]:
    """Build time of each record, microseconds since 1970."""
    stamps = np.frombuffer(b"".join([d[8:16] for d in data]), ">u8")
    found: NDArray[np.int64] = micros(stamps.astype(np.uint64))
    return found


def _field(part: NDArray[np.uint8], field: Field) -> pa.Array:
    if field.type in ("integer", "bigint"):
        return _number(part, field)
    if field.type == "timestamp":
        stamps = np.ascontiguousarray(part).view(">u8")[:, 0].astype(np.uint64)
        return pa.array(micros(stamps), mask=stamps == 0).cast(pa.timestamp("us"))
    if field.format == "char":
        return pc.utf8_trim_whitespace(_strings(np.where(part == 0, 32, EBCDIC[part]).astype(np.uint8)))
    return _strings(np.stack([HEX[part >> 4], HEX[part & 15]], axis=2).reshape(len(part), -1))


def _number(part: NDArray[np.uint8], field: Field) -> pa.Array:
    sign = "i" if field.format == "sint" else "u"
    if field.length in (1, 2, 4, 8):
        values = np.ascontiguousarray(part).view(f">{sign}{field.length}")[:, 0]
    else:
        values = part.astype(np.int64) @ (256 ** np.arange(field.length - 1, -1, -1))
    too_large = values > np.iinfo(np.int64).max if sign == "u" and field.length == 8 else None
    return pa.array(values.astype(np.int64), mask=too_large).cast(TYPES[field.type])


def _strings(text: NDArray[np.uint8]) -> pa.Array:
    rows, width = text.shape
    data = np.ascontiguousarray(text)
    if (data > 127).any():
        return pa.array([bytes(row).decode("latin-1") for row in data], pa.string())
    offsets = np.arange(rows + 1, dtype=np.int32) * width
    return pa.StringArray.from_buffers(rows, pa.py_buffer(offsets), pa.py_buffer(data))
