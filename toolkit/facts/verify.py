"""Check that stored facts match the records: a foreign lake may contain false facts."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from iosq.toolkit.facts.build import facts
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.facts import FOLDER, Piece, read_sets
from iosq.toolkit.lake.lake import Lake, places
from iosq.toolkit.rows import grouped
from iosq.toolkit.sql.connect import spill_apart
from iosq.toolkit.sql.limits import IN_FORCE, within
from iosq.toolkit.sql.raw import quoted, read_files

DIGITS = 1e-9  # of a value: more than sums of a million summands differ by


def false_facts(lake: Lake) -> Iterator[str]:
    """The folders of facts, below the lake, with rows that differ from the records.

    All stored facts are computed again, in a temporary folder. LakeError if the lake can't be read or there is no room.
    """
    plan = Plan(lake, lake.listed())
    keys = [*plan.keys_of_days.values(), plan.key_of_digests, *plan.keys_of_joined().values()]
    stored = read_sets(lake.path, [*keys, *(plan.key_of(name) for name in sorted(plan.whole))])
    with tempfile.TemporaryDirectory(prefix="iosq-") as folder, duckdb.connect(":memory:") as con:
        IN_FORCE.apply(con)
        spill_apart(con)
        anew = replace(plan, apart=Path(folder))
        joined = plan.joined if plan.key_of_digests in stored else set[str]()
        facts(anew, {name for name in plan.whole if plan.key_of(name) in stored} | plan.daily | joined)
        pieces = (piece for of in stored.values() for piece in of.values())
        for folder, found in grouped(pieces, lambda piece: piece.place).items():
            computed = anew.stored({piece.folder for piece in found})
            if not _is_same(con, found, [piece for of in computed.values() for piece in of.values()]):
                yield f"{FOLDER}/{folder}"


def _is_same(con: duckdb.DuckDBPyConnection, stored: Sequence[Piece], computed: Sequence[Piece]) -> bool:
    """True if a folder has the rows that were computed, whatever files they are in; the bytes may differ."""
    if {*map(_listed, stored)} != {*map(_listed, computed)}:
        return False
    views = {piece.view for piece in stored if piece.rows}
    files = ([[p for p in pieces if p.view == view] for pieces in (stored, computed)] for view in views)
    return all(_has_same_bytes(*both) or _has_same_rows(con, *map(places, both)) for both in files)


def _listed(piece: Piece) -> Piece:
    """Of a digest, which has no rows, the hash is what it says."""
    return piece._replace(bytes=0, hash="" if piece.rows else piece.hash, pack="", rows_hash="", root="")


def _has_same_bytes(stored: Sequence[Piece], computed: Sequence[Piece]) -> bool:
    return [file_hash(Path(place)) for place in places(stored)] == [piece.hash for piece in computed if piece.rows]


def _has_same_rows(con: duckdb.DuckDBPyConnection, *files: Sequence[str]) -> bool:
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
