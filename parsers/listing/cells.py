"""Rows of a report as one character matrix, split into columns by the headings."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from iosq.parsers.arrow import strings
from iosq.parsers.listing.heading import Heading

BLANK = 32


def matrix(lines: Sequence[str], width: int = 0) -> NDArray[np.uint8]:
    """Lines padded with blanks to the longest one (at least `width`), as a matrix of shape (characters, rows).

    Characters above 255 become `?`.
    """
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    width = max(width, int(lengths.max(initial=0)))
    data = np.frombuffer("".join(lines).encode("latin-1", "replace"), np.uint8)
    grid = np.full((len(lines), width), BLANK, np.uint8)
    grid[np.arange(width) < lengths[:, None]] = data
    return np.ascontiguousarray(grid.T)


def cuts(columns: Sequence[Heading], numeric: Sequence[bool], filled: NDArray[np.bool_]) -> list[int]:
    """Positions at which rows are split: the start of each column except the first.

    A number ends where its heading ends, text starts where its heading starts, both within one character. Of the
    allowed places, the one that splits the fewest words in the rows below is used. `numeric` columns are
    right-justified under their headings; `filled`, shape (characters, rows), is true for characters that are not blank.
    """
    split = np.zeros(filled.shape[0] + 1, np.int64)
    split[1:-1] = (filled[:-1] & filled[1:]).sum(axis=1)
    ends = np.array([c.end for c, right_justified in zip(columns, numeric, strict=True) if right_justified], np.int64)
    # numbers may end one place after their headings: wide numbers of all columns decide, as a single digit can't
    shift = int(split[np.minimum(ends + 1, len(split) - 1)].sum() < split[np.minimum(ends, len(split) - 1)].sum())
    found: list[int] = []
    for left, right, left_numeric, right_numeric in zip(columns, columns[1:], numeric, numeric[1:], strict=False):
        places = _places(left, right, shift, left_numeric=left_numeric, right_numeric=right_numeric)
        best = min(places, key=lambda c: split[c] if c < len(split) else 0)
        found.append(max(best, found[-1] if found else 0))
    return found


def _places(left: Heading, right: Heading, shift: int, *, left_numeric: bool, right_numeric: bool) -> list[int]:
    if left_numeric:
        return [left.end + shift, left.end + 1 - shift]
    if not right_numeric:
        return [right.start, right.start - 1, right.start + 1]
    ends = [left.group_end] if left.end < left.group_end < right.end else []
    return ends + list(range(left.end, right.end))


def split_rows(filled: NDArray[np.bool_], cut: int) -> NDArray[np.bool_]:
    """Mask of rows in which a word crosses the cut, so that neither of the two cells is reliable."""
    if not 0 < cut < filled.shape[0]:
        return np.zeros(filled.shape[1], np.bool_)
    crossing: NDArray[np.bool_] = filled[cut - 1] & filled[cut]
    return crossing


def text(cells: NDArray[np.uint8]) -> pa.Array:
    """Cells, shape (characters, rows), as an Arrow string array without surrounding blanks."""
    return pc.utf8_trim_whitespace(strings(cells.T))
