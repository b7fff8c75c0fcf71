"""A device report that contradicts itself says so, as listing and as XML; the first of two rows of a device counts."""

from __future__ import annotations

from typing import Any

import pytest
import rmf_support as support
from rmf_layouts import dasd_page, pages

WHEN = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}
FINE = {"device_type": "33909", "cylinders": 10017, "pav": 1, "lcu": "0010", "activity_rate": 100.0, "conn_pct": 5.0,
        "iosq_ms": 1.0, "pend_ms": 0.2, "cmr_ms": 0.1, "db_ms": 0.0, "int_ms": 0.0, "disc_ms": 0.1, "conn_ms": 0.5,
        "resp_ms": 1.8}  # fmt: skip
OTHERS = [{**FINE, "device": f"{0x1100 + n:05X}", "volser": f"V{n:05}"} for n in range(3)]


def told(*rows: dict[str, Any]) -> list[tuple[str, int, int]]:
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
    assert told(full) == ([(code, 1, 14)] if code else [])


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
