"""Types of columns as Spark calls them."""

from __future__ import annotations

import pyarrow as pa

from iosq.parsers.arrow import TYPES

# instants have no zone here, as in the lake
_SPELLED = {"varchar": "STRING", "timestamp": "TIMESTAMP_NTZ", "integer": "INT"}
_OF_ARROW = {arrow: _SPELLED.get(kind, kind.upper()) for kind, arrow in TYPES.items()}


def spelled(kind: str) -> str:
    """The type of a raw table's or view's column."""
    return _SPELLED.get(kind.lower(), kind.upper())


def of_arrow(kind: pa.DataType) -> str:
    """The type of Arrow's values."""
    return _OF_ARROW.get(kind, str(kind).upper())
