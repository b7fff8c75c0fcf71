"""What a row prints is checked against itself: rounding never raises an issue, what is beyond it always does."""

import datetime as dt
import math
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.api import Batch, Issue
from iosq.parsers.listing.laws import lawful, laws

START = dt.datetime(2026, 3, 2, 9)
PLACE = [("system", pa.string()), ("interval_start", pa.timestamp("us")), ("interval_s", pa.float64())]
TABLES = {table: of for table, of in laws().items() if any(law.kind == "sum" for law in of)}
KINDS = {
    table: pa.schema(
        [
            *PLACE,
            ("line", pa.int64()),
            (of[0].who, pa.string()),
            *((n, pa.string()) for n in ("lcu", "storage_group", "message", "type")),
            *((n, pa.float64()) for n in dict.fromkeys(n for law in of if law.rate for n in (law.rate, *law.names))),
        ]
    )
    for table, of in TABLES.items()
}


def batch(table: str, rows: list[dict[str, Any]], first: int = 1) -> Batch:
    common = {"system": "SYSA", "interval_start": START, "interval_s": 900.0, laws()[table][0].rate: 10.0}
    full = [common | {"line": first + at, laws()[table][0].who: f"{at:04X}"} | row for at, row in enumerate(rows)]
    return Batch(table, pa.RecordBatch.from_pylist(full, schema=KINDS[table]))


def issues(*batches: Batch) -> list[tuple[str, int, int]]:
    found = [item for item in lawful(batches) if isinstance(item, Issue)]
    return sorted((i.code, i.offset, i.count) for i in found)


def fitted(value: float, width: int, decimals: int, *, cut: bool) -> float:
    """A number as it is read again once it was fitted into a column; digits that find no room are rounded, or cut."""
    for scale in (1.0, 1e3, 1e6):
        for places in range(decimals, -1, -1):
            shift = 10.0**places
            kept = math.floor(value / scale * shift) / shift if cut else round(value / scale, places)
            if len(f"{kept:.{places}f}") + (scale > 1) <= width:
                return kept * scale
    raise AssertionError(value)


def test_a_pending_time_that_its_counter_may_not_hold_is_named() -> None:
    rows = [{"pend_ms": 4000.0, "resp_ms": 4000.0}, {"pend_ms": 4100.0, "resp_ms": 4100.0}]
    for table in ("rmf_dasd_device", "rmf_m2_device"):
        assert issues(batch(table, rows)) == [("pend_overflow", 2, 1)]


TIMES = st.floats(0, 9e5) | st.floats(0, 20)
ROW = st.tuples(TIMES, TIMES, TIMES, TIMES, st.floats(0, 1))


@settings(deadline=None)
@given(st.lists(ROW, min_size=1, max_size=12), st.integers(0, 3), st.integers(4, 9), st.booleans())
def test_rounding_and_cutting_never_raise_an_issue(rows: list[Any], decimals: int, width: int, cut: bool) -> None:
    shown: list[dict[str, float]] = []
    for iosq, pend, disc, conn, share in rows:
        true = {
            "iosq_ms": iosq,
            "pend_ms": pend,
            "disc_ms": disc,
            "conn_ms": conn,
            "cmr_ms": pend,
            "db_ms": pend * share,
        }
        true["resp_ms"] = iosq + pend + disc + conn
        shown.append({name: fitted(value, width, decimals, cut=cut) for name, value in true.items()})
    found = issues(batch("rmf_dasd_device", shown))
    assert [i for i in found if i[0] != "pend_overflow"] == []


