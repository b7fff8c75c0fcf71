"""NVS delay where the device records of a system that shares the box are missing: the bounds hold the truth."""

import random
from datetime import timedelta

import pytest
from sql_lake import START, Lake, Row, all_rows, cache_device, found, one

SECONDS, INTERVALS = 900, 7
VOLUMES = ("2208", "2209", "220A")
NAMES = ("delay_ms_per_write", "delay_ms_per_delayed_write", "disc_share_ratio")


def interval(lake: Lake, place: int, loads: dict[str, list[tuple[int, float]]], delayed: list[int], read: str) -> None:
    """I/Os and disconnect of each volume by system, as the cache counts them together and as READ systems report."""
    start = START + timedelta(seconds=place * SECONDS)
    ios = [sum(load[i][0] for load in loads.values()) for i in range(len(VOLUMES))]
    lake.cache(
        [
            cache_device(v, DRCR=n - n // 3, DCRH=n // 2, DWRC=n // 3, DFWB=late)
            for v, n, late in zip(VOLUMES, ios, delayed, strict=True)
        ],
        common={"interval_start": start},
    )
    for system in read:
        record = lake.record()
        common: Row = {"record": record, "interval_start": start, "system": f"SYS{system}"}
        lake.control(**common)
        for volume, (count, disc_ms) in zip(VOLUMES, loads[system], strict=True):
            lake.device(volume, **common, SMF74SSC=count, SMF74MEC=count, SMF74DIS=count * disc_ms / 0.128)


def night(seed: int, read: str) -> list[Row]:
    """Four intervals without delays and three with; SYSB disconnects at most as long as SYSA's slowest volume."""
    draw, lake = random.Random(seed), Lake()
    for place in range(INTERVALS):
        own = [(draw.randint(SECONDS, 90_000), draw.uniform(0.1, 5)) for _ in VOLUMES]
        longest = max(ms for _, ms in own)
        other = [(draw.randint(SECONDS, 90_000), draw.uniform(0, longest)) for _ in VOLUMES]
        late = [draw.randint(1, (a + b) // 3) if place > 3 else 0 for (a, _), (b, _) in zip(own, other, strict=True)]
        interval(lake, place, {"A": own, "B": other}, late, read)
    return all_rows(lake.connect(), "SELECT * FROM nvs_delay ORDER BY interval_start")


@pytest.mark.parametrize("seed", range(2))
def test_bounds_without_a_system_hold_those_with_it(seed: int) -> None:
    for truth, given in zip(night(seed, "AB"), night(seed, "A"), strict=True):
        assert truth["coverage_ratio"] == pytest.approx(1)
        assert given["coverage_ratio"] < 1
        assert given["method"] == truth["method"]
        for name in NAMES:
            if truth[name] is not None:
                low, high = given[f"{name}_low"], given[f"{name}_high"]
                assert low <= truth[f"{name}_low"] * (1 + 1e-9), name
                assert low <= given[name] <= high, name
                assert truth[f"{name}_high"] <= high * (1 + 1e-9), name


def test_a_system_that_does_the_same_gives_the_same_estimate() -> None:
    """By hand: three fifths of the I/Os are read; each of 9,000 I/Os, 900 of them delayed, waits 2 ms then."""
    rows = []
    for read in ("AB", "A"):
        lake = Lake()
        interval(lake, 0, {"A": [(1800, 2.0)] * 3, "B": [(1200, 2.0)] * 3}, [300] * 3, read)
        rows.append(one(lake.connect(), "SELECT * FROM nvs_delay"))
    both, alone = rows
    # equal shares: 900 delayed writes, 6,000 reads, 4,500 hits; 9,000 I/Os * 2 ms / 2,400 = 7.5 ms
    assert both["delay_ms_per_delayed_write"] == pytest.approx(7.5)
    assert alone["delay_ms_per_delayed_write"] == pytest.approx(7.5)
    assert alone["coverage_ratio"] == pytest.approx(0.6)


def test_delayed_writes_of_a_system_not_read_are_no_part_of_its_disconnect() -> None:
    """By hand: SYSA has 1,800 of 3,000 I/Os of a volume with 300 delayed writes: none, its share (180) or all."""
    lake = Lake()
    interval(lake, 0, {"A": [(1800, 2.0)] * 3, "B": [(1200, 2.0)] * 3}, [300] * 3, "A")
    row = one(lake.connect(), "SELECT * FROM disconnect_interval WHERE volume = 'VOL208'")
    assert row["nvs_ms"] == pytest.approx(180 / 1800 * 7.5)
    assert row["nvs_low_ms"] == 0
    assert row["nvs_high_ms"] == pytest.approx(2.0)


@pytest.mark.parametrize(("read", "confidence"), [("AB", "medium"), ("A", "low")])
def test_advice_says_that_systems_are_missing(read: str, confidence: str) -> None:
    lake = Lake()
    interval(lake, 0, {"A": [(1800, 2.0)] * 3, "B": [(1200, 2.0)] * 3}, [300] * 3, read)
    (finding,) = found(lake.connect(), "nvs_delay")
    assert finding.confidence == confidence
    assert ("those read do 60 % of the I/Os" in finding.whole_text) == (read == "A")
