"""One night as a dump and as RMF's listing: the same answers within print rounding, and no row counted twice.

The listing is rendered here from the dump's counters by RMF's published formulas; the product's SQL has no part in it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lakes import Row, doubled, filled, opened, rows
from rmf_layouts import NUMBERS, dasd_page, pages, printed

from iosq.toolkit.sample import write

UNIT_MS = 0.128
ZONE = timedelta(hours=1)  # the sample systems are an hour ahead of UTC
TIMES = ("wait_ms", "pend_ms", "disc_ms", "conn_ms")
PRINTED = {"wait_ms": "iosq_ms", "io_rate": "activity_rate"} | {n: n for n in TIMES if n != "wait_ms"}
FORMAT = {name: (width, digits) for *_, name, _end, width, digits in NUMBERS}
PER_PAGE = 45


def as_printed(c: Row) -> Row:
    """A device section as RMF's device report has it."""
    ssch, mec, seconds, samples = c["SMF74SSC"], c["SMF74MEC"], c["interval_s"], c["samples"]
    part = {n: c[f"SMF74{n}"] * UNIT_MS / mec if mec else 0.0 for n in ("PEN", "DIS", "CNN", "DVB", "CMR")}
    accumulated, queued = c["SMF74IOS"], c["SMF74QUE"]
    waited_ms = accumulated / 1000 if accumulated is not None else 1000 * queued / samples * seconds
    wait = waited_ms / ssch if ssch else 0.0
    hyper = bool(c["SMF74CNX_HPV"])
    return {
        "device": f"{c['SMF74SCS']}{c['SMF74NUM']}", "device_type": c["SMF74DEV"], "cylinders": c["SMF74CAP"] or 0,
        "volser": c["SMF74SER"], "lcu": c["SMF74LCU"], "storage_group": c["SMF74SGN"],
        "pav": round(c["SMF74NUX"] / c["SMF74PSM"], 1) if hyper else c["SMF74NUX"] or 1,
        "pav_mark": "H" if hyper else "", "activity_rate": ssch / seconds, "iosq_ms": wait, "cmr_ms": part["CMR"],
        "resp_ms": wait + part["PEN"] + part["DIS"] + part["CNN"], "db_ms": part["DVB"], "int_ms": 0.0,
        "pend_ms": part["PEN"], "disc_ms": part["DIS"], "conn_ms": part["CNN"],
        "conn_pct": c["SMF74CNN"] * UNIT_MS / 10 / seconds,
        "util_pct": (c["SMF74CNN"] + c["SMF74DIS"]) * UNIT_MS / 10 / seconds + 100 * c["SMF74UTL"] / samples,
        "resv_pct": 100 * c["SMF74RSV"] / samples, "alloc_avg": 0.0, "alloc_pct": 100 * c["SMF74ALC"] / samples,
    }  # fmt: skip


