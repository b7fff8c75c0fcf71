"""An unknown column: similar names in the tables of the query, other tables that have it, or similar names anywhere."""

import re
from collections.abc import Mapping, Sequence

from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.show.numbers import listed

SHOWN = 4  # tables listed, the rest is counted


def unknown_column(name: str, sql: str, known: Sequence[str], otherwise: str) -> RequestError:
    """One line: similar columns of the query's tables; other tables with the column; otherwise similar names.

    `sql`: the statement; empty where it isn't at hand. `known`: names of all columns. `otherwise`: the remedy if no
    name is similar.
    """
    low, words = name.lower(), set(re.findall(r"\w+", sql.lower()))
    columns = _columns()
    here = sorted(set().union(*(have for table, have in columns.items() if table in words)))
    if begins := [column for column in here if column.startswith(low)]:
        return RequestError(f"there is no column {name}", remedy=f"did you mean {listed(begins, SHOWN)}?")
    holders = _holders(low, words, columns)
    if not holders:
        return RequestError(
            f"there is no column {name}", remedy=nearest(name, here) or nearest(name, known) or otherwise
        )
    have = "has" if len(holders) == 1 else "have"
    return RequestError(f"there is no column {name} in this query", remedy=f"{listed(holders, SHOWN)} {have} it")


def _columns() -> dict[str, set[str]]:
    """The columns of every view and raw table."""
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.catalog import views

    columns = {v.name: {c.name.lower() for c in v.columns} for v in views()}
    return columns | {t.name: {c.name.lower() for c in t.columns} for t in tables().values()}


def _holders(name: str, words: set[str], columns: Mapping[str, set[str]]) -> list[str]:
    """Tables outside the query that have the column, those most like its tables first."""
    asked = set().union(*(have for table, have in columns.items() if table in words))
    others = {table: have for table, have in columns.items() if name in have and table not in words}
    return sorted(others, key=lambda table: -len(others[table] & asked))
