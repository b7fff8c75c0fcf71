"""The manifest: an SQLite database, so that all tables of a file change in one transaction."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from importlib import resources
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import xxhash

from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import bounds, sound
from iosq.toolkit.lake.disk import is_locked, lake_errors
from iosq.toolkit.rows import grouped
from iosq.toolkit.show.output import MANIFEST
from iosq.toolkit.waiting import attempts

if TYPE_CHECKING:
    from iosq.toolkit.lake.part import Part

T = TypeVar("T")

FORMAT_VERSION = 3
NAME = MANIFEST
WAIT_S = 120.0  # a commit holds the lock for renames and folder syncs only; thousands of parts take seconds

_HOW_TO_START = "run `iosq ingest PATH` first, or name another lake with --lake"


class Span(NamedTuple):
    """The first and last interval start of some rows; None where no row has a time."""

    first_us: int | None
    last_us: int | None


class Listed(NamedTuple):
    """A Parquet file as the manifest lists it: `inputs` are its rows by input, `spans` the time of these.

    `system` is None where its rows name none.
    """

    table: str
    path: str
    bytes: int
    hash: str
    system: str | None
    inputs: Mapping[str, int]
    spans: Mapping[str, Span]

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def rows(self) -> int:
        return sum(self.inputs.values())

    @property
    def span(self) -> Span:
        return united(self.spans.values())


def united(spans: Iterable[Span]) -> Span:
    """The span of all that some spans hold."""
    some = list(spans)
    if len(some) == 1 and None not in some[0]:
        return some[0]
    timed = [(first, last) for first, last in some if first is not None and last is not None]
    return Span(min((first for first, _ in timed), default=None), max((last for _, last in timed), default=None))


def spans_of(files: Iterable[Listed]) -> dict[str, Span]:
    """The time of each input's rows in files."""
    found = grouped((part for file in files for part in file.spans.items()), itemgetter(0))
    return {file_id: united(span for _, span in parts) for file_id, parts in found.items()}


def contents(files: Iterable[Listed]) -> list[tuple[int, Span]]:
    """Identity and time of each input's rows in files of a table; merging files does not change it."""
    held: dict[str, tuple[int, Span]] = {}
    for file in files:
        for file_id, rows in file.inputs.items():
            name, span = f"{file.folder}/{file_id}", file.spans[file_id]
            before, other = held.get(name, (0, span))
            held[name] = before + rows, span if other is span else united((other, span))
    return [(rows * _identity(name), span) for name, (rows, span) in held.items()]


@cache
def _identity(name: str) -> int:
    return xxhash.xxh3_128_intdigest(name.encode())


def script() -> str:
    """The statements that make the tables."""
    return resources.files(__package__).joinpath("manifest.sql").read_text("utf-8")


def create(lake: Path) -> None:
    """Create the manifest of a new lake, or check an existing one.

    LakeError if it has another format version, does not list files that are there, or the disk refuses.
    """
    with lake_errors(lake), closing(_connect(lake, "rwc")) as db:
        if "meta" not in _tables(db) and _stranded(lake):
            raise _no_manifest(lake)
        if "meta" in _tables(db):  # before anything is written: a lake of another iosq stays as that wrote it
            _check_version(db, lake)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN IMMEDIATE")
        # not executescript(): it would commit the transaction first
        for statement in script().split(";\n"):
            db.execute(statement)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('format_version', ?)", (str(FORMAT_VERSION),))
        _check_rows(db, lake)
        db.execute("COMMIT")


def require(lake: Path) -> None:
    """Check that the folder has a manifest; LakeError if not."""
    if not (lake / NAME).is_file():
        raise (
            _no_manifest(lake) if _stranded(lake) else LakeError("no lake here", place=str(lake), remedy=_HOW_TO_START)
        )


