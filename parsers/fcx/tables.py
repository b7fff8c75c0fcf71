"""The raw tables of Performance Toolkit listings; see `iosq.parsers.registry`."""

from iosq.parsers.api import Table
from iosq.parsers.fcx.knowledge import EXTENT, OTHER, PAGE, SUMMARY, reports


def tables() -> tuple[Table, ...]:
    """All raw tables of Performance Toolkit listings."""
    return (*(r.table for r in reports().values()), PAGE, SUMMARY, OTHER, EXTENT)
