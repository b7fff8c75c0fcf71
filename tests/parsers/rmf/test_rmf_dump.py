"""The same interval as a dump and as a listing: what the listing gives is what the record says, within its rounding.

The record is written with the project's SMF encoder and read with its SMF reader; the listing is rendered from the
counters by RMF's published formulas (here, not in the product) and read with the RMF reader.
"""

from datetime import date
from typing import Any

import pytest
import rmf_support as support
from hypothesis import given, settings
from hypothesis import strategies as st
from rmf_layouts import NUMBERS, dasd_page, pages, printed

from iosq.parsers.api import Balance, Batch, Context
from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import layouts
from iosq.parsers.smf.reader import SmfReader

SECONDS, SAMPLES, UNIT_MS = 900.0, 900, 0.128
HEADER = {"SMF74SID": "SYSF", "SMF74DTE": date(2024, 2, 11), "SMF74TME": 3_420_000}
PRODUCT = {
    "SMF74DAT": date(2024, 2, 11),
    "SMF74IST": 9 * 3600 + 15 * 60,
    "SMF74INT": SECONDS,
    "SMF74SAM": SAMPLES,
    "SMF74LGO": 0,
}


@st.composite
def counters(draw: st.DrawFn) -> dict[str, Any]:
    """Counters of one device as a record may hold them."""
    ssch = draw(st.integers(1, 2_000_000))
    times = {f"SMF74{n}": draw(st.integers(0, 20)) * ssch for n in ("PEN", "DIS", "CNN")}
    return {
        "SMF74NUM": f"{draw(st.integers(0, 0xFFFF)):04X}",
        "SMF74SCS": draw(st.integers(0, 3)),
        "SMF74LCU": f"{draw(st.integers(0, 0xFF)):04X}",
        "SMF74CNF": 0x01,
        "SMF74SER": "VOL001",
        "SMF74DEV": "33909",
        "SMF74NUX": draw(st.integers(1, 9)),
        "SMF74SSC": ssch,
        "SMF74MEC": ssch,
        **times,
        "SMF74DVB": times["SMF74PEN"] // 3,
        "SMF74QUE": draw(st.integers(0, 50_000)),
        "SMF74UTL": 0,
        "SMF74RSV": draw(st.integers(0, SAMPLES)),
        "SMF74ALC": draw(st.integers(0, SAMPLES)),
        "SMF74NDA": draw(st.integers(0, 100 * SAMPLES)),
        "SMF74CAP": draw(st.integers(1, 1_182_006)),
    }


def dumped(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The counters after a trip through a dump."""
    length = {"device_data": 296}  # without SMF74IOS: IOSQ then comes from the sampled queue
    spec = RecordSpec(HEADER, PRODUCT, {"device_control": [{"SMF74SUB": "0020"}], "device_data": rows}, length)
    reader, found = SmfReader(), []
    for item in reader.read(support.Bytes(encode_record(layouts()[74, 1], spec)), Balance(), Context()):
        if isinstance(item, Batch) and item.table == "smf74_1_device_data":
            found += item.rows.to_pylist()
    return found


def formulas(c: dict[str, Any]) -> dict[str, Any]:
    """A row of the device report by RMF's formulas."""
    ssch, mec = c["SMF74SSC"], c["SMF74MEC"]
    pend, disc, conn, busy = (c[f"SMF74{n}"] * UNIT_MS / mec for n in ("PEN", "DIS", "CNN", "DVB"))
    iosq = 1000 * (c["SMF74QUE"] / SAMPLES) / (ssch / SECONDS)
    total_s = (c["SMF74CNN"] + c["SMF74DIS"]) * UNIT_MS / 1000
    return {
        "device": f"{c['SMF74SCS']}{c['SMF74NUM']}",
        "device_type": c["SMF74DEV"],
        "cylinders": c["SMF74CAP"],
        "volser": c["SMF74SER"],
        "pav": c["SMF74NUX"],
        "lcu": c["SMF74LCU"],
        "activity_rate": ssch / SECONDS,
        "resp_ms": iosq + pend + disc + conn,
        "iosq_ms": iosq,
        "cmr_ms": 0.0,
        "db_ms": busy,
        "int_ms": 0.0,
        "pend_ms": pend,
        "disc_ms": disc,
        "conn_ms": conn,
        "conn_pct": 100 * c["SMF74CNN"] * UNIT_MS / 1000 / SECONDS,
        "util_pct": 100 * (total_s / SECONDS + c["SMF74UTL"] / SAMPLES),
        "resv_pct": 100 * c["SMF74RSV"] / SAMPLES,
        "alloc_avg": c["SMF74NDA"] / SAMPLES,
        "alloc_pct": 100 * c["SMF74ALC"] / SAMPLES,
    }


def half_a_digit(text: str) -> float:
    """How far a printed number may be from what was rounded to it."""
    scale = {"K": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1.0)
    digits = text.rstrip("KMG").partition(".")[2]
    return 0.5000001 * scale * 10.0 ** -len(digits)


@settings(max_examples=40, deadline=None)
@given(st.lists(counters(), min_size=1, max_size=5, unique_by=lambda d: (d["SMF74SCS"], d["SMF74NUM"])))
def test_a_listing_agrees_with_the_dump_within_print_rounding(devices: list[dict[str, Any]]) -> None:
    expected = [formulas(c) for c in dumped(devices)]
    assert len(expected) == len(devices)
    when = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}
    result = support.read(pages(dasd_page(expected, **when), control=True))
    assert not result.lost()
    for row, want in zip(result.rows["rmf_dasd_device"], expected, strict=True):
        assert row["interval_s"] == SECONDS
        for name in ("device", "device_type", "cylinders", "volser", "pav", "lcu"):
            assert row[name] == want[name]
        for *_, name, _end, width, digits in NUMBERS:
            assert row[name] == pytest.approx(want[name], abs=half_a_digit(printed(want[name], width, digits)))


@settings(max_examples=40, deadline=None)
@given(counters())
def test_the_identities_of_the_report_hold_for_what_was_read(device: dict[str, Any]) -> None:
    want = formulas(device)
    when = {"system": "SYSF", "date": "02/11/2024", "time": "09.15.00", "interval": "15.00.000"}
    (row,) = support.read(pages(dasd_page([want], **when))).rows["rmf_dasd_device"]
    parts = ("iosq_ms", "pend_ms", "disc_ms", "conn_ms")
    # long waits are printed in two digits: 12K and 13K are 12,499 and 12,508
    rounded = sum(half_a_digit(printed(want[n], w, d)) for *_, n, _end, w, d in NUMBERS if n in (*parts, "resp_ms"))
    assert sum(row[name] for name in parts) == pytest.approx(row["resp_ms"], rel=1e-9, abs=rounded)
    assert 0.1 * row["activity_rate"] * row["conn_ms"] == pytest.approx(row["conn_pct"], rel=0.03, abs=0.6)
