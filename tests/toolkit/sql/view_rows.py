"""A few views over others whose rows are given by hand: no lake, so nothing is planned that is not asked for."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

import duckdb

from iosq.toolkit.sql.catalog import LOCAL_TIME, views
from iosq.toolkit.sql.connect import SHIMS, select

VIEWS = {v.name: v for v in views()}
COMMON = {"platform": "z/OS", "system": "SYSA", "interval_s": 900.0, "utc_offset_s": 3600}
EVER = {"since": dt.datetime(1900, 1, 1), "until": dt.datetime(9999, 12, 31)}

# the views that say which box, and which interval of it, a row of volume_interval belongs to
HOUSED = ("_volume_hour", "_volume_clock", "volume_home", "box_clock")
SUMMED = ("volume_on_box_clock", "_box_summed", "_volume_in_box", "box_interval")  # the rows of a box are made of


def over(names: Sequence[str], **rows: Sequence[dict[str, Any]]) -> duckdb.DuckDBPyConnection:
    """The views `names`, each after those it reads, over tables of the rows given; what they read besides is empty."""
    con = duckdb.connect(":memory:", config={"threads": 1})
    for shim in SHIMS:
        con.execute(shim)
    read = {n for view in names for n in VIEWS[view].reads} & VIEWS.keys()
    for name in read - set(names) | rows.keys():
        _fill(con, name, rows.get(name, ()))
    for name in names:
        con.execute(f"CREATE TABLE {name} AS {select(con, VIEWS[name])}")
    return con


def _fill(con: duckdb.DuckDBPyConnection, name: str, rows: Sequence[dict[str, Any]]) -> None:
    columns, usual = VIEWS[name].columns, COMMON | EVER
    con.execute(f"CREATE TABLE {name} ({', '.join(f'{c.name} {c.type}' for c in columns)})")
    for row in rows:
        full = {c.name: usual[c.name] for c in columns if c.name in usual} | row
        con.execute(f"INSERT INTO {name} ({', '.join(full)}) VALUES ({', '.join('?' * len(full))})", [*full.values()])
    if LOCAL_TIME.keys() <= {c.name for c in columns}:
        con.execute(f"UPDATE {name} SET {', '.join(f'{c.name} = {sql}' for c, sql in LOCAL_TIME.items())}")
