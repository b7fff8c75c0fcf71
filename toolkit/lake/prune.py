"""Removal of old data: Parquet files with only intervals before a day, in one transaction."""

import datetime as dt
import sqlite3
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from iosq.toolkit.lake import bounds, manifest
from iosq.toolkit.lake.commit import forget, remove
from iosq.toolkit.lake.digests import held
from iosq.toolkit.lake.disk import lake_errors
from iosq.toolkit.lake.partition import US_PER_DAY
from iosq.toolkit.lake.stage import stage, sweep, write_journal

CODE = "pruned"
_FILES = "path IN (SELECT path FROM part GROUP BY path HAVING {})"
_OLD = f"SELECT path, file_id, rows, bytes FROM part WHERE {_FILES.format('max(last_interval_us) < ?')} ORDER BY path"
_MIXED = "SELECT coalesce(sum(rows), 0) FROM part WHERE " + _FILES.format(
    "min(first_interval_us) < ? AND max(last_interval_us) >= ?"
)


@dataclass(frozen=True, slots=True)
class Pruned:
    """Dropped data, or the data that would be dropped.

    Attributes:
        before: the day (UTC) before which intervals began.
        files, rows, bytes: Parquet files, and their content.
        inputs: paths, as they were ingested, of inputs without remaining rows: the lake forgets them.
        mixed_rows: rows of files that hold older and later ones (damaged records with wild dates): they stay.
    """

    before: dt.date
    files: int
    rows: int
    bytes: int
    inputs: tuple[str, ...]
    mixed_rows: int


@dataclass(frozen=True, slots=True)
class _Plan:
    parts: list[tuple[str, str, int, int]]  # path, input, rows, bytes
    forgotten: dict[str, tuple[str, int]]  # input: its path, and its number of digests
    mixed_rows: int

    @property
    def rows(self) -> Counter[str]:
        found: Counter[str] = Counter()
        for _, file_id, rows, _ in self.parts:
            found[file_id] += rows
        return found

    def outcome(self, before: dt.date) -> Pruned:
        inputs = tuple(sorted(path for path, _ in self.forgotten.values()))
        sizes = {path: size for path, _, _, size in self.parts}
        return Pruned(before, len(sizes), self.rows.total(), sum(sizes.values()), inputs, self.mixed_rows)


def prune(lake: Path, before: dt.date, *, dry_run: bool = False) -> Pruned:
    """Drop the rows of intervals that began before a day (UTC), by whole Parquet files: they hold a day each.

    An input without remaining rows is forgotten, so that it could be ingested again; for others an issue has the number
    of dropped rows. Prepared views hold old rows too, and go. LakeError if there is no lake, or the disk fails; then no
    row is dropped.
    """
    with manifest.reading(lake) as db:
        plan = _planned(db, before)
    if dry_run or not plan.parts:
        return plan.outcome(before)
    sweep(lake)
    with stage(lake) as folder, lake_errors(lake):
        with manifest.writing(lake) as db:
            plan = _planned(db, before)
            gone = [
                *{part[0]: None for part in plan.parts},
                *(held(lake, i, n) for i, (_, n) in plan.forgotten.items()),
            ]
            write_journal(folder, gone)  # after a crash here, the next ingest removes files no longer listed
            _drop(db, plan, before)
        with manifest.writing(lake):  # no ingest may add a file to a folder that is about to be removed
            remove(lake, gone)
            for above in {path.rpartition("/")[0] for path in gone}:
                bounds.remove_empty(lake, above)
    return plan.outcome(before)


def _planned(db: sqlite3.Connection, before: dt.date) -> _Plan:
    cut = (before - dt.date(1970, 1, 1)).days * US_PER_DAY
    parts = db.execute(_OLD, (cut,)).fetchall()
    dropped = Counter(file_id for _, file_id, _, _ in parts)
    held_by = dict(db.execute("SELECT file_id, count(*) FROM part GROUP BY file_id"))
    inputs = db.execute("SELECT file_id, path, digests FROM file").fetchall()
    forgotten = {i: (path, count) for i, path, count in inputs if dropped[i] and dropped[i] == held_by[i]}
    (mixed,) = db.execute(_MIXED, (cut, cut)).fetchone()
    return _Plan(parts, forgotten, mixed)


def _drop(db: sqlite3.Connection, plan: _Plan, before: dt.date) -> None:
    db.executemany("DELETE FROM part WHERE path = ?", [(part[0],) for part in plan.parts])
    for file_id, rows in plan.rows.items():
        if file_id in plan.forgotten:
            forget(db, file_id)
        else:
            _note(db, file_id, rows, before)


def _note(db: sqlite3.Connection, file_id: str, rows: int, before: dt.date) -> None:
    """One issue for all that was ever dropped of an input."""
    where = "FROM issue WHERE file_id = ?"
    (former,) = db.execute(f"SELECT coalesce(sum(count), 0) {where} AND code = ?", (file_id, CODE)).fetchone()
    db.execute(f"DELETE {where} AND code = ?", (file_id, CODE))
    (seq,) = db.execute(f"SELECT coalesce(max(seq), -1) + 1 {where}", (file_id,)).fetchone()
    message = f"rows of intervals before {before} (UTC) were dropped on purpose (iosq prune)"
    manifest.insert(db, "issue", (file_id, seq, CODE, "info", message, 0, 0, former + rows))
