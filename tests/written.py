"""The SQL of a connection's views as the engine writes it out, which takes longer than many an answer: once."""

from collections.abc import Mapping
from weakref import WeakKeyDictionary

import duckdb

Name = tuple[str, str]  # schema and view
_THERE = "SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
_TEXTS = "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal"
_KNOWN: WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[frozenset[Name], dict[Name, str]]] = WeakKeyDictionary()


def there(con: duckdb.DuckDBPyConnection) -> frozenset[Name]:
    """The views of a connection. They are renamed and never changed: the same names are the same views."""
    return frozenset(con.execute(_THERE).fetchall())


def written(con: duckdb.DuckDBPyConnection) -> Mapping[Name, str]:
    """Their SQL, by schema and name."""
    names, known = there(con), _KNOWN.setdefault(con, {})
    if names not in known:
        known[names] = {(schema, view): sql for schema, view, sql in con.execute(_TEXTS).fetchall()}
    return known[names]
