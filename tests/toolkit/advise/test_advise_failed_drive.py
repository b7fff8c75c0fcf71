"""A drive that failed: a rebuild is the cause of slow ranks, and pinned data is named until the box has written it."""

import math
import random
from collections.abc import Container

import pytest
from advise_rows import Row, applied, at, volume
from test_advise_pend import HOURS, LATE, RULES

from iosq.toolkit.advise.finding import Finding

SUBSYSTEM: list[Row] = [{"interval_start": at(n), "subsystem": "8010", "serial": "AB123"} for n in HOURS]


def slow(rebuilding: Container[int], late: Container[int] = LATE, misses: float | None = None) -> list[Finding]:
    ranks = [
        {"interval_start": at(n), "box": "AB123", "rank": "0001", "extent_pool": "0000",
         "read_rate": 200.0 if misses and n in late else 100.0, "read_ms": 20.0 if n in late else 1.0} for n in HOURS
    ]  # fmt: skip
    devices = [
        {"interval_start": at(n), "subsystem": "8010", "device": "02200", "volser": "VOL001", "extent_pool": "0000",
         "is_rebuilding": n in rebuilding, "read_rate": 1000.0, "read_hit_ratio": misses and 1 - misses / 1000}
        for n in HOURS
    ]  # fmt: skip
    rows = {"rank_interval": ranks, "cache_interval": devices, "cache_subsystem_interval": SUBSYSTEM}
    return applied(RULES["rank_saturated"], rows)


def test_a_rank_is_slow_by_a_rebuild_of_most_of_its_bad_time() -> None:
    (rebuilt,), (chance,), (before,) = slow(LATE), slow([9]), slow(range(6))
    assert (rebuilt.severity, chance.severity, before.severity) == ("watch", "act", "act")
    assert (rebuilt.explains, chance.explains) == ({"nvs_delay"}, set()), "destage waits for the same drives"
    assert (
        "is slow while a rank is rebuilt" in rebuilt.text and "A rank of its pool was being rebuilt" in rebuilt.details
    )
    assert not slow(HOURS, late=())


@pytest.mark.parametrize(("misses", "share"), [(2.0, 0.01), (99.0, 0.495), (101.0, 0.505), (300.0, 1.0)])
def test_a_rank_costs_what_its_hosts_wait(misses: float, share: float) -> None:
    """Reads from disk that no host asks for are other work; their part is unknown without cache records."""
    ((one,), (unknown,)) = slow([], misses=misses), slow([])
    assert one.lost_s == pytest.approx(2 * unknown.lost_s * share)
    assert ("other work than its hosts' reads" in one.text) == (share < 0.5)
    assert ("not of hosts alone" in one.details, "not of hosts alone" in unknown.details) == (False, True)


@pytest.mark.parametrize(("mine", "is_unread"), [(100.0, True), (700.0, False)])
def test_a_rank_that_systems_without_records_fill_asks_for_these(mine: float, is_unread: bool) -> None:
    """The box counts 200 I/Os per s, 800 in the two bad hours; the system read does 100, then `mine`."""
    rates = {n: 800.0 if n >= 8 else 200.0 for n in range(16)}
    ranks = [
        {"interval_start": at(n), "box": "AB123", "rank": "0001", "extent_pool": "0000",
         "read_rate": rate / 10, "read_ms": 20.0 if n >= 8 else 2.0} for n, rate in rates.items()
    ]  # fmt: skip
    devices = [
        {"interval_start": at(n), "subsystem": "8010", "device": "02200", "volser": "VOL001", "extent_pool": "0000",
         "io_count": rate * 900, "read_rate": rate, "read_hit_ratio": 0.9} for n, rate in rates.items()
    ]  # fmt: skip
    place = {"subsystem": "8010", "extent_pool": "0000"}
    volumes = [volume(n, rate=mine if n >= 8 else 100.0, **place) for n in rates]
    rows = {"rank_interval": ranks, "cache_interval": devices, "cache_subsystem_interval": SUBSYSTEM}
    (f,) = applied(RULES["rank_saturated"], {**rows, "volume_interval": volumes})
    assert ("saturated by systems without records" in f.text) == is_unread
    assert ("First ingest the records of the other systems" in f.advice) == is_unread


