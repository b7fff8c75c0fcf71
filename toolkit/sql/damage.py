"""What an engine's error means whatever was asked: no memory left, or a stored file that it can't read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from iosq.toolkit.errors import DOCTOR, ChangedError, IosqError, LakeError
from iosq.toolkit.sql.limits import too_much
from iosq.toolkit.sql.raw import literal

_FILE = re.compile(r"""["']([^"']+\.parquet)["']""")
# what the reader of Parquet's own structures says, without the file
_FORMAT = re.compile(r"TProtocol|TType|don't know what type|Variable-length int|corrupted|thrift", re.IGNORECASE)

# what the engine looks for where a file that it was given is no longer there
_BELOW = "/**/*.parquet"

_READING = (duckdb.InvalidInputException, duckdb.IOException, OSError)


def explained(con: duckdb.DuckDBPyConnection, error: Exception) -> IosqError | None:
    """The error in our terms; None where it is about what was asked."""
    if isinstance(error, duckdb.OutOfMemoryException) or "Out of Memory Error" in str(error):
        return too_much()
    return damaged(con, error)


@contextmanager
def explaining(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Engine errors of the block in our terms, where they are not about what was asked.

    Raises:
        RequestError: it needs more memory than it may take.
        LakeError: a stored file can't be read.
    """
    try:
        yield
    except duckdb.Error as error:
        if known := explained(con, error):
            raise known from error
        raise


def damaged(con: duckdb.DuckDBPyConnection, error: Exception) -> LakeError | None:
    """The error in terms of the lake; None where it is about something else."""
    text = str(error).splitlines()[0]
    named = _FILE.search(text)
    if named and (gone := _gone(con, named[1])):
        return ChangedError(gone)
    if type(error) is not duckdb.Error and not isinstance(error, _READING):
        return None
    if not named and not _FORMAT.search(text):
        return None
    place = named[1] if named else _without_footer(con)
    what = "can't be read" if place else "a stored file can't be read"
    return LakeError(f"{what} ({text.partition(' Error: ')[2] or text})"[:300], place=place, remedy=DOCTOR)


def _gone(con: duckdb.DuckDBPyConnection, named: str) -> str:
    """The file of the lake that an error names, if it was there when the lake was opened and is not now."""
    place = named.removesuffix(_BELOW)
    return place if place in _given(con) and not Path(place).exists() else ""


def _given(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The files that this connection may read."""
    with suppress(duckdb.Error):
        con.execute("ROLLBACK")  # else the engine answers nothing
    return [name for (name,) in con.execute("SELECT unnest(current_setting('allowed_paths'))").fetchall()]


def _without_footer(con: duckdb.DuckDBPyConnection) -> str:
    """The first file whose footer can't be read; empty where all can be."""
    for name in _given(con):
        try:
            con.execute(f"SELECT 1 FROM parquet_file_metadata({literal(name)})").fetchall()
        except duckdb.Error:
            return name
    return ""
