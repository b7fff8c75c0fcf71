"""A printed queue against the printed wait: by Little's law one is the rate times the other.

A z/VM listing prints the wait of a base over its own rate or over the rate of base and aliases; either will do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from iosq.parsers.listing.columns import SHARE, Numbers, numbers
from iosq.parsers.listing.counts import Wrong

TABLES = ("fcx108", "fcx168")
STEP = 0.1  # what queues and times are printed to; views decide with the same step and share
NAMES = ("req_qued", "time_resp")


def misqueued(table: str, rows: pa.Table) -> Iterator[Wrong]:
    """Rows whose queue is neither that of the device's nor that of its volume's rate."""
    if table not in TABLES or not rows.num_rows or not {*NAMES, "time_serv"} <= set(rows.schema.names):
        return
    queue, rate = numbers(rows, "req_qued"), numbers(rows, "rate_io")
    wait = np.maximum(numbers(rows, "time_resp") - numbers(rows, "time_serv"), 0)
    if not (np.abs(rate * wait / 1000 - queue) > STEP).any():
        return
    whole = _volume_rate(rows, rate)
    slack = STEP + 2 * STEP * whole / 1000 + SHARE * queue
    apart = (np.abs(rate * wait / 1000 - queue) > slack) & (np.abs(whole * wait / 1000 - queue) > slack) & (rate > 0)
    if apart.any():
        at = int(np.argmax(apart))
        text = f"req_qued is {queue[at]:g}, rate_io x (time_resp - time_serv) {rate[at] * wait[at] / 1000:.2g}"
        yield Wrong(NAMES, apart, f"{table}: device {rows.column('addr')[at]}: {text}: req_qued counts")


def _volume_rate(rows: pa.Table, rate: Numbers) -> Numbers:
    """The rate of base and aliases in each row's interval."""
    addresses, types = rows.column("addr").to_pylist(), rows.column("type").to_pylist()
    volumes = [t[2:].strip() if t and t.startswith("->") else a for a, t in zip(addresses, types, strict=True)]
    groups: NDArray[Any] = _codes(pa.array(volumes, pa.string()))
    for name in ("system", "interval_start"):
        groups = np.unique(np.stack([groups, _codes(rows.column(name))]), axis=1, return_inverse=True)[1].ravel()
    sums: Numbers = np.bincount(groups, weights=np.nan_to_num(rate))[groups]
    return sums


def _codes(column: pa.ChunkedArray | pa.Array) -> NDArray[np.int64]:
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    codes: NDArray[np.int64] = (
        column.dictionary_encode().indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    )
    return codes
