"""`parsers/needed.csv`: the columns of the raw tables of listings that a view reads."""

from iosq.parsers.api import Table
from iosq.parsers.registry import tables
from iosq.toolkit.sql.catalog import Source, views, words

_PRINTED = "line"  # the column that only tables of listings and XML have


def needed_csv() -> str:
    """One row per raw table that a view reads."""
    sources = [source for view in views() for source in view.sources]
    lines = [f"{t.name},{' '.join(found)}" for t in tables().values() if (found := _read(t, sources))]
    return "\n".join(["table,columns", *lines, ""])


def _read(table: Table, sources: list[Source]) -> list[str]:
    """The columns of a table that a text which reads it names."""
    if _PRINTED not in table.names:
        return []
    named = frozenset[str]().union(*(words(s.sql) for s in sources if table.name in s.reads))
    return [name for name in table.names if name in named]
