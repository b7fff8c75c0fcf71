"""What RMF's reports hold: `reports/*.toml`, one per report, read once.

A file names the report (`metric` as in XML, `titles` as in listings), its raw tables, and its columns: each with the
headings that stand for it, its unit, and how sure we are of it. Listings and XML share these files.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from iosq.parsers.api import Column, Table
from iosq.parsers.rmf.words import Words, words

COMMON = (
    Column("system", "varchar", "", "system id (listings: SYSTEM ID, XML: resource name)"),
    Column("interval_start", "timestamp", "", "start of the interval; the printed local time where no offset is known"),
    Column("utc_offset_s", "integer", "s", "local time minus UTC; NULL where the report does not say"),
    Column("interval_s", "double", "s", "length of the interval"),
    Column("line", "bigint", "", "line of the input, from 1"),
)


@dataclass(frozen=True, slots=True, eq=False)  # one object per column: hashed by identity, which is fast
class Field:
    """One column and the headings that stand for it.

    `base` is what a K suffix means (1000, or 1024 for storage sizes); `mark` names the column that takes the letters
    behind the number.
    """

    column: Column
    headings: tuple[Words, ...]
    base: int = 1000
    mark: str = ""

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """One raw table of a report, the listing's section titles and the XML's segment or part names that lead to it."""

    table: Table
    fields: tuple[Field, ...]
    titles: tuple[Words, ...]
    parts: tuple[Words, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Report:
    """One report: the XML's metric id, the listing's titles, its sections.

    `panels` are blocks set side by side, `groups` titles over several columns that are printed without dashes;
    a `screen` is one of Monitor II or III, whose head is another.
    """

    metric: str
    titles: tuple[Words, ...]
    sections: tuple[Section, ...]
    panels: tuple[Words, ...]
    groups: tuple[str, ...]
    screen: bool

    def section(self, table: str) -> Section:
        """The section that fills `table`."""
        return next(s for s in self.sections if s.table.name == table)


@cache
def reports() -> tuple[Report, ...]:
    """All reports, in name order of their files."""
    folder = files("iosq.parsers.rmf").joinpath("reports")
    texts = sorted((f.name, f.read_text("utf-8")) for f in folder.iterdir() if f.name.endswith(".toml"))
    return tuple(_report(tomllib.loads(text)) for _, text in texts)


@cache
def tables() -> tuple[Table, ...]:
    """Every raw table of every report."""
    return tuple(s.table for r in reports() for s in r.sections)


def _report(raw: dict[str, Any]) -> Report:
    sections = tuple(_section(t, raw) for t in raw["tables"])
    panels = tuple(words(p) for p in raw.get("panels", []))
    return Report(
        raw["metric"],
        tuple(words(t) for t in raw["titles"]),
        sections,
        panels,
        tuple(raw.get("groups", [])),
        raw.get("screen", False),
    )


def _section(table: dict[str, Any], raw: dict[str, Any]) -> Section:
    columns = [c for c in raw["columns"] if table["name"] in c.get("tables", [table["name"]])]
    fields = tuple(_field(c, raw["source"]) for c in columns)
    return Section(
        table=Table(
            name=table["name"],
            title=table["title"],
            columns=COMMON + tuple(f.column for f in fields),
            sort=("system", *table["sort"], "interval_start"),
            source=raw["source"],
        ),
        fields=fields,
        titles=tuple(words(t) for t in table.get("titles", [])),
        parts=tuple(words(t) for t in table.get("parts", [])),
        key=table.get("key", ""),
    )


def _field(raw: dict[str, Any], source: str) -> Field:
    column = Column(
        name=raw["name"],
        type=raw.get("type", "double"),
        unit=raw.get("unit", ""),
        meaning=raw["meaning"],
        source=raw.get("source", source),
        confidence=raw.get("confidence", "medium"),
    )
    headings = tuple(words(h) for h in raw.get("headings", []))
    return Field(column, headings, raw.get("base", 1000), raw.get("mark", ""))
