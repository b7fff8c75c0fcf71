"""Finds the length of records without line ends by the columns that are blank in most lines."""

import numpy as np

SHORTEST, LONGEST = 80, 512  # characters of a record; printers have 132, screen prints 80
FEWEST = 3  # records
EXAMINED = 1 << 14  # characters: some hundred lines
NEARLY = 0.75  # share of the best score: with few lines a neighbouring length may have the best one


def periods(text: str) -> list[int]:
    """Possible record lengths in characters, the most likely first; none if there is too little text.

    At the right length a column of the page is blank in either many or few lines. The score is the variance of this
    over the columns, times the number of lines, as twice the length has half the lines. The length of a complete
    text is a multiple of the right length, which decides between neighbours.
    """
    filled = np.frombuffer(text[:EXAMINED].encode("latin-1", "replace"), np.uint8) != ord(" ")
    lengths = range(SHORTEST, min(LONGEST, len(filled) // FEWEST) + 1)
    scores = {length: _score(filled, length) for length in lengths}
    least = NEARLY * max(scores.values(), default=0.0)
    near = [length for length, score in scores.items() if score >= least > 0]
    return sorted(near, key=lambda length: (len(text) % length > 0, -scores[length]))


def _score(filled: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], length: int) -> float:
    lines = len(filled) // length
    counts = np.count_nonzero(filled[: lines * length].reshape(lines, length), axis=0)
    return float(np.var(counts) / lines)
