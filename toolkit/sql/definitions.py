"""All that decides what views answer about given rows, as a text: prepared views hold for this text only."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.possible import ranges


@cache
def definitions() -> str:
    """The views, their sources, the raw tables with their flag bits, the ranges, and the release of iosq."""
    return repr((version("iosq"), views(), ranges(), SHIMS, *tables().values()))
