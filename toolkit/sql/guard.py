"""Read-only queries: whatever the statement says, nothing is written and nothing outside the lake is read.

Four locks, each enough for most escapes: only SELECT-like statements pass; they run in a read-only transaction;
file access is limited to the lake's Parquet files (`iosq.toolkit.sql.connect`); settings are locked.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from iosq.toolkit.errors import RequestError

_BLANK = r"(?:\s|--[^\n]*\n|/\*.*?\*/)"
_EXPLAIN = re.compile(rf"^{_BLANK}*EXPLAIN\b{_BLANK}*(?:ANALYZE\b|\([^)]*\))?", re.IGNORECASE | re.DOTALL)
_PRAGMA = re.compile(rf"^{_BLANK}*PRAGMA\b", re.IGNORECASE | re.DOTALL)
_TEXT = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
# functions that read like a table and change how the engine works; one of them writes a file of its caller's choice
_SWITCH = re.compile(r"\b((?:enable|disable|force)_\w+)\"?\s*\(", re.IGNORECASE)
_UNKNOWN_TABLE = re.compile(r"Table with name (\S+) does not exist")
_UNKNOWN_COLUMN = re.compile(r'(?:Referenced column "([^"]+)" not found|does not have a column named "([^"]+)")')
Parameters = Sequence[Any] | Mapping[str, Any]
_REMEDY = "only one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN is allowed"


def check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse everything but one SELECT-like statement.

    Raises:
        RequestError: the text is empty, holds several statements, or one that does more than read.
    """
    try:
        found = con.extract_statements(sql)
    except duckdb.Error as error:
        raise _request(con, error) from error
    if len(found) != 1:
        raise RequestError(f"{len(found)} statements where one was expected", remedy=_REMEDY)
    kind = found[0].type.name
    if kind == "EXPLAIN" and (explain := _EXPLAIN.match(sql)):
        check(con, sql[explain.end() :])
    elif kind != "SELECT" or _PRAGMA.match(sql):
        raise RequestError(f"{kind if kind != 'SELECT' else 'PRAGMA'} is not allowed here", remedy=_REMEDY)
    if switch := _SWITCH.search(_TEXT.sub(" ", sql)):
        raise RequestError(f"{switch[1]} is not allowed here", remedy="a question only reads")


@contextmanager
def _reading(con: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters) -> Iterator[duckdb.DuckDBPyRelation]:
    """The answer to a checked statement, in a transaction that cannot write."""
    check(con, sql)
    cursor = con.cursor()
    try:
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        yield cursor.sql(sql, params=(parameters if isinstance(parameters, Mapping) else list(parameters)) or None)
    except duckdb.Error as error:
        raise _request(con, error) from error
    except OSError as error:
        if error.errno is None:  # an engine error that came through an Arrow stream; a real one has a number
            raise _request(con, error) from error
        raise
    finally:
        cursor.close()


def query(con: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = ()) -> Any:
    """The whole answer to a read-only statement as a `pyarrow.Table`.

    Args:
        con: from `connect`.
        sql: one SELECT, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN; `?` or `$name` marks parameters.
        parameters: values for the marks, in order or by name.

    Raises:
        RequestError: the statement is not allowed or does not run; unknown names come with the nearest known ones.
    """
    with _reading(con, sql, parameters) as answer:
        return answer.to_arrow_table()


@contextmanager
def stream(con: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = ()) -> Iterator[Any]:
    """The answer as a `pyarrow.RecordBatchReader`, for results larger than memory. Arguments and errors as `query`."""
    with _reading(con, sql, parameters) as answer:
        yield answer.to_arrow_reader(100_000)


def _names(con: duckdb.DuckDBPyConnection, column: str) -> list[str]:
    found = con.execute(f"SELECT DISTINCT {column} FROM duckdb_columns() WHERE NOT internal").fetchall()
    return [row[0] for row in found]


def nearest(name: str, known: Sequence[str]) -> str:
    """`did you mean …?` with up to three known names, or an empty string."""
    by_lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=3, cutoff=0.6)
    return f"did you mean {', '.join(by_lower[c] for c in close)}?" if close else ""


def _request(con: duckdb.DuckDBPyConnection, error: Exception) -> RequestError:
    """One line from an engine error."""
    text = str(error)
    if table := _UNKNOWN_TABLE.search(text):
        name = table[1].strip('"')
        hint = nearest(name, _names(con, "table_name")) or "lake_views lists the views"
        return RequestError(f"there is no table or view {name}", remedy=hint)
    if column := _UNKNOWN_COLUMN.search(text):
        name = column[1] or column[2]
        hint = nearest(name, _names(con, "column_name")) or "lake_dictionary lists the columns"
        return RequestError(f"there is no column {name}", remedy=hint)
    first = text.splitlines()[0]
    return RequestError(re.sub(r"^[\w ]*Error: ", "", first))
