"""A DuckDB connection over a lake: raw views, all derived and promised views, the lake's tables about itself.

The connection is in memory. It can read the lake's Parquet files and nothing else, and its settings are locked:
see `iosq.toolkit.sql.guard`.
"""

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import duckdb

from iosq.parsers.api import Table
from iosq.toolkit.errors import FULL_DOCTOR, LakeError
from iosq.toolkit.late import pa
from iosq.toolkit.sql import text
from iosq.toolkit.sql.catalog import ORIGIN, Source, View, names, needed, views
from iosq.toolkit.sql.damage import explained, explaining
from iosq.toolkit.sql.dictionary import dictionary, view_list
from iosq.toolkit.sql.filter import FOLLOWED, Filter
from iosq.toolkit.sql.limits import IN_FORCE
from iosq.toolkit.sql.raw import literal, quoted, raw_view, read_files

WHOLE = "whole"  # schema of the views before a filter
NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})
ASKED = "asked"  # table in it: the volumes that a filter leaves, and their boxes

OF_BOXES = ("volume_interval", "box_subsystem")  # which a filter reads to follow boxes
_SMALL_BYTES = 32_000_000  # of Parquet; below, two threads spend more on waiting for one another
# without it, the engine's join order, and so the order of additions, depends on row statistics
JOINED_AS_WRITTEN = "SET disabled_optimizers = 'join_order,build_side_probe_side'"
# names that other SQL engines have built in, so that the views run there unchanged
SHIMS = (
    "CREATE MACRO unix_micros(instant) AS epoch_us(instant)",
    "CREATE MACRO timestamp_micros(micros) AS make_timestamp(micros)",
    "CREATE MACRO collect_list(element) AS list(element)",
    "CREATE MACRO collect_set(element) AS list(DISTINCT element)",
    "CREATE MACRO sort_array(elements) AS list_sort(elements)",
    "CREATE MACRO get(elements, place) AS elements[place + 1]",
    "CREATE MACRO array_size(elements) AS len(elements)",
    "CREATE MACRO array_join(elements, separator) AS array_to_string(elements, separator)",
    # ours on every engine: elements in the order of their keys
    "CREATE MACRO in_order(keys, elements) AS "
    "list_transform(list_sort(list_zip(keys, elements)), lambda pair: pair[2])",
    # `greatest` takes 0 for an unknown value
    "CREATE MACRO at_least_0(value) AS CASE WHEN value < 0 THEN 0 ELSE value END",
    # order of max_by: the earliest of equal values, since engines read rows in different orders
    "CREATE MACRO peak_order(value, instant) AS CASE WHEN value IS NOT NULL THEN row(value, -epoch_us(instant)) END",
    # the same where subjects are compared: the last name
    "CREATE MACRO name_order(value, name) AS CASE WHEN value IS NOT NULL THEN row(value, name) END",
    # order of min_by: the least of several values, one after the other
    "CREATE MACRO first_order(kind, value, other, instant) AS row(kind, value, other, epoch_us(instant))",
)


_FOUND: dict[str, frozenset[str]] = {}  # columns by the SQL that gives them
# tables and views without rows, by connection
EMPTY: weakref.WeakKeyDictionary[object, set[str]] = weakref.WeakKeyDictionary()

# of the schema that views are being made in: as they were bound, without binding them again
_MADE = """
    SELECT table_name, column_name, data_type FROM duckdb_columns()
    WHERE schema_name = current_schema() AND database_name = current_database() ORDER BY table_name, column_index"""


