"""Cache Subsystem Activity: in addition to tables it has label-value pairs and blocks side by side (panels)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from iosq.parsers.listing import unread
from iosq.parsers.rmf.bind import one, vocabulary
from iosq.parsers.rmf.bodies import Body
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import MOST_HEADINGS, TOKEN, columns, is_heading
from iosq.parsers.rmf.knowledge import Field, Report, Section
from iosq.parsers.rmf.out import Cells, Out, read
from iosq.parsers.rmf.place import FARTHEST, NOWHERE
from iosq.parsers.rmf.words import Words, words

_STATE = re.compile(r"([A-Z][A-Z/-]*(?: [A-Z/-]+)*)\s+-\s+([A-Z/]+(?: [A-Z]+)*)(?=\s{2,}|\s*\Z)")
_COUNT = re.compile(r"([A-Z][A-Z/.()-]*(?: [A-Z/.()-]+)*)\s+(\d[\d.,]*[KMGT]?|N/A)(?=\s|\Z)")
_PHRASE = re.compile(r"[A-Z][A-Z/-]*(?: [A-Z/-]+)*")
_PANEL = re.compile(r"(?:(?<=\s)|^)-{2,}\s*([A-Z][A-Z/ -]*?)\s*-{2,}(?=\s|$)")
_OWNER = ("subsystem", "volser", "device")
_HEAD = (*_OWNER, "cu_id", "model", "type_model", "manufacturer", "plant", "serial", "extent_pool")
_PAGE = "system", "interval_start", "subsystem", "device"
_BOX = "cu_id", "type_model", "plant", "serial"
_ANY_DIGIT = {ord(digit): "9" for digit in "012345678"}
MOST_PLANS = 4096  # cached line patterns (lines with equal text except for digits); a listing has a few dozen
MOST_KINDS = 16  # kinds of requests of one subsystem; RMF has four
# kinds of device lists by the words of a section's title
_LISTS = {"DASD": "DASD I/O RATE", "TOTAL": "TOTAL I/O RATE"}


class Value(NamedTuple):
    """A value on a line: words of its label, its field, start and end of the value, start of the label."""

    path: Words
    field: Field | None
    start: int
    end: int
    label: int = 0


Plan = list[Value]


@dataclass(slots=True)
class Panel:
    """One of several blocks on the same lines, from its title's first character to the next title's."""

    title: Words
    start: int
    end: int
    headings: list[str] = field(default_factory=list)

    def cut(self, line: str) -> str:
        """The panel's part of a line, at its original position."""
        return " " * self.start + line[self.start : self.end]