@settings(deadline=None)
@given(st.lists(st.tuples(TIMES, TIMES, TIMES, TIMES), min_size=1, max_size=12), st.booleans())
def test_nor_do_tenths_of_a_millisecond(rows: list[Any], cut: bool) -> None:
    shown = []
    for wait, pend, disc, conn in rows:
        true = {"time_pend": pend, "time_disc": disc, "time_conn": conn, "time_serv": pend + disc + conn}
        true["time_resp"] = true["time_serv"] + wait
        shown.append({name: fitted(value, 7, 1, cut=cut) for name, value in true.items()})
    assert issues(batch("fcx168", shown)) == []


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 80)] * 3, st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_readers_decide_the_same(rows: list[tuple[int, int, int, bool, bool]]) -> None:
    """Tenths of a millisecond; some totals are a millisecond and more off, some rows have no rate."""
    rmf, fcx, wrong = [], [], []
    for at, (pend, disc, conn, bad, idle) in enumerate(rows, 1):
        whole = (pend + disc + conn) / 10 + (5 if bad else 0)
        rmf.append({"iosq_ms": 0.0, "pend_ms": pend / 10, "disc_ms": disc / 10, "conn_ms": conn / 10, "resp_ms": whole})
        fcx.append({"time_pend": pend / 10, "time_disc": disc / 10, "time_conn": conn / 10, "time_serv": whole})
        rmf[-1]["activity_rate"] = fcx[-1]["rate_io"] = 0.0 if idle else 10.0
        wrong += [at] if bad and not idle else []
    known = [("contradiction", wrong[0], len(wrong))] if wrong else []
    fine = [{"iosq_ms": 0.1, "pend_ms": 0.1, "disc_ms": 0.1, "conn_ms": 0.1, "resp_ms": 0.4}]  # shows how it is printed
    assert issues(batch("fcx168", fcx)) == known
    assert issues(batch("rmf_dasd_device", [*rmf, *fine])) == known


def test_both_numbers_are_named_and_which_counts() -> None:
    row = {"iosq_ms": 1.0, "pend_ms": 0.2, "disc_ms": 0.1, "conn_ms": 0.5, "resp_ms": 9.0, "cmr_ms": 0.9}
    found = [i for i in lawful([batch("rmf_dasd_device", [row])]) if isinstance(i, Issue)]
    assert [i.message.removeprefix("rmf_dasd_device: device 0000: ") for i in found] == [
        "resp_ms is 9, iosq_ms + pend_ms + disc_ms + conn_ms are 1.8: the parts are used",
        "cmr_ms 0.9 is above pend_ms 0.2, which contains it: pend_ms is used, the other value is kept",
    ]
    assert {(i.code, i.severity) for i in found} == {("contradiction", "notice")}


def test_a_queue_is_the_rate_times_the_wait_of_its_device_or_its_volume() -> None:
    base = {"addr": "0001", "type": "3390", "rate_io": 30.0, "time_resp": 12.0, "time_serv": 2.0}
    alias = {"addr": "0002", "type": "->0001", "rate_io": 70.0, "time_resp": 2.0, "time_serv": 2.0, "req_qued": 0.0}
    for queue, is_wrong in ((0.3, False), (1.0, False), (5.0, True)):
        found = [i for i in lawful([batch("fcx168", [base | {"req_qued": queue}, alias])]) if isinstance(i, Issue)]
        assert [i.message.partition(": req_qued is ")[2] for i in found] == (
            ["5, rate_io x (time_resp - time_serv) 0.3: req_qued is used"] if is_wrong else []
        )


def test_a_negative_cell_is_left_out_and_counted_once() -> None:
    rows = [{"iosq_ms": -1.0, "resp_ms": -0.2, "pend_ms": 0.2}, {"iosq_ms": -2.0}, {"iosq_ms": 0.0}]
    given = batch("rmf_dasd_device", rows)
    kept, *found = lawful([given])
    assert isinstance(kept, Batch)
    assert kept.rows.schema == given.rows.schema
    assert kept.rows.column("iosq_ms").to_pylist() == [None, None, 0.0]
    assert kept.rows.column("pend_ms").to_pylist()[0] == 0.2
    assert sorted((i.code, i.severity, i.count) for i in found if isinstance(i, Issue)) == [
        ("negative", "data_loss", 1),
        ("negative", "data_loss", 2),
    ]


@settings(deadline=None)
@given(st.integers(1, 9), st.booleans(), st.booleans(), st.booleans())
def test_a_device_twice_is_reported_once_unless_it_is_a_copy_or_another_interval(
    cut: int, copy: bool, later: bool, other_first: bool
) -> None:
    """Whether the page comes in one piece or two."""
    rows = [{"addr": f"{n:04X}", "time_pend": 1.0} for n in range(8)]
    again = {"addr": "0000", "time_pend": 1.0 if copy else 2.0}
    between = [{"addr": "0099", "interval_start": START + dt.timedelta(hours=1)}] if other_first else []
    again |= {"interval_start": START + dt.timedelta(hours=2)} if later else {}
    lines = [*rows, *between, again]
    parts = [
        batch("fcx168", lines[:cut]),
        *([batch("fcx108", [{}])] if cut % 2 else []),
        batch("fcx168", lines[cut:], cut + 1),
    ]
    known = [] if copy or later or other_first else [("twice", 9, 1)]
    assert issues(*parts) == known
