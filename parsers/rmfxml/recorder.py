"""Turns XML elements into reports, intervals, rows, variables and messages."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from iosq.parsers.api import Balance, Outcome, Severity
from iosq.parsers.arrow import Rows
from iosq.parsers.listing.notes import Notes
from iosq.parsers.rmf.setback import Setback
from iosq.parsers.rmf.times import Interval, minutes, stamp
from iosq.parsers.rmfxml.report import Report

CELL = "col"
RECORDS = frozenset({"row", "var", "message", "mfpmsg"})
REPORTS = frozenset({"postprocessor", "report"})
_HEAD = {"resname", "reslabel", "restype", "display-start", "report-interval", "local-start", "utc-start", "data-range"}
LEAVES = frozenset(_HEAD | {"name", "value", "description", "severity", "mfpmsg"})
FARTHEST = timedelta(hours=18)  # more than any offset from UTC
WIDEST = 10_000  # most cells of a row; RMF has at most a few dozen
NO_DATA = "*NoData*"  # first cell of the only row of a report without data
LONGEST = 1 << 16  # most characters of a value; more is damage, and must not fill memory


@dataclass(slots=True)
class Ledger:
    """Accounts for all input bytes by a cursor that only moves forward: `at` is the offset that it reached."""

    balance: Balance
    at: int = 0

    def _move(self, to: int) -> int:
        step = max(to - self.at, 0)
        self.at += step
        return step

    def frame(self, to: int) -> None:
        """Count bytes up to `to` as markup around records."""
        self.balance.frame_bytes += self._move(to)

    def lost(self, to: int) -> None:
        """Count bytes up to `to` as unreadable."""
        self.balance.lost_bytes += self._move(to)

    def record(self, kind: str, to: int, outcome: Outcome) -> None:
        """Count bytes up to `to` as one record of `kind`."""
        self.balance.count(kind, outcome, self._move(to))


@dataclass(slots=True)
class Record:
    """The row, variable or message being read."""

    line: int
    attributes: dict[str, str]
    cells: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)


class Recorder:
    """Handles the events of `Documents`: fills rows and counts records. One report is open at a time.

    `offset` is one in the stream, `line` counts from 1; both are 0 for cells.
    """

    def __init__(self, rows: Rows, notes: Notes, ledger: Ledger) -> None:
        self._rows, self._notes, self._ledger = rows, notes, ledger
        self._path: list[str] = []
        self._text: list[str] = []
        self._size = 0
        self._attributes: dict[str, str] = {}
        self._record: Record | None = None
        self._head: dict[str, str] = {}
        self._headers: list[str] | None = None
        self._report: Report | None = None
        self._setback = Setback()
        self._line = 0

    def start(self, name: str, attributes: dict[str, str], offset: int, line: int) -> None:
        if not self._path or (name == "ddsml" and len(self._path) > 1):
            self._path.clear()
        self._path.append(name)
        self._text, self._size = [], 0
        if name == CELL:
            return
        self._line = line
        if name in LEAVES:
            self._attributes = attributes
        if name in REPORTS:
            self._close()
            self._head = {}
        elif name in RECORDS and self._record is None:
            self._ledger.frame(offset)
            self._record = Record(line, attributes)
        elif name == "metric":
            self._head["metric"] = attributes.get("id", "")
        elif name in ("segment", "part", "table"):
            self._opened(line).begin(name)
        elif name == "column-headers":
            self._headers = []

    def text(self, text: str) -> None:
        if self._size < LONGEST:
            self._text.append(text)
        self._size += len(text)

    def end(self, name: str, offset: int, line: int) -> None:
        text = "".join(self._text).strip()
        self._text = []
        if self._size > LONGEST and (name == CELL or name in LEAVES):
            cut = f"value of {name} cut at {LONGEST} characters"
            self._notes.add("long_value", "data_loss", cut, line or self._line)
        if name == CELL:
            self._cell(text)
            del self._path[-1:]
            return
        if name in LEAVES:
            self._leaf(name, text)
        if name in RECORDS and self._record is not None and self._path[-1:] == [name]:
            self._finish(name, self._record, offset + len(name) + 3)
        elif name == "column-headers" and self._headers is not None:
            self._opened(line).head(self._headers, line)
            self._headers = None
        elif name in ("segment", "table"):
            self._opened().finish(name)
        elif name in REPORTS:
            self._close()
            self._head = {}
        if self._path:
            self._path.pop()

    def broken(self, reason: str, code: str, offset: int, line: int) -> None:
        """Handle damage: the current record is lost and the report ends."""
        self._notes.add(code, "data_loss", f"XML can't be read on: {reason}", line)
        if self._record is not None:
            self._ledger.record(self._kind, offset, "failed")
        self._close()
        self._record, self._headers, self._path = None, None, []

    def _cell(self, text: str) -> None:
        row = self._record.cells if self._record is not None else self._headers
        if row is None:
            self._other(CELL, text)
        elif len(row) < WIDEST:
            row.append(text)
        else:
            self._notes.add("wide_row", "data_loss", f"cells beyond the first {WIDEST} left out", self._line)

    def _leaf(self, name: str, text: str) -> None:
        if self._record is not None:
            self._record.texts[name] = text
        else:
            self._other(name, text)

    def _other(self, name: str, text: str) -> None:
        """Handle a value outside rows, variables and messages: a segment's or part's name, or a value of the head."""
        if name == "name" and len(self._path) > 1 and self._path[-2] in ("segment", "part"):
            self._opened().name(self._path[-2], text)
            return
        self._head.setdefault(name, text)
        if unit := self._attributes.get("unit"):
            self._head.setdefault(f"{name}@unit", unit)

    @property
    def _kind(self) -> str:
        return f"rmf.{self._head.get('metric', '').lower() or 'none'}"

    def _finish(self, name: str, record: Record, offset: int) -> None:
        self._record = None
        used = name != "row" or (any(record.cells) and record.cells[0] != NO_DATA)
        if name == "row" and used:
            self._opened(record.line).row(record.line, record.attributes, record.cells)
        elif name == "var":
            self._opened(record.line).variable(record.line, record.texts.get("name", ""), record.texts.get("value", ""))
        elif name != "row":
            self._message(name, record)
        self._ledger.record(self._kind, offset, "decoded" if used else "skipped")

    def _message(self, name: str, record: Record) -> None:
        code, text = record.attributes.get("id", ""), record.texts.get("description", record.texts.get(name, ""))
        if name == "message":
            message = ": ".join(part for part in (code, text) if part) or "message without text"
            severity: Severity = "error" if record.texts.get("severity") in ("3", "4", "5") else "notice"
            self._notes.add("rmf_message", severity, message, record.line)
        self._opened(record.line).message(record.line, "message" if name == "message" else "option", code, text)

    def _opened(self, line: int = 0) -> Report:
        """The current report, opened at its first segment, row or message, when its head is complete."""
        if self._report is None:
            parted = self._setback.parted(self._head.get("metric", ""), interval(self._head), self._notes, line)
            self._report = Report(self._rows, self._notes, parted, self._head, line)
        return self._report

    def _close(self) -> None:
        if self._report is not None:
            self._report.close()
        self._report = None


def interval(head: dict[str, str]) -> Interval:
    """The interval of a report from its head: Postprocessor (local time only) or Monitor III (local and UTC)."""
    local, utc = stamp(head.get("local-start", "")), stamp(head.get("utc-start", ""))
    base = Interval(system=_system(head), seconds=_seconds(head))
    if local and utc and abs(local - utc) <= FARTHEST:
        return replace(base, start=utc, utc_offset_s=round((local - utc).total_seconds()))
    return replace(base, start=local or stamp(head.get("display-start", "")))


def _system(head: dict[str, str]) -> str | None:
    # Monitor III names a resource as ",RPRT,MVS_IMAGE"
    label = [p for p in head.get("reslabel", "").split(",")[:-1] if p]
    return head.get("resname") or (label[-1] if label else None)


def _seconds(head: dict[str, str]) -> float | None:
    if "report-interval" in head:
        return minutes(head["report-interval"])
    text, unit = head.get("data-range", ""), head.get("data-range@unit", "").lower()
    return float(text) if text.isdecimal() and len(text) < 10 and unit == "seconds" else None
