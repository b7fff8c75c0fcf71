"""Cache statistics as 74.5 and as a cache report: volumes and what is made of them agree within print rounding."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import duckdb
import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.sql.questions import ask
from tests.materialised import materialised

INTERVALS, SECONDS = 6, 900
QUARTER, ZONE = timedelta(seconds=SECONDS), timedelta(hours=1)
# what a report prints of them, half of the last digit
PRINTED = {"read_ratio": 0.0005, "read_hit_ratio": 0.0005, "write_hit_ratio": 0.0005, "nvs_delay_rate": 0.05}
COUNTED = ("method", "nvs_delay_ratio", "nvs_delay_count", "read_miss_rate", "coverage_ratio", "disc_ms_rate")
TIMED = ("delay_ms_per_write", "delay_ms_per_delayed_write", "disc_share_ratio")


def counts() -> list[list[Row]]:
    """What three volumes did in each interval; the last hardly anything, no write waits in the first four."""
    draw = random.Random(1)
    return [
        [_device(draw, number, 40_000 if number < "220A" else 20, full=at > 3) for number in ("2208", "2209", "220A")]
        for at in range(INTERVALS)
    ]


def _device(draw: random.Random, number: str, most: int, *, full: bool) -> Row:
    reads, writes = draw.randint(1, most), draw.randint(1, most)
    hits = {"DCRH": draw.randint(0, reads), "DWCH": draw.randint(0, writes)}
    late = draw.randint(0, writes) if full else 0
    return cache_device(number, DRCR=reads, DWRC=writes, DFWC=writes, DFWB=late, **hits)


def devices(lake: Lake, given: list[list[Row]]) -> Lake:
    """The same volumes in 74.1."""
    for at, row in ((at, row) for at, rows in enumerate(given) for row in rows):
        record, start = at + 1, START + at * QUARTER
        ios = row["R745DRCR"] + row["R745DWRC"]
        common: Row = {"record": record, "interval_start": start}
        lake.add("smf74_1_record", record_id=record, interval_start=start)
        lake.control(**common)
        # a miss disconnects for 4 ms, a delayed write for 9, and of each write the second box takes 1: units of 128 us
        disc_ms = 4 * (row["R745DRCR"] - row["R745DCRH"]) + 9 * row["R745DFWB"] + row["R745DWRC"]
        lake.device(row["R745DEVN"], **common, SMF74SSC=ios, SMF74MEC=ios, SMF74DIS=disc_ms / 0.128)
    return lake


def recorded(given: list[list[Row]]) -> duckdb.DuckDBPyConnection:
    lake = devices(Lake(), given)
    for at, rows in enumerate(given):
        record = lake.cache(rows, common={"interval_start": START + at * QUARTER})
        for row in rows:
            lake.add("smf74_5_raid_extent_pool", record_id=record, interval_start=START + at * QUARTER, **_behind(row))
    return lake.connect()


def _behind(row: Row) -> Row:
    """Misses read from the disks take 4 ms (units of 16 ms); writes go to the second box of a PPRC pair."""
    misses, writes = row["R745DRCR"] - row["R745DCRH"], row["R745DWRC"]
    pool: Row = {"R7451DVN": row["R745DEVN"], "R7451INC": 0x01, "R7451FLG": 2, "R7451SCS": 0, "R7451TSP": writes}
    return pool | {"R7452PRO": misses, "R7452PRT": misses / 4, "R7452PWO": 0.0, "R7452PWT": 0.0}


def printed(given: list[list[Row]]) -> duckdb.DuckDBPyConnection:
    lake = devices(Lake(), given)
    for at, rows in enumerate(given):
        common = {"interval_start": START + ZONE + at * QUARTER, "utc_offset_s": None, "interval_s": float(SECONDS)}
        _add(lake, "rmf_cache_status", common | _status(rows))
        _add(lake, "rmf_cache_overview", common | _total(rows))
        for row in rows:
            _add(lake, "rmf_cache_device", common | _line(row))
    return lake.connect()


def _add(lake: Lake, table: str, row: Row) -> None:
    """A printed row, which has none of the columns that sections of records share."""
    full = lake.add(table, line=1, subsystem="1800", **row)
    for name in ("samples", "record_id", "section_index"):
        full.pop(name, None)


def _sum(rows: Sequence[Row], *names: str) -> float:
    return float(sum(row[f"R745{name}"] for row in rows for name in names))


def _status(rows: list[Row]) -> Row:
    return {"total_io_count": _sum(rows, "DRCR", "DWRC"), "nvs_delay_count": _sum(rows, "DFWB")}


def _total(rows: list[Row]) -> Row:
    reads, writes = {"read_count": _sum(rows, "DRCR")}, {"write_count": _sum(rows, "DWRC")}
    hits = {"read_hit_count": _sum(rows, "DCRH"), "write_hit_count": _sum(rows, "DWCH")}
    return {"kind": "TOTAL", "fast_count": _sum(rows, "DFWC")} | reads | writes | hits


def _line(row: Row) -> Row:
    """A line of the device overview: rates with one decimal, percentages too, ratios with three, and no counts."""
    reads, writes = row["R745DRCR"], row["R745DWRC"]
    ratios = {"read": row["R745DCRH"] / reads, "write": row["R745DWCH"] / writes}
    return {
        "list": "OVERVIEW", "device": row["R745DEVN"], "volser": row["R745DVOL"],
        "io_rate": round((reads + writes) / SECONDS, 1), "read_pct": round(100 * reads / (reads + writes), 1),
        "nvs_delay_rate_device": round(row["R745DFWB"] / SECONDS, 1),
    } | {f"{name}_hit_ratio_device": round(ratio, 3) for name, ratio in ratios.items()}  # fmt: skip


def pairs(view: str, key: str) -> list[tuple[Row, Row]]:
    """Rows of a view by interval and KEY: of the records, and of the report."""
    found: list[dict[Any, Row]] = []
    for con in (recorded(counts()), printed(counts())):
        found.append({(r["interval_start"], r[key]): r for r in all_rows(con, f"SELECT * FROM {view}")})
    assert found[0].keys() == found[1].keys()
    return [(found[0][k], found[1][k]) for k in found[0]]


def test_volumes_have_what_a_cache_report_prints() -> None:
    both = pairs("volume_interval", "volume")
    assert len(both) == 3 * INTERVALS
    for record, report in both:
        for name, half in PRINTED.items():
            assert report[name] == pytest.approx(record[name], abs=half * 1.001), (name, record["volume"])
        assert report["subsystem"] == record["subsystem"] == "1800"


def test_nvs_delay_counts_as_the_records_do_and_its_bounds_hold_their_time() -> None:
    """Records know the pair and the disks: a delayed write costs the 9 ms it took. A report has these in its bounds."""
    for record, report in pairs("nvs_delay", "subsystem"):
        for name in COUNTED:
            want = record[name]
            assert report[name] == (pytest.approx(want, rel=1e-9) if isinstance(want, float) else want), name
        assert record["coverage_ratio"] == pytest.approx(1)
        assert record["delay_ms_per_delayed_write"] in (None, pytest.approx(9, rel=1e-6))
        for name in TIMED:
            if record[name] is not None:
                assert report[f"{name}_low"] <= record[name] <= report[f"{name}_high"], name


def test_what_a_report_does_not_give_is_within_the_bounds() -> None:
    """A report times no read from the disks and knows of no PPRC pair."""
    for record, report in pairs("disconnect_interval", "volume"):
        # of the rate of delayed writes, which cost 9 ms and may be estimated at twice as much
        rounding = PRINTED["nvs_delay_rate"] / record["io_rate"] * 2 * 9
        assert report["disc_ms"] == pytest.approx(record["disc_ms"])
        assert record["is_mirrored"]
        assert report["is_mirrored"] is None
        for part in ("miss", "nvs", "replication", "unexplained"):
            low, high = report[f"{part}_low_ms"], report[f"{part}_high_ms"]
            assert low - rounding <= record[f"{part}_ms"] <= high + rounding, part


def test_rules_read_volumes_of_a_report_too() -> None:
    """Reads and writes of a volume are rates in a report, and counts in records."""
    given = [{code: _answer(con, code) for code in ASKED} for con in (recorded, printed)]
    for code, names in ASKED.items():
        record, report = given[0][code], given[1][code]
        assert len(record) == len(report) > 0, code
        for r, p in zip(record, report, strict=True):
            for name in names:
                assert p[name] == (pytest.approx(r[name], rel=0.02) if isinstance(r[name], float) else r[name]), name


# rules about volumes of cache_interval, and what they take from it
ASKED = {"low_hit_ratio": ("volser", "hit_ratio", "subsystem_ratio"), "nvs_delay": ("writer", "writer_ratio")}


def _answer(made: Callable[[list[list[Row]]], duckdb.DuckDBPyConnection], code: str) -> list[Row]:
    rule = next(r for r in all_rules() if r.code == code)
    question = rule.questions.get("writer", rule.question)
    asked = dict.fromkeys(question.asked_with, 0.0) | ({"hit_ratio": 1.0} if code == "low_hit_ratio" else {})
    with materialised(made(counts()), [question.sql]) as con:
        found: list[Row] = ask(con, question, **asked).to_pylist()
    return sorted(found, key=lambda r: str(r.get("volser")))
