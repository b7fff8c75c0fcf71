"""FCX110: labels and values side by side. Labels are found by their words, not by their position."""

import re

from iosq.parsers.api import Issue, Outcome
from iosq.parsers.fcx.knowledge import Known, Report, normalise
from iosq.parsers.fcx.pages import Page
from iosq.parsers.listing import unread
from iosq.parsers.listing.numbers import number
from iosq.toolkit.rows import NewRow

PAIR = re.compile(r"(?<!\S)([A-Za-z]\S*(?: \S+)*?) *: *(\S+(?: (?![A-Z][a-z])\S+)*)?(?=\s|$)")
DEVICE = re.compile(r"\s*Detailed Analysis for Device\s+([0-9A-F]{4,5})\s*\(\s*([^()]*?)\s*\)\s*$")
STATUS = re.compile(r"\s*Status\s+:?\s*(\S.*?)\s*$")
UNITS = re.compile(r"\s*(ms|%)$")
PATHS = re.compile(r"\s*(Path\(s\) to device|Channel path status)[^:]*:[\s:]*(\S.*?)\s*$")
FURNITURE = re.compile(
    r"\s*(?:.*\bMDISK Extent\b.*|.*CU-Cache Performance.*|Split.*|System Page/Spool I/O Details|[+|!\]-]{3,})\s*$",
    re.IGNORECASE,
)
_BAR = r"[|!\]]"  # X'4F' in national code pages
_AREA = rf"\s*{_BAR}\s*(\d+)\s*-\s*(\d+)\s+"
_NUMBER = r"(\.*\d[\d.]*|\.+)"
MINIDISK = re.compile(
    rf"{_AREA}(\S+)\s+([0-9A-F]{{4}})\s+{_NUMBER}\s+{_NUMBER}\s+([A-Z]\S*)\s+{_NUMBER}\s+{_NUMBER}\s*{_BAR}?\s*$"
)
AREA = re.compile(rf"{_AREA}(SYSTEM)\s+([A-Z]+)\b.*")
LOAD = re.compile(rf"\s*{_BAR}?\s*LOAD ====>\s+{_NUMBER}\s+{_NUMBER}\s+{_NUMBER}\s+(\d+)%\s+{_NUMBER}\s*{_BAR}?\s*$")
AREA_LOAD = ("rd_s", "wr_s", "mload", "used", "io_s")


class Details:
    """Collects the labelled values of one page; a page without a readable device number gives no row."""

    def __init__(self, report: Report, page: Page) -> None:
        self.report, self.page = report, page
        self.values: NewRow = {}
        self.areas: list[NewRow] = []
        self.issues: list[Issue] = []

    def take(self, line: str, place: int) -> Outcome | None:
        """Read a line and return its outcome, `failed` if that is reported as an issue; None for a foreign line."""
        if found := DEVICE.match(line):
            self.values |= {"addr": found[1], "use": found[2]}
            return "decoded"
        if FURNITURE.match(line):
            return "skipped"
        if found := PATHS.match(line):
            self.values["paths" if found[1].startswith("Path") else "path_status"] = " ".join(found[2].split())
            return "decoded"
        if self._area(line, place):
            return "decoded"
        pairs = PAIR.findall(line)
        if not pairs:
            if found := STATUS.match(line):
                self.values["status"] = found[1]
                return "decoded"
            return None
        if rest := PAIR.sub("", line).strip():
            text = f"{self.report.name}: text without a label not understood: {rest[:100]!r}"
            self.issues.append(Issue("fcx.cell", "data_loss", text, place, place))
        return "decoded" if sum([self._pair(label, value, place) for label, value in pairs]) else "failed"

    def _area(self, line: str, place: int) -> bool:
        """Read a line of the boxed table of minidisks and areas; False for other lines."""
        if found := MINIDISK.match(line):
            names = ("userid", "vdev", "io_s", "vseek", "status", "link", "mdio_s")
            values: NewRow = dict(zip(names, found.groups()[2:], strict=True))
        elif found := AREA.match(line):
            values = {"userid": found[3], "vdev": found[4]}
        elif (found := LOAD.match(line)) and self.areas:
            self.areas[-1] |= {n: number(t) for n, t in zip(AREA_LOAD, found.groups(), strict=True)}
            return True
        else:
            return False
        values |= {n: number(values[n]) for n in ("io_s", "vseek", "link", "mdio_s") if n in values}
        self.areas.append({"extent_start": int(found[1]), "extent_end": int(found[2]), "line": place} | values)
        return True

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
        """The page's row, or None without a device number."""
        if "addr" not in self.values:
            return None
        return self._place() | {"line": self.page.line} | self.values

    def area_rows(self) -> list[NewRow]:
        return [self._place() | {"addr": self.values.get("addr")} | area for area in self.areas]

    def _place(self) -> NewRow:
        page = self.page
        return {"system": page.system, "interval_start": page.start, "interval_s": page.seconds}