def connect(  # noqa: PLR0913  one question has many sides
    tables: Iterable[Table],
    parts: Mapping[str, Sequence[str | Path]],
    about: "Mapping[str, pa.Table]",
    *,
    root: Path,
    only: Sequence[View] | None = None,
    idle: Collection[str] | None = None,
    where: Filter | None = None,
    commented: bool = True,
    steady: bool = False,
    database: str | Path = ":memory:",
) -> duckdb.DuckDBPyConnection:
    """Open a lake for queries; LakeError if a file is missing, or a view does not give what its header promises.

    Args:
        tables: every raw table there can be.
        parts: the Parquet files of each raw table as the manifest lists them, absolute or relative to `root`; and of
            views that are stored, which are read in place of computing them.
        about: the lake's tables about itself (`lake_files`, `lake_issues`) as Arrow tables.
        root: the lake's folder.
        only: the views to make, each after those it reads (see `needed`); all by default.
        idle: raw tables that stay empty, by default those without files. Sources that read no others are left out of
            views: they add no rows, only time at each query.
        where: filters the views; raw tables and the lake's tables about itself stay whole.
        commented: views and columns carry their meaning as comments; a quarter of the time that making them takes.
            Without comments and with `only`, there are no tables `lake_dictionary` and `lake_views` either.
        steady: many queries follow, and each must give the same to the last digit whenever it is run: fractions are
            added in one order, and what a filter makes anew is computed once.
        database: a new file that keeps the views, in place of memory.
    """
    known = tuple(tables)
    files = {t.name: _places(root, parts.get(t.name, ())) for t in known}
    prepared = {name: _places(root, parts[name]) for name in parts.keys() & names()}
    con = duckdb.connect(str(database))
    with explaining(con):
        _confine(con, [f for group in (*files.values(), *prepared.values()) for f in group], steady)
        con.execute("BEGIN")
        con.execute(";".join(SHIMS))
        for table in known:
            create(con, raw_view(table, files[table.name]), next(iter(files[table.name]), table.name))
        idle = [name for name, found in files.items() if not found] if idle is None else idle
        wanted = views() if only is None else only
        without = {*idle, *(v.name for v in wanted if is_empty(v, prepared))}
        made = without_empty_sources(wanted, files.keys(), without, prepared)
        EMPTY[con] = {*without, *(v.name for v in made if not v.sources)}
        create_views(con, made, where, prepared)
        if commented:
            con.execute(";\n".join(line for v in wanted for line in _comments(v)))
        words = {"lake_dictionary": dictionary(known), "lake_views": view_list()} if commented or only is None else {}
        for name, rows in {**about, **words}.items():
            _store(con, name, rows)
        con.execute("COMMIT")
        if where and follows_boxes(wanted, where):
            con.execute(f"INSERT INTO {WHOLE}.{ASKED} BY NAME {asked_rows(where, f'{WHOLE}.')}")
        if where and steady:
            _compute(con, (v for v in wanted if not shows_part(v)))
        con.execute("SET lock_configuration = true")
    return con


def _places(root: Path, parts: Sequence[str | Path]) -> list[str]:
    return [os.path.join(root, part) for part in parts]  # noqa: PTH118  there may be tens of thousands


def _read_back(view: View, prepared: Mapping[str, Sequence[str]]) -> View:
    """The view as a scan of its prepared rows, if there are any."""
    if view.name not in prepared:
        return view
    files = prepared[view.name]
    return replace(given_by(view, read_files(files) if files else ""), file=next(iter(files), view.file))


def given_by(view: View, rows: str) -> View:
    """The view with the columns of an engine's rows (none: ''), and with the sources that are
    not stored; local time is added anew.
    """
    picked = ", ".join(quoted(c.name) for c in view.own_columns)
    stored = (Source(view.name, view.file, f"SELECT {picked} FROM {rows}", is_stored=False),) if rows else ()
    computed = view.computed.sources
    merged = bool(computed) if stored else view.merged or not computed
    return replace(view, sources=(*stored, *computed), merged=merged)


def is_empty(view: View, prepared: Mapping[str, Sequence[object]]) -> bool:
    """True if the rows of a view are stored, and there are none."""
    return view.name in prepared and not prepared[view.name] and not view.computed.sources


def without_empty_sources(
    all_views: Iterable[View], raw: Collection[str], idle: Collection[str], stored: Collection[str] = ()
) -> list[View]:
    """Views, each after those it reads, without the sources that give no rows; no source is left of an empty view.

    A source that reads raw tables has rows only where one of them has; any source only where one of all that it reads
    has: in a lake without records all views are empty. What its FROM and inner joins lead to, it needs. `raw`: every
    raw table that is read. `idle`: raw tables and views without rows. `stored`: views that are not computed.
    """
    found, known, records, empty = list[View](), names().union(raw), frozenset(raw), set(idle)
    for view in all_views:
        own = records if view.merged else frozenset[str]()
        kept = tuple(
            s
            for s in view.sources
            if (view.name in stored and s.is_stored) or not (s.needs & empty or _is_empty(s.reads & known, own, empty))
        )
        if not kept:
            empty.add(view.name)
        found.append(replace(view, sources=kept, merged=view.merged or not kept))
    return found


def _is_empty(reads: Set[str], records: Set[str], empty: Set[str]) -> bool:
    return bool(reads) and (reads <= empty or (bool(reads & records) and reads & records <= empty))


def without_rows(con: object) -> Set[str]:
    """Tables and views of a lake that are known to have no rows, without asking any."""
    return EMPTY.get(con, set())


def spill_apart(con: duckdb.DuckDBPyConnection) -> None:
    """Give a connection a private spill folder, removed with it; the engine's default is the current folder."""
    spill = Path(tempfile.gettempdir()) / f"iosq-spill-{os.urandom(8).hex()}"
    weakref.finalize(con, shutil.rmtree, spill, ignore_errors=True)
    con.execute(f"SET temp_directory = {literal(str(spill))}")


