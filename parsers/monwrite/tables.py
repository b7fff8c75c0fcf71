"""The raw tables of monitor records; see `iosq.parsers.registry`."""

from iosq.parsers.api import Table
from iosq.parsers.monwrite.layout import records


def tables() -> tuple[Table, ...]:
    """One table per decoded record, `mon_d6r3` and so on."""
    return tuple(r.table for r in records().values())
