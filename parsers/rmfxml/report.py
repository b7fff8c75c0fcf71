"""One report of an XML document: binds its tables to columns by header text; the rest goes to the generic table."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from iosq.parsers.api import Severity
from iosq.parsers.arrow import Rows
from iosq.parsers.listing import unread
from iosq.parsers.listing.notes import Notes
from iosq.parsers.rmf import knowledge
from iosq.parsers.rmf.bodies import Delays
from iosq.parsers.rmf.cells import Values, carry, dasd_row, ioq_row
from iosq.parsers.rmf.knowledge import Field, Section
from iosq.parsers.rmf.out import Cells, Out
from iosq.parsers.rmf.times import Interval, minutes, stamp
from iosq.parsers.rmf.values import number
from iosq.parsers.rmf.words import Words, words
from iosq.parsers.rmfxml import headers as xml
from iosq.parsers.rmfxml.tables import VALUES
from iosq.parsers.rmfxml.variables import Variables, fill
from iosq.toolkit.rows import NewRow

HELD = 2_000_000  # most cells buffered until their headers arrive (Monitor III writes headers last)
FEWEST = 3  # columns required to identify a table

Row = tuple[int, dict[str, str], list[str]]


class Report:
    """Reads the content of one `postprocessor` or `report` element, in document order."""

    def __init__(self, rows: Rows, notes: Notes, interval: Interval, head: dict[str, str], line: int) -> None:
        self._notes, self._head = notes, head
        self._out = Out(rows, notes, interval)
        self._delays = Delays(self._out)
        self._metric = head.get("metric", "")
        known = [r for r in knowledge.reports() if r.metric == self._metric]
        self._known = tuple(s for r in known for s in r.sections)
        self._expected = frozenset[frozenset[str]]().union(*(r.variables for r in known))
        self._variables = Variables(self._metric, self._expected, notes)
        self._segment = self._part = ""
        self._parts = 0
        self._sections: tuple[Section, ...] = ()  # candidates in the current segment or part
        self._place: NewRow = {}
        self._headers: list[str] | None = None
        self._buffered: list[Row] = []
        self._cells = 0
        self._section: Section | None = None
        self._fields: tuple[Field | None, ...] = ()
        self._unknown: list[int] = []  # positions of unknown columns
        self._carried: Values = {}
        self._subsystem: str | None = None
        self._find()
        self._report(line)

    def _report(self, line: int) -> None:
        interval = self._out.interval
        head = {"time": interval.start, "length": interval.seconds, "system": interval.system}
        missing = [name for name, value in head.items() if value is None]
        if self._metric and missing:
            severity: Severity = "data_loss" if self._known else "notice"
            text = f"report {self._metric} has no {' and no '.join(missing)} that can be read: no view uses its rows"
            self._notes.add("no_interval", severity, text, line)
        elif self._metric and interval.utc_offset_s is None:
            text = "the reports have local time without a UTC offset: interval_start is the local time"
            self._notes.once("local_time", "info", text, line)

    # structure

    def begin(self, name: str) -> None:
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
        """End a table or segment: in rows still without headers, column numbers serve as names."""
        if self._buffered:
            line = self._buffered[0][0]
            self._notes.add(
                "no_headers", "notice", f"table of report {self._metric or 'without name'} has no column headers", line
            )
            self.head([], line)
        self._headers, self._section, self._fields = None, None, ()
        if name != "segment":
            return
        for doubt in self._variables.doubted():
            self._loose(doubt.place, doubt.line, "variable", doubt.name, doubt.value)
        if status := self._variables.finish():
            self._out.rows.add("rmf_cache_status", {**self._common(0), "subsystem": self._subsystem, **status})

    def close(self) -> None:
        self.finish("segment")
        self._delays.finish()

    # content

    def head(self, headers: list[str], line: int) -> None:
        """Set the column headers of the table; bind rows that came before them."""
        self._headers, self._carried = headers, {}
        self._bind(headers, line)
        buffered, self._buffered, self._cells = self._buffered, [], 0
        for row in buffered:
            self._bound(*row)

    def row(self, line: int, attributes: dict[str, str], cells: list[str]) -> None:
        """Add a row of the table; it may have fewer cells than there are headers."""
        if self._headers is not None:
            self._bound(line, attributes, cells)
            return
        self._buffered.append((line, attributes, cells))
        self._cells += len(cells) + 1
        if self._cells > HELD:
            self.finish("table")
            self._headers = []

    def variable(self, line: int, name: str, value: str) -> None:
        section = next((s for s in self._sections if s.table.name == "rmf_cache_status"), None)
        if not self._variables.take(line, name, value, self._where, section):
            self._loose(self._where, line, "variable", name, value)
        self._subsystem = self._variables.subsystem or self._subsystem
        if self._metric == "CACHE" and words(self._segment) == ("CACHE", "INTERVAL"):
            self._cache_interval(words(name), value)

    def message(self, line: int, kind: str, code: str, text: str) -> None:
        """Add a message of RMF, or a Postprocessor option that it echoes."""
        self._loose(self._where, line, kind, code, text)

    # tables with columns

    def _bind(self, headers: list[str], line: int) -> None:
        self._section, self._fields = _matching(tuple(headers), self._part, self._sections)
        self._unknown = [at for at, field in enumerate(self._fields) if field is None]
        if self._section is not None:
            lacking = self._section.lacking_in_xml(field.name for field in self._fields if field)
            for header in (headers[at] for at in self._unknown):
                if frozenset(words(header)) not in self._expected:
                    table = self._section.table.name
                    self._notes.put(unread.heading(self._metric, header, line, table, lacking))
        elif headers and self._known:
            where = ", ".join(name for name in (self._metric, self._segment, self._part) if name)
            text = f"{where}: a table that no view reads is kept in rmf_xml_value"
            self._notes.add("unknown_table", "data_loss" if self._sections else "info", text, line)

    def _find(self) -> None:
        """Find the candidate tables after a change of the segment's or part's name."""
        self._place = {}
        self._sections = _inside(self._known, words(self._segment), words(self._part))

    def _bound(self, line: int, attributes: dict[str, str], cells: list[str]) -> None:
        certain = self._certain(line, cells)
        loose: Sequence[int] = self._unknown
        if certain != len(self._fields) or not self._section:
            loose = [*(at for at in self._unknown if at < certain), *range(certain, len(cells))]
        if self._section and certain:
            named = self._named(line, cells[:certain])
            if not self._write(self._section, named, line, total=attributes.get("type") == "SUM"):
                text = f"{self._metric}: row of a device that is not known, kept in rmf_xml_value"
                self._notes.add("bad_line", "data_loss", text, line)
                loose = range(len(cells))
        if kept := [at for at in loose if cells[at]]:
            self._rest(line, attributes, cells, kept)

    def _certain(self, line: int, cells: list[str]) -> int:
        """Number of cells that are certainly under their own headers.

        A row may end early. If its length differs from that of the headers, cells after a header that is not understood
        may be shifted, and so may all cells of a row that is longer than its headers.
        """
        if self._section is None or len(cells) == len(self._fields):
            return len(cells) if self._section else 0
        certain = min([len(self._fields), *self._unknown[:1]]) if len(cells) < len(self._fields) else 0
        if certain >= len(cells):
            return len(cells)
        text = f"{self._metric}: row of {len(cells)} cells under {len(self._fields)} headers, kept in rmf_xml_value"
        self._notes.add("uneven_row", "data_loss", text, line)
        return certain if any(f and f.name == self._section.rows.key for f in self._fields[:certain]) else 0

    def _named(self, line: int, cells: list[str]) -> Values:
        values: Values = {}
        for field, cell in zip(self._fields, cells, strict=False):
            if field is not None:
                fill(values, field, cell, self._metric, self._notes, line)
        return values

    def _rest(self, line: int, attributes: dict[str, str], cells: list[str], kept: list[int]) -> None:
        """Add cells to the generic table under their headers; columns beyond the last header are numbered."""
        refno, headers = attributes.get("refno", ""), self._headers or []
        if kept[-1] >= len(headers):
            headers = headers + [f"#{at + 1}" for at in range(len(headers), kept[-1] + 1)]
        row = int(refno) if refno.isdecimal() and len(refno) < 10 else None
        owner = self._where | {"row_number": row, "row_type": attributes.get("type"), "row_label": cells[0]}
        for at in kept:
            self._loose(owner | {"column_number": at + 1}, line, "cell", headers[at], cells[at])

    def _write(self, section: Section, values: Values, line: int, *, total: bool) -> bool:
        """Add a row; False if it is not understood."""
        table = section.table.name
        if table == "rmf_dasd_device":
            table = dasd_row(values, total=total)
            if self._unknown and values.get("total") == "ALL":
                values["total"] = None  # the name of its total may be under an unknown header
        elif table == "rmf_ioq_lcu":
            self._carried = carry(values, self._carried, section.rows)
            ioq_row(values, self._scope(values, line))
        elif self._metric == "CACHE":
            values.setdefault("subsystem", self._subsystem)
            if table == "rmf_cache_device":
                values["list"] = "OVERVIEW"
        common = self._common(line)
        if table == "rmf_m3_device_delay":
            return self._delays.row(_cells(values), section, ())
        self._out.rows.add(table, common | values)
        return True

    def _scope(self, values: Values, line: int) -> str | None:
        if values.get("lcu"):
            return "LCU"
        if values.get("amg") and (not self._unknown or any(f and f.name == "lcu" for f in self._fields)):
            return "AMG"
        text = f"{self._metric}: channel path {values.get('path')} stands below no LCU: no view has it"
        self._notes.add("no_owner", "data_loss", text, line)
        return None

    def _cache_interval(self, name: Words, value: str) -> None:
        # cache rates are per second of the cache gatherer's interval, not the report's
        self._place = {}
        if "INTERVAL" in name and (seconds := minutes(value)):
            self._out.interval = replace(self._out.interval, seconds=seconds)
        elif "START" in name and (start := stamp(value)):
            self._out.interval = replace(self._out.interval, start=start)

    # the generic table: values without a table of their own

    def _loose(self, place: NewRow, line: int, kind: str, name: str, value: str) -> None:
        own = {"column_name": name or None, "value": value or None, "number": _plain_number(value)}
        self._out.rows.add(VALUES.name, place | {"line": line, "kind": kind} | own)

    def _common(self, line: int) -> NewRow:
        self._out.number = line
        return self._out.common()

    @property
    def _where(self) -> NewRow:
        """The place of loose values, rebuilt for each interval, segment or part."""
        if not self._place:
            self._place = self._common(0) | {
                "report": self._metric or None, "title": self._head.get("description"),
                "resource_type": self._head.get("restype"), "section": self._segment or None,
                "part": self._part or None, "part_number": self._parts or None,
            }  # fmt: skip
        return self._place


def _cells(values: Values) -> Cells:
    """The cells of an XML row, as if they were printed in a line."""
    printed = {name: value for name, value in values.items() if value is not None}
    return Cells(printed, sum(isinstance(value, float) for value in printed.values()))


@lru_cache(1 << 14)  # many cells have the same few values
def _plain_number(value: str) -> float | None:
    """The value as a number; None if it is none, or has a suffix or mark."""
    if not value[-1:].isdigit():
        return None
    if value.isascii() and value.replace(".", "", 1).isdecimal():  # nearly all of them
        return float(value)
    found = number(value)
    return found[0] if found is not None and not found[1] else None


@lru_cache(1024)  # a document repeats its segments and table headers
def _inside(known: tuple[Section, ...], segment: Words, part: Words) -> tuple[Section, ...]:
    """Candidate tables of a segment or part; Monitor III has neither."""
    if not segment and not part:
        return tuple(s for s in known if not s.parts)
    return tuple(
        s for s in known if s.rows.key and any(name[: len(p)] == p for p in s.parts for name in (segment, part))
    )


@lru_cache(1024)
def _matching(
    headers: tuple[str, ...], place: str, sections: tuple[Section, ...]
) -> tuple[Section | None, tuple[Field | None, ...]]:
    """The table that the headers identify, and the field of each header."""
    for section in sections:
        fields = xml.columns(headers, place, section.fields)
        lacking = section.lacking_in_xml(f.name for f in fields if f)
        fields = xml.certain(headers, fields, section.fields, lacking)
        found = {f.name for f in fields if f}
        if section.rows.key in found and len(found) >= FEWEST:
            return section, fields
    return None, (None,) * len(headers)