def is_small(files: Iterable[str]) -> bool:
    """True if files are so few and small that one thread reads them soonest."""
    total = 0
    for file in files:
        with suppress(OSError):  # the reader of a missing file reports it
            total += os.stat(file).st_size  # noqa: PTH116  there may be tens of thousands
        if total > _SMALL_BYTES:
            return False
    return True


def _confine(con: duckdb.DuckDBPyConnection, files: Sequence[str], steady: bool) -> None:
    """Allow the lake's files and a private spill folder, then lock the configuration."""
    spill_apart(con)
    IN_FORCE.apply(con)
    if steady or is_small(files):
        con.execute("SET threads = 1")
    if steady:
        con.execute(JOINED_AS_WRITTEN)
    con.execute(f"SET allowed_paths = [{', '.join(literal(f) for f in files)}]")
    con.execute("SET parquet_metadata_cache = true")
    con.execute("SET python_enable_replacements = false")
    con.execute("SET autoload_known_extensions = false")
    con.execute("SET autoinstall_known_extensions = false")
    con.execute("SET enable_external_access = false")


def create(con: duckdb.DuckDBPyConnection, sql: str, place: str) -> None:
    """Run a CREATE; LakeError about `place`, the file that is at fault, if that fails."""
    try:
        con.execute(sql)
    except duckdb.Error as error:
        if known := explained(con, error):
            raise known from error
        first = str(error).splitlines()[0]
        raise LakeError(f"the view can't be made: {first}", place=place, remedy=_remedy(place)) from error


def _remedy(place: str) -> str:
    """What to do if a stored file, not a view's text, is wrong."""
    return FULL_DOCTOR if place.endswith(".parquet") else ""


def _store(con: duckdb.DuckDBPyConnection, name: str, rows: "pa.Table") -> None:
    con.register("arriving", rows)
    con.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arriving")
    con.unregister("arriving")


def _given(con: duckdb.DuckDBPyConnection, view: View, source: Source) -> frozenset[str]:
    """The columns a source gives; found once, as tables and views have the same ones wherever they are made.

    Besides the header's columns it may give those of views that it reads, and its own, whose names begin with `_`.
    LakeError if it gives another one, or its SQL does not run.
    """
    place = f"{view.name}/{source.file}"
    if (given := _FOUND.get(source.sql)) is None:
        try:
            given = frozenset(con.sql(f"SELECT * FROM ({source.sql}) AS source").columns)
        except duckdb.Error as error:
            if known := explained(con, error):
                raise known from error
            raise LakeError(f"the SQL does not run: {str(error).splitlines()[0]}", place=place) from error
        _FOUND[source.sql] = given
    listed = {c.name for c in (source.checks or view).columns} | ORIGIN.keys()
    unknown = {name for name in given - listed if not name.startswith("_")}
    if unknown:
        reads = source.reads
        unknown -= {c.name for v in views() if v.name in reads for c in v.columns}
    if unknown:
        raise LakeError(f"gives {', '.join(sorted(unknown))}, which {view.file} does not list", place=place)
    return given


def select(con: duckdb.DuckDBPyConnection, view: View) -> str:
    """The SELECT of a view."""
    return text.select(view, lambda source: _given(con, view, source))


def create_views(
    con: duckdb.DuckDBPyConnection,
    all_views: Sequence[View],
    where: Filter | None = None,
    prepared: Mapping[str, Sequence[str]] = NOTHING,
) -> None:
    """Create views, each after those it reads, over raw tables that are there; `prepared`: files with the rows of some.

    LakeError about its file if a view does not have the columns and types its header promises.
    """
    if where:
        _create_narrowed(con, all_views, where, prepared)
        return
    _promise(con, all_views)
    _keep(con, [_read_back(v, prepared) for v in all_views], lambda view: select(con, view))


def _promise(con: duckdb.DuckDBPyConnection, all_views: Sequence[View]) -> None:
    """Empty tables with the columns that views promise, so that views can be made before those they read.

    The engine works out all that is below a view whenever it is made or named: below real views that takes seconds.
    """
    for view in all_views:
        con.execute(f"CREATE TABLE {quoted(view.name)} ({promised(view)})")


def promised(view: View) -> str:
    """The columns of a view, as a statement that creates a table has them."""
    return ", ".join(f"{quoted(c.name)} {c.type}" for c in view.columns)


def _keep(con: duckdb.DuckDBPyConnection, all_views: Sequence[View], sql: Callable[[View], str]) -> None:
    """Make the promised views, each before those it reads."""
    for view in reversed(all_views):
        con.execute(f"DROP TABLE {quoted(view.name)}")
        create(con, f"CREATE VIEW {quoted(view.name)} AS {sql(view)}", view.file)
    check(con, all_views)


