"""The raw tables of RMF reports; see `iosq.parsers.registry`."""

from functools import cache

from iosq.parsers.api import Table
from iosq.parsers.rmf.knowledge import reports


@cache
def tables() -> tuple[Table, ...]:
    """The raw tables of all reports."""
    return tuple(s.table for r in reports() for s in r.sections)
