"""A database whose promised views are tables of rows written by hand."""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any

import duckdb
import pyarrow as pa

from iosq.parsers.registry import tables
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding, Known, Rule
from iosq.toolkit.sql.catalog import LOCAL_TIME, View, needed, views
from iosq.toolkit.sql.connect import EMPTY, JOINED_AS_WRITTEN, SHIMS, select, without_empty_sources

START = dt.datetime(2026, 3, 2, 8, 0)
Row = dict[str, Any]
ABOUT = {
    "lake_files": "file_id VARCHAR, path VARCHAR, bytes BIGINT, kind VARCHAR",
    "lake_records": "kind VARCHAR, decoded BIGINT",
    "lake_issues": 'file_id VARCHAR, code VARCHAR, severity VARCHAR, "count" BIGINT, message VARCHAR',
}


BASE = {"box_subsystem", "cache_subsystem_interval", "measured_span"}
# from all devices in a lake
SPAN = """
INSERT INTO measured_span BY NAME
SELECT platform, system, sum(interval_s) / 86400 AS days, sum(interval_s) AS recorded_s
FROM (SELECT DISTINCT platform, system, interval_start, interval_s FROM volume_interval) AS measured
GROUP BY platform, system
"""
# from raw tables in a lake
BOXES = """
INSERT INTO box_subsystem (subsystem, since, until, box, serial, control_unit_type)
SELECT subsystem, TIMESTAMP '1900-01-01', TIMESTAMP '9999-12-31', coalesce(ltrim(max(serial), '0'), subsystem),
    max(serial), max(control_unit_type)
FROM cache_subsystem_interval
GROUP BY subsystem"""


def at(interval: int) -> dt.datetime:
    """Start of the n-th quarter hour from 08:00 UTC on."""
    return START + interval * dt.timedelta(minutes=15)


def applied(
    rule: Rule, rows: dict[str, Any], settings: dict[str, float] | None = None, known: Known | None = None
) -> list[Finding]:
    """What a rule finds in these rows; only what it asks for is made."""
    with database(asks=rule.sql, **rows) as con:
        return apply(con, rule, settings, known)


def database(derived: Collection[str] = (), asks: str = "", **rows: Sequence[Row]) -> duckdb.DuckDBPyConnection:
    """All views and lake tables, empty but for the rows given; missing columns are NULL.

    Rows are in quarter hours, one hour east of UTC. Views in `derived` are made of the rows although they are promised.
    With a text in `asks` there are only the views that it needs, and those given.
    """
    # rows are few: two threads spend more on waiting for one another
    con = duckdb.connect(":memory:", config={"threads": 1})
    there = {v.name for v in needed(asks)} | rows.keys() | BASE if asks else {v.name for v in views()}
    made = {v.name: ", ".join(f'"{c.name}" {c.type}' for c in v.columns) for v in views() if v.name in there} | ABOUT
    con.execute(";".join([JOINED_AS_WRITTEN, *SHIMS, *(f"CREATE TABLE {name} ({of})" for name, of in made.items())]))
    for name, given in rows.items():
        _insert(con, name, given, made[name])
        if '"local_start"' in made[name]:
            con.execute(f"UPDATE {name} SET {', '.join(f'{c.name} = {sql}' for c, sql in LOCAL_TIME.items())}")
    if "box_subsystem" not in rows:
        con.execute(BOXES)
    if rows.get("volume_interval") and "measured_span" not in rows:
        con.execute(SPAN)
    found = con.execute("SELECT table_name FROM duckdb_tables() WHERE estimated_size = 0").fetchall()
    EMPTY[con] = {name for (name,) in found}
    for view in views():
        if view.name in derived or (view.name in there - {*rows, "measured_span"} and _follows(view)):
            _work_out(con, view, EMPTY[con])
    return con


def _work_out(con: duckdb.DuckDBPyConnection, view: View, empty: set[str]) -> None:
    """Make a view of the rows of others; one that follows from empty ones alone stays an empty table."""
    (view,) = without_empty_sources([view], tables(), empty)
    if view.sources and con.execute(f"CREATE OR REPLACE TABLE {view.name} AS {select(con, view)}").fetchone() != (0,):
        empty.discard(view.name)


def _follows(view: View) -> bool:
    """Whether a view is made of other views alone, and not itself promised."""
    return view.layer != "promised" and not view.merged and not view.reads & tables().keys()


def _insert(con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[Row], columns: str) -> None:
    common: Row = {"since": dt.datetime(1900, 1, 1), "until": dt.datetime(9999, 12, 31)}
    common |= {"platform": "z/OS", "system": "SYSA", "interval_s": 900.0, "utc_offset_s": 3600}
    usual = {k: v for k, v in common.items() if f'"{k}"' in columns}
    names = dict.fromkeys([*usual, *(name for row in rows for name in row)])
    if rows:
        con.register("arriving", pa.table({n: [row.get(n, usual.get(n)) for row in rows] for n in names}))
        con.execute(f"INSERT INTO {name} BY NAME SELECT * FROM arriving")
        con.unregister("arriving")


def volume(interval: int, name: str = "VOL001", *, rate: float = 100.0, wait: float = 0.0, pend: float = 0.2,
           disc: float = 0.5, conn: float = 0.3, **more: Any) -> Row:  # fmt: skip
    """A row of `volume_interval` whose times and queue agree."""
    service = pend + disc + conn
    row: Row = {"interval_start": at(interval), "volume": name, "volser": name, "lcu": "0010", "io_rate": rate}
    row |= {"wait_ms": wait, "pend_ms": pend, "disc_ms": disc, "conn_ms": conn, "service_ms": service}
    row |= {"response_ms": wait + service, "queue_length": rate * wait / 1000, "in_service": rate * service / 1000}
    return row | more


