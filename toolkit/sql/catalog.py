"""View files: their headers, and the order in which they read one another.

A view is one `.sql` file, or a folder with a header file and one file per source. The header grammar is in
`docs/explanation/formulas.md`. Nothing here needs a database.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import cast

from iosq.parsers.api import Confidence
from iosq.toolkit.errors import LakeError
from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.macros import expanded
from iosq.toolkit.sql.raw import literal

_FIELD = re.compile(
    r"^-- (layer|reach|stored|title|grain|parameter|columns?|note|source|formula)"
    r"(?: ([^:\[]+?))?(?: \[([^\]]*)\])?: (.*)$"
)
_CONSTANT = "constant "  # what the formula of a column with one value begins with
_TRUST = re.compile(r"^(.*\S) \((high|medium|low)\)$")
_READS = re.compile(r"\b(?:FROM|JOIN)\s+(_?[a-z][a-z0-9_]*)", re.IGNORECASE)
# a table about the lake stands by itself, unless it begins a list of tables
_OF_THE_LAKE = re.compile(r"\b(?:from|join)\s+lake_(?!views\b|dictionary\b)\w+\b(?!\s*(?:as\s+)?\w*\s*,)")
_READING = frozenset({"from", "join", "table", "show", "describe", "desc", "summarize", "pragma"})
_TYPES = frozenset({"VARCHAR", "DOUBLE", "BIGINT", "INTEGER", "BOOLEAN", "TIMESTAMP", "DATE"})
_OFFSET_US = "CAST(coalesce(utc_offset_s, 0) AS BIGINT) * 1000000"

# columns that a source may give in addition to its view's: the input, and the record's offset or the line
ORIGIN: Mapping[str, str] = {"file_id": "STRING", "place": "BIGINT"}
# header text for a view's lookback, alone or with what dimensions say; without it the view reads the whole lake
NEAR, BY_DIMENSIONS = "a day", "a day and dimensions"
# of a view whose rows are on no disk: computed whenever it is read, or once for all the facts that are made of it
_UNSTORED = ("no", "in memory")
IMPOSSIBLE = "impossible_value"  # the view made of the sources of all others
IMPOSSIBLE_NEAR = "_impossible_near"  # its rows that facts of a day can hold
IMPOSSIBLE_JOINED = "_impossible_joined"  # its rows that need dimensions for that

_LENGTH_US = "CAST(round(interval_s * 1000000) AS BIGINT)"  # engines cut or round a cast


@dataclass(frozen=True, slots=True)
class ViewColumn:
    """One column of a view as its header promises it; `formula` is empty where each source has its own."""

    name: str
    type: str
    unit: str
    meaning: str
    formula: str = ""
    confidence: Confidence = ""

    @property
    def sql_type(self) -> str:
        """The type as every engine calls it."""
        return "STRING" if self.type == "VARCHAR" else self.type


# columns added to a view with interval_start, interval_s and utc_offset_s, with their SQL
LOCAL_TIME: Mapping[ViewColumn, str] = {
    ViewColumn(
        "local_start", "TIMESTAMP", "local time",
        "Start of the interval by the system's clock; as interval_start where its offset is unknown",
        "interval_start + utc_offset_s",
    ): f"CAST(timestamp_micros(unix_micros(interval_start) + {_OFFSET_US}) AS TIMESTAMP)",
    ViewColumn(
        "local_end", "TIMESTAMP", "local time", "End of the interval by the same clock",
        "interval_start + utc_offset_s + interval_s",
    ): f"CAST(timestamp_micros(unix_micros(interval_start) + {_OFFSET_US} + {_LENGTH_US}) AS TIMESTAMP)",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Formula:
    """How one source gives a column, in record fields, and with what confidence."""

    text: str
    confidence: Confidence = ""


@dataclass(frozen=True, slots=True)
class Source:
    """One SELECT that feeds a view, with its formulas by column.

    `constants` are SQL of columns that its own SQL need not give: the name, and what formulas say. It has no
    rows without rows of all that it `needs`.
    """

    name: str
    file: str
    sql: str
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    is_stored: bool = True
    constants: Mapping[str, str] = field(default_factory=dict)
    checks: "View | None" = None  # in the view of impossible values: the view whose source this is
    needs: frozenset[str] = field(default=frozenset(), repr=False)  # follows from its SQL

    def place(self, view: str) -> str:
        """Its file, by the name of its view."""
        return self.file if self.file == f"{view}.sql" else f"{view}/{self.file}"

    @property
    def reads(self) -> frozenset[str]:
        """Names after FROM and JOIN, common table expressions included."""
        return _read_by(self.sql)

    def otherwise(self, column: str) -> str:
        """SQL of a column that its own SQL does not give."""
        return self.constants.get(column, "NULL")


@cache
def _read_by(sql: str) -> frozenset[str]:
    return frozenset(m.group(1).lower() for m in _READS.finditer(sql))


@dataclass(frozen=True, slots=True)
class View:
    """One view: what its header promises and the sources that feed it; with `utc` its local time is UTC.

    One that is `near` makes each row of SMF records of at most hours before or after, maybe `by_dimensions`. What is
    not stored is computed from what is, whenever it is read: a view as a whole, or the rows of one of its sources.
    Impossible values of views with several sources are NULL; a view that `is_sound` has none where it is computed.
    """

    name: str
    layer: str
    title: str
    grain: str
    columns: tuple[ViewColumn, ...]
    notes: tuple[str, ...]
    sources: tuple[Source, ...]
    file: str
    merged: bool = False
    utc: bool = False
    is_near: bool = False
    is_stored: bool = True
    is_sound: bool = False
    by_dimensions: bool = False

    @property
    def is_part(self) -> bool:
        """True if it is a step of other views only: its name begins with `_`."""
        return self.name.startswith("_")

    @property
    def is_measured(self) -> bool:
        """True if its sources are records and listings, which document each column."""
        return any(s.formulas or s.checks for s in self.sources)

    @property
    def is_checked(self) -> bool:
        """True if `impossible_value` lists what it leaves out: it measures itself, and is not computed from facts."""
        return any(s.formulas for s in self.sources) and any(c.name == "source" for c in self.columns)

    @property
    def reads(self) -> frozenset[str]:
        """Every name the view's sources read."""
        return frozenset().union(*(s.reads for s in self.sources))

    def part(self, *, is_stored: bool) -> "View":
        """The view with its stored sources only, or with those that are computed whenever it is read."""
        return replace(self, sources=tuple(s for s in self.sources if s.is_stored == is_stored))

    @property
    def computed(self) -> "View":
        """Sources computed at read time although the rows of the view are stored."""
        return self.part(is_stored=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that identify a row, as the grain names them."""
        return tuple(re.findall(r"\w+", self.grain.removeprefix("one row per ")))

    @property
    def local_time(self) -> dict[str, str]:
        """SQL of the columns that are added to every view of intervals, by name."""
        kept = {c.name: sql for c, sql in LOCAL_TIME.items() if c in self.columns}
        return {name: sql.replace(_OFFSET_US, "0") for name, sql in kept.items()} if self.utc else kept

    @property
    def own_columns(self) -> tuple[ViewColumn, ...]:
        """The columns of the view's own SQL: all but local time, which is added to every view of intervals."""
        return tuple(c for c in self.columns if c not in LOCAL_TIME)


@dataclass(slots=True)
class Header:
    """Header lines by kind; `parameter` and `column` lines as (name and type, unit, text).

    A line `columns` names columns that mean the same in several files: `columns.csv` has their types and meanings.
    """

    single: dict[str, str] = field(default_factory=dict)
    parameters: list[tuple[str, str, str]] = field(default_factory=list)
    columns: list[tuple[str, str, str]] = field(default_factory=list)
    formulas: dict[str, Formula] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def take(self, kind: str, name: str, unit: str, text: str) -> None:
        """Keep one line."""
        if kind == "column":
            self.columns.append((name, unit, text))
        elif kind == "columns":
            self.columns += [shared_columns()[name] for name in text.split(", ")]
        elif kind == "parameter":
            self.parameters.append((name, unit, text))
        elif kind == "formula":
            self.formulas[name] = _formula(text)
        elif kind == "note":
            self.notes.append(text)
        else:
            self.single[kind] = text

    def insist(self, place: str) -> None:
        """Check that it has a title and a grain; LakeError about the file if not."""
        missing = [kind for kind in ("title", "grain") if kind not in self.single]
        if missing:
            raise LakeError(f"the header lacks {', '.join(missing)}", place=place)


@cache
def shared_columns() -> dict[str, tuple[str, str, str]]:
    """Columns that several views have, as their header lines would be."""
    rows = csv_rows("iosq.toolkit.sql", "columns.csv")
    return {r["name"]: (f"{r['name']} {r['type']}", r["unit"], r["meaning"]) for r in rows}


def needs(place: str) -> frozenset[str]:
    """The tables and views without whose rows the query in a file has none."""
    return _needs().get(place, frozenset())


@cache
def _needs() -> dict[str, frozenset[str]]:
    return {r["place"]: frozenset(r["needs"].split()) for r in csv_rows("iosq.toolkit.sql", "needs.csv")}


@cache
def _usual_formulas(source: str) -> dict[str, Formula]:
    """Formulas of columns that sources of one kind have in common: the last row of `formulas.csv` that fits counts."""
    rows = (r for r in csv_rows("iosq.toolkit.sql", "formulas.csv") if fnmatchcase(source, r["source"]))
    return {r["column"]: Formula(r["formula"], cast(Confidence, r["confidence"])) for r in rows}


def _formula(text: str) -> Formula:
    found = _TRUST.match(text)
    return Formula(found[1], cast(Confidence, found[2])) if found else Formula(text)


def read(file: Traversable, place: str = "") -> tuple[Header, str]:
    """The header of a view or question file and the SQL behind it, with the macros it calls.

    LakeError about the file if a line of the header is not understood, or a macro is not known.
    """
    place = place or file.name
    header, lines = Header(), file.read_text(encoding="utf-8").splitlines()
    size = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    for number, line in enumerate(lines[:size], 1):
        found = _FIELD.match(line)
        if not found:
            raise LakeError(f"header line {number} is not understood: {line}", place=place)
        try:
            header.take(found[1], found[2] or "", found[3] or "", found[4])
        except KeyError as unknown:
            raise LakeError(f"header line {number}: columns.csv does not list {unknown}", place=place) from None
    return header, expanded("\n".join(lines[size:]).strip(), place)


def typed(spec: tuple[str, str, str], place: str) -> ViewColumn:
    """A column or parameter from its header line; LakeError about the file if it has no type a lake knows."""
    head, unit, text = spec
    name, _, kind = head.partition(" ")
    if kind not in _TYPES:
        raise LakeError(f"column {name} has type {kind!r}, not one of {', '.join(sorted(_TYPES))}", place=place)
    meaning, _, formula = text.partition(" = ")
    how = _formula(formula)
    return ViewColumn(name, kind, unit, meaning, how.text, how.confidence)


def _source(file: Traversable, columns: Container[str]) -> Source:
    """The source in a file; `columns` are those of its view."""
    header, sql = read(file)
    name, is_stored = header.single.get("source", ""), "stored" not in header.single
    usual = {column: formula for column, formula in _usual_formulas(name).items() if column in columns}
    formulas, own = usual | header.formulas, {"source": name} if name and "," not in name else {}
    own |= {c: f.text.removeprefix(_CONSTANT) for c, f in formulas.items() if f.text.startswith(_CONSTANT)}
    constants = {column: literal(text) for column, text in own.items()}
    return Source(name, file.name, sql, formulas, tuple(header.notes), is_stored, constants)


def _view(file: Traversable, sources: Iterable[Traversable] = ()) -> View:
    header, sql = read(file)
    single = header.single
    header.insist(file.name)
    if single.get("reach", NEAR) not in (NEAR, BY_DIMENSIONS):
        raise LakeError(f"the reach is {single['reach']!r}, not {NEAR!r} or {BY_DIMENSIONS!r}", place=file.name)
    stored = single.get("stored", "")
    if stored not in ("", *_UNSTORED):
        raise LakeError(f"stored is {stored!r}, not {' or '.join(map(repr, _UNSTORED))}", place=file.name)
    own = tuple(typed(c, file.name) for c in header.columns)
    names = frozenset(c.name for c in own)
    columns = (*own, *LOCAL_TIME) if {"interval_start", "interval_s", "utc_offset_s"} <= names else own
    fed = (Source("", file.name, sql),) if sql else tuple(_source(s, names) for s in sources)
    view = file.name.removesuffix(".sql")
    fed = tuple(replace(source, needs=needs(source.place(view))) for source in fed)
    if stored == "no":
        fed = tuple(replace(source, is_stored=False) for source in fed)
    return View(
        view, single.get("layer", "derived"), single["title"], single["grain"], columns,
        tuple(header.notes), fed, file.name, merged=not sql, is_near="reach" in single, is_stored=not stored,
        by_dimensions=single.get("reach") == BY_DIMENSIONS,
    )  # fmt: skip


def _folder(folder: Traversable) -> View:
    parts = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    head = f"{folder.name}.sql"
    return _view(folder.joinpath(head), [p for p in parts if p.name != head])


def load(root: Traversable) -> tuple[View, ...]:
    """All views under `root`, each after the views it reads.

    LakeError about the file if a header is not understood, or views read one another in a circle.
    """
    found = [
        _folder(f) if f.is_dir() else _view(f)
        for f in sorted(root.iterdir(), key=lambda f: f.name)
        if (f.is_dir() and not f.name.startswith("_")) or f.name.endswith(".sql")
    ]
    checking = (made for v in found if v.name == IMPOSSIBLE for made in _checking(v, found))
    return _ordered({v.name: v for v in (*found, *checking)})


def _checking(view: View, others: Sequence[View]) -> Iterator[View]:
    """The view of impossible values with the sources of all others, those of near views in views of their own."""
    merged = [v for v in others if v.is_checked]
    checks = [
        replace(s, file=f"{v.name}/{s.file}", formulas={}, notes=(), is_stored=True, checks=v)
        for v in merged
        for s in v.sources
    ]
    rest = [s for s in checks if s.checks and not s.checks.is_near]
    for name, joined in ((IMPOSSIBLE_NEAR, False), (IMPOSSIBLE_JOINED, True)):
        own = tuple(s for s in checks if s.checks and s.checks.is_near and s.checks.by_dimensions == joined)
        yield replace(view, name=name, sources=own, merged=True, is_near=True, by_dimensions=joined)
        rest.append(Source(name, view.file, f"SELECT * FROM {name}", is_stored=False))
    yield replace(view, sources=tuple(rest), merged=True, is_sound=True)


def _ordered(by_name: dict[str, View]) -> tuple[View, ...]:
    reads = {name: (view.reads & by_name.keys()) - {name} for name, view in by_name.items()}
    done: dict[str, View] = {}
    while len(done) < len(by_name):
        ready = [v for v in by_name.values() if v.name not in done and reads[v.name] <= done.keys()]
        if not ready:
            stuck = sorted(set(by_name) - set(done))
            raise LakeError(f"views read one another in a circle: {', '.join(stuck)}", place=by_name[stuck[0]].file)
        done |= {v.name: v for v in ready}
    return tuple(done.values())


@cache
def views() -> tuple[View, ...]:
    """All views of the toolkit, each after the views it reads."""
    return load(files("iosq.toolkit.sql").joinpath("views"))


@cache
def names() -> frozenset[str]:
    """The names of all views: those of their files, and the one that has none."""
    folder = files("iosq.toolkit.sql").joinpath("views")
    return frozenset(file.name.removesuffix(".sql") for file in folder.iterdir()) | {IMPOSSIBLE_NEAR, IMPOSSIBLE_JOINED}


def with_ancestors(views: Sequence[View], wanted: Iterable[str]) -> list[View]:
    """The wanted views and all views that they read, in the order of dependencies."""
    names = set(wanted)
    for view in reversed(views):
        if view.name in names:
            names |= view.reads
    return [v for v in views if v.name in names]


def made_of(view: View, others: Collection[str]) -> bool:
    """True if a view is made of `others` alone, be it through further views: it has rows only where they have."""
    known = {v.name: v for v in views()}
    read = [known[name] for name in view.reads if name in known and name != view.name]
    return bool(read) and all(v.name in others or made_of(v, others) for v in read)


def named(sql: str) -> tuple[View, ...]:
    """The views a statement names."""
    named = words(sql)
    return tuple(v for v in views() if v.name in named) if named & names() else ()


def words(sql: str) -> set[str]:
    """The names and other words in a statement."""
    return set(re.findall(r"[a-z_0-9]+", sql.lower()))


@cache
def unstored() -> frozenset[str]:
    """The views computed from facts whenever they are read."""
    return frozenset(v.name for v in views() if not v.is_stored)


def needed(sql: str, computed: Collection[str] | None = None) -> tuple[View, ...]:
    """The views a statement names and those they read, in order; all if it reads and names none (SHOW, DESCRIBE).

    `computed`: the views whose SQL is run, so that those it reads are needed; by default every view.
    """
    named = words(_OF_THE_LAKE.sub("", sql.lower()))
    if not named & (names() | _READING):  # reading all their texts takes longer than many an answer
        return ()
    wanted: set[str] = set()
    for view in reversed(views()):
        if view.name in named or view.name in wanted:
            run = view if computed is None or view.name in computed else view.computed
            wanted |= {view.name} | run.reads
    made = tuple(v for v in views() if v.name in wanted)
    return made or (views() if named & _READING else ())
