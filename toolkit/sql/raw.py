"""Raw views: one per raw table over exactly the Parquet files the manifest lists, flag bits as columns."""

from collections.abc import Sequence
from pathlib import Path

from iosq.parsers.api import Bit, Column, ColumnType, Table

Span = tuple[int, int]
"""First and last moment, in microseconds since 1970 (UTC)."""

FILE_ID = Column(
    "file_id", "varchar", "", "First 16 hex digits of the XXH3 hash of the input file", "added by the lake"
)


def quoted(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def bit_column(column: Column, bit: Bit) -> Column:
    """The column a named flag bit becomes: BOOLEAN for one bit, INTEGER for a group."""
    meaning = f"{bit.meaning} (bit {bit.name} of {column.name}, mask {bit.mask:#04x})"
    kind: ColumnType = "boolean" if bit.single else "integer"
    return Column(f"{column.name}_{bit.name}", kind, "", meaning, column.source, bit.confidence)


def columns(table: Table) -> tuple[Column, ...]:
    """Every column of the raw view: the stored ones, `file_id`, one per flag bit."""
    bits = tuple(bit_column(c, b) for c in table.columns for b in c.bits)
    return (*table.columns, FILE_ID, *bits)


def _bit(column: Column, bit: Bit) -> str:
    masked = f"({quoted(column.name)} & {bit.mask})"
    value = f"{masked} <> 0" if bit.single else f"CAST({masked} >> {bit.shift} AS INTEGER)"
    return f"{value} AS {quoted(f'{column.name}_{bit.name}')}"


def picked(table: Table) -> str:
    """The select list of a raw view over its stored columns."""
    stored = [quoted(c.name) for c in (*table.columns, FILE_ID)]
    return ", ".join(stored + [_bit(c, b) for c in table.columns for b in c.bits])


def raw_view(table: Table, files: Sequence[Path | str], within: Span | None = None) -> str:
    """The CREATE statement of a raw table's view; without files it is an empty table of the same columns.

    `within`: leaves rows whose interval starts in a span or has no time.
    """
    if not files:
        typed = ", ".join(f"{quoted(c.name)} {c.type.upper()}" for c in columns(table))
        return f"CREATE TABLE {quoted(table.name)} ({typed})"
    view = f"CREATE VIEW {quoted(table.name)} AS SELECT {picked(table)} FROM {read_files(files)}"
    if not within:
        return view
    begin, end = (f"make_timestamp({us})" for us in within)
    return f"{view} WHERE interval_start BETWEEN {begin} AND {end} OR interval_start IS NULL"


def read_files(files: Sequence[Path | str]) -> str:
    """The rows of Parquet files, in the order of the files."""
    return f"read_parquet([{', '.join(literal(str(f)) for f in files)}], hive_partitioning = false)"
