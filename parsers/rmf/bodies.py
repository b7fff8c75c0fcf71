"""Turns lines below headings into rows, and carries values down to the rows that omit them.

Most reports are defined by their file alone (`Plain`). Reports that need more have a class.
"""

import re

from iosq.parsers.rmf.cells import Values, dasd_row, ioq_row, measured
from iosq.parsers.rmf.knowledge import RowRule, Section
from iosq.parsers.rmf.out import Cells, Out
from iosq.parsers.rmf.values import number
from iosq.parsers.rmf.words import Words

DEVICE = re.compile(r"[0-9A-F]{4,5}\Z")
LCU = re.compile(r"[0-9A-F]{4}\Z")
AMG = re.compile(r"[0-9A-F]{8}\Z")
PATH = re.compile(r"(?:[0-9A-F]{2}|\*)\Z")
VOLSER = re.compile(r"[A-Z0-9@#$]{1,6}\Z")
FEWEST = 4  # fewest numbers on a device's first line of DEVR
_JOB = frozenset({"job", "asid", "job_class", "service_class", "using_pct", "delay_pct"})  # columns of a job in DEVR
HELD = 256  # most rows of a control unit buffered until its group is known; there are at most eight paths


class Body:
    """Reads rows below headings."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def head(self, head: dict[str, str]) -> None:
        """Take the values of a page head."""

    def row(self, cells: Cells, section: Section, title: Words) -> bool:
        """Read a row; True if the line is understood."""
        raise NotImplementedError

    def finish(self) -> None:
        """End a report: write or drop what is carried between rows."""


class Dasd(Body):
    """Device rows, LCU and storage-group totals, and rows with text instead of numbers."""

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        device = values.get("device")
        if device is None:
            return self._total(cells, section)
        if not DEVICE.match(device):
            return False
        self._out.report_misfits(values, section.limited)
        if not measured(values) and cells.strays:
            values["message"] = cells.message
            self._out.doubt(cells.strays)
        else:
            self._out.complain(cells.strays)
        self._out.write(dasd_row(values, total=False), values)
        return True

    def _total(self, cells: Cells, section: Section) -> bool:
        """Read a line without a device: the name of its total is in the identity columns, in any order."""
        values = cells.values
        if not measured(values):
            return False
        names = [w for k in ("device_type", "volser") for w in (values.pop(k, None) or "").split()]
        self._out.complain([s for s in cells.strays if any(c.isdigit() for c in s)])
        of_lcu = "LCU" in {*names, *cells.strays}
        if not of_lcu and not values.get("storage_group"):
            values.pop("lcu", None)
        self._out.report_misfits(values, section.limited)
        if of_lcu:
            values["volser"] = "LCU"
        table = dasd_row(values, total=True)
        if any(number(text) is None for text, _ in cells.unplaced):  # it may be the name of the total
            values |= {"total": None, "id": None}
        self._out.write(table, values)
        return True


class Ioq(Body):
    """I/O processor rows, and control-unit rows with LCU and group only on the first two rows."""

    def __init__(self, out: Out) -> None:
        super().__init__(out)
        self._processors = Plain(out)
        self._buffered: list[Values] = []
        self._unit: Values = {}

    def row(self, cells: Cells, section: Section, title: Words) -> bool:
        if section.table.name == "rmf_ioq_iop":
            return self._processors.row(cells, section, title)
        self._out.report_misfits(cells.values, section.limited)
        return self._path(cells, "AMG" if "ALIAS" in title else "LCU")

    def _path(self, cells: Cells, scope: str) -> bool:
        values = cells.values
        name = values.pop("amg" if scope == "AMG" else "lcu", None) or values.pop("lcu", None)
        if name and not self._named(name, scope):
            return False
        path, _, attribute = (values.get("path") or "").partition(" ")
        if not PATH.match(path) and not (name and cells.strays):
            return False
        values["path"], values["path_attribute"] = path or None, attribute or None
        if values.get("taken_rate") is None:
            values["status"] = cells.message
            self._out.doubt(cells.strays)
        else:
            self._out.complain(cells.strays)
        ioq_row(values, scope)
        self._buffered.append({**self._out.common(), **self._unit, **values})
        if path == "*" or len(self._buffered) >= HELD:
            self.finish()
        return True

    def _named(self, name: str, scope: str) -> bool:
        """Start a new control unit or group, or set the group of the current control unit; False for another name."""
        if AMG.match(name):
            if scope == "AMG":
                self.finish()
                self._unit = {"amg": name}
            else:
                self._unit = {**self._unit, "amg": name}
                for row in self._buffered:
                    row["amg"] = name
        elif LCU.match(name):
            self.finish()
            self._unit = {"lcu": name}
        else:
            return False
        return True

    def finish(self) -> None:
        for row in self._buffered:
            self._out.rows.add("rmf_ioq_lcu", row)
        self._buffered = []


class Plain(Body):
    """Rows defined by the report's file (see `knowledge.RowRule`) and the headings."""

    def __init__(self, out: Out) -> None:
        super().__init__(out)
        self._carried: Values = {}

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values, rule = cells.values, section.rows
        if not cells.strays and rule.key not in values and set(values) <= rule.sums:
            return not rule.keeps_sums or self._write(values, section)
        self._carry(values, rule)
        if not rule.fits(values.get(rule.key)):
            return self._text(cells, section)
        if cells.numbers:
            self._out.complain(cells.strays)
        elif not rule.text:
            return False
        elif cells.strays:
            values[rule.text] = cells.message
            self._out.doubt(cells.strays)
        return self._write(values, section)

    def _carry(self, values: Values, rule: RowRule) -> None:
        if any(values.get(name) for name in rule.carried):
            self._carried = {name: values.get(name) for name in rule.carried}
        values |= {name: self._carried.get(name) for name in rule.carried}

    def _text(self, cells: Cells, section: Section) -> bool:
        """Read a line with text instead of its key and numbers, after carried columns."""
        values, rule = cells.values, section.rows
        if cells.numbers or not rule.text or not any(values.get(name) for name in rule.carried):
            return False
        values[rule.text] = " ".join(s for s in (values.pop(rule.key, None), cells.message) if s) or None
        return values[rule.text] is not None and self._write(values, section)

    def _write(self, values: Values, section: Section) -> bool:
        head = {name: self._out.head.get(name) for name in section.rows.from_head}
        self._out.write(section.table.name, {**head, **values})
        return True

    def finish(self) -> None:
        self._carried = {}