@contextmanager
def reading(lake: Path) -> Iterator[sqlite3.Connection]:
    """A consistent state of the manifest, isolated from commits; LakeError without a lake of this format version."""
    bounds.check(lake)
    require(lake)
    with lake_errors(lake), closing(_open_to_read(lake)) as db:
        _check_version(db, lake)
        db.execute("BEGIN")
        _check_rows(db, lake)
        yield db


@contextmanager
def writing(lake: Path) -> Iterator[sqlite3.Connection]:
    """The only writer of the manifest: commits at the end, rolls back if anything is raised.

    LakeError if the disk is full, read-only or locked for longer than `WAIT_S`.
    """
    with lake_errors(lake), closing(_connect(lake, "rw")) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN IMMEDIATE")
        try:
            _check_rows(db, lake)
            yield db
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
    _SOUND[lake] = _state(lake)


class _Patient(sqlite3.Connection):
    """Runs a statement again while another process holds the database: SQLite's own wait ignores signals."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """As its base class; waits at most `WAIT_S`."""
        refused: sqlite3.OperationalError | None = None
        for _ in attempts(WAIT_S):
            try:
                return super().execute(sql, parameters)
            except sqlite3.OperationalError as error:
                if not is_locked(error):
                    raise
                refused = error
        raise refused or AssertionError


def _connect(lake: Path, mode: str) -> sqlite3.Connection:
    bounds.check(lake)
    # a journal may name any file, which SQLite then removes; ours are logs (-wal)
    if (lake / f"{NAME}-journal").exists() and (lake / NAME).exists() and (lake / NAME).stat().st_size:
        raise LakeError("has a journal that iosq did not write", place=str(lake / NAME), remedy=DOCTOR)
    uri = f"{(lake / NAME).absolute().as_uri()}?mode={mode}"
    return sound.guarded(sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, factory=_Patient))


_SOUND: dict[Path, object] = {}  # the state in which a manifest was last looked at as a whole


def _state(lake: Path) -> list[tuple[int, int, int]]:
    """The `stat` values of a manifest. An open connection makes an empty log, which says nothing."""
    found = [path.stat() for path in (lake / NAME, lake / f"{NAME}-wal") if path.exists()]
    return [(s.st_ino, s.st_size, s.st_mtime_ns) for s in found if s.st_size]


def _check_rows(db: sqlite3.Connection, lake: Path) -> None:
    """Look at every row, unless this process has done so in this state."""
    if _SOUND.get(lake) != (state := _state(lake)):
        if what := sound.unsound(db, script()):
            raise LakeError(f"the manifest is not one that iosq wrote: {what}", place=str(lake), remedy=DOCTOR)
        _SOUND[lake] = state


def _open_to_read(lake: Path) -> sqlite3.Connection:
    """On a read-only disk SQLite can't make its shared-memory file: read the database as it lies there."""
    db = _connect(lake, "ro")
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError as error:
        db.close()
        if is_locked(error):
            raise
        log = lake / f"{NAME}-wal"
        if log.exists() and log.stat().st_size:
            raise
        db = _connect(lake, "ro&immutable=1")
    return db


class LaterVersionError(LakeError):
    """A lake written by a later iosq: not damaged, and not to be repaired."""


def _tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _stranded(lake: Path) -> bool:
    """True if files of tables lie here: with a manifest that knows of none they would be taken for leftovers."""
    return any(lake.glob("*/system=*"))


def _no_manifest(lake: Path) -> LakeError:
    return LakeError("there are files of tables, but no manifest lists them", place=str(lake), remedy=DOCTOR)


def _check_version(db: sqlite3.Connection, lake: Path) -> None:
    if "meta" not in _tables(db):
        if _stranded(lake):
            raise _no_manifest(lake)
        raise LakeError("manifest.sqlite is not a lake's manifest", place=str(lake), remedy=_HOW_TO_START)
    row = db.execute("SELECT value FROM meta WHERE key = 'format_version'").fetchone()
    found = str(row[0]) if row else "none"
    if not found.isdigit():
        raise LakeError(f"the manifest names no format version, but {found!r}", place=str(lake), remedy=DOCTOR)
    if found != str(FORMAT_VERSION):
        remedy = "read it with the version of iosq that wrote it, or ingest the inputs into a new lake"
        kind = LaterVersionError if int(found) > FORMAT_VERSION else LakeError
        raise kind(f"format version {found}, this iosq reads {FORMAT_VERSION}", place=str(lake), remedy=remedy)


