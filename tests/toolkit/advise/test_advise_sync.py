"""zHyperLink I/Os that fail: what they did before decides, and neither more failures nor other volumes weaken it."""

import random
from collections.abc import Container, Sequence

import pytest
from advise_rows import Row, applied, volume
from test_advise_pend import HOURS, LATE, RULES

from iosq.toolkit.advise.finding import Finding

REASONS = {"busy": "met a busy link", "miss": "missed the cache", "reject": "timed out or were rejected"}


def tried(
    name: str, success: Sequence[float], *, rate: float = 50.0, why: str = "busy", when: Container[int] = HOURS
) -> list[Row]:
    """A volume whose synchronous I/Os succeed so often, interval by interval, and fail for one reason."""
    ratios = {"sync_link_busy_ratio": "busy", "sync_miss_ratio": "miss", "sync_read_reject_ratio": "reject"}
    common: Row = {
        "sync_request_rate": rate,
        "sync_read_ms": 0.02,
        "sync_write_rate": 0.0,
        "sync_write_reject_ratio": 0.0,
    }
    return [
        volume(n, name, **common, sync_success_ratio=s, sync_read_rate=rate * s)
        | {column: (1 - s) * (reason == why) for column, reason in ratios.items()}
        for n, s in enumerate(success)
        if n in when
    ]


def found(*rows: list[Row]) -> list[Finding]:
    return applied(RULES["zhyperlink_fails"], {"volume_interval": [r for each in rows for r in each]})


def fallen(to: float = 0.2, late: Container[int] = LATE) -> list[float]:
    return [to if n in late else 0.98 for n in HOURS]


@pytest.mark.parametrize("why", REASONS)
def test_a_fall_is_found_with_its_reason(why: str) -> None:
    (f,) = found(tried("VOL001", fallen(), why=why), tried("VOL002", fallen(), why=why), tried("VOL003", [0.98] * 10))
    assert (f.severity, f.subject.names) == ("note" if why == "miss" else "watch", ("VOL001", "VOL002"))
    assert f.text.startswith("Only 20 % of the zHyperLink I/Os of SYSA")
    assert f"In their best intervals 98 % succeed. 78 % more {REASONS[why]}" in f.details


def test_a_fall_is_found_without_the_normal_ios() -> None:
    """As in a listing that has the report about synchronous I/Os and not the one about devices."""
    assert found([row | {"io_rate": None, "response_ms": None} for row in tried("VOL001", fallen())])


@pytest.mark.parametrize("why", REASONS)
def test_more_failures_are_found_however_many_still_succeed(why: str) -> None:
    (f,) = found(tried("VOL001", fallen(0.7), why=why))
    assert f.severity == ("note" if why == "miss" else "watch") and f"28 % more {REASONS[why]}" in f.details
    assert not found(tried("VOL001", fallen(0.85), why=why))


def test_a_share_that_was_never_high_is_a_note() -> None:
    assert [f.severity for f in found(tried("VOL001", [0.2] * 10))] == ["note"]


def test_health_few_attempts_and_a_short_time_are_no_finding() -> None:
    assert not found(tried("VOL001", [0.6] * 10))
    assert not found(tried("VOL001", fallen(), rate=9.0))
    assert not found(tried("VOL001", fallen(late=(7,))))


@pytest.mark.parametrize("seed", range(3))
def test_more_of_it_and_volumes_that_do_well_never_weaken_it(seed: int) -> None:
    rng = random.Random(seed)
    bad = tried("VOL001", [0.98] * 4 + [rng.uniform(0.0, 0.48) for _ in range(6)], rate=rng.uniform(11, 99))
    well = tried("VOL002", [rng.uniform(0.85, 1.0) for _ in HOURS], rate=rng.uniform(1, 9999))
    counts = [[f.severity for f in found(bad[:end], well)] for end in range(4, 11)]
    assert counts == [[], []] + [["watch"]] * 5


def stopped(ios: float) -> list[Row]:
    """50 synchronous I/Os per s next to 40 normal ones, then none and `ios` normal ones per s."""
    rows = tried("VOL001", [0.98] * 10)
    none = {"sync_request_rate": 0.0, "sync_read_rate": 0.0, "sync_success_ratio": None, "sync_read_ms": None}
    return [row | ({"io_rate": ios} | none if n in LATE else {"io_rate": 40.0}) for n, row in enumerate(rows)]


def test_synchronous_ios_that_are_normal_ones_since_are_named_with_the_instant() -> None:
    (f,) = found(stopped(90.0), tried("VOL002", [0.98] * 10))
    assert f.text.startswith("SYSA does no zHyperLink I/Os to") and "since 10:30" in f.text
    assert (f.severity, f.subject.names) == ("watch", ("VOL001",)) and "Until then it did 49 per s" in f.details
    # 49 per s of 1 ms in place of 0.02, for an hour
    assert f.lost_s == pytest.approx(49 * 0.98 * 0.98 * 3600 / 1000, rel=0.01)


def test_synchronous_ios_that_no_program_asks_for_any_more_are_no_finding() -> None:
    assert not found(stopped(40.0))
