"""Spans that were bad for the most part: their few good intervals are the usual, by every rule that compares."""

from collections.abc import Callable
from typing import Any

import pytest
from advise_rows import Row, applied, busy_path, path, pool, volume

from iosq.toolkit.advise.catalog import all_rules

RULES = {r.code: r for r in all_rules()}
ZVM: Row = {"platform": "z/VM", "system": "VMSYS", "lcu": None}


def _commands(good: int, hours: range) -> dict[str, list[Row]]:
    rows = path(0.1, hours=hours)
    return {"lcu_interval": [r | {"cmr_ms": 4.0} if r["lcu"] == "0011" and n % len(hours) >= good else r
                             for n, r in enumerate(rows)]}  # fmt: skip


def _pend(good: int, hours: range) -> dict[str, list[Row]]:
    slow = [(n, 3.0 if n >= good else 0.0) for n in hours]
    own = {"lcu": "0010", "cmr_ms": 0.1, "device_busy_ms": 0.0}
    return {
        "volume_interval": [volume(n, f"VOL{v}", pend=0.2 + ms, **own) for n, ms in slow for v in range(4)],
        "lcu_interval": [pool(n, **own, pend_ms=0.2 + ms, wait_ms=0.0, response_ms=1.0 + ms) for n, ms in slow],
    }


def _disconnect(good: int, hours: range) -> dict[str, list[Row]]:
    late = {n: 5.0 if n >= good else 0.2 for n in hours}
    return {"volume_interval": [volume(n, f"V{v}", disc=late[n], **ZVM) for n in hours for v in range(4)]}


def _paths_of_cp(good: int, hours: range) -> dict[str, list[Row]]:
    late = {n: 5.0 if n >= good else 0.2 for n in hours}
    return {"volume_interval": [volume(n, f"V{v}", pend=late[n], **ZVM) for n in hours for v in range(4)]}


def _rank(good: int, hours: range) -> dict[str, list[Row]]:
    row: Row = {"box": "AB1", "rank": "0001", "extent_pool": "0000", "read_rate": 100.0, "write_rate": 10.0}
    start = volume(0)["interval_start"]
    spaced = [volume(n)["interval_start"] for n in hours]
    assert spaced[0] == start
    return {"rank_interval": [row | {"interval_start": at, "read_ms": 20.0 if n >= good else 4.0}
                              for n, at in enumerate(spaced)]}  # fmt: skip


def _channels(good: int, hours: range) -> dict[str, list[Row]]:
    # full from the eighth interval on
    first = volume(7 - good)["interval_start"]
    return {name: [r for r in rows if r["interval_start"] >= first] for name, rows in busy_path().items()}


KINDS: dict[str, Callable[[int, range], dict[str, list[Row]]]] = {
    "slow_path": _commands, "pend_unexplained": _pend, "disc_unexplained": _disconnect, "rank_saturated": _rank,
    "channel_busy": _channels,
}  # fmt: skip


def _cases() -> list[Any]:
    spans = ((1, 5), (3, 12), (3, 20))
    return [pytest.param(code, good, range(n), id=f"{code}-{good}-of-{n}") for code in KINDS for good, n in spans]


@pytest.mark.parametrize(("code", "good", "hours"), _cases())
def test_few_good_intervals_are_the_usual(code: str, good: int, hours: range) -> None:
    found = [f for f in applied(RULES[code], KINDS[code](good, hours)) if f.when]
    assert found and found[0].severity in ("act", "watch")
    assert found[0].lost_s > 0, found[0].whole_text


def test_pend_of_cp_too() -> None:
    assert applied(RULES["slow_path"], _paths_of_cp(2, range(12)))


def test_two_odd_intervals_of_a_day_are_not_the_usual() -> None:
    """Of 40 intervals two are five times quicker: that is chance, and all others are as usual."""
    rows = _disconnect(2, range(40))
    assert applied(RULES["disc_unexplained"], rows) == []


@pytest.mark.parametrize(("rates", "rise", "is_found"), [((9000.0, 100.0), 0.0, False), ((100.0, 100.0), 6.0, True)])
def test_more_ios_to_the_slower_volumes_are_no_rise(rates: tuple[float, float], rise: float, is_found: bool) -> None:
    """Four volumes of 1.1 ms and thirty of 0.1 ms: the mean of all rises with the share of the four."""
    slow = [
        volume(n, f"PAGE{v}", rate=rates[n < 8], disc=1.1 + rise * (n >= 8), **ZVM) for n in range(24) for v in range(4)
    ]
    quick = [volume(n, f"V{v}", rate=100.0, disc=0.1 + rise * (n >= 8), **ZVM) for n in range(24) for v in range(30)]
    assert bool(applied(RULES["disc_unexplained"], {"volume_interval": slow + quick})) == is_found
