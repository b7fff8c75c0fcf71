"""Spark's names of column types."""

import pyarrow as pa

from iosq.parsers.arrow import TYPES

# instants have no time zone, as in the lake
_SPELLED = {"varchar": "STRING", "timestamp": "TIMESTAMP_NTZ", "integer": "INT"}
_OF_ARROW = {arrow: _SPELLED.get(kind, kind.upper()) for kind, arrow in TYPES.items()}


def spelled(kind: str) -> str:
    """Spark's type of a raw table's or view's column."""
    return _SPELLED.get(kind.lower(), kind.upper())


def of_arrow(kind: pa.DataType) -> str:
    """Spark's type of an Arrow type."""
    return _OF_ARROW.get(kind, str(kind).upper())