def listing(con: duckdb.DuckDBPyConnection) -> bytes:
    """RMF's device report of everything DASD in the lake, printed in local time."""
    sql = (
        "SELECT d.* FROM smf74_1_device_data d JOIN smf74_1_device_control c ON c.record_id = d.record_id AND"
        " c.file_id = d.file_id WHERE right(c.SMF74SUB, 2) = '20' AND d.SMF74CNF_STA ORDER BY d.system,"
        " d.interval_start, d.SMF74NUM"
    )
    found: list[list[str]] = []
    for (system, start), group in groupby(rows(con, sql), key=lambda r: (r["system"], r["interval_start"])):
        devices, local = list(group), start + ZONE
        when = {"system": system, "date": f"{local:%m/%d/%Y}", "time": f"{local:%H.%M.%S}", "interval": "15.00.000"}
        for i in range(0, len(devices), PER_PAGE):
            page = [as_printed(d) for d in devices[i : i + PER_PAGE]]
            found.append(dasd_page(page, page=1 + i // PER_PAGE, **when))
    return pages(*found, control=True)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The dump alone, the listing alone, and both in one lake."""
    folder = tmp_path_factory.mktemp("night")
    dumps = {p.name: p for p in write(folder / "dumps", intervals=range(38, 41)) if p.name.startswith("sys")}
    dump = opened(filled(folder / "dump", dumps)[0])
    text = listing(dump)
    listed, outcomes = filled(folder / "listing", {"rmf.txt": text})
    assert outcomes["rmf.txt"].status == "stored"
    both, _ = filled(folder / "both", dumps | {"rmf.txt": text})
    yield {"dump": dump, "listing": opened(listed), "both": opened(both), "text": text}


def key(row: Row, shift: timedelta = timedelta()) -> tuple[str, datetime, str]:
    return row["system"], row["interval_start"] - shift, row["volume"]


def half(name: str, value: float) -> float:
    """Half of the last digit printed for a value."""
    text = printed(value, *FORMAT[PRINTED[name]])
    scale = {"K": 1e3, "M": 1e6}.get(text[-1], 1.0)
    return 0.5000001 * scale * 10.0 ** -len(text.rstrip("KM").partition(".")[2])


def test_volumes_agree_within_half_a_printed_digit(night: dict[str, Any]) -> None:
    sql = "SELECT * FROM volume_interval"
    recorded = {key(r): r for r in rows(night["dump"], sql)}
    listed = {key(r, ZONE): r for r in rows(night["listing"], sql)}
    assert len(recorded) > 600
    assert listed.keys() == recorded.keys()
    for found, want in ((listed[k], recorded[k]) for k in recorded):
        bounds = {n: half(n, want[n]) for n in ("io_rate", *TIMES) if want[n] is not None}
        for name, bound in bounds.items():
            assert found[name] == pytest.approx(want[name], abs=bound), (key(want), name)
        if want["service_ms"] is not None:
            assert found["service_ms"] == pytest.approx(want["service_ms"], abs=sum(bounds[n] for n in TIMES[1:]))
            assert found["response_ms"] == pytest.approx(want["response_ms"], abs=sum(bounds[n] for n in TIMES))
        assert (found["lcu"], found["device"], found["volser"]) == (want["lcu"], want["device"], want["volser"])


def test_without_records_a_listing_stays_in_local_time(night: dict[str, Any]) -> None:
    (row,) = rows(night["listing"], "SELECT count(*) AS n, count(utc_offset_s) AS known FROM device_interval")
    assert (row["n"] > 0, row["known"]) == (True, 0)


@pytest.mark.parametrize("view", ["device_interval", "volume_interval", "lcu_interval", "shared_volume_interval"])
def test_both_in_one_lake_answer_as_the_dump_alone(night: dict[str, Any], view: str) -> None:
    sql = f"SELECT count(*) AS n, sum(io_rate) AS rate, sum(queue_length) AS queue FROM {view}"
    (alone,), (both,) = rows(night["dump"], sql), rows(night["both"], sql)
    assert both["n"] == alone["n"] > 0
    assert (both["rate"], both["queue"]) == pytest.approx((alone["rate"], alone["queue"]), rel=1e-12)
    assert not doubled(night["both"], view)


def test_intervals_without_records_come_from_the_listing_in_utc(tmp_path: Path, night: dict[str, Any]) -> None:
    """The dump of one interval is missing: the listing fills in, at the right time, with the offset of the others."""
    dumps = {p.name: p for p in write(tmp_path / "dumps", intervals=(38, 40)) if p.name.startswith("sys")}
    lake, _ = filled(tmp_path / "gap", dumps | {"rmf.txt": night["text"]})
    sql = (
        "SELECT system, interval_start, max(utc_offset_s) AS offset_s, count(*) AS n, max(source) AS source"
        " FROM device_interval WHERE device_class = 'dasd' AND online GROUP BY system, interval_start"
        " ORDER BY system, interval_start"
    )
    found, whole = rows(opened(lake), sql), rows(night["dump"], sql)
    same = ("system", "interval_start", "offset_s", "n")
    assert [[r[k] for k in same] for r in found] == [[r[k] for k in same] for r in whole]
    assert [r["source"] for r in found] == ["smf74.1", "rmf.device", "smf74.1"] * 2
