"""A law: without one column of its input a rule says less about the same subject, or nothing, but nothing else."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from advise_rows import Row, applied, at, path, taken, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding
from tests.length import some

RULES = {r.code: r for r in all_rules()}
# without these a row is of no interval, system or subject
KEYS = {"platform", "system", "interval_start", "interval_s", "utc_offset_s", "volume", "lcu", "channel_path", "device"}
HOURS = range(8)


def _paths(**one: Any) -> list[Row]:
    return [
        taken(n, "0011", name, 100.0) | {"cmr_ms": 0.2, "online": True} | (one if name == "63" else {})
        for n in HOURS for name in ("60", "61", "62", "63")
    ]  # fmt: skip


def _off(n: int) -> Row:
    row: Row = {"interval_start": at(n), "subsystem": "2010", "volser": "VOL001", "device": "02208", "read_rate": 50.0}
    return row | {"write_rate": 20.0, "fast_write_active": False, "cache_active": True, "fast_write_inhibit_rate": 19.0}


TABLES: dict[str, dict[str, list[Row]]] = {
    "time_breakdown": {"volume_interval": [volume(n, v, wait=2.0) for n in HOURS for v in ("A", "B")]},
    "one_slow_path": {"lcu_path_interval": _paths(cmr_ms=4.4, taken_rate=20.0)},
    "path_share": {"lcu_path_interval": _paths(taken_rate=900.0)},
    "slow_path": {"lcu_interval": path(2.4), "lcu_path_interval": _paths()},
    "reserve_contention": {"volume_interval": [volume(n, pend=4.2, device_busy_ms=4.0) for n in HOURS]},
    "cache_off": {"cache_interval": [_off(n) for n in HOURS], "volume_interval": [volume(n) for n in HOURS]},
}


def _without() -> Iterator[Any]:
    for code, tables in TABLES.items():
        for table, rows in tables.items():
            for column in sorted({name for row in rows for name in row} - KEYS):
                yield pytest.param(code, table, column, id=f"{code}-{table}-{column}")


def _numbers(found: list[Finding]) -> dict[tuple[str, str], Any]:
    return {(str(f.subject), n.name): n.value for f in found for n in f.numbers}


@pytest.mark.parametrize(("code", "table", "column"), some(list(_without())))
def test_without_a_column_a_rule_says_less_and_nothing_else(code: str, table: str, column: str) -> None:
    tables = TABLES[code]
    whole = applied(RULES[code], tables)
    assert whole, "a law about nothing"
    less = applied(RULES[code], tables | {table: [row | {column: None} for row in tables[table]]})
    assert {f.subject for f in less} <= {f.subject for f in whole}
    known = _numbers(whole)
    wrong = {k: v for k, v in _numbers(less).items() if v is not None and v != pytest.approx(known.get(k))}
    assert not wrong
    for f in less:
        assert not re.search(r"(?<![\d.,])0(\.0+)? %|None", f"{f.whole_text} {f.advice}"), f.text
