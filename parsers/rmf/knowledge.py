"""Definitions of RMF's reports: `reports/*.toml`, one per report, read once.

A file names the report (`metric` as in XML, `titles` as in listings), its raw tables, what a row of each is, and its
columns: each with the headings that stand for it, its unit, and how sure we are of it. Listings and XML share these
files; a report whose rows are plain needs no code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, TypeVar

from iosq.parsers.api import Column, Table
from iosq.parsers.rmf.words import Words, words
from iosq.toolkit.rows import NewRow

COMMON = (
    Column("system", "varchar", "", "system id (listings: SYSTEM ID, XML: resource name)"),
    Column("interval_start", "timestamp", "", "start of the interval; the printed local time where no offset is known"),
    Column("utc_offset_s", "integer", "s", "local time minus UTC; NULL where the report does not say"),
    Column("interval_s", "double", "s", "length of the interval"),
    Column("line", "bigint", "", "line of the input, from 1"),
)


_NUMBERS = frozenset({"double", "bigint", "integer"})
ANY = re.compile(r".*")


@dataclass(frozen=True, slots=True, eq=False)  # one object per column: hashed by identity, which is fast
class Field:
    """One column and its headings.

    `base` is the value of a K suffix (1000, or 1024 for storage sizes); `mark` names the column for letters after the
    number; `decimals` is the number of decimals that every number has (None: depends on the space). A text has at most
    `width` characters (0: any number) and matches `pattern`; it is one word unless `several`. `former` columns are
    printed only by old releases. `xml` are the headers of real XML; `empty` is the value of an empty cell there.
    `words` are the known texts (none: any text); others are an issue, and left out unless `kept`. `name` is the
    column's name; `numeric` is true for numbers, `simple` for numbers with a fraction.
    """

    column: Column
    headings: tuple[Words, ...] = ()
    base: int = 1000
    mark: str = ""
    decimals: int | None = None
    width: int = 0
    pattern: re.Pattern[str] = ANY
    several: bool = False
    former: bool = False
    xml: tuple[str, ...] = ()
    empty: str = ""
    words: frozenset[str] = frozenset()
    kept: bool = False
    name: str = field(init=False)
    numeric: bool = field(init=False)
    simple: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.column.name)
        object.__setattr__(self, "numeric", self.column.type in _NUMBERS)
        object.__setattr__(self, "simple", self.column.type == "double")

    def fits(self, text: str) -> bool:
        return (not self.width or len(text) <= self.width) and self.pattern.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class RowRule:
    """Defines which lines of a listing are rows of a table.

    `key` is the column that a row must have, and `pattern` matches its value; `text` is the column for words printed
    instead of numbers (none: such a line is no row); `carried` are columns printed only on the first of several rows,
    `from_head` columns from the page head. A line with only `sums` columns is a sum, and a row only if `keeps_sums`.
    In XML `owner` are the carried columns that identify the owner of the rows; a row with `last` as its key is the last
    one of its owner.
    """

    key: str = ""
    pattern: re.Pattern[str] = ANY
    text: str = ""
    carried: tuple[str, ...] = ()
    from_head: tuple[str, ...] = ()
    sums: frozenset[str] = frozenset()
    keeps_sums: bool = False
    owner: tuple[str, ...] = ()
    last: str = ""

    def fits(self, value: str | None) -> bool:
        return bool(value) and self.pattern.fullmatch(value or "") is not None


@dataclass(frozen=True, eq=False)
class Section:
    """One raw table of a report, with its section titles in listings and its segment or part names in XML."""

    table: Table
    fields: tuple[Field, ...]
    rows: RowRule
    titles: tuple[Words, ...] = ()
    parts: tuple[Words, ...] = ()

    @cached_property
    def patterned(self) -> tuple[Field, ...]:
        """The columns with a pattern for texts."""
        return tuple(f for f in self.fields if f.pattern is not ANY)

    @cached_property
    def limited(self) -> tuple[Field, ...]:
        """The columns with a maximum width for texts."""
        return tuple(f for f in self.fields if f.width)

    def lacking(self, found: Iterable[str]) -> set[str]:
        """The columns with headings that current releases print and that are not in `found`."""
        return {f.name for f in self.fields if f.headings and not f.former} - {*found}

    def lacking_in_xml(self, found: Iterable[str]) -> set[str]:
        """The columns of real XML that are not in `found`; if none are known, those of listings."""
        real = {f.name for f in self.fields if f.xml}
        return real - {*found} if real else self.lacking(found)


@dataclass(frozen=True)
class Report:
    """One report: the name of its file, the XML's metric id, the listing's titles, its sections.

    `layout` is `plain`, or names the class in `bodies.py` for rows that need more than headings; `head` are further
    groups of labels in the page head (`page.toml`); `owner` maps a page title to the labels that identify the owner of
    its rows, with their printed names; `variables` are names of XML variables and columns without a table; `panels` are
    titles of blocks side by side, `groups` are titles over several columns printed without dashes; a `screen` is a
    report of Monitor II or III, which has another page head.
    """

    name: str
    metric: str
    titles: tuple[Words, ...]
    sections: tuple[Section, ...]
    layout: str = "plain"
    head: tuple[str, ...] = ()
    panels: tuple[Words, ...] = ()
    groups: tuple[str, ...] = ()
    screen: bool = False
    owner: Mapping[Words, Mapping[str, str]] = field(default_factory=dict)
    variables: frozenset[frozenset[str]] = frozenset()

    @cached_property
    def titled(self) -> dict[Words, Section]:
        return {title: section for section in reversed(self.sections) for title in section.titles}

    def section(self, table: str) -> Section:
        return next(s for s in self.sections if s.table.name == table)


@cache
def reports() -> tuple[Report, ...]:
    """All reports, in name order of their files."""
    folder = files("iosq.parsers.rmf").joinpath("reports")
    texts = sorted((f.name, f.read_text("utf-8")) for f in folder.iterdir() if f.name.endswith(".toml"))
    return tuple(_report(name.removesuffix(".toml"), tomllib.loads(text)) for name, text in texts)


@cache
def titled() -> dict[Words, Report]:
    """Reports by their titles in listings."""
    return {title: report for report in reversed(reports()) for title in report.titles}


def cut_of(title: Words) -> str:
    """The title of a report that was truncated to this one; '' if there is none."""
    at = len(title) - 1
    begun = (t for t in titled() if at and len(t) > at and t[:at] == title[:at])
    return next((" ".join(t) for t in begun if title[at].startswith(t[at]) or t[at].startswith(title[at])), "")


def is_squeezed(title: Words) -> bool:
    """True if a title is one word ending in the last word of a known title: the blanks between its words are lost."""
    return len(title) == 1 and any(title[0] != t[-1] and title[0].endswith(t[-1]) for t in titled())


T = TypeVar("T")
# conversion of a file's values by the field's type
_MADE: Mapping[str, Callable[[Any], object]] = {
    "tuple[str, ...]": tuple,
    "frozenset[str]": frozenset,
    "re.Pattern[str]": re.compile,
    "tuple[Words, ...]": lambda texts: tuple(map(words, texts)),
    "Mapping[Words, Mapping[str, str]]": lambda named: {words(title): labels for title, labels in named.items()},
    "frozenset[frozenset[str]]": lambda names: frozenset(frozenset(words(name)) for name in names),
}


def _made(kind: type[T], raw: NewRow, **own: object) -> T:
    """Build a `kind` from the entries of a file named like its fields; others get their defaults."""
    given = {f.name: raw[f.name] for f in fields(kind) if f.init and f.name in raw}  # type: ignore[arg-type]
    types = {f.name: str(f.type) for f in fields(kind)}  # type: ignore[arg-type]
    made = {name: _MADE[types[name]](v) if types[name] in _MADE else v for name, v in given.items()}
    return kind(**made | own)


def _report(name: str, raw: NewRow) -> Report:
    return _made(Report, raw, name=name, sections=tuple(_section(t, raw) for t in raw["tables"]))


def _section(table: NewRow, raw: NewRow) -> Section:
    columns = [c for c in raw["columns"] if table["name"] in c.get("tables", [table["name"]])]
    found = tuple(_field(c, raw["source"]) for c in columns)
    own = COMMON + tuple(f.column for f in found)
    made = Table(table["name"], table["title"], own, ("system", *table["sort"], "interval_start"), raw["source"])
    return _made(Section, table, table=made, fields=found, rows=_made(RowRule, table))


def _field(raw: NewRow, source: str) -> Field:
    return _made(Field, raw, column=_made(Column, {"type": "double", "source": source, "confidence": "medium"} | raw))
