"""Translation of engine errors that do not depend on the query: out of memory, or an unreadable stored file."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from iosq.toolkit.errors import FULL_DOCTOR, ChangedError, IosqError, LakeError
from iosq.toolkit.late import pa
from iosq.toolkit.sql.limits import too_much
from iosq.toolkit.sql.raw import literal

_FILE = re.compile(r"""["']([^"']+\.parquet)["']""")
# messages of the Parquet reader, without the file
_FORMAT = re.compile(r"TProtocol|TType|don't know what type|Variable-length int|corrupted|thrift", re.IGNORECASE)

# files that the engine looks for after a file was removed
_BELOW = "/**/*.parquet"

_FIRST_US, _LAST_US = -62_135_596_800_000_000, 253_370_764_800_000_000  # the years 1 to 9998, with room for a zone
_READING = (duckdb.InvalidInputException, duckdb.IOException, OSError)


def explained(con: duckdb.DuckDBPyConnection, error: Exception) -> IosqError | None:
    """The error in our terms; None if it is about the query."""
    if isinstance(error, duckdb.OutOfMemoryException) or "Out of Memory Error" in str(error):
        return too_much()
    return damaged(con, error)


@contextmanager
def explaining(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Convert engine errors of the block that are not about the query.

    RequestError if it needs more memory than allowed; LakeError if a stored file can't be read, or a value in it is
    beyond what its type or formula allows.
    """
    try:
        yield
    except duckdb.Error as error:
        if known := explained(con, error):
            raise known from error
        if isinstance(error, duckdb.DataError):
            first = str(error).splitlines()[0]
            raise LakeError(f"a stored value can't be used ({first})"[:300], remedy=FULL_DOCTOR) from error
        raise


def possible(rows: "pa.Table") -> "pa.Table":
    """Rows with finite numbers and times that a calendar has: no view computes others from records.

    LakeError if another value was written into the lake.
    """
    import pyarrow.compute as pc

    for name, values in zip(rows.column_names, rows.columns, strict=True):
        kind, is_possible = values.type, True
        if pa.types.is_floating(kind):
            is_possible = pc.all(pc.is_finite(values)).as_py() is not False
        elif pa.types.is_timestamp(kind):
            ends = pc.min_max(values.cast(pa.int64())).as_py().values()
            is_possible = all(us is None or _FIRST_US <= us <= _LAST_US for us in ends)
        if not is_possible:
            raise LakeError(f"a stored value can't be used: {name} is not a valid number or time", remedy=FULL_DOCTOR)
    return rows


def damaged(con: duckdb.DuckDBPyConnection, error: Exception) -> LakeError | None:
    """The error in terms of the lake; None if it is about something else."""
    text = str(error).splitlines()[0]
    named = _FILE.search(text)
    if named and (gone := _gone(con, named[1])):
        return ChangedError(gone)
    is_about_file = named is not None and text.split(": ", 1)[-1].startswith("Error while reading file")
    if not is_about_file and type(error) is not duckdb.Error and not isinstance(error, _READING):
        return None
    if not named and not _FORMAT.search(text):
        return None
    place = named[1] if named else _without_footer(con)
    what = "can't be read" if place else "a stored file can't be read"
    return LakeError(f"{what} ({text.partition(' Error: ')[2] or text})"[:300], place=place, remedy=FULL_DOCTOR)


def _gone(con: duckdb.DuckDBPyConnection, named: str) -> str:
    """The file of the lake that an error names, if it was there when the lake was opened and is not now."""
    place = named.removesuffix(_BELOW)
    return place if place in _given(con) and not Path(place).exists() else ""


def _given(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The files that this connection may read."""
    with suppress(duckdb.Error):
        con.execute("ROLLBACK")  # otherwise the engine returns nothing
    return [name for (name,) in con.execute("SELECT unnest(current_setting('allowed_paths'))").fetchall()]


def _without_footer(con: duckdb.DuckDBPyConnection) -> str:
    """The first file whose footer can't be read; empty where all can be."""
    for name in _given(con):
        try:
            con.execute(f"SELECT 1 FROM parquet_file_metadata({literal(name)})").fetchall()
        except duckdb.Error:
            return name
    return ""
