"""FCX110: labels and values side by side. Labels are found by their words, not by their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from iosq.parsers.api import Batch, Issue, Table
from iosq.parsers.arrow import schema
from iosq.parsers.fcx.knowledge import Known, Report, normalise
from iosq.parsers.fcx.pages import Page
from iosq.parsers.fcx.rows import micros
from iosq.parsers.listing import unread
from iosq.parsers.listing.numbers import number
from iosq.toolkit.rows import NewRow

PAIR = re.compile(r"(?<!\S)([A-Za-z]\S*(?: \S+)*?) *: *(\S+(?: (?![A-Z][a-z])\S+)*)?(?=\s|$)")
DEVICE = re.compile(r"\s*Detailed Analysis for Device\s+([0-9A-F]{4,5})\s*\(\s*(.*?)\s*\)\s*$")
STATUS = re.compile(r"\s*Status\s+:?\s*(\S.*?)\s*$")
UNITS = re.compile(r"\s*(ms|%)$")
# parts of the page that are recognised but not taken: path block, boxed extent table, text without values
FURNITURE = re.compile(
    r"\s*(?:\|.*|.*\bMDISK Extent\b.*|.*\bLOAD ====>.*|(?:Path|CHPID|Channel path).*|.*CU-Cache Performance.*|Split.*"
    r"|[0-9A-F]{2}(?:\s+[0-9A-F]{2})*|(?:ON|OFF|--)(?:\s+(?:ON|OFF|--))*)\s*$",
    re.IGNORECASE,
)


class Details:
    """The labelled values of one page; a page without a readable device number gives no row."""

    def __init__(self, report: Report, page: Page) -> None:
        self.report, self.page = report, page
        self.values: NewRow = {}
        self.issues: list[Issue] = []
        self.seen = False

    def take(self, line: str, place: int) -> str:
        """What a line of the page is: `used`, `furniture`, `reported` (an issue says so) or `foreign`."""
        if found := DEVICE.match(line):
            self.values |= {"addr": found[1], "use": found[2]}
            return "used"
        if FURNITURE.match(line):
            return "furniture"
        pairs = PAIR.findall(line)
        if not pairs:
            if found := STATUS.match(line):
                self.values["status"] = found[1]
                return "used"
            return "foreign"
        return "used" if sum([self._pair(label, value, place) for label, value in pairs]) else "reported"

    def _pair(self, label: str, value: str, place: int) -> bool:
        words = normalise(label)
        known = next((k for k in self.report.columns if words in k.headings), None)
        if known is None:
            lacking = {k.name for k in self.report.columns} - self.values.keys()
            self.issues.append(unread.heading(self.report.name, label, place, self.report.name, lacking))
            return False
        self.values[known.name] = self._value(known, value, place)
        return True

    def _value(self, known: Known, text: str, place: int) -> float | str | None:
        if not known.numeric:
            return text or None
        try:
            return number(UNITS.sub("", text))
        except ValueError:
            message = f"{self.report.name}: value of {known.wording[0]} not understood: {text!r}"
            self.issues.append(Issue("fcx.cell", "data_loss", message, place, place))
            self.issues.append(unread.values(self.report.name, known.name, place))
            return None

    def row(self) -> NewRow | None:
        """The page's row, or None where no device number was read."""
        if "addr" not in self.values:
            return None
        page = self.page
        place = {"system": page.system, "interval_start": micros(page.start), "interval_s": page.seconds}
        return place | {"line": page.line} | self.values


def batch(table: Table, rows: Sequence[NewRow]) -> Batch:
    """Rows of pages as one batch."""
    kinds = schema(table)
    arrays = [
        pa.array([row.get(f.name) for row in rows], pa.int64()).cast(f.type)
        if pa.types.is_timestamp(f.type)
        else pa.array([row.get(f.name) for row in rows], f.type)
        for f in kinds
    ]
    return Batch(table.name, pa.RecordBatch.from_arrays(arrays, schema=kinds))
