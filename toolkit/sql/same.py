"""Comparison of stored rows with recomputed ones."""

from collections.abc import Sequence

import duckdb

from iosq.toolkit.sql.limits import within
from iosq.toolkit.sql.raw import quoted, read_files

DIGITS = 1e-9  # of a value: more than sums of a million summands differ by


def has_same_rows(con: duckdb.DuckDBPyConnection, *files: Sequence[str]) -> bool:
    """True if Parquet files have the same rows in the same order: the stored ones, and those computed anew."""
    stored, computed = (f"FROM {read_files(found)}" for found in files)
    differ = f"SELECT * {computed} EXCEPT ALL SELECT * {stored}"
    has_as_many = f"(SELECT count(*) {stored}) = (SELECT count(*) {computed})"
    try:
        columns = con.execute(f"DESCRIBE SELECT * {stored}").fetchall()
        sql = f"SELECT {has_as_many} AND (NOT EXISTS ({differ}) OR NOT EXISTS ({_apart(columns, stored, computed)}))"
        rows = within(con, None, lambda: con.execute(sql).fetchall())
    except duckdb.Error:  # other columns, or no Parquet
        return False
    return rows == [(True,)]


def _apart(columns: Sequence[tuple[str, ...]], stored: str, computed: str) -> str:
    """Rows, in their order, that differ by more than the last digits: how sums round depends on the files of days."""
    pairs = [(f"s.{quoted(name)}", f"c.{quoted(name)}", kind) for name, kind, *_ in columns]
    differ = [
        f"coalesce(abs({one} - {other}) > {DIGITS} * abs({other}), ({one} IS NULL) <> ({other} IS NULL))"
        if kind == "DOUBLE"
        else f"{one} IS DISTINCT FROM {other}"
        for one, other, kind in pairs
    ]
    return f"SELECT 1 FROM (SELECT * {stored}) s POSITIONAL JOIN (SELECT * {computed}) c WHERE {' OR '.join(differ)}"
