"""Variables (names with values), which form the status row of a cache subsystem; conversion of texts to values."""

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


def fill(values: Values, field: Field, text: str, metric: str, notes: Notes, line: int) -> None:
    """Store a text if it fits the column, words in capitals as in listings; report one that doesn't."""
    value = text if field.numeric else text.upper() or field.empty
    if not field.numeric and value and not field.fits(value):
        code, what = "bad_text", f"{text!r} can't be {field.name}"
    elif not put(values, field, value):
        code, what = "bad_number", f"{text!r} is no number for {field.name}{comma_hint(text)}"
    else:
        return
    notes.add(code, "data_loss", f"{metric}: {what}", line)
    notes.put(unread.values(metric, field.name, line))


class Variables:
    """The variables of a segment; those in `expected` are known and belong to no table."""

    def __init__(self, metric: str, expected: frozenset[frozenset[str]], notes: Notes) -> None:
        self._metric, self._expected, self._notes = metric, expected, notes
        self._unknown: list[tuple[int, str]] = []
        self._taken: list[Taken] = []
        self._status: Values = {}
        self._section: Section | None = None

    @property
    def subsystem(self) -> str | None:
        return self._status.get("subsystem")

    def take(self, line: int, name: str, value: str, place: NewRow, section: Section | None) -> bool:
        """Add a variable to the status row of `section`; False if it has no column or contradicts an earlier value."""
        field = headers.columns([name], place["part"] or "", section.fields)[0] if section else None
        if field is None:
            if frozenset(words(name)) not in self._expected:
                self._unknown.append((line, name))
            return False
        fresh: Values = {}
        fill(fresh, field, value, self._metric, self._notes, line)
        if any(self._status.get(column, given) != given for column, given in fresh.items()):
            text = f"{self._metric}: {name} has another value before: {value!r} is kept in rmf_xml_value"
            self._notes.add("twice", "data_loss", text, line)
            return False
        self._status = {"line": line, **fresh, **self._status}
        self._section = section
        self._taken.append(Taken(place, line, name, value, field))
        return True

    def doubted(self) -> list[Taken]:
        """Remove and return variables whose names may be other names with a word lost."""
        if self._section is None or not self._unknown:
            return []
        names = [name for _, name in self._unknown] + [t.name for t in self._taken]
        found = [None] * len(self._unknown) + [t.field for t in self._taken]
        fields, lacking = self._section.fields, self._section.lacking_in_xml(self._status)
        kept = headers.certain(names, found, fields, lacking)[len(self._unknown) :]
        lost = [t for t, field in zip(self._taken, kept, strict=True) if field is None]
        self._unknown += [(t.line, t.name) for t in lost]
        for t in lost:
            self._status = {c: v for c, v in self._status.items() if c not in (t.field.name, t.field.mark)}
        return lost

    def finish(self) -> Values:
        """End the segment: report unknown names and return its status row."""
        section, status = self._section, self._status
        table, lacking = (section.table.name, section.lacking_in_xml(status)) if section else ("", set[str]())
        for line, name in self._unknown:
            if self._expected:
                self._notes.put(unread.heading(self._metric, name, line, table, lacking))
        self._unknown, self._taken, self._status, self._section = [], [], {}, None
        return status