class CacheBody(Body):
    """Collects the status of one subsystem (or device) over its pages; rows of tables are written immediately.

    `open_panels` are those whose titles have been seen in this section.
    """

    def __init__(self, out: Out, report: Report) -> None:
        super().__init__(out)
        self._report = report
        status = report.section("rmf_cache_status")
        self._fields = tuple(f for f in status.fields if f.name not in _HEAD)  # fields of _HEAD are in the page head
        self._overview = report.section("rmf_cache_overview")
        self._status: Values = {}
        self._kinds: dict[str, Values] = {}
        self._zones: list[tuple[int, Words]] = []
        self.open_panels: list[Panel] = []
        self.subsystem: str | None = None
        self._plans: dict[object, Plan | None] = {}

    # pages and sections

    def head(self, head: dict[str, str]) -> None:
        """Store the page head; another subsystem or device ends the previous one."""
        named = {k: head[k] for k in _HEAD if k in head}
        if self._is_other({**self._out.common(), **named}):
            self.finish()
        self._status = {**self._out.common(), **self._status, **named}
        self.subsystem = self._status.get("subsystem")

    def _is_other(self, named: Values) -> bool:
        """True if a page head names another interval, subsystem, device or box: two boxes may have the same SSID."""
        known = self._status
        if any(known.get(k) != named.get(k) for k in _PAGE):
            return True
        return any(known[k] != named[k] for k in _BOX if k in known and k in named)

    def titled(self, section: Section, head: dict[str, str]) -> None:
        """Handle a section's title; a second status belongs to another box or is a copy, and starts a new one."""
        self.section()
        if section.table.name == "rmf_cache_status" and (self._kinds or self._measured()):
            self.finish()
            self.head(head)

    def section(self) -> None:
        """Start a section: end zones and panels."""
        self._zones, self.open_panels = [], []

    def finish(self) -> None:
        """Write the subsystem's status and overview rows, if there are any."""
        own = {k: self._status.get(k) for k in _OWNER}
        for kind, values in self._kinds.items():
            self._out.rows.add("rmf_cache_overview", {**values, **own, "kind": kind})
        if self._measured():
            self._out.rows.add("rmf_cache_status", self._status)
        self._status, self._kinds, self.subsystem = {}, {}, None
        self.section()

    def _measured(self) -> bool:
        """True if the status has more than the subsystem's identity."""
        return bool(set(self._status) - set(self._out.common()) - set(_HEAD))

    # rows below headings

    def row(self, cells: Cells, section: Section, title: Words) -> bool:
        values, table = cells.values, section.table.name
        if table == "rmf_cache_overview":
            return self._kind(cells)
        if not cells.numbers or not values.get(section.rows.key):
            return False
        if not all(f.fits(values.get(f.name) or "0000") for f in section.patterned):
            return False
        self._out.complain(cells.strays)
        if table != "rmf_cache_summary":
            values.setdefault("subsystem", self.subsystem)
        if table == "rmf_cache_device":
            values["list"] = next((v for k, v in _LISTS.items() if k in title[3:]), "OVERVIEW")
        self._out.write(table, values)
        return True

    def _kind(self, cells: Cells) -> bool:
        kind = cells.values.get("kind")
        if not kind or not cells.numbers or len(self._kinds) > MOST_KINDS:
            return False
        self._out.complain(cells.strays)
        return self._put_kind(kind, cells.values)

    def _put_kind(self, kind: str, values: Values) -> bool:
        """Add values to a kind of requests; False if it already has different ones, which are kept."""
        known = self._kinds.setdefault(kind, self._out.common())
        known.update({name: value for name, value in values.items() if known.get(name) is None})
        return all(known[name] == value for name, value in values.items())

    # label-value pairs

    def pairs(self, line: str) -> bool | None:
        """Read labels with values from a line; None if the line is a heading over such pairs."""
        plan = self._plan((tuple(self._zones), line.translate(_ANY_DIGIT)), lambda: self._labels(line))
        if plan:
            return self._store_all(plan, line) and not _has_rest(plan, line)
        phrases = [(m.start(), words(m.group())) for m in _PHRASE.finditer(line)]
        if len(phrases) < 2 or _PHRASE.sub("", line).strip():
            return False
        self._zones = phrases
        return None

    def _labels(self, line: str) -> Plan:
        return [
            Value(path := self._zone(start) + words(label), one(path, self._fields), *span, label=start)
            for start, label, span in _pairs(line)
        ]

    def _plan(self, key: object, make: Callable[[], Plan | None]) -> Plan | None:
        """Positions of the values of a line, cached for lines that differ only in digits."""
        if key not in self._plans:
            if len(self._plans) > MOST_PLANS:
                self._plans.clear()
            self._plans[key] = make()
        return self._plans[key]

    def _store_all(self, plan: Plan, line: str) -> bool:
        stored = [self._store(value, line[value.start : value.end]) for value in plan]
        return all(stored)

    def _zone(self, start: int) -> Words:
        return min(self._zones, key=lambda z: abs(z[0] - start))[1] if self._zones else ()

    def _store(self, target: Value, value: str) -> bool:
        if target.field is None:
            label, lacking = " ".join(target.path), {f.name for f in self._fields} - self._status.keys()
            line, table = self._out.number, "rmf_cache_status"
            self._out.notes.put(unread.heading(self._report.metric, label, line, table, lacking))
            return False
        name = target.field.name
        known = self._status.get(name)
        if not put(self._status, target.field, value):
            self._out.complain([value])
        if known is None or self._status[name] == known:
            return True
        self._status[name] = known  # the first one counts
        return False

    # panels

    def panels(self, line: str) -> bool:
        """True if the line has panel titles, which determine how the next lines are split."""
        panels = [(m.start(), words(m.group(1))) for m in _PANEL.finditer(line)] if "--" in line else []
        if not panels or any(w not in self._report.panels for _, w in panels):
            return False
        ends = [start for start, _ in panels[1:]] + [1 << 16]
        self.open_panels = [Panel(w, s, e) for (s, w), e in zip(panels, ends, strict=True)]
        return True

    def panel_line(self, line: str) -> bool:
        """Read a line below panel titles, each panel's part separately."""
        self.open_panels[0].start = 0
        understood = [self._part(p, p.cut(line)) for p in self.open_panels]
        return all(understood)

    def _part(self, panel: Panel, text: str) -> bool:
        if not text.strip():
            return True
        key = panel.title, tuple(panel.headings), text.translate(_ANY_DIGIT)
        if plan := self._plans.get(key):
            return self._store_all(plan, text)
        first = next((m.start() for m in TOKEN.finditer(text) if m.group()[0].isdigit() or m.group() == "N/A"), None)
        if first is None and len(panel.headings) >= MOST_HEADINGS:
            return False
        if first is None:
            panel.headings.append(text)
            return is_heading(text, vocabulary(self._fields + self._overview.fields))
        label = text[:first].strip()
        if panel.title == ("CACHE", "MISSES") and len(TOKEN.findall(text[first:])) >= 4 - (label == "CFW DATA"):
            return self._misses(panel, label, text, first)
        return self._values(panel, label, text, first)

    def _misses(self, panel: Panel, label: str, text: str, first: int) -> bool:
        if "RATE" in text[first:]:
            return self._values(panel, label, text, first)
        under = columns(tuple(panel.headings), self._overview.fields, panel.title)
        if not under.places or not label or len(self._kinds) > MOST_KINDS:
            return False
        reading = read(under, " " * first + text[first:])
        self._out.complain(reading.strays)
        self._out.report_unplaced(reading)
        return self._put_kind(label, reading.values) and reading.numbers > 0

    def _values(self, panel: Panel, label: str, text: str, first: int) -> bool:
        """Read a label and its numbers; True if every number has a column. Words between numbers are labels too."""
        key = panel.title, tuple(panel.headings), text.translate(_ANY_DIGIT)
        plan: Plan = []
        labelled = "RATE" in text[first:]
        places = columns(tuple(panel.headings), ()).places if panel.headings and not labelled else ()
        path = panel.title + words(label)
        for token in TOKEN.finditer(text, first):
            if not token.group()[0].isdigit() and token.group() != "N/A":
                path += words(token.group())
                continue
            over = min(places, key=lambda p: abs(p.end - token.end())) if places else NOWHERE
            near = not places or abs(over.end - token.end()) <= FARTHEST
            full = path + over.words if near else path
            plan.append(Value(full, one(full, self._fields) if near else None, *token.span()))
        if not any(c.isdigit() for value in plan for word in value.path for c in word):
            self._plan(key, lambda: plan)
        return self._store_all(plan, text)


def _has_rest(plan: Plan, line: str) -> bool:
    """True if a line has text other than labels and their values."""
    for value in plan:
        line = line[: value.label] + " " * (value.end - value.label) + line[value.end :]
    return bool(line.strip())


def _pairs(line: str) -> Iterator[tuple[int, str, tuple[int, int]]]:
    """`LABEL - STATE` and `LABEL 123` on a line: the label's start, the label, and the value's span."""
    for pattern in (_STATE, _COUNT):
        for match in pattern.finditer(line):
            yield match.start(), match.group(1), match.span(2)
        line = pattern.sub(lambda m: " " * len(m.group()), line)