def digest_counts(db: sqlite3.Connection) -> dict[str, int]:
    """Every committed file and how many record digests are kept for it."""
    return dict(db.execute("SELECT file_id, digests FROM file"))


def wanted(db: sqlite3.Connection, file_id: str) -> frozenset[str] | None:
    """The kinds of SMF records requested for an input; None for all."""
    row = db.execute("SELECT kinds FROM file_wanted WHERE file_id = ?", (file_id,)).fetchone()
    return frozenset(row[0].split()) if row else None


def listed(db: sqlite3.Connection, file_id: str = "") -> list[Listed]:
    """The Parquet files of the lake, or those with rows of an input, in the order of their paths."""
    where = "WHERE path IN (SELECT path FROM part WHERE file_id = ?)" if file_id else ""
    parts = db.execute(
        'SELECT "table", path, bytes, hash, system, file_id, rows, first_interval_us, last_interval_us '
        f"FROM part {where}",
        (file_id,) if file_id else (),
    ).fetchall()
    found: list[Listed] = []
    inputs: dict[str, int] = {}
    spans: dict[str, Span] = {}
    for table, path, size, digest, system, file_id, rows, first_us, last_us in sorted(parts, key=itemgetter(1, 5)):
        if not found or found[-1].path != path:
            inputs, spans = {}, {}
            found.append(Listed(table, path, size, digest, system, inputs, spans))
        inputs[file_id], spans[file_id] = rows, Span(first_us, last_us)
    return found


_KEPT: dict[tuple[Path, str], tuple[object, Any]] = {}  # with the state that it is of
_SETTLED_NS = 2_000_000_000  # a later change has another time, however coarse the clock of the file system


def kept(lake: Path, what: str, make: Callable[[], T]) -> T:
    """The result of `make` for a manifest, cached until the manifest changes."""
    state, latest = _state(lake), time.time_ns() - _SETTLED_NS
    known, found = _KEPT.get((lake, what), (None, None))
    if known != state:
        found = make()
        _KEPT[lake, what] = state if all(changed_ns < latest for *_, changed_ns in state) else None, found
    return cast("T", found)


def insert(db: sqlite3.Connection, table: str, row: Iterable[object]) -> None:
    """Add a row, its values in the order of the table's columns."""
    values = tuple(row)
    db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values)


def list_part(
    db: sqlite3.Connection, inputs: Mapping[str, int], part: "Part", spans: Mapping[str, Span] | None = None
) -> None:
    """List a finished Parquet file of some inputs, with its rows of each, and their spans where they are known."""
    whole = Span(part.first_interval_us, part.last_interval_us)
    for file_id, rows in inputs.items():
        place, span = (file_id, part.table.name, part.path), spans[file_id] if spans else whole
        insert(db, "part", (*place, rows, part.bytes, part.partition.system, *span, part.hash))


def inputs_of(db: sqlite3.Connection, paths: Iterable[str]) -> dict[str, dict[str, int]]:
    """The inputs of Parquet files, each with its rows there."""
    return {
        path: dict(db.execute("SELECT file_id, rows FROM part WHERE path = ? ORDER BY file_id", (path,)))
        for path in paths
    }


def paths_of(db: sqlite3.Connection, file_id: str) -> frozenset[str]:
    """The Parquet files with rows of an input."""
    return frozenset(path for (path,) in db.execute("SELECT path FROM part WHERE file_id = ?", (file_id,)))


def part_paths(db: sqlite3.Connection) -> set[str]:
    """Every committed Parquet file, as a path below the lake with forward slashes."""
    return {path for (path,) in db.execute("SELECT path FROM part")}
