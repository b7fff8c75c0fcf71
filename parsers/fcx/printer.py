"""Prints listings that this reader can read, for the study sample, tests and benchmarks.

Heading words are those of the report files; widths are arbitrary, because real positions are unknown.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

WIDTH = 132


@dataclass(frozen=True, slots=True)
class Col:
    """A printed column: group, upper word of a wrapped heading, lowest word, width, left-justified if `text`."""

    group: str
    above: str
    leaf: str
    width: int
    text: bool = False


DEVICE = (
    Col("Device Descr.", "", "Addr", 4, text=True),
    Col("Device Descr.", "", "Type", 6, text=True),
    Col("Device Descr.", "", "Label/ID", 9, text=True),
    Col("", "Mdisk", "Links", 5),
    Col("", "Pa-", "ths", 3),
    Col("Rate/s", "", "I/O", 7),
    Col("Rate/s", "", "Avoid", 5),
    *(Col("Time (msec)", "", word, 5) for word in ("Pend", "Disc", "Conn", "Serv", "Resp", "CUWt")),
    Col("", "Req.", "Qued", 5),
    Col("Percent", "", "Busy", 4),
    Col("Percent", "", "READ", 4),
    Col("", "SEEK", "Cyls", 4),
    Col("", "Recov", "SSCH", 5),
    Col("Throttle", "", "Set/s", 6),
    Col("Throttle", "", "Dly/s", 6),
)


def number(value: float | None, digits: int = 1) -> str:
    """A value as the Performance Toolkit prints it: without leading zero, dots for None."""
    if value is None:
        return "...."
    text = f"{value:.{digits}f}"
    return text[1:] if text.startswith("0.") else text


def heading_lines(columns: Sequence[Col]) -> list[str]:
    """The line of groups and upper words, and the line of lowest words."""
    upper = " "
    for name, members in groupby(columns, key=lambda c: c.group or c):
        part = list(members)
        width = sum(c.width for c in part) + len(part) - 1
        above = f"<{f' {name} '.center(width - 2, '-')}>" if isinstance(name, str) else _cell(part[0], part[0].above)
        upper += above + " "
    return [upper, " " + " ".join(_cell(c, c.leaf) for c in columns)]


def _cell(column: Col, text: str) -> str:
    return text.ljust(column.width) if column.text else text.rjust(column.width)


def row(columns: Sequence[Col], texts: Sequence[str]) -> str:
    """One data line, starting with a blank for carriage control."""
    return " " + " ".join(_cell(c, t) for c, t in zip(columns, texts, strict=True))


@dataclass(frozen=True, slots=True)
class Head:
    """Values of a page heading."""

    report: str
    name: str
    title: str
    system: str
    start: datetime
    seconds: int
    remark: str = ""
    machine: str = "CPU 2084-C24   SN 00000"
    release: str = "z/VM   V.5.2.0 SLU 0000"


def page(head: Head, number: int, columns: Sequence[Col], rows: Sequence[str]) -> Iterator[str]:
    """The lines of one page, without line ends."""
    end = head.start + timedelta(seconds=head.seconds)
    left = f"1{head.report}  Run {end:%Y/%m/%d %H:%M:%S}".ljust(42) + head.name
    yield left.ljust(WIDTH - 10) + f"Page {number:>4}"
    yield " " * 42 + head.title
    yield f" From {head.start:%Y/%m/%d %H:%M:%S}".ljust(106) + head.system
    yield f" To   {end:%Y/%m/%d %H:%M:%S}".ljust(106) + head.machine
    clock = f"{head.seconds // 3600:02}:{head.seconds // 60 % 60:02}:{head.seconds % 60:02}"
    yield f" For  {head.seconds:>5} Secs {clock}".ljust(42) + head.remark.ljust(64) + head.release
    yield " " + "_" * (WIDTH - 1)
    yield from heading_lines(columns)
    yield from rows
