"""A small lake for tests of views: rows by hand, missing columns NULL, as Parquet on disk or in a shared lake."""

import datetime as dt
import itertools
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from memory_lake import Shared, answered

from iosq.parsers.api import Table
from iosq.parsers.arrow import schema
from iosq.parsers.registry import tables as registered
from iosq.parsers.smf.tables import tables as smf_tables
from iosq.toolkit.advise.catalog import SPAN, all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.sql.catalog import named, needed
from iosq.toolkit.sql.connect import connect
from iosq.toolkit.sql.filter import Filter
from tests.settle import settled

START = dt.datetime(2026, 3, 2, 9, 0)
Row = dict[str, Any]

FILES = pa.table({"file_id": ["0123456789abcdef"], "name": ["one.smf"], "bytes": [1]})
ISSUES = pa.table(
    {name: pa.array([], pa.string()) for name in ("file_id", "code", "severity", "message")}
    | {"count": pa.array([], pa.int64())}
)


def all_tables() -> dict[str, Table]:
    """Every raw table: the registered readers' and SMF's."""
    return {t.name: t for t in smf_tables()} | registered()


class Lake:
    """Raw rows by table. Rows lack what does not matter; common columns get defaults."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self._ids = itertools.count(1)

    def add(self, table: str, **row: Any) -> Row:
        """Add one row of a raw table."""
        common: Row = {"system": "SYSA", "interval_start": START, "interval_s": 900.0, "utc_offset_s": 3600}
        common |= {"samples": 900, "record_id": 1, "section_index": 1, "file_id": "0123456789abcdef"}
        full = common | row
        self.rows.setdefault(table, []).append(full)
        return full

    def record(self) -> int:
        """A fresh record_id."""
        return 1000 + next(self._ids)

    def device(self, number: str, *, record: int = 1, **fields: Any) -> Row:
        """A 74.1 device section, online, without PAV, that measured 9000 I/Os of 1 ms in 900 s."""
        defaults: Row = {"SMF74NUM": number, "SMF74CNF": 0x01, "SMF74CNX": 0x00, "SMF74SCS": 0, "SMF74LCU": "0012"}
        defaults |= {"SMF74SER": "VOL" + number[-3:], "SMF74DEV": "33909", "SMF74CU": "2107", "SMF74SGN": ""}
        defaults |= {"SMF74SSC": 9000, "SMF74MEC": 9000, "SMF74PEN": 14062, "SMF74DIS": 28125, "SMF74CNN": 28125}
        defaults |= {"SMF74ATV": 70312, "SMF74DVB": 0, "SMF74CMR": 7031, "SMF74QUE": 0, "SMF74UTL": 0, "SMF74RSV": 0}
        defaults |= {"SMF74ALC": 0, "SMF74NUX": 1, "SMF74PSM": 900, "SMF74COF": 0, "SMF74NSS": 0}
        return self.add("smf74_1_device_data", record_id=record, **(defaults | fields))

    def control(self, *, record: int = 1, device_class: str = "0020", **fields: Any) -> Row:
        """A 74.1 device control section: DASD, command response time measured."""
        defaults: Row = {"SMF74SUB": device_class, "SMF74ENF": 0x20}
        return self.add("smf74_1_device_control", record_id=record, **(defaults | fields))

    def cache(self, devices: Sequence[Row], *, ssid: str = "1800", cint: int = 900, common: Row | None = None,
              control: Row | None = None, status: Row | None = None) -> int:  # fmt: skip
        """A whole 74.5 record: head, control, status and device sections."""
        at: Row = {"record_id": self.record()} | (common or {})
        good: Row = {"R745CSC": 0, "R745CRTN": 0, "R745CIOC": 0, "R745CINT": cint, "NEDTYPEN": "002107"}
        self.add("smf74_5_record", **at)
        self.add("smf74_5_cache_control", **at, **(good | (control or {})))
        sizes: Row = {"R745SSID": ssid, "R745SFT": 1, "R745SCNF": 1024, "R745SCNV": 256, "R745SCS": 0, "R745SVSS": 0}
        self.add("smf74_5_cache_status", **at, **(sizes | {"R745SDS1": 0} | (status or {})))
        for place, device in enumerate(devices, 1):
            self.add("smf74_5_cache_device", **at, section_index=place, **device)
        return int(at["record_id"])

    def open(
        self, root: Path, *, lean: bool = True, asks: str = "", where: Filter | None = None
    ) -> duckdb.DuckDBPyConnection:
        """Write the rows as Parquet under `root` and open the lake, as the product does; `asks` names views needed."""
        known, parts = all_tables(), {}
        for name, rows in self.rows.items():
            parts[name] = [f"{name}.parquet"]
            pq.write_table(_arrow(known[name], rows), root / parts[name][0])
        about = {"lake_files": FILES, "lake_issues": ISSUES}
        return connect(
            known.values(),
            parts,
            about,
            root=root,
            idle=None if lean else (),
            only=needed(asks) if asks else None,
            where=where,
        )

    def connect(self) -> duckdb.DuckDBPyConnection:
        """The shared lake with these rows and no others: all its views, without the cost of opening one per test."""
        shared = _shared(frozenset(self.rows))
        shared.empty()
        for name, rows in self.rows.items():
            shared.add(name, _arrow(all_tables()[name], rows))
        return shared.con


@lru_cache(32)
def _shared(used: frozenset[str]) -> Shared:
    return Shared(all_tables(), {"lake_files": FILES, "lake_issues": ISSUES}, used)


def _arrow(table: Table, rows: list[Row]) -> Any:
    full = schema(table).append(pa.field("file_id", pa.string()))
    unknown = {k for r in rows for k in r} - set(full.names)
    # the keys every section has are offered to every table; those a table lacks are dropped, typing errors are not
    assert unknown <= {"samples", "section_index", "parent_index", "record_id", "interval_s"}, (
        f"{table.name} has no {unknown}"
    )
    return pa.Table.from_pylist([{n: r.get(n) for n in full.names} for r in rows], full)


def cache_device(number: str, **counts: float) -> Row:
    """A 74.5 device section with all counters 0 but those given (names without the R745 prefix)."""
    names = "DRCR DCRH DWRC DWCH DRSR DRSH DWSR DWSH DRNR DNRH DWNR DWNH DICL DBCR DTC DNTD DCTD DFWB DFWC DFWS DFWR"
    row: Row = {f"R745{n}": 0.0 for n in names.split()}
    row |= {"R745DEVN": number, "R745DFL4": 0, "R745DFLG": 0, "R745DVOL": "VOL" + number[-3:], "R745DSID": ""}
    return row | {f"R745{k}": v for k, v in counts.items()}


def found(con: duckdb.DuckDBPyConnection, *codes: str) -> list[Finding]:
    """What these rules find; views are planned once, as for a lake of files."""
    rules = [r for r in all_rules() if r.code in codes]
    assert len(rules) == len(codes)
    with settled(con, [view.name for rule in rules for view in named(f"{rule.sql} {SPAN.sql}")]):
        return [finding for rule in rules for finding in apply(con, rule)]


def one(con: duckdb.DuckDBPyConnection, sql: str) -> Row:
    """The single row of an answer."""
    rows = all_rows(con, sql)
    assert len(rows) == 1, f"{len(rows)} rows: {sql}"
    return rows[0]


def all_rows(con: duckdb.DuckDBPyConnection, sql: str) -> list[Row]:
    """All rows of an answer."""
    return answered(con, sql)
