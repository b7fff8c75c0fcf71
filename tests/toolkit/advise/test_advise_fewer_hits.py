"""How long a box hits less than it used to: until it hits as before, however long that takes."""

import datetime as dt
from typing import Any

import numpy as np
import pytest
from advise_rows import Row, applied, at, box, cached, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding
from tests.length import tried

RULES = {r.code: r for r in all_rules()}
RULE = RULES["hit_ratio_drop"]
FIRST = dt.date(2026, 3, 2)
HOURS = (8, 9, 10, 11, 12)
STILL = "goes on in the last hour measured"


def rows(ratios: Any) -> list[dict[str, Any]]:
    """A box's hours, one row per day and hour of `HOURS`; NaN where nothing was read."""
    return [
        {"interval_start": dt.datetime.combine(FIRST + dt.timedelta(days=day), dt.time(hour)), "interval_s": 3600.0,
         "subsystem": "2010", "serial": "AB1", "read_count": 1000.0, "read_hit_count": 1000 * ratio}
        for day, of_day in enumerate(ratios) for hour, ratio in zip(HOURS, of_day, strict=True) if ratio == ratio
    ]  # fmt: skip


def found(ratios: Any) -> list[Finding]:
    return applied(RULE, {"cache_subsystem_interval": rows(ratios)}, None)


def reported(finding: Finding) -> dict[str, float | None]:
    return {n.name: n.value for n in finding.numbers}


def level(days: int, low: range, by: float = 0.12, rest: tuple[int, ...] = ()) -> Any:
    """96 % but for the days of a drop; on days `rest` of the week it is as before."""
    made = np.full((days, len(HOURS)), 0.96)
    made[[d for d in low if d % 7 not in rest]] -= by
    return made


def test_a_drop_that_stays_is_reported_to_the_end() -> None:
    """Half a week of it was the new usual, and the rest of the month healthy."""
    (finding,) = found(level(35, range(14, 35)))
    assert STILL in finding.details and "the same time of the 7 days before" in finding.details
    assert "fell from 96 %" in finding.text
    assert reported(finding)["hours"] == 21 * len(HOURS)


def test_a_drop_that_ended_is_reported_with_its_end() -> None:
    (finding,) = found(level(35, range(14, 28)))
    assert STILL not in finding.whole_text and "last on 2026-03-29" in finding.details
    assert reported(finding)["hours"] == 14 * len(HOURS)


@pytest.mark.parametrize("seed", tried(range(4), range(12)))
def test_as_long_as_it_was(seed: int) -> None:
    """Law: whenever it began and ended, with weekends as before or not, as many hours are reported as were low."""
    draw = np.random.default_rng(seed)
    days, began = 42, int(draw.integers(7, 30))
    until = int(draw.integers(began + 1, days + 1))
    site = level(days, range(began, until), draw.uniform(0.1, 0.5), ((), (5, 6))[seed % 2])
    low = site < 0.9
    site += draw.uniform(-0.005, 0.005, site.shape)
    (finding,) = found(site) if low.any() else (None,)
    if finding:
        assert reported(finding)["hours"] == low.sum()
        assert (STILL in finding.whole_text) == bool(low[-1].any())


@pytest.mark.parametrize("days", range(15, 29))
def test_a_part_of_the_time_gives_what_it_holds_of_a_drop(days: int) -> None:
    """Law: wherever the data end within a drop, it goes on there, and was as long as they show."""
    (finding,) = found(level(28, range(14, 28))[:days])
    assert STILL in finding.whole_text and reported(finding)["hours"] == (days - 14) * len(HOURS)


def test_a_week_as_before_ends_a_drop() -> None:
    """What is low again later is judged by its own days before."""
    site = level(40, range(14, 16))
    site[24:] = 0.89
    site[30] = 0.86  # below the first drop's history by 10 %, its own by 3 %
    (finding,) = found(site)
    assert reported(finding)["hours"] == 2 * len(HOURS)


def test_days_without_reads_are_no_days_as_before() -> None:
    site = level(40, range(14, 40))
    site[18:30] = np.nan
    (finding,) = found(site)
    assert STILL in finding.whole_text and reported(finding)["hours"] == 14 * len(HOURS)


