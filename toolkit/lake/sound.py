"""Check that iosq wrote a manifest: SQLite's settings for untrusted files, the tables, every row."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

from iosq.toolkit.lake.bounds import FILE_ID, OWN_PART

# includes former versions: leftovers of a migration have the same names
_OBJECTS = "SELECT type, name, coalesce(sql, '') FROM sqlite_master"
_KINDS = {"TEXT": "text", "INTEGER": "integer"}
_LEAST = -(1 << 62)  # limit of any number: sums of larger ones overflow


def guarded(db: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with the settings that SQLite recommends for files of unknown origin."""
    for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        db.execute(f"PRAGMA {setting}").close()
    if hasattr(db, "setconfig"):  # from Python 3.12
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)  # type: ignore[attr-defined]
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)  # type: ignore[attr-defined]
    return db


def unsound(db: sqlite3.Connection, script: str) -> str:
    """Objects in a manifest not written by iosq, as a clause; '' if there are none.

    `db`: its tables have the columns of this version. `script` makes a new manifest.
    """
    with closing(sqlite3.connect(":memory:")) as own:
        own.executescript(script)
        return next(_wrong(db, own), "")


def _wrong(db: sqlite3.Connection, own: sqlite3.Connection) -> Iterator[str]:
    known = {(kind, name) for kind, name, _ in own.execute(_OBJECTS)}
    for kind, name, sql in db.execute(_OBJECTS).fetchall():
        made_by_engine = kind == "index" and name.startswith("sqlite_autoindex_")
        if not made_by_engine and ((kind, name) not in known or "VIRTUAL" in sql.upper().split()):
            yield f"it has a {kind} {name!r}"
    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        yield f"it is damaged ({verdict})"
    there = {name for _, name, _ in db.execute(_OBJECTS)}
    for _, table in sorted(k for k in known if k[0] == "table" and k[1] in there):
        yield from _wrong_types(db, own, table)
    yield from _wrong_places(db)


def _wrong_types(db: sqlite3.Connection, own: sqlite3.Connection, table: str) -> Iterator[str]:
    for _, column, kind, needed, *_ in own.execute(f"PRAGMA table_info({table})").fetchall():
        name, allowed = f'"{column}"', f"typeof(\"{column}\") = '{_KINDS[kind]}'"
        if kind == "INTEGER":
            allowed += f" AND {name} BETWEEN {_LEAST} AND {-_LEAST}"
        wanted = f"({allowed})" if needed else f"({allowed} OR {name} IS NULL)"
        row = db.execute(f"SELECT {name} FROM {table} WHERE NOT {wanted} LIMIT 1").fetchone()
        if row:
            yield f"{table}.{column} is {row[0]!r:.200}"


def _wrong_places(db: sqlite3.Connection) -> Iterator[str]:
    for path, table in db.execute('SELECT path, "table" FROM part'):
        found = OWN_PART.fullmatch(path)
        if not found or found[1] != table:
            yield f"its table part lists {path!r:.200}, which is no place of a file of table {table!r:.80}"
    ids = db.execute("SELECT file_id FROM file UNION SELECT file_id FROM part")
    yield from (f"file_id is {file_id!r:.80}" for (file_id,) in ids if not FILE_ID.fullmatch(file_id))
    for table in ("file_kind", "issue"):
        lost = db.execute(f"SELECT file_id FROM {table} WHERE file_id NOT IN (SELECT file_id FROM file)").fetchone()
        if lost:
            yield f"its table {table} is about an input {lost[0]!r:.80} that it does not have"
    few = "SELECT file_id FROM file WHERE digests < -1 OR bytes < 0 UNION SELECT file_id FROM part WHERE rows < 0"
    yield from (f"a count of input {file_id} is negative" for (file_id,) in db.execute(few))
