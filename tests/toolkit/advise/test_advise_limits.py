"""The newer rules on planted rows: what each needs to speak, and what it leaves alone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from advise_rows import at, cached, database, pool, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.engine import all_rules, apply

RULES = {r.code: r for r in all_rules()}


def found(code: str, settings: dict[str, float] | None = None, **tables: Any) -> list[Finding]:
    return apply(database(**tables), RULES[code], settings)


def held_by(other: float, busy: float, **more: Any) -> list[dict[str, Any]]:
    mine = [volume(n, pend=busy + 0.2, device_busy_ms=busy, **more) for n in range(4)]
    return mine + [volume(n, system="SYSB", reserved_ratio=other, device_busy_ms=0.0) for n in range(4)]


def test_a_reserve_names_its_holder_and_the_time_it_costs() -> None:
    (finding,) = found("reserve_contention", volume_interval=held_by(0.3, 4.0))
    assert "held by system SYSB while SYSA wants it (09:00-10:00" in finding.text
    # 4 ms of 100 I/Os a second
    assert finding.lost_s == pytest.approx(0.4 * 86400)
    (unknown,) = found("reserve_contention", volume_interval=held_by(0.0, 4.0))
    assert "a system not read here" in unknown.text and unknown.confidence == "medium"


def test_a_short_device_busy_is_no_reserve_worth_a_word() -> None:
    assert found("reserve_contention", volume_interval=held_by(0.3, 0.4)) == []
    assert found("reserve_contention", volume_interval=held_by(0.3, 4.0, disc=30.0)) == []
    assert found("reserve_contention", volume_interval=held_by(0.3, 4.0)[:1]) == []


def path(slow: float, *, other: float = 0.1, hours: range = range(10)) -> list[dict[str, Any]]:
    row: dict[str, Any] = {"io_rate": 100.0, "response_ms": 2.0}
    mine = [pool(n, **row, lcu="0011", cmr_ms=slow if n > 6 else 0.1) for n in hours]
    return mine + [pool(n, **row, lcu="0012", cmr_ms=other) for n in hours]


def test_a_slow_path_is_slow_against_itself_and_its_neighbours() -> None:
    (finding,) = found("slow_path", lcu_interval=path(1.1))
    assert "LCU 0011 is slow on SYSA" in finding.text and "usually 0.10 ms" in finding.text
    assert finding.effect is not None and finding.effect.value == pytest.approx(1.0)
    assert found("slow_path", lcu_interval=path(0.35)) == []
    assert found("slow_path", lcu_interval=path(1.1), settings={"above_ms": 2.0}) == []
    always = [{**r, "cmr_ms": 1.1 if r["lcu"] == "0011" else 0.1} for r in path(1.1)]
    assert len(found("slow_path", lcu_interval=always)) == 1


def test_aliases_to_spare_are_counted_over_the_lcu() -> None:
    rows = [volume(n, f"VOL{v:03}", exposures=6.0) for n in range(30) for v in range(8)]
    quiet = {"lcu": "0010", "is_hyperpav": False, "exposures": 6.0, "wait_p95_ms": 0.0}
    table = [{"volume": f"VOL{v:03}", **quiet} for v in range(8)]
    (finding,) = found("pav_too_many", pav_candidate=table, volume_interval=rows)
    counts = {n.name: n.value for n in finding.numbers}
    # 0.15 I/Os in progress at one and a half times the load: M/M/1 would wait 0.18 ms, M/M/2 hardly
    assert (counts["aliases defined"], counts["aliases needed"], counts["aliases to spare"]) == (40, 8, 32)
    assert found("pav_too_many", pav_candidate=table[:3], volume_interval=rows) == []
    assert found("pav_too_many", pav_candidate=table, volume_interval=rows[:16]) == []


def test_a_pool_is_too_large_only_if_never_denied_and_long_enough_read() -> None:
    rows = [pool(n, hyperpav_aliases=40, alias_high_water=3) for n in range(30)]
    (finding,) = found("pool_too_large", lcu_interval=rows)
    assert "take 35 aliases away: 5 are 1.5 times" in finding.advice
    assert found("pool_too_large", lcu_interval=rows[:10]) == []
    denied = [{**rows[0], "alias_denied_count": 5.0}, *rows[1:]]
    assert found("pool_too_large", lcu_interval=denied) == []
    lending = [{**r, "alias_need_count": 1.0} for r in rows]
    assert found("pool_too_large", lcu_interval=lending) == []


def test_a_wait_with_aliases_free_is_not_the_pool() -> None:
    waits = [volume(n, wait=5.0, lcu="0011", is_hyperpav=True) for n in range(4)]
    (finding,) = found(
        "same_extent", volume_interval=waits, lcu_interval=[pool(n, alias_high_water=2) for n in range(4)]
    )
    assert ("pav_add_alias", "VOL001 on SYSA") in finding.covers
    assert found("same_extent", volume_interval=waits, lcu_interval=[pool(n) for n in range(4)]) == []
    dry = [pool(n, denied=500, alias_high_water=2) for n in range(4)]
    assert found("same_extent", volume_interval=waits, lcu_interval=dry) == []


def test_idle_volumes_of_an_lcu_make_one_finding() -> None:
    rows = [volume(n, f"VOL{v:03}", rate=0.0 if v < 2 else 5.0, exposures=3.0) for n in range(30) for v in range(4)]
    (finding,) = found("idle_volume", volume_interval=rows)
    assert finding.subject == "2 volumes of LCU 0010"
    assert "4 static aliases" in finding.text
    assert found("idle_volume", volume_interval=rows[:40]) == []


def test_io_past_the_cache_is_found_where_it_lasts() -> None:
    rows = [cached(interval_start=at(n), bypass_rate=10.0, io_count=20_000.0) for n in range(3)]
    (finding,) = found("cache_bypass", cache_interval=rows)
    assert "45 % of its I/Os" in finding.text and "0 % of its writes" in finding.text
    assert found("cache_bypass", cache_interval=rows[:1]) == []
    assert found("cache_bypass", cache_interval=[{**r, "bypass_rate": 2.0} for r in rows]) == []


def days(count: int, last: float) -> list[dict[str, Any]]:
    start = dt.datetime(2026, 3, 2, 9)
    return [
        {"interval_start": start + dt.timedelta(days=d, hours=h), "interval_s": 3600.0, "subsystem": "2010",
         "serial": "AB1", "read_count": 1000.0, "read_hit_count": last if d == count - 1 else 900.0}
        for d in range(count) for h in range(5)
    ]  # fmt: skip


def test_hits_are_compared_with_the_same_hours_of_a_week_before() -> None:
    (finding,) = found("hit_ratio_drop", cache_subsystem_interval=days(8, 700.0))
    assert "finds 70 % of its reads in cache in 5 hours" in finding.text
    assert "of the 7 days before it was 90 %" in finding.text
    assert found("hit_ratio_drop", cache_subsystem_interval=days(8, 850.0)) == []
    assert found("hit_ratio_drop", cache_subsystem_interval=days(7, 700.0)) == []
