"""A device report that contradicts itself says so, as listing and as XML; the first of two rows of a device counts."""

from typing import Any

import pytest
import rmf_support as support
from rmf_layouts import dasd_page, pages

WHEN = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}
FINE = {"device_type": "33909", "cylinders": 10017, "pav": 1, "lcu": "0010", "activity_rate": 100.0, "conn_pct": 5.0,
        "iosq_ms": 1.0, "pend_ms": 0.2, "cmr_ms": 0.1, "db_ms": 0.0, "int_ms": 0.0, "disc_ms": 0.1, "conn_ms": 0.5,
        "resp_ms": 1.8}  # fmt: skip
OTHERS = [{**FINE, "device": f"{0x1100 + n:05X}", "volser": f"V{n:05}"} for n in range(3)]


def given(*rows: dict[str, Any]) -> list[tuple[str, int, int]]:
    found = support.read(pages(dasd_page([*OTHERS, *rows], **WHEN), control=True)).issues
    return [(i.code, i.count, i.offset) for i in found if i.code != "local_time"]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({}, None),
        ({"resp_ms": 1.81}, None),
        ({"resp_ms": 9.0}, "contradiction"),
        ({"cmr_ms": 0.9}, "contradiction"),
        ({"db_ms": 0.9}, "contradiction"),
        ({"iosq_ms": -1.0}, "negative"),
        ({"device": "01100"}, None),
        ({"device": "01100", "pend_ms": 0.3, "resp_ms": 1.9}, "twice"),
    ],
)
def test_a_row_against_itself(row: dict[str, Any], code: str | None) -> None:
    full = {"device": "01000", "volser": "V00000", **FINE, **row}
    assert given(full) == ([(code, 1, 14)] if code else [])


@pytest.mark.parametrize(
    ("was", "now", "codes"),
    [
        ("<col>3.24</col>", "<col>3.24</col>", []),
        ("<col>3.24</col>", "<col>9.24</col>", ["contradiction"]),
        (
            "<col>3.24</col><col>.001</col><col>.02</col>",
            "<col>3.24</col><col>.001</col><col>.92</col>",
            ["contradiction"],
        ),
        ("<col>3.24</col><col>.001</col>", "<col>3.24</col><col>-.001</col>", ["negative"]),
    ],
)
def test_a_row_of_xml_against_itself(was: str, now: str, codes: list[str]) -> None:
    text = (support.GOLDEN / "reports.xml").read_text("utf-8")
    assert was in text
    found = support.read(text.replace(was, now, 1).encode())
    assert sorted(found.codes() & {"contradiction", "negative", "twice"}) == codes


LCU = {"total": "LCU", "id": "0010"}


@pytest.mark.parametrize(
    ("devices", "rate", "codes"),
    [(3, 300.0, []), (3, 301.0, []), (2, 300.0, ["rows_missing"]), (3, 200.0, ["contradiction"])],
)
def test_devices_against_the_line_of_their_lcu(devices: int, rate: float, codes: list[str]) -> None:
    page = dasd_page([*OTHERS[:devices], {**FINE, **LCU, "activity_rate": rate}], **WHEN)
    found = support.read(pages(page, page, control=True))
    assert [(i.code, i.offset) for i in found.issues if i.code != "local_time"] == [(c, 11 + devices) for c in codes]


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        ("495.13  ", "995.13  ", [("rows_missing", 32, 1), ("rows_missing", 13, 2), ("contradiction", 16, 1)]),
        ("247.26  ", "147.26  ", [("rows_missing", 32, 1), ("rows_missing", 13, 2)]),
        ("247.26  ", "247.26  ", [("rows_missing", 13, 2)]),
    ],
)
def test_paths_and_groups_of_a_real_listing(was: str, now: str, found: list[tuple[str, int, int]]) -> None:
    """Of two groups it prints no LCU, or not all: its transcriber says so. Nothing else in it contradicts itself."""
    text = (support.SAMPLES / "ioq-superpav-zosv2r2.txt").read_text("utf-8")
    assert was in text
    issues = support.read(text.replace(was, now, 1).encode()).issues
    given = [(i.code, i.offset, i.count) for i in issues if i.code in ("rows_missing", "contradiction")]
    assert given == found


@pytest.mark.parametrize("report", ["device.txt", "ioq.txt", "cache.txt", "chan.txt", "synchronous.txt"])
def test_a_last_line_that_is_cut_is_left_out(report: str) -> None:
    """Cut anywhere within its last number; whole without a line end it counts."""
    lines = (support.GOLDEN / report).read_text("utf-8").rstrip().split("\n")
    before, last = "\n".join(lines[:-1]) + "\n", lines[-1].rstrip()
    start = len(last) - len(last.split()[-1])
    whole, without = (support.read(text.encode()) for text in (before + last + "\n", before))
    for end in (start + 1, len(last) - 1, start // 2):
        cut = support.read((before + last[:end]).encode())
        assert (cut.rows, [i.offset for i in cut.issues if i.code == "cut"]) == (without.rows, [len(lines)])
    unended = support.read((before + last).encode())
    if report in ("chan.txt", "cache.txt"):  # they end in words, which may be cut as well
        assert unended.rows == without.rows
    else:
        assert (unended.rows, unended.codes()) == (whole.rows, whole.codes())


@pytest.mark.parametrize(
    ("was", "now", "offset"),
    [
        ('<col>PF</col><col/><col>495.13</col>', '<col>PF</col><col/><col>247.26</col>', 24),
        ("<col>100.0</col><col>57.2</col>", "<col>100.0</col><col>30.0</col>", 41),
        ("<col>0042</col><col>35.953</col>", "<col>0042</col><col>45.953</col>", 16),
    ],
)  # fmt: skip
def test_totals_of_xml(was: str, now: str, offset: int) -> None:
    text = (support.GOLDEN / "reports.xml").read_text("utf-8")
    assert was in text
    first, second = text.rsplit(was, 1)
    found = support.read((first + now + second).encode())
    assert [(i.code, i.offset) for i in found.issues if i.code == "rows_missing"] == [("rows_missing", offset)]
