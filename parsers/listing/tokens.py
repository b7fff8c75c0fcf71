"""The words of many printed lines at once: where each stands, its text, and its number if it is a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Places = NDArray[np.int64]

LONGEST = 30  # characters of a plain number; more is damage

_WORD = bytes(not chr(n).isspace() for n in range(256))
_WEIGHTS = bytes(1 if chr(n) in "0123456789" else 65 if chr(n) == "." else 0 for n in range(256))


@dataclass(frozen=True, slots=True)
class Tokens:
    """Words in order of lines and places: line (from 0), first character, the one behind the last.

    `numbers` holds those that are nothing but digits with a point at most, NaN for all others; each is equal to what
    `float` gives.
    """

    line: Places
    start: Places
    end: Places
    texts: pa.StringArray
    numbers: NDArray[np.float64]


def tokens(lines: Sequence[str]) -> Tokens:
    """The words of lines, which are ASCII."""
    data = "\n".join([*lines, ""]).encode("ascii")
    filled = np.frombuffer(data.translate(_WORD), np.bool_)
    edges = np.flatnonzero(np.diff(filled, prepend=False))  # every line ends in a blank
    first, behind = edges[::2], edges[1::2]
    begins = np.cumsum([0, *map(len, lines)]) + np.arange(len(lines) + 1)
    line = np.repeat(np.arange(len(lines)), np.diff(np.searchsorted(first, begins)))
    characters = np.frombuffer(data, np.uint8)[filled].tobytes()
    ends = np.cumsum(behind - first)
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    texts = pa.StringArray.from_buffers(len(first), pa.py_buffer(offsets), pa.py_buffer(characters))
    return Tokens(line, first - begins[line], behind - begins[line], texts, _numbers(characters, offsets, texts))


def _numbers(characters: bytes, offsets: NDArray[np.int32], texts: pa.StringArray) -> NDArray[np.float64]:
    if not len(texts):
        return np.zeros(0)
    size = np.diff(offsets)
    weights = np.frombuffer(characters.translate(_WEIGHTS), np.uint8).astype(np.uint16)
    over = np.add.reduceat(weights, offsets[:-1]) - size  # 0 for digits, 64 more for each point, less for all else
    plain = ((over == 0) | ((over == 64) & (size > 1))) & (size <= LONGEST)
    values = np.full(len(texts), np.nan)
    values[plain] = pc.cast(texts.filter(pa.array(plain)), pa.float64()).to_numpy(zero_copy_only=False)
    return values