@pytest.mark.parametrize(("over", "late_rate"), [(True, 110.0), (False, 110.0), (False, 300.0)])
def test_a_step_at_about_the_same_load_is_no_queue(over: bool, late_rate: float) -> None:
    """110 reads per s and not 100 explain no 20 ms in place of 2, but 300 may."""
    late = range(8, 12) if over else range(12, 16)
    ranks = [
        {"interval_start": at(n), "box": "AB123", "rank": "0001", "extent_pool": "0000",
         "read_rate": late_rate if n in late else 100.0 if n else 40.0, "read_ms": 20.0 if n in late else 2.0}
        for n in range(16)
    ]  # fmt: skip
    (f,) = applied(RULES["rank_saturated"], {"rank_interval": ranks})
    assert ("so it " in f.details and "In 11 other intervals with about as much to do it took 2.0 ms" in f.details) == (
        late_rate < 125
    )
    assert (f.severity, "is saturated" in f.text) == ("watch" if over else "act", late_rate > 125)


@pytest.mark.parametrize("seed", range(6))
def test_an_open_queue_is_never_called_anything_but_load(seed: int) -> None:
    """Two days of random reads at one drive (M/M/1), busy to any degree in the night and far more by day."""
    rng = random.Random(seed)
    low, high, per_s = rng.uniform(0.05, 0.6), rng.uniform(0.85, 0.97), rng.uniform(40, 400)
    busy = [low + (high - low) * math.sin(math.pi * (n % 96) / 96) ** 2 for n in range(192)]
    ranks = [
        {"interval_start": at(n), "box": "AB123", "rank": "0001", "extent_pool": "0000", "read_rate": part * per_s,
         "read_ms": rng.uniform(0.95, 1.05) * 1000 / per_s / (1 - part)} for n, part in enumerate(busy)
    ]  # fmt: skip
    found = applied(RULES["rank_saturated"], {"rank_interval": ranks})
    assert found and all("is saturated" in f.text for f in found)


def pinned(when: Container[int], *, by_volume: bool = True, by_bytes: bool = True, **ranks: list[Row]) -> list[Finding]:
    devices = [
        {"interval_start": at(n), "subsystem": "8010", "device": f"0220{v}", "volser": f"VOL00{v}",
         "has_pinned_data": by_volume and v == 1 and n in when} for n in HOURS for v in range(3)
    ]  # fmt: skip
    subsystem = [row | {"nvs_pinned_bytes": 8192.0 * (by_bytes and n in when)} for n, row in enumerate(SUBSYSTEM)]
    return applied(RULES["pinned_data"], {"cache_interval": devices, "cache_subsystem_interval": subsystem, **ranks})


@pytest.mark.parametrize(("by_volume", "by_bytes"), [(True, True), (True, False), (False, True)])
def test_pinned_data_is_one_to_act_on_until_it_is_written(by_volume: bool, by_bytes: bool) -> None:
    """Whichever record shows it; volumes and bytes are named where they are known."""
    (still,), (over,) = (pinned(when, by_volume=by_volume, by_bytes=by_bytes) for when in (LATE, range(9)))
    assert (still.severity, over.severity) == ("act", "note")
    assert ("holds data of VOL001 that" in still.text) == by_volume
    assert ("8.0 KiB of NVS are pinned" in still.details) == by_bytes
    assert not pinned([])


def degraded(when: Container[int]) -> dict[str, list[Row]]:
    rank = {"box": "AB123", "rank": "0002", "extent_pool": "0000"}
    return {"rank_interval": [{**rank, "interval_start": at(n), "is_degraded": n in when} for n in HOURS]}


def lacking(when: Container[int]) -> list[Finding]:
    return applied(RULES["rank_degraded"], degraded(when))


def test_a_rank_without_a_drive_is_one_to_watch_until_it_is_whole() -> None:
    (still,), (over,) = (lacking(when) for when in (LATE, range(9)))
    assert (still.severity, over.severity) == ("watch", "note")
    assert not lacking([])


def test_pinned_data_names_the_rank_that_lacks_a_drive_then() -> None:
    (then,), (else_,) = (pinned(LATE, **degraded(when)) for when in (LATE, [0]))
    assert ("Rank 0002 of the box runs without a drive then" in then.details, "Rank" in else_.details) == (True, False)
