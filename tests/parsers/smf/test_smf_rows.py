"""Sections in bulk against one at a time: more rows than any block or table of the fast decoder is wide."""

import random
from typing import Any

import numpy as np
import pytest

from iosq.parsers.smf.layout import Field, Only
from iosq.parsers.smf.rows import Places, Sections, repeat
from tests.parsers.smf import plain_values

ROWS, WIDTH = 1500, 40
ODD = 600  # neither in the first block nor in the last one
FIELDS = (
    Field("KIND", 0, 1, "binary"),
    Field("PAIR", 1, 2, "hex"),
    Field("ACROSS", 6, 4, "binary"),
    Field("VOLSER", 10, 6, "ebcdic"),
    Field("LONG", 10, 12, "hex"),
    Field("REAL", 24, 8, "float"),
    Field("LATE", 32, 4, "float"),
    Field("TAIL", 36, 4, "binary"),
    Field("OVER", 36, 4, "ebcdic", only=Only("KIND", frozenset({1}))),
)
NAMED = {f.name: f for f in FIELDS}


def _sections(draw: random.Random, lengths: tuple[int, ...], fill: str) -> list[bytes]:
    """Sections with some varying bytes: none, those of one row, within runs, or all."""
    model = bytearray(b"\1\2\3" + bytes(3) + b"\0\0\1\7" + b"\xe5\xd6\xd3\xf0\xf0\xf1" + b"\5" * 8)
    model += b"\x42\x10" + bytes(6) + b"\x41\x20\0\0" + b"\xc1\xc2\xc3\x40"
    found = []
    for row in range(ROWS):
        data = bytearray(model)
        if fill == "random" or (fill == "one" and row == ODD):
            data[1:] = draw.randbytes(WIDTH - 1)
            data[0] = draw.randrange(2)
        if fill == "runs":
            data[1:3] = data[14:16] = bytes([row // 300, 0xF0 + row // 500])
        found.append(bytes(data[: lengths[row // 50 % len(lengths)]]))
    return found


def _bulk(sections: list[bytes]) -> Sections:
    size = np.array([len(s) for s in sections])
    row = np.arange(len(sections))
    # 0xEE behind every section: what is read beyond its end must not show
    buffer = np.frombuffer(b"".join(s + b"\xee" * 3 for s in sections) + b"\xee" * (WIDTH + 8), np.uint8)
    return Sections(buffer, Places(row, np.cumsum(size + 3) - size - 3, size, row, row), WIDTH)


def _expected(field: Field, data: bytes) -> Any:
    chosen = field.only is None or (data and data[0] in field.only.values)
    return plain_values.decode(field, data[field.offset : field.end]) if chosen and field.end <= len(data) else None


@pytest.mark.parametrize("fill", ["same", "one", "runs", "random"])
@pytest.mark.parametrize("lengths", [(40,), (40, 33), (30, 40, 0, 36), tuple(range(28, 41))])
def test_columns_hold_what_each_section_says(lengths: tuple[int, ...], fill: str) -> None:
    sections = _sections(random.Random(7), lengths, fill)
    bulk = _bulk(sections)
    for field in FIELDS:
        assert bulk.column(field, NAMED).to_pylist() == [_expected(field, s) for s in sections], field.name


def test_numbers_are_zero_where_a_section_is_too_short() -> None:
    sections = _sections(random.Random(7), (40, 33), "same")
    tail = NAMED["TAIL"]
    assert _bulk(sections).number(tail).tolist() == [_expected(tail, s) or 0 for s in sections]


def test_sections_follow_each_other_from_their_first_place() -> None:
    record, start, length = np.array([4, 7]), np.array([100, 900]), np.array([10, 20])
    places = repeat(record, start, length, np.array([2, 1]), np.array([1, 5]))
    assert places.record.tolist() == [4, 4, 7]
    assert places.start.tolist() == [100, 110, 900]
    assert places.index.tolist() == [1, 2, 5]
    assert places.parent.tolist() == [-1, -1, -1]
