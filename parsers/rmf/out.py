"""Where the rows of a listing go: the current interval and line are added, cells are read by their headings."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from iosq.parsers.listing.notes import Notes
from iosq.parsers.listing.numbers import comma_hint
from iosq.parsers.rmf.cells import Values, put
from iosq.parsers.rmf.heading import Columns
from iosq.parsers.rmf.rows import Rows
from iosq.parsers.rmf.times import Interval
from iosq.parsers.rmf.values import MARKS, absent
from iosq.toolkit.rows import NewRow

PLAIN = frozenset("0123456789. ")
NUMERIC = frozenset(f"0123456789.,+-KMGTPN/ADna{MARKS}")  # what numbers, and signs that there is none, are made of


@dataclass(slots=True)
class Cells:
    """A row put under its headings: values by column, how many are numbers, and words where numbers belong.

    `unplaced` are texts that stand under no heading or one that is not understood, with that heading.
    """

    values: Values = field(default_factory=dict)
    numbers: int = 0
    strays: list[str] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)

    @property
    def message(self) -> str | None:
        """The words that stand in place of numbers."""
        return " ".join(self.strays) or None


def read(columns: Columns, line: str) -> Cells:
    """Every value of `line` under the nearest heading; several words under one text heading are joined."""
    cells = Cells()
    values = cells.values
    cuts = columns.cut(line)
    run = line[cuts.start : cuts.end]
    plain = cuts.run and PLAIN.issuperset(run) and _take(values, cuts.names, run)
    cells.numbers = len(cuts.names) if plain else 0
    for start, end, place in cuts.singly if plain else cuts.singly + cuts.run:
        target, name, text = place.field, place.name, line[start:end]
        if target is None:
            cells.unplaced.append(f"{text} under {' '.join(place.words) or 'no heading'}")
            continue
        if not place.numeric:
            known = values.get(name)
            values[name] = f"{known} {text}" if known else text
        elif name in values:
            _run_together(columns, line, start, end, cells)
        elif place.simple and text.replace(".", "", 1).isdecimal():  # nine in ten values
            values[name] = float(text)
            cells.numbers += 1
        elif put(values, target, text):
            cells.numbers += not absent(text)
        else:
            _run_together(columns, line, start, end, cells)
    return cells


def _take(values: Values, names: tuple[str, ...], run: str) -> bool:
    """Store numbers that stand one behind the other; False if one of them is none."""
    try:
        values.update(zip(names, map(float, run.split()), strict=True))
    except ValueError:
        for name in names:
            values.pop(name, None)
        return False
    return True


def _run_together(columns: Columns, line: str, start: int, end: int, cells: Cells) -> None:
    """A text that is no number, or not the first one under its heading: several numbers, or words."""
    found = parted(columns, start, line[start:end])
    if found is not None and found[1].isdisjoint(cells.values):
        cells.values.update(found[0])
        cells.numbers += len(found[1])
    else:
        cells.strays.append(line[start:end])


def parted(columns: Columns, start: int, text: str) -> tuple[Values, frozenset[str]] | None:
    """Wide values may leave no blank between them: cut where headings end, if that gives nothing but numbers.

    What is printed in each of several columns, and their names; None if the text is something else.
    """
    if not NUMERIC.issuperset(text):
        return None
    end = start + len(text)
    cuts = [start, *(c + (text[c - start] in MARKS) for c in columns.ends if start < c < end - 1), end]
    pieces = [(columns.find((a, b)).field, text[a - start : b - start]) for a, b in pairwise(cuts)]
    names = frozenset(f.name for f, _ in pieces if f)
    found: Values = {}
    ok = len(pieces) > 1 and len(names) == len(pieces)
    return (found, names) if ok and all(f and f.numeric and put(found, f, t) for f, t in pieces) else None


@dataclass(slots=True)
class Out:
    """Rows and notes of the page being read; `number` is the line's number, `head` what the page head says."""

    rows: Rows
    notes: Notes
    interval: Interval = field(default_factory=Interval)
    number: int = 0
    head: dict[str, str] = field(default_factory=dict)

    def common(self) -> NewRow:
        """What every row begins with, as of now."""
        i = self.interval
        return {"system": i.system, "interval_start": i.start, "interval_s": i.seconds, "line": self.number}

    def write(self, table: str, values: Values) -> None:
        """Add a row to `table`."""
        self.rows.add(table, {**self.common(), **values})

    def tell_unplaced(self, cells: Cells) -> None:
        """Note the texts of a row of numbers that no column takes; words in place of numbers are another matter."""
        if cells.unplaced and cells.numbers:
            text = f"values that no column takes: {', '.join(cells.unplaced)}"
            self.notes.add("unknown_value", "data_loss", text, self.number)

    def complain(self, strays: list[str]) -> None:
        """Note values that should be numbers and are none; the rest of the row is kept."""
        if strays:
            found = " ".join(strays)
            text = f"no number where one belongs{comma_hint(found)}: {found}"
            self.notes.add("bad_number", "data_loss", text, self.number)

    def doubt(self, strays: list[str]) -> None:
        """Note numbers with decimal commas: they are no words that stand in place of numbers."""
        self.complain([s for s in strays if comma_hint(s)])