def _create_narrowed(
    con: duckdb.DuckDBPyConnection, all_views: Sequence[View], where: Filter, prepared: Mapping[str, Sequence[str]]
) -> None:
    """Create all views twice: in a schema of their own, where they read one another, and filtered."""
    known = {v.name for v in all_views}
    computed = names() - prepared.keys()
    of_boxes = needed(" ".join(OF_BOXES), computed) if follows_boxes(all_views, where) else ()
    whole = [*all_views, *(v for v in of_boxes if v.name not in known)]
    con.execute(f"CREATE SCHEMA {WHOLE}")
    con.execute(f"CREATE TABLE {WHOLE}.{ASKED} ({', '.join(f'{c} VARCHAR' for c in FOLLOWED)})")
    with _inside_whole(con):
        _promise(con, whole)
    _promise(con, all_views)
    _keep(con, all_views, lambda view: left(view, where, f"{WHOLE}.") or select(con, view))
    with _inside_whole(con):
        _keep(con, [_read_back(v, prepared) for v in whole], lambda view: select(con, view))


def follows_boxes(all_views: Iterable[View], where: Filter) -> bool:
    """True if a filter needs the boxes of its volumes and LCUs."""
    return any(where.follows(v) for v in all_views)


def keep_small(con: duckdb.DuckDBPyConnection, all_views: Iterable[View], parts: Mapping[str, Sequence[str]]) -> None:
    """Make tables of the views that are computed whenever they are read, where the facts below are small.

    Many queries read them, and planning each anew takes longer than the few rows.
    """
    if is_small(file for name in parts.keys() & names() for file in parts[name]):
        _compute(con, (v for v in all_views if v.computed.sources and not v.is_part))


def _compute(con: duckdb.DuckDBPyConnection, all_views: Iterable[View]) -> None:
    """Make tables of views that many queries read."""
    for view in all_views:
        name, made = quoted(view.name), quoted(f"{view.name}_computed")
        rows = con.execute(f"CREATE TABLE {made} AS SELECT * FROM {name}").fetchone()
        if rows == (0,):
            EMPTY[con].add(view.name)
        con.execute(f"DROP VIEW {name}")
        con.execute(f"ALTER TABLE {made} RENAME TO {name}")


@contextmanager
def _inside_whole(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    con.execute(f"SET search_path = '{WHOLE},main'")
    yield
    con.execute("SET search_path = 'main'")


def asked_rows(where: Filter, whole: str) -> str:
    """The volumes selected by a filter, at any time and for any system, and their whole boxes.

    `whole`: name prefix of the unfiltered views, here and below.
    """
    (view,) = (v for v in views() if v.name == "volume_interval")
    inside = replace(where, since=None, until=None, systems=()).condition(view)
    return f"""
        WITH own AS (SELECT DISTINCT subsystem, volser FROM {whole}{view.name} WHERE {inside})
        SELECT own.volser, coalesce(o.subsystem, own.subsystem) AS subsystem, o.box
        FROM own
        LEFT JOIN {whole}box_subsystem b ON b.subsystem = own.subsystem
        LEFT JOIN {whole}box_subsystem o ON o.box = b.box"""


def left(view: View, where: Filter, whole: str) -> str:
    """The SELECT that cuts rows of intervals out of the unfiltered view; empty for summaries, made of filtered rows."""
    if not shows_part(view):
        return ""
    condition = " AND ".join(filter(None, [where.condition(view), _followed(view, where, whole)]))
    return f"SELECT * FROM {whole}{view.name} WHERE {condition or 'TRUE'}"


def _followed(view: View, where: Filter, whole: str) -> str:
    column = where.follows(view)
    return f"{column} IN (SELECT {column} FROM {whole}{ASKED})" if column else ""


def shows_part(view: View) -> bool:
    """True if a filter cuts the view's rows out of the whole lake's, so that a value is the same with and without."""
    return view.layer != "summed" and any(c.name in ("interval_start", "since") for c in view.columns)


def check(con: duckdb.DuckDBPyConnection, all_views: Sequence[View]) -> None:
    """Compare views with the types that their headers promise; LakeError about the file of one that has others."""
    made: dict[str, dict[str, str]] = {}
    for view, name, kind in con.execute(_MADE).fetchall() if all_views else ():
        made.setdefault(view, {})[name] = kind
    for view in all_views:
        _compare(view, made[view.name])


def _compare(view: View, made: Mapping[str, str]) -> None:
    for c in view.columns:
        if made[c.name] != c.type:
            what = f"the header promises {c.name} {c.type}, the SQL gives {c.name} {made[c.name]}"
            raise LakeError(what, place=view.file, remedy=_remedy(view.file))


def _comments(view: View) -> Iterator[str]:
    name = quoted(view.name)
    yield f"COMMENT ON VIEW {name} IS {literal(f'{view.title}; {view.grain}')}"
    for c in view.columns:
        meaning = f"{c.meaning} [{c.unit}]" if c.unit else c.meaning
        yield f"COMMENT ON COLUMN {name}.{quoted(c.name)} IS {literal(meaning)}"
