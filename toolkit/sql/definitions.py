"""All inputs of view definitions: facts are valid for these only."""

from functools import cache
from importlib.metadata import version

import xxhash

from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.possible import ranges


@cache
def definitions() -> str:
    """A hash of the views, their sources, the raw tables with their flag bits, the ranges, and the release of iosq."""
    text = repr((version("iosq"), views(), ranges(), SHIMS, *tables().values()))
    return xxhash.xxh3_128_hexdigest(text.encode())