def channel(interval: int, path: str = "55", busy: float = 0.2, **more: Any) -> Row:
    """A row of `channel_interval`: a FICON channel of 8 Gb/s with 1,000 operations a second."""
    row: Row = {"interval_start": at(interval), "channel_path": path, "type": "FC_S", "busy_ratio": busy}
    row |= {"read_bytes_rate": 1e8, "write_bytes_rate": 0.0, "operation_rate": 1000.0, "speed_bits_rate": 8e9}
    return row | {"zhpf_operation_rate": 500.0, "source": "smf73"} | more


def taken(interval: int, lcu: str, path: str, rate: float = 100.0) -> Row:
    """A row of `lcu_path_interval`."""
    return {"interval_start": at(interval), "lcu": lcu, "channel_path": path, "taken_rate": rate}


def candidate(name: str = "VOL001", **more: Any) -> Row:
    """A row of `pav_candidate`: two exposures where four are needed, worst in the second interval."""
    row: Row = {"volume": name, "lcu": "0010", "verdict": "add", "is_hyperpav": False, "exposures": 2.0}
    row |= {"aliases_to_clear_wait": 3, "queue_length_peak": 2.0, "peak_start": at(1), "wait_ms": 5.0}
    return (
        row | {"response_ms": 10.0, "wait_share_ratio": 0.5, "wait_peak_ms": 20.0, "wait_share_peak_ratio": 0.9} | more
    )


def pool(interval: int, *, denied: float = 0.0, lcu: str = "0011", **more: Any) -> Row:
    """A row of `lcu_interval` with 10,000 HyperPAV I/Os, `denied` of them without an alias, and a pool of four."""
    row: Row = {"interval_start": at(interval), "lcu": lcu, "alias_io_count": 10_000.0, "alias_denied_count": denied}
    row |= {"alias_denied_ratio": denied / 10_000, "alias_high_water": 4, "hyperpav_aliases": 4}
    row |= {"queue_length": denied / 500, "wait_ms": denied / 500, "waiting_devices": 3 if denied else 0}
    return row | {"queue_high_water": int(denied / 100), "io_rate": 100.0, "devices": 8} | more


def delay(interval: int, subsystem: str, delayed: float = 0.0, **more: Any) -> Row:
    """A row of `nvs_delay`: 1,000 writes, each delayed one costing 30 ms."""
    row: Row = {"interval_start": at(interval), "subsystem": subsystem, "nvs_delay_count": delayed}
    row |= {"nvs_delay_ratio": delayed / 1000, "delay_ms_per_delayed_write": 30.0 if delayed else None}
    row |= {"delay_ms_per_write": delayed * 0.03, "delay_ms_per_write_low": delayed * 0.02}
    return row | {"delay_ms_per_write_high": delayed * 0.04, "disc_share_ratio": 0.6 if delayed else 0.0} | more


def box(subsystem: str, serial: str | None) -> Row:
    """A row of `cache_subsystem_interval` that says in which box a subsystem is."""
    row: Row = {"interval_start": at(0), "subsystem": subsystem, "serial": serial, "read_count": 100.0}
    return row | {"control_unit_type": "002107-961" if serial else None, "read_hit_count": 90.0, "write_count": 0.0}


def cached(name: str = "VOL001", *, hits: float = 400.0, **more: Any) -> Row:
    """A row of `cache_interval`: 1,000 reads, `hits` of them found in cache."""
    row: Row = {"interval_start": at(0), "subsystem": "2010", "device": "01000", "volser": name}
    row |= {"read_count": 1000.0, "read_hit_count": hits, "sequential_count": 100.0, "io_count": 1000.0}
    return row | more


def path(slow: float, *, other: float = 0.1, hours: range = range(10)) -> list[Row]:
    """Ten quarter hours of two LCUs' command response times; that of 0011 is long in the last three."""
    row: Row = {"io_rate": 100.0, "response_ms": 2.0}
    mine = [pool(n, **row, lcu="0011", cmr_ms=slow if n > 6 else 0.1) for n in hours]
    return mine + [pool(n, **row, lcu="0012", cmr_ms=other) for n in hours]


def busy_path(pend: float = 1.0, *, own: float = 100.0, **more: Any) -> dict[str, list[Row]]:
    """Ten intervals, full channels in the last three; an LCU takes `own` I/Os per s; pend grows then."""
    hours = range(10)
    full = [channel(n, path, 0.9 if n > 6 else 0.2, **more) for n in hours for path in ("55", "56")]
    slow: Row = {"io_rate": 200.0, "conn_ms": 0.5, "disc_ms": 0.1, "cmr_ms": 0.1, "response_ms": 2.0}
    rows = [pool(n, lcu="0070", pend_ms=pend if n > 6 else 0.2, device_busy_ms=0.0, **slow) for n in hours]
    waits = [volume(n, "LNK001", lcu="0070", wait=5.0 if n > 6 else 0.0) for n in hours]
    paths = [taken(n, "0070", path, rate) for n in hours for path, rate in (("55", own), ("56", own), ("51", 100.0))]
    other = [channel(n, "51") for n in hours]
    tables = {"channel_interval": full + other, "lcu_interval": rows, "volume_interval": waits}
    return tables | {"lcu_path_interval": paths, "measured_interval": [{"interval_start": at(n)} for n in hours]}
