"""Names with values: those of a cache subsystem form its status row. Conversion of texts to column values."""

from __future__ import annotations

from typing import NamedTuple

from iosq.parsers.listing import unread
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.numbers import comma_hint
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.knowledge import Field, Section
from iosq.parsers.rmf.words import words
from iosq.parsers.rmfxml import headers
from iosq.toolkit.rows import NewRow


class Taken(NamedTuple):
    """A variable with its column in the status row."""

    place: NewRow
    line: int
    name: str
    value: str
    field: Field


class Fill:
    """Stores texts of a report as column values, and reports those that do not fit."""

    def __init__(self, metric: str, notes: Notes) -> None:
        self._metric, self._notes = metric, notes

    def put(self, values: Values, field: Field, text: str, line: int) -> None:
        """Store a text if it can be the column's; words as listings have them, in capitals."""
        value = text if field.numeric else text.upper() or field.empty
        if not field.numeric and value and not field.fits(value):
            self._unread(field, "bad_text", f"{text!r} can't be {field.name}", line)
        elif not put(values, field, value):
            self._unread(field, "bad_number", f"{text!r} is no number for {field.name}{comma_hint(text)}", line)

    def _unread(self, field: Field, code: str, what: str, line: int) -> None:
        self._notes.add(code, "data_loss", f"{self._metric}: {what}", line)
        self._notes.put(unread.values(self._metric, field.name, line))


class Variables:
    """The variables of a segment; those in `expected` are known to be of no table."""

    def __init__(self, metric: str, expected: frozenset[frozenset[str]], notes: Notes) -> None:
        self._metric, self._expected, self._notes = metric, expected, notes
        self._fill = Fill(metric, notes)
        self._strange: list[tuple[int, str]] = []
        self._taken: list[Taken] = []
        self._status: Values = {}
        self._section: Section | None = None

    @property
    def subsystem(self) -> str | None:
        """The cache subsystem that they name."""
        found: str | None = self._status.get("subsystem")
        return found

    def take(self, line: int, name: str, value: str, place: NewRow, section: Section | None) -> bool:
        """True if a variable is one of the status row of `section`; the first value of a name counts."""
        field = headers.variable(name, place["part"] or "", section.fields) if section else None
        if field is None:
            if frozenset(words(name)) not in self._expected:
                self._strange.append((line, name))
            return False
        fresh: Values = {}
        self._fill.put(fresh, field, value, line)
        if any(self._status.get(column, given) != given for column, given in fresh.items()):
            text = f"{self._metric}: {name} has another value before: {value!r} is kept in rmf_xml_value"
            self._notes.add("twice", "data_loss", text, line)
            return False
        self._status = {"line": line, **fresh, **self._status}
        self._section = section
        self._taken.append(Taken(place, line, name, value, field))
        return True

    def doubted(self) -> list[Taken]:
        """The variables whose names may be those of others with a word lost; takes them out of the status row."""
        if self._section is None or not self._strange:
            return []
        names = [name for _, name in self._strange] + [t.name for t in self._taken]
        found = [None] * len(self._strange) + [t.field for t in self._taken]
        fields, lacking = self._section.fields, self._section.lacking_in_xml(self._status)
        kept = headers.certain(names, found, fields, lacking)[len(self._strange) :]
        lost = [t for t, field in zip(self._taken, kept, strict=True) if field is None]
        self._strange += [(t.line, t.name) for t in lost]
        for t in lost:
            self._status = {c: v for c, v in self._status.items() if c not in (t.field.name, t.field.mark)}
        return lost

    def finish(self) -> Values:
        """End of the segment: writes its status row, if any, and reports unknown names."""
        section, status = self._section, self._status
        table, lacking = (section.table.name, section.lacking_in_xml(status)) if section else ("", set[str]())
        for line, name in self._strange:
            if self._expected:
                self._notes.put(unread.heading(self._metric, name, line, table, lacking))
        self._strange, self._taken, self._status, self._section = [], [], {}, None
        return status
