"""The listing engine: lines add up to bytes, headings give columns, cells give numbers or say that they are bad."""

import io
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.listing import cells, numbers
from iosq.parsers.listing.heading import headings
from iosq.parsers.listing.lines import blocks, detect
from iosq.parsers.rmf.values import number as rmf_number

DEVICE = [
    "<-- Device Descr. -->  Mdisk Pa- <-Rate/s-> <------- Time (msec) -------> Req. <Percent> SEEK Recov <-Throttle->",
    "Addr Type   Label/ID   Links ths   I/O Avoid Pend Disc Conn Serv Resp CUWt Qued Busy READ Cyls SSCH Set/s Dly/s",
]


class Named(io.BytesIO):
    name = "listing"


def read(data: bytes, chunk: int = 64) -> tuple[list[str], int, str]:
    found = list(blocks(Named(data), chunk))
    assert [b.number for b in found] == [1 + sum(len(b.lines) for b in found[:i]) for i in range(len(found))]
    return (
        [x.rstrip() for b in found for x in b.lines],
        sum(sum(b.sizes) for b in found),
        "".join(b.controls for b in found),
    )


NAMES = """
    Device Descr..Addr|Device Descr..Type|Device Descr..Label/ID|Mdisk Links|Paths|Rate/s.I/O|Rate/s.Avoid|
    Time (msec).Pend|Time (msec).Disc|Time (msec).Conn|Time (msec).Serv|Time (msec).Resp|Time (msec).CUWt|Req. Qued|
    Percent.Busy|Percent.READ|SEEK Cyls|Recov SSCH|Throttle.Set/s|Throttle.Dly/s
"""


def test_columns_of_the_device_report() -> None:
    assert [h.name for h in headings(DEVICE)] == [n.strip() for n in NAMES.split("|")]


def test_a_group_within_a_group_ends_where_the_outer_one_does() -> None:
    found = headings(["<------- OUTER ------->", "<-- INNER -->", "  A     B      C"])
    assert [(h.name, h.group_end) for h in found] == [("OUTER.INNER.A", 23), ("OUTER.INNER.B", 23), ("OUTER.C", 23)]


def test_a_word_over_two_words_joins_them_and_a_word_alone_is_a_column() -> None:
    found = headings(["Interval  DEVICE", "End Time    RATE  PAV", "________", "          "])
    assert [(h.words, h.end) for h in found] == [("Interval End Time", 8), ("DEVICE RATE", 16), ("PAV", 21)]
    above = headings(["  STORAGE  PAV", "    GROUP     "])
    assert [h.words for h in above] == ["STORAGE GROUP", "PAV"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "0nd"])
@pytest.mark.parametrize("code", ["latin-1", "cp037"])
def test_line_ends_and_code_pages(end: str, last: str, code: str) -> None:
    text = end.join(["1FIRST page of it", " a line with <words> | 12.5", "-another", ""]) + last
    lines, size, controls = read(text.encode(code), chunk=128)
    assert lines == [" FIRST page of it", " a line with <words> | 12.5", " another", *([" nd"] if last else [])]
    assert size == len(text)
    assert controls == "1 -" + last[:1]


def test_records_without_line_ends_are_cut_by_their_length() -> None:
    lines = ["1PAGE", *(f" row {n}  {n * 137}" for n in range(9))]
    text = "".join(x.ljust(133) for x in lines)
    assert read(text.encode("cp037"), chunk=700)[0] == [" " + x[1:] for x in lines]


@pytest.mark.parametrize("code", ["utf-8", "latin-1", "utf-8-sig"])
def test_national_characters_are_one_each(code: str) -> None:
    lines = ["1PAGE §ÄÖ  12", " Åß£    12", " none   12"]
    data = "\n".join([*lines, ""]).encode(code)
    found, size, controls = read(data, chunk=16)
    assert found == [" " + line[1:] for line in lines]
    assert (size, controls) == (len(data), "1  ")


def test_a_line_that_is_no_utf_8_is_latin_1_by_itself() -> None:
    assert read("§A\n".encode() + b"\xa7A\n")[0] == ["§A", "§A"]


def test_a_line_printed_over_another_keeps_its_mark() -> None:
    lines, _, controls = read(b"1PAGE\n row\n+row\n")
    assert (lines, controls) == ([" PAGE", " row", "+row"], "1 +")


