"""A column that isn't where it was looked for: which tables have it, or which names are like it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.show.numbers import listed

SHOWN = 4  # tables that are named, then the rest is counted


def unknown_column(name: str, sql: str, known: Sequence[str], otherwise: str) -> RequestError:
    """One line: other tables that have a column of that name, those like the tables asked first; else names like it.

    Args:
        name: the column.
        sql: the statement; empty where it isn't at hand.
        known: names of all columns.
        otherwise: what to do where nothing is like it.
    """
    holders = _holders(name.lower(), set(re.findall(r"\w+", sql.lower())))
    if not holders:
        return RequestError(f"there is no column {name}", remedy=nearest(name, known) or otherwise)
    have = "has" if len(holders) == 1 else "have"
    return RequestError(
        f"there is no column {name} in what is asked", remedy=f"{listed(holders, SHOWN)} {have} one of that name"
    )


def _holders(name: str, words: set[str]) -> list[str]:
    from iosq.parsers.registry import tables
    from iosq.toolkit.sql.catalog import views

    columns = {v.name: {c.name.lower() for c in v.columns} for v in views()}
    columns |= {t.name: {c.name.lower() for c in t.columns} for t in tables().values()}
    asked = set().union(*(have for table, have in columns.items() if table in words))
    others = {table: have for table, have in columns.items() if name in have and table not in words}
    return sorted(others, key=lambda table: -len(others[table] & asked))