class Delays(Body):
    """DEVR: a device has two lines, the second one with its number, exposures and control unit.

    Its jobs are on the right, one per line; further jobs have their own lines. Rows of XML are such lines.
    """

    def __init__(self, out: Out) -> None:
        super().__init__(out)
        self._device: Values | None = None
        self._jobs: list[Values] = []
        self._page: object = None  # a job at the top of a page belongs to an unknown device

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        volser, page = values.get("volser") or "", self._out.head
        if self._page is not page:
            self.finish()
        self._page = page
        if cells.numbers >= FEWEST:
            return self._first(cells)
        if self._device is None or not self._second(self._device, volser, values):
            return False
        self._out.complain(cells.strays)
        if "job" in values:
            self._add_job(values)
        return True

    def _first(self, cells: Cells) -> bool:
        values = cells.values
        if not VOLSER.match(values.get("volser") or ""):
            return False
        self.finish()
        self._out.complain(cells.strays)
        self._device = {name: value for name, value in values.items() if name not in _JOB}
        self._add_job(values)
        return True

    def _second(self, device: Values, volser: str, values: Values) -> bool:
        """Add the values of a device's second line; True for such a line or one with only a job."""
        if not volser:
            return values.keys() <= _JOB and "job" in values
        other = device.get("device", volser) != volser
        if other or "control_unit_type" in device or not DEVICE.match(volser):
            return False
        device |= {"device": volser, "control_unit_type": values.get("device_type")}
        if found := number(values.get("shared") or ""):
            device |= {"pav": found[0], "pav_mark": found[1] or None}
        return True

    def _add_job(self, values: Values) -> None:
        own = {name: value for name, value in values.items() if name in _JOB}
        self._jobs.append({**self._out.common(), **own})
        if len(self._jobs) >= HELD:
            self._write()

    def _write(self) -> None:
        for job in self._jobs:
            self._out.rows.add("rmf_m3_device_delay", {**job, **(self._device or {})})
        self._jobs = []

    def finish(self) -> None:
        """Write the jobs of the current device; its second line may be missing."""
        self._write()
        self._device = None


LAYOUTS: dict[str, type[Body]] = {"plain": Plain, "devices": Dasd, "queues": Ioq, "delays": Delays}
"""Classes by the `layout` in report files; the class for `cache` is in `cache.py`."""
