"""The rows below the headings, one small class per report: what makes a row of it, and what it carries down."""

from __future__ import annotations

import re
from typing import Protocol

from iosq.parsers.rmf.cells import Values, dasd_row, ioq_row, measured
from iosq.parsers.rmf.knowledge import Report, Section
from iosq.parsers.rmf.out import Cells, Out
from iosq.parsers.rmf.values import number
from iosq.parsers.rmf.words import Words

DEVICE = re.compile(r"[0-9A-F]{4,5}\Z")
LCU = re.compile(r"[0-9A-F]{4}\Z")
AMG = re.compile(r"[0-9A-F]{8}\Z")
PATH = re.compile(r"(?:[0-9A-F]{2}|\*)\Z")
CHPID = re.compile(r"[0-9A-F]{2}\Z")
VOLSER = re.compile(r"[A-Z0-9@#$]{1,6}\Z")
FEWEST = 4  # numbers of a device's first line on DEVR
HELD = 256  # rows of one control unit kept until its group is known; there are at most eight paths


class Body(Protocol):
    """Takes rows that have headings; `row` says whether it understood one."""

    def row(self, cells: Cells, section: Section, title: Words) -> bool: ...

    def finish(self) -> None: ...


class Dasd:
    """Device rows, LCU and storage-group lines, and rows with a text in place of numbers."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        device = values.get("device")
        if device is None:
            return self._total(cells)
        if not DEVICE.match(device):
            return False
        if not measured(values) and cells.strays:
            values["message"] = cells.message
        else:
            self._out.complain(cells.strays)
        self._out.write(dasd_row(values, total=False), values)
        return True

    def _total(self, cells: Cells) -> bool:
        """A line without a device: the name of what it sums stands in the identity columns, in whatever order."""
        values = cells.values
        if not measured(values):
            return False
        names = [w for k in ("device_type", "volser") for w in (values.pop(k, None) or "").split()]
        self._out.complain([s for s in cells.strays if any(c.isdigit() for c in s)])
        if "LCU" not in {*names, *cells.strays} and not values.get("storage_group"):
            values.pop("lcu", None)
        self._out.write(dasd_row(values, total=True), values)
        return True

    def finish(self) -> None:
        """Nothing is kept between rows."""


class Ioq:
    """Processor rows, and control-unit rows, whose LCU and group stand on the first two rows only."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self._held: list[Values] = []

    def row(self, cells: Cells, section: Section, title: Words) -> bool:
        if section.table.name == "rmf_ioq_iop":
            return self._processor(cells)
        return self._path(cells, "AMG" if "ALIAS" in title else "LCU")

    def _processor(self, cells: Cells) -> bool:
        if not cells.values.get("iop") or not cells.numbers:
            return False
        self._out.complain(cells.strays)
        self._out.write("rmf_ioq_iop", cells.values)
        return True

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
        else:
            self._out.complain(cells.strays)
        ioq_row(values, scope)
        self._held.append({**self._out.common(), **self._unit, **values})
        if path == "*" or len(self._held) >= HELD:
            self.finish()
        return True

    _unit: Values = {}  # noqa: RUF012 - replaced, never changed

    def _named(self, name: str, scope: str) -> bool:
        """A control unit or group is named: a new one begins, or the one being read learns its group."""
        if AMG.match(name):
            if scope == "AMG":
                self.finish()
                self._unit = {"amg": name}
            else:
                self._unit = {**self._unit, "amg": name}
                for row in self._held:
                    row["amg"] = name
        elif LCU.match(name):
            self.finish()
            self._unit = {"lcu": name}
        else:
            return False
        return True

    def finish(self) -> None:
        """Write the rows of the control unit that has been read."""
        for row in self._held:
            self._out.rows.add("rmf_ioq_lcu", row)
        self._held = []


class Channel:
    """Channel path rows; a path without data has a text or dashes in place of numbers."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        if not CHPID.match(values.get("path") or ""):
            return False
        if cells.numbers:
            self._out.complain(cells.strays)
        elif cells.strays:
            values["status"] = cells.message
        self._out.write("rmf_channel", values)
        return True

    def finish(self) -> None:
        """Nothing is kept between rows."""


class Ess:
    """Link rows; the adapter stands on its first row only, the subsystem in the page head."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self.head: dict[str, str] = {}
        self._adapter: Values = {}

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        if values.get("adapter"):
            self._adapter = {k: values.get(k) for k in ("adapter", "adapter_type")}
        if not values.get("link_type") and not cells.strays:
            return set(values) <= {"intensity"}  # the sum line below an adapter's links
        if cells.numbers:
            self._out.complain(cells.strays)
        else:
            said = [values.pop("link_type", None), cells.message]
            values["message"] = " ".join(s for s in said if s)
        subsystem = {k: self.head.get(k) for k in ("serial", "type_model")}
        self._out.write("rmf_ess_link", {**subsystem, **values, **self._adapter})
        return True

    def finish(self) -> None:
        """A new subsystem or report: its adapters are others."""
        self._adapter = {}


class Screen:
    """Rows of Monitor screens that need nothing but their headings."""

    def __init__(self, out: Out) -> None:
        self._out = out

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        if not DEVICE.match(cells.values.get(section.key) or "") or not cells.numbers:
            return False
        self._out.complain(cells.strays)
        self._out.write(section.table.name, cells.values)
        return True

    def finish(self) -> None:
        """Nothing is kept between rows."""


class Delays:
    """DEVR: a device takes two lines, the second one with its number, exposures and control unit."""

    def __init__(self, out: Out) -> None:
        self._out = out
        self._held: Values | None = None

    def row(self, cells: Cells, section: Section, title: Words) -> bool:  # noqa: ARG002
        values = cells.values
        if cells.numbers >= FEWEST:
            if not VOLSER.match(values.get("volser") or ""):
                return False
            self.finish()
            self._out.complain(cells.strays)
            self._held = {**self._out.common(), **values}
            return True
        if self._held is None or not DEVICE.match(values.get("volser") or ""):
            return False
        self._held |= {"device": values["volser"], "control_unit_type": values.get("device_type")}
        if found := number(values.get("shared") or ""):
            self._held |= {"pav": found[0], "pav_mark": found[1] or None}
        self.finish()
        return True

    def finish(self) -> None:
        """Write the device, whose second line may be missing."""
        if self._held is not None:
            self._out.rows.add("rmf_m3_device_delay", self._held)
        self._held = None


def plain_bodies(out: Out) -> dict[str, Body]:
    """The bodies of the reports that are tables only, by metric."""
    screens: dict[str, Body] = {"DEV": Screen(out), "CACHDET": Screen(out), "DEVR": Delays(out)}
    return {"DEVICE": Dasd(out), "IOQ": Ioq(out), "CHAN": Channel(out), "ESS": Ess(out), **screens}


def first_section(report: Report, title: Words) -> Section | None:
    """The section a page begins with: the one named as the page, or one that needs no title of its own."""
    return next((s for s in report.sections if title in s.titles or not s.titles), None)
