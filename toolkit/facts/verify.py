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
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.same import has_same_rows


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
    return all(_has_same_bytes(*both) or has_same_rows(con, *map(places, both)) for both in files)


def _listed(piece: Piece) -> Piece:
    """Of a digest, which has no rows, the hash is what it says."""
    return piece._replace(bytes=0, hash="" if piece.rows else piece.hash, pack="", rows_hash="", root="")


def _has_same_bytes(stored: Sequence[Piece], computed: Sequence[Piece]) -> bool:
    return [file_hash(Path(place)) for place in places(stored)] == [piece.hash for piece in computed if piece.rows]