@pytest.mark.parametrize("days", range(5, 20))
def test_a_slow_fall_is_reported_from_its_first_days_on(days: int) -> None:
    """Law: 2.5 points a day lose 8 in five days; more days of it are no reason to be silent."""
    site = 0.96 - 0.025 * np.arange(days)[:, None] + np.zeros((days, len(HOURS)))
    (finding,) = found(site)
    assert "fell day by day from 96 %" in finding.text and STILL in finding.whole_text
    assert found(site[[0, 2, 1, 4, 3]] if days == 5 else site[::-1]) == [], "up and down, or up"


def work(ratios: Any, rates: Any, late: int) -> dict[str, list[Row]]:
    """Two subsystems of six volumes; `late` of the first hit as rarely as `ratios` says, the others always."""
    rows, counts = [], []
    for n, (ratio, rate) in enumerate(zip(ratios, rates, strict=True)):
        for v in range(12):
            hit, where = float(ratio) if v < late else 0.98, "2010" if v < 6 else "2011"
            own = {"read_ratio": 0.75, "read_hit_ratio": hit, "subsystem": where}
            rows.append(volume(n, f"V{v:05}", rate=rate, disc=0.05 + 4 * (1 - hit), **own))
            read = {"read_count": rate * 675, "read_hit_count": rate * 675 * hit}
            counts.append(cached(f"V{v:05}") | read | {"interval_start": at(n), "subsystem": where})
    boxes = [box("2010", "AB1"), box("2011", "AB1")]
    return {"volume_interval": rows, "cache_interval": counts, "cache_subsystem_interval": boxes}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("code", "late"), [("low_hit_ratio", 1), ("cache_too_small", 6)])
def test_a_fall_says_from_what_and_since_when(code: str, late: int, seed: int) -> None:
    """A law: hits of one volume or one subsystem fall at the same rate; what was so at all times did not fall."""
    rng = np.random.default_rng(seed)
    began, before, after = int(rng.integers(5, 12)), rng.integers(90, 99) / 100, rng.integers(55, 75) / 100
    rates = rng.uniform(50, 200) * rng.uniform(0.95, 1.05, 24)
    fell = np.where(np.arange(24) < began, before, after)
    (f,) = applied(RULES[code], work(fell, rates, late))
    words = (f"{before:.0%}".replace("%", " %"), f"at {at(began + 4):%H:%M}")
    assert all(w in f.whole_text for w in words)
    (f,) = applied(RULES[code], work(np.full(24, after), rates, late))
    assert not any(w in f.whole_text for w in words)


@pytest.mark.parametrize(("code", "late"), [("low_hit_ratio", 1), ("cache_too_small", 6), ("cache_too_small", 12)])
def test_what_hit_at_other_rates_only_did_not_fall(code: str, late: int) -> None:
    """Nights with a fifth of the reads, or twice as many, are no past of the day."""
    fell = np.where(np.arange(24) < 8, 0.97, 0.6)
    for rate in (20.0, 200.0):
        (f,) = applied(RULES[code], work(fell, np.where(np.arange(24) < 8, rate, 100.0), late))
        assert "97 %" not in f.whole_text + f.advice and "began" not in f.whole_text and "fell" not in f.text


@pytest.mark.parametrize(("hour", "reads", "is_found"), [(34, 900.0, True), (34, 3000.0, False), (52, 900.0, False)])
def test_of_few_days_only_what_lasts_at_as_many_reads_is_a_drop(hour: int, reads: float, is_found: bool) -> None:
    """Three days of a subsystem of no box: hits fall, with three times the reads, or on the last day only."""
    start = dt.datetime(2026, 3, 2)
    counts = [
        cached(f"V{v:05}", interval_start=start + dt.timedelta(hours=n), interval_s=3600.0, subsystem="2105",
               read_count=amount, hits=amount * (0.97 if n < hour else 0.82))
        for n in range(72) for v in range(4) for amount in [1000.0 if n < hour else reads]
    ]  # fmt: skip
    reported = applied(RULE, {"cache_interval": counts}, None)
    assert [f.text for f in reported] == is_found * [
        "Read hits of subsystem 2105 fell from 97 % to 82 % (2026-03-03 11:00 to 2026-03-05 01:00)"
    ]