def test_device_numbers_in_column_one_are_not_carriage_control() -> None:
    assert not detect(b"FCX108 heading\n1100 3390\n0100 3390\n").control
    assert detect(b"1FCX108 heading\n 1100 3390\n0 0100 3390\n").control


@given(st.binary(max_size=300), st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_every_byte_belongs_to_a_line(data: bytes, chunk: int) -> None:
    assert read(data, chunk)[1] == len(data)


CELL = st.one_of(
    st.sampled_from(
        [
            "....",
            ".0",
            "...",
            ">....",
            "---",
            "",
            "-.5",
            "12K",
            "1.5M",
            "8'192",
            "1,234",
            "1,234.5",
            "12,345,678",
            "1'234'567K",
            "1,234'567",
            "223,1",
            ",5",
            ">99",
            "1.2.3",
            "1 2",
            "K",
            "5KK",
        ]
    ),
    st.decimals(-9999, 99999, places=2).map(str),
    st.text("0123456789.-KM> ',x", max_size=7),
    st.text("1234,'.", max_size=9),
)


@given(st.lists(CELL, min_size=1, max_size=30), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_matrix_of_cells_reads_as_one_by_one(texts: list[str], right: bool) -> None:
    padded = [t.rjust(9) if right else t.ljust(9) for t in texts]
    values, bad = numbers.parse(cells.matrix(padded))
    for text, value, wrong in zip(padded, values, bad, strict=True):
        try:
            expected = numbers.number(text)
        except ValueError:
            assert wrong, text
            continue
        assert not wrong, text
        assert math.isnan(value) if expected is None else value == pytest.approx(expected, rel=1e-15), text


PRINTED = st.tuples(
    st.integers(0, 10**9), st.integers(0, 3), st.sampled_from([("'", "."), (",", "."), (".", ","), ("", ",")])
)


@given(st.lists(PRINTED, min_size=1, max_size=20))
@settings(max_examples=200, deadline=None)
def test_a_printed_cell_is_what_it_says_or_nothing_whatever_signs_part_it(cells_of: list[Any]) -> None:
    """One number in the ways of several countries: never another number; with a decimal point always that number."""
    texts = []
    for value, digits, (thousands, point) in cells_of:
        text = f"{value / 10**digits:,.{digits}f}"
        texts.append(text.translate({ord(","): thousands, ord("."): point}))
    values, bad = numbers.parse(cells.matrix([t.rjust(15) for t in texts]))
    for (value, digits, (_, point)), text, found, wrong in zip(cells_of, texts, values, bad, strict=True):
        listing, xml = numbers.NUMBER.fullmatch(text), rmf_number(text)
        assert wrong == (listing is None), text
        if point == "." and (digits or text.count(",") != 1):
            assert found == pytest.approx(value / 10**digits, rel=1e-12), text
        for known in (None if wrong else found, xml and xml[0]):
            lone_point = text.count(".") == 1 and "," not in text  # 1.234 is read with a decimal point by all
            assert known is None or lone_point or known == pytest.approx(value / 10**digits, rel=1e-12), text


def test_missing_is_not_zero() -> None:
    assert [numbers.number(t) for t in ("....", "..", ">....", "---", "  ", ".0")] == [None] * 5 + [0.0]


def test_cells_follow_shifted_values_and_report_words_across_a_cut() -> None:
    columns = headings(["Addr  Rate  Time"])
    rows = cells.matrix(["0100  12.5   3.1", "0101   9.5   2.1 ", "0102123456.5 2.0"], 20)
    filled = rows != 32
    cut = cells.cuts(columns, [False, True, True], filled)
    assert cells.text(rows[: cut[0]]).to_pylist()[:2] == ["0100", "0101"]
    assert numbers.parse(rows[cut[0] : cut[1]])[0][:2].tolist() == [12.5, 9.5]
    assert numbers.parse(rows[cut[1] :])[0].tolist()[:2] == [3.1, 2.1]
    assert cells.split_rows(filled, cut[0]).tolist() == [False, False, True]


def test_text_outside_ascii_survives() -> None:
    assert cells.text(cells.matrix(["Größe ", "plain"])).to_pylist() == ["Größe", "plain"]
    assert np.array_equal(cells.matrix(["ab", "c"]), np.array([[97, 99], [98, 32]], np.uint8))
