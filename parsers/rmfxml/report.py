"""One report of an XML document: its tables bound to columns by header text, the rest to the generic table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from iosq.parsers.listing import unread
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.numbers import comma_hint
from iosq.parsers.rmf import knowledge
from iosq.parsers.rmf.bind import bind, one
from iosq.parsers.rmf.cells import Values, dasd_row, ioq_row, put
from iosq.parsers.rmf.knowledge import Field, Section
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval, minutes, stamp
from iosq.parsers.rmf.words import Words, words
from iosq.parsers.rmfxml.loose import Loose, Owner, Place

HELD = 2_000_000  # cells kept until their headers come (Monitor III writes headers last)
FEWEST = 3  # columns that must be recognised before a table counts as one of ours

Row = tuple[int, dict[str, str], list[str]]


class Report:
    """Takes what one `postprocessor` or `report` element holds, in document order."""

    def __init__(
        self, rows: Rows, loose: Loose, notes: Notes, interval: Interval, head: dict[str, str], line: int
    ) -> None:
        self._rows, self._loose, self._notes, self._interval, self._head = rows, loose, notes, interval, head
        self._metric = head.get("metric", "")
        self._known = tuple(s for r in knowledge.reports() if r.metric == self._metric for s in r.sections)
        self._segment = self._part = ""
        self._parts = 0
        self._sections: tuple[Section, ...] = ()  # of the segment or part, that have rows
        self._place: Place | None = None
        self._headers: list[str] | None = None
        self._held: list[Row] = []
        self._cells = 0
        self._section: Section | None = None
        self._fields: tuple[Field | None, ...] = ()
        self._spare: list[int] = []  # columns that stand for nothing
        self._status: Values = {}
        self._subsystem: str | None = None
        self._tell(line)

    def _tell(self, line: int) -> None:
        if self._metric and self._interval.start is None:
            self._notes.add("no_interval", "notice", f"report {self._metric} has no time that can be read", line)
        elif self._metric and self._interval.utc_offset_s is None:
            text = "the reports give local time and no offset from UTC: interval_start is the local time"
            self._notes.once("local_time", "info", text, line)

    # structure

    def begin(self, name: str) -> None:
        """A segment, part or table begins."""
        if name == "table":
            self.finish("table")
            return
        if name == "segment":
            self._segment = ""
        else:
            self._parts += 1
        self._part = ""
        self._find()

    def name(self, owner: str, text: str) -> None:
        """The name of the segment or part."""
        if owner == "part":
            self._part = text
            self._find()
            return
        self._segment = text
        self._find()
        found = words(text)
        if "SSID" in found[:-1]:
            self._subsystem = found[found.index("SSID") + 1]

    def finish(self, name: str) -> None:
        """A table or segment ends: rows still without headers get numbers for names."""
        if self._held:
            line = self._held[0][0]
            self._notes.add(
                "no_headers", "notice", f"table of report {self._metric or 'without name'} has no column headers", line
            )
            self.head([], line)
        self._headers, self._section, self._fields = None, None, ()
        if name == "segment":
            self._write_status()

    def close(self) -> None:
        """The report ends."""
        self.finish("segment")

    # content

    def head(self, headers: list[str], line: int) -> None:
        """The column headers of the table; rows that came before them are bound now."""
        self._headers = headers
        self._bind(headers, line)
        held, self._held, self._cells = self._held, [], 0
        for row in held:
            self._bound(*row)

    def row(self, line: int, attributes: dict[str, str], cells: list[str]) -> None:
        """One row of the table; it may have fewer cells than there are headers."""
        if self._headers is not None:
            self._bound(line, attributes, cells)
            return
        self._held.append((line, attributes, cells))
        self._cells += len(cells) + 1
        if self._cells > HELD:
            self.finish("table")
            self._headers = []

    def variable(self, line: int, name: str, value: str) -> None:
        """A name with its value."""
        if not self._take_status(line, name, value):
            self._loose.add(self._where, Owner(line, "variable"), name, value)
        if self._metric == "CACHE" and self._segment == "Cache Interval":
            self._cache_interval(name, value)

    def message(self, line: int, kind: str, code: str, text: str) -> None:
        """A message of RMF or an option of the Postprocessor that it echoes."""
        self._loose.add(self._where, Owner(line, kind), code, text)

    # tables of our own

    def _bind(self, headers: list[str], line: int) -> None:
        self._section, self._fields = _matching(tuple(headers), words(self._part), self._sections)
        self._spare = [at for at, field in enumerate(self._fields) if field is None]
        if self._section is not None:
            self._tell_unknown(self._section, [headers[at] for at in self._spare], line)
            return
        if headers and self._known:
            where = ", ".join(name for name in (self._metric, self._segment, self._part) if name)
            text = f"{where}: a table that no view reads is kept in rmf_xml_value"
            self._notes.add("unknown_table", "info", text, line)

    def _tell_unknown(self, section: Section, headers: list[str], line: int) -> None:
        lacking = section.lacking(field.name for field in self._fields if field)
        for header in headers:
            self._notes.column(unread.heading(self._metric, header, line, section.table.name, lacking))

    def _find(self) -> None:
        """The segment or part has another name: which of our tables are in it."""
        self._place = None
        self._sections = _inside(self._known, words(self._segment), words(self._part))

    def _bound(self, line: int, attributes: dict[str, str], cells: list[str]) -> None:
        loose: Sequence[int] = range(len(cells))
        if self._section:
            loose = self._spare
            if len(cells) != len(self._fields):
                loose = [*(at for at in self._spare if at < len(cells)), *range(len(self._fields), len(cells))]
            self._write(self._section, self._named(line, cells), line, total=attributes.get("type") == "SUM")
        if kept := [at for at in loose if cells[at]]:
            self._rest(line, attributes, cells, kept)

    def _named(self, line: int, cells: list[str]) -> Values:
        """The cells under headers that are understood."""
        values: Values = {}
        for field, cell in zip(self._fields, cells, strict=False):
            if field is not None and not put(values, field, cell):
                text = f"{self._metric}: {cell!r} is no number for {field.name}{comma_hint(cell)}"
                self._notes.add("bad_number", "data_loss", text, line)
                self._notes.column(unread.values(self._metric, field.name, line))
        return values

    def _rest(self, line: int, attributes: dict[str, str], cells: list[str], kept: list[int]) -> None:
        """Cells that no table of ours takes, under their headers; those beyond the last one are numbered."""
        refno, headers = attributes.get("refno", ""), self._headers or []
        if kept[-1] >= len(headers):
            headers = headers + [f"#{at + 1}" for at in range(len(headers), kept[-1] + 1)]
        row = int(refno) if refno.isdecimal() and len(refno) < 10 else None
        owner = Owner(line, "cell", row, attributes.get("type"), cells[0])
        names = [headers[at] or None for at in kept]
        self._loose.add_cells(self._where, owner, [at + 1 for at in kept], names, [cells[at] for at in kept])

    def _write(self, section: Section, values: Values, line: int, *, total: bool) -> None:
        table = section.table.name
        if table == "rmf_dasd_device":
            table = dasd_row(values, total=total)
        elif table == "rmf_ioq_lcu":
            ioq_row(values, "LCU" if values.get("lcu") else "AMG")
        elif self._metric == "CACHE":
            values.setdefault("subsystem", self._subsystem)
            if table == "rmf_cache_device":
                values["list"] = "OVERVIEW"
        self._rows.add(table, {**self._common(line), **values})

    def _take_status(self, line: int, name: str, value: str) -> bool:
        """Whether the variable is one of the subsystem's status row."""
        section = next((s for s in self._sections if s.table.name == "rmf_cache_status"), None)
        field = one(words(self._part) + words(name), section.fields) if section else None
        if field is None:
            return False
        if not put(self._status, field, value):
            text = f"{name}: {value!r} is no number for {field.name}{comma_hint(value)}"
            self._notes.add("bad_number", "data_loss", text, line)
            self._notes.column(unread.values(self._metric, field.name, line))
        self._status.setdefault("line", line)
        self._subsystem = self._status.get("subsystem", self._subsystem)
        return True

    def _write_status(self) -> None:
        if self._status:
            self._status.setdefault("subsystem", self._subsystem)
            self._rows.add("rmf_cache_status", {**self._common(0), **self._status})
        self._status = {}

    def _cache_interval(self, name: str, value: str) -> None:
        # cache rates divide by the cache gatherer's own interval, not the report's
        self._place = None
        if name.startswith("Interval") and (seconds := minutes(value)):
            self._interval = replace(self._interval, seconds=seconds)
        elif name == "Start" and (start := stamp(value)):
            self._interval = replace(self._interval, start=start)

    # the generic table

    def _common(self, line: int) -> dict[str, Any]:
        i = self._interval
        return {
            "system": i.system,
            "interval_start": i.start,
            "utc_offset_s": i.utc_offset_s,
            "interval_s": i.seconds,
            "line": line,
        }

    @property
    def _where(self) -> Place:
        """Where loose values are; made again when the interval, segment or part is another."""
        if self._place is None:
            i = self._interval
            self._place = Place(
                i.system, i.start, i.utc_offset_s, i.seconds, self._metric or None, self._head.get("description"),
                self._head.get("restype"), self._segment or None, self._part or None, self._parts or None,
            )  # fmt: skip
        return self._place


@lru_cache(1024)  # a document repeats its segments, and the headers of its tables
def _inside(known: tuple[Section, ...], segment: Words, part: Words) -> tuple[Section, ...]:
    """Which tables are in a segment or part."""
    return tuple(s for s in known if s.key and any(name[: len(p)] == p for p in s.parts for name in (segment, part)))


@lru_cache(1024)
def _matching(
    headers: tuple[str, ...], place: Words, sections: tuple[Section, ...]
) -> tuple[Section | None, tuple[Field | None, ...]]:
    """The table that headers belong to, and what each stands for."""
    for section in sections:
        fields = bind([place + words(h) for h in headers], section.fields)
        found = {f.name for f in fields if f}
        if section.key in found and len(found) >= FEWEST:
            return section, tuple(fields)
    return None, (None,) * len(headers)
