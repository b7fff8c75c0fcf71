"""Writes the rows of a listing: assigns cells to columns, and adds the current interval and line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from iosq.parsers.arrow import Rows
from iosq.parsers.listing import unread
from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.numbers import comma_hint
from iosq.parsers.rmf import parting
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import Columns
from iosq.parsers.rmf.knowledge import Field
from iosq.parsers.rmf.place import NOWHERE, Cut, Cuts, crowded
from iosq.parsers.rmf.times import Interval
from iosq.parsers.rmf.values import absent
from iosq.toolkit.rows import NewRow

PLAIN = re.compile(r"[0-9. ]*")
JOINED = re.compile(r"[\d.]*\d[\d.]*")
GLUED = re.compile(r"\S*\d\S*")  # values without a blank between them


@dataclass(slots=True)
class Cells:
    """The cells of a row: values by column, how many are numbers, and words in numeric columns (`strays`).

    `unplaced` are texts under no heading or one that is not understood, with that heading ('' for none).
    `unread` are columns with unreadable texts; `words` are the words of a message.
    """

    values: Values = field(default_factory=dict)
    numbers: int = 0
    strays: list[str] = field(default_factory=list)
    unplaced: list[tuple[str, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def stray(self, text: str, column: str) -> None:
        """Add words or unreadable text found instead of a number."""
        self.strays.append(text)
        self.words.append(text)
        if any(c.isdigit() for c in text):
            self.unread.append(column)

    @property
    def message(self) -> str | None:
        """The words printed instead of numbers."""
        return " ".join(self.words) or None


def read(columns: Columns, line: str) -> Cells:
    """Assign every value of `line` to the nearest heading; several words under one text heading are joined."""
    cells = Cells()
    values = cells.values
    cuts = columns.cut(line)
    run = line[cuts.start : cuts.end]
    plain = cuts.run and PLAIN.fullmatch(run) and _take(values, cuts.names, run)
    cells.numbers = len(cuts.names) if plain else 0
    others = frozenset() if cuts.run else crowded(cuts.singly, line)
    for cut in cuts.singly if plain else cuts.singly + cuts.run:
        start, end, place = cut
        target, name, text = place.field, place.name, line[start:end]
        if cut in others:
            cells.unplaced.append((text, ""))
        elif target is None:
            cells.unplaced.append((text, " ".join(place.words)))
            if place is NOWHERE and _runs_on(line, start) and not any(map(str.isdigit, text)):
                cells.words.append(text)
        elif cut in cuts.glued and _run_together(columns, line, cut, cuts, cells):
            continue
        elif not place.numeric:
            known = values.get(name)
            values[name] = f"{known} {text}" if known else text
        elif name not in values and put(values, target, text):
            cells.numbers += not absent(text)
        elif cut in cuts.glued or not _run_together(columns, line, cut, cuts, cells):
            cells.stray(text, name)
    return cells


def _runs_on(line: str, start: int) -> bool:
    """True if the word follows another one after a single blank, as in a message across columns."""
    return start > 1 and line[start - 1] == " " and line[start - 2] != " "


def _take(values: Values, names: tuple[str, ...], run: str) -> bool:
    """Store adjacent numbers; False if one of them is not a number."""
    try:
        values.update(zip(names, map(float, run.split()), strict=True))
    except ValueError:
        for name in names:
            values.pop(name, None)
        return False
    return True


def _run_together(columns: Columns, line: str, cut: Cut, cuts: Cuts, cells: Cells) -> bool:
    """Store several values without a blank between them; False if the text may be one value, or words.

    An ambiguous text gives no values and is reported as words instead of a number.
    """
    start, end, place = cut
    if not GLUED.fullmatch(line, start, end):
        return False
    found = parting.ways(columns, line, cut, cuts.singly + cuts.run)
    parts = parting.values(found[0], line) if len(found) == 1 and len(found[0]) > 1 else None
    if parts is not None and parts.keys().isdisjoint(cells.values):
        cells.values.update(parts)
        cells.numbers += sum(piece[2].numeric for piece in found[0])
        return True
    unclear = place.numeric and (len(found) > 1 or (not found and parting.overruns(columns.places, cut)))
    if unclear:
        cells.stray(line[start:end], place.name)
    return unclear


@dataclass(slots=True)
class Out:
    """Output for the current page: rows and notes.

    `number` is the line number, `head` has the values of the page head, `report` is the report's name.
    """

    rows: Rows
    notes: Notes
    interval: Interval = field(default_factory=Interval)
    number: int = 0
    report: str = ""
    head: dict[str, str] = field(default_factory=dict)

    def common(self) -> NewRow:
        i = self.interval
        return {
            "system": i.system,
            "interval_start": i.start,
            "utc_offset_s": i.utc_offset_s,
            "interval_s": i.seconds,
            "line": self.number,
        }

    def write(self, table: str, values: Values) -> None:
        self.rows.add(table, {**self.common(), **values})

    def report_unplaced(self, cells: Cells) -> None:
        """Report texts without a column, except in a row without numbers, where words may replace them."""
        if not cells.numbers and not any(PLAIN.fullmatch(text) for text, _ in cells.unplaced):
            return
        for column in cells.unread:
            self.notes.put(unread.values(self.report, column, self.number))
        if cells.unplaced:
            found = ", ".join(f"{text} under {heading or 'no heading'}" for text, heading in cells.unplaced)
            self.notes.add("unknown_value", "data_loss", f"values that belong to no column: {found}", self.number)
        if any(not heading for _, heading in cells.unplaced):
            self.notes.put(unread.no_heading(self.report, self.number))

    def report_misfits(self, found: Values, limited: Sequence[Field]) -> None:
        """Drop texts that do not fit their column, such as an LCU of nine characters; report each."""
        for target in limited:
            text = found.get(target.name)
            if text and not target.fits(text):
                found[target.name] = None
                message = f"no {target.headings[0][-1]} of {target.width} characters: {text}"
                self.notes.add("bad_text", "data_loss", message, self.number)

    def complain(self, strays: list[str]) -> None:
        """Report values that should be numbers; the rest of the row is kept."""
        if strays:
            found = " ".join(strays)
            text = f"not a number{comma_hint(found)}: {found}"
            self.notes.add("bad_number", "data_loss", text, self.number)

    def doubt(self, strays: list[str]) -> None:
        """Report joined numbers and decimal commas: they are not words instead of numbers."""
        self.complain([s for s in strays if comma_hint(s) or JOINED.fullmatch(s)])
