"""The length of records without line ends, from the blanks: in a listing they are in the same columns."""

from __future__ import annotations

import numpy as np

SHORTEST, LONGEST = 80, 512  # characters of a record; printers have 132, prints of screens 80
FEWEST = 3  # records
LOOKED_AT = 1 << 14  # characters: some hundred lines
NEARLY = 0.75  # share of the best length's score: with few lines a neighbour may reach it


def periods(text: str) -> list[int]:
    """Numbers of characters after which lines may begin anew, the likeliest first; none if there is too little text.

    Cut at the right length, a column of the page is blank in many lines or in few. How far the columns differ in that,
    times the number of lines, is largest there: twice the length has half the lines. The text's own length, where it is
    all there is, is a multiple of it, and decides between neighbours.
    """
    filled = np.frombuffer(text[:LOOKED_AT].encode("latin-1", "replace"), np.uint8) != ord(" ")
    lengths = range(SHORTEST, min(LONGEST, len(filled) // FEWEST) + 1)
    scores = {length: _score(filled, length) for length in lengths}
    least = NEARLY * max(scores.values(), default=0.0)
    near = [length for length, score in scores.items() if score >= least > 0]
    return sorted(near, key=lambda length: (len(text) % length > 0, -scores[length]))


def _score(filled: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], length: int) -> float:
    lines = len(filled) // length
    counts = np.count_nonzero(filled[: lines * length].reshape(lines, length), axis=0)
    return float(np.var(counts) / lines)
