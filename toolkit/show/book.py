"""Write workbooks: text is never evaluated as a formula; the same content gives the same bytes."""

import datetime as dt
import io
import itertools
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import ceil, floor, isfinite, log10
from typing import Any, BinaryIO

from iosq.toolkit.errors import RequestError
from iosq.toolkit.show.values import dumps, plain

ROWS = 1_048_575  # maximum rows of a worksheet without the heading
NAME = 31  # maximum characters of a sheet name
_YEAR = 1900  # worksheets can't store dates before this year, and have a wrong day in it
_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
_INSTANT = "yyyy-mm-dd hh:mm:ss"
_MADE = dt.datetime(2000, 1, 1)
# characters not allowed at the ends of a sheet name
_EDGES = "' "
_DIGITS, _MOST_DECIMALS = 3, 6
_WIDEST = 500  # pixels
_SCALE = 0.375  # points per pixel of pictures, which have double resolution
_ROW, _MOST_LINES = 15, 27  # row height in points; a row has at most 409 points
_TEXT = 110  # characters per line


class Book(AbstractContextManager["Book"]):
    """A workbook, written when its `with` block ends."""

    def __init__(self, target: BinaryIO) -> None:
        import xlsxwriter

        self._book = xlsxwriter.Workbook(target, _OPTIONS)
        self._book.set_properties({"created": _MADE})
        self._formats: dict[str, Any] = {}
        self._taken: set[str] = set()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._book.close()

    def sheet(
        self, title: str, names: Sequence[str], rows: Iterable[Sequence[object]], wide: Mapping[str, int] | None = None
    ) -> str:
        """Add a sheet with filters; returns its name. Numbers show three significant digits, and are stored with all.

        `wide`: headings of columns with wrapped text, and their width in characters. RequestError if there are more
        rows than fit a sheet.
        """
        sheet = self._added(title)
        sheet.write_row(0, 0, names, self._format(bold=True))
        sheet.freeze_panes(1, 0)
        written = self._rows(sheet, rows, [(wide or {}).get(name) for name in names])
        sheet.autofilter(0, 0, written, max(len(names) - 1, 0))
        sheet.autofit(_WIDEST)
        for heading, width in (wide or {}).items():
            sheet.set_column(names.index(heading), names.index(heading), width)
        return str(sheet.get_name())

    def _rows(self, sheet: Any, rows: Iterable[Sequence[object]], widths: Sequence[int | None]) -> int:
        """Write the rows, as high as their wrapped texts; returns the number of the last row."""
        number = 0
        formats = [self._format(valign="top", text_wrap=bool(width)) for width in widths]
        for number, row in enumerate(rows, 1):
            if number > ROWS:
                raise RequestError(
                    f"more than {ROWS:,} rows do not fit a worksheet", remedy="add a LIMIT or use parquet or csv"
                )
            for column, value in enumerate(map(_cell, row)):
                sheet.write(number, column, value, self._number(value) or formats[column])
            if any(widths):
                sheet.set_row(number, _ROW * max(_lines(v, w) for v, w in zip(row, widths, strict=True) if w))
        return number

    def opening(self, title: str) -> Callable[[Sequence[str], Sequence[str], Iterable[bytes]], None]:
        """Add a first sheet; the returned function fills it with lines of text, links to sheets and PNG pictures."""
        sheet = self._added(title)

        def fill(lines: Sequence[str], sheets: Sequence[str], pictures: Iterable[bytes]) -> None:
            sheet.hide_gridlines(2)
            sheet.set_default_row(_ROW)  # pictures are anchored to rows, whose default height differs between programs
            sheet.set_column(0, 0, _TEXT)
            for row, line in enumerate(lines):
                sheet.set_row(row, _ROW * _lines(line, _TEXT))
                sheet.write_string(row, 0, line, self._format(text_wrap=True, valign="top", bold=not row))
            below = len(lines) + 1
            for picture in pictures:
                options = {"image_data": io.BytesIO(picture), "x_scale": _SCALE, "y_scale": _SCALE}
                sheet.insert_image(below, 0, "chart.png", options)
                (height,) = struct.unpack(">I", picture[20:24])
                below += ceil(height * _SCALE / _ROW) + 1
            for row, name in enumerate(sheets, below):
                sheet.write_url(row, 0, f"internal:'{name.replace(chr(39), chr(39) * 2)}'!A1", string=name)

        return fill

    def _added(self, title: str) -> Any:
        """Add a sheet that prints all columns on one page."""
        sheet = self._book.add_worksheet(self._name(title))
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        return sheet

    def _format(self, **look: Any) -> Any:
        key = str(look)
        if key not in self._formats:
            self._formats[key] = self._book.add_format(look)
        return self._formats[key]

    def _number(self, value: object) -> Any:
        """The format of an instant, or of a fraction with the decimals of three significant digits; None for others."""
        if isinstance(value, dt.date):
            return self._format(num_format=_INSTANT, valign="top")
        if not isinstance(value, float) or not isfinite(value) or not value:
            return None
        decimals = min(max(_DIGITS - 1 - floor(log10(abs(float(f"{value:.2e}")))), 0), _MOST_DECIMALS)
        return self._format(num_format=f"#,##0.{'0' * decimals}".rstrip("."), valign="top")

    def _name(self, title: str) -> str:
        """A valid sheet name: short, without forbidden characters, and unique regardless of case."""
        plain = "".join(c for c in title if c.isprintable() and c not in "[]:*?/\\").strip(_EDGES) or "sheet"
        ends = itertools.chain([""], (f" {n}" for n in itertools.count(2)))
        tries = (f"{plain[: NAME - len(end)].strip(_EDGES)}{end}" for end in ends)
        name = next(t for t in tries if t.lower() not in self._taken | {"history"})
        self._taken.add(name.lower())
        return name


def _lines(text: object, width: int) -> int:
    """The number of lines of a wrapped text, at most those of the highest row."""
    return min(sum(ceil((len(line) + 1) / width) for line in str(text).split("\n")), _MOST_LINES)


def _cell(value: object) -> object:
    """A value as a worksheet cell: instants stay instants, other values are written as in JSON."""
    if isinstance(value, dt.datetime | dt.date) and value.year > _YEAR:
        return value
    made = plain(value)
    return dumps(made) if isinstance(made, dict | list) else made
