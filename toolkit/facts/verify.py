"""Check that stored facts match the records: a foreign lake may contain false facts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb

from iosq.toolkit.facts.build import facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.facts import FOLDER, Piece, read_sets
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sql.connect import spill_apart
from iosq.toolkit.sql.limits import IN_FORCE, within
from iosq.toolkit.sql.raw import read_files


def false_facts(lake: Lake) -> Iterator[str]:
    """The folders of facts, below the lake, with rows that differ from the records.

    All facts that are stored are computed again, in a folder for temporary files.

    Raises:
        LakeError: the lake can't be read, or there is no room.
    """
    plan = Plan(lake, lake.listed())
    stored = read_sets(lake.path, _keys(plan))
    with tempfile.TemporaryDirectory(prefix="iosq-") as folder, duckdb.connect(":memory:") as con:
        IN_FORCE.apply(con)
        spill_apart(con)
        anew = replace(plan, apart=Path(folder))
        joined = plan.joined if plan.key_of_digests in stored else set[str]()
        facts(anew, {name for name in plan.whole if plan.key_of(name) in stored} | plan.daily | joined)
        for key, found in stored.items():
            computed = anew.stored([key]).get(key, {})
            same = found.keys() == computed.keys()
            if not (same and all(_is_same(con, found[view], computed[view]) for view in found)):
                yield f"{FOLDER}/{key}"


def _keys(plan: Plan) -> list[str]:
    days = [*plan.keys_of_days.values(), plan.key_of_digests, *plan.keys_of_joined().values()]
    return [*days, *(plan.key_of(name) for name in sorted(plan.whole))]


def _is_same(con: duckdb.DuckDBPyConnection, one: Piece, other: Piece) -> bool:
    """True if a view's file of a set has the rows that were computed; the bytes may differ."""
    if one._replace(bytes=0, hash="", root="") != other._replace(bytes=0, hash="", root=""):
        return False
    if not one.rows:
        return one.hash == other.hash  # a digest, or nothing
    files = [f"{piece.root}/{piece.path}" for piece in (one, other)]
    return file_hash(Path(files[0])) == other.hash or _has_same_rows(con, files)


def _has_same_rows(con: duckdb.DuckDBPyConnection, files: list[str]) -> bool:
    stored, computed = (f"FROM {read_files([file])}" for file in files)
    differ = f"SELECT * {computed} EXCEPT ALL SELECT * {stored}"
    sql = f"SELECT (SELECT count(*) {stored}) = (SELECT count(*) {computed}) AND NOT EXISTS ({differ})"
    try:
        rows = within(con, None, lambda: con.execute(sql).fetchall())
    except duckdb.Error:  # other columns, or no Parquet
        return False
    return rows == [(True,)]
