"""A box that lost a part of its cache."""

import pytest
from advise_rows import applied, at

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding

(RULE,) = (r for r in all_rules() if r.code == "cache_lost")
GIB = float(1 << 30)


def found(*available: float, hits: tuple[float, float] = (950.0, 800.0), offline: float = 0.0) -> list[Finding]:
    """For GiB of cache by interval; `hits` of a thousand reads with all of it, and with less."""
    less = [a < max(available) for a in available]
    common = {"platform": "z/OS", "system": "PRD1", "interval_s": 900.0, "subsystem": "2010", "utc_offset_s": 3600}
    cache = [
        {**common, "interval_start": at(n), "cache_available_bytes": a * GIB, "read_count": 1000,
         "serial": "0000000AB123", "cache_offline_bytes": offline * GIB, "read_hit_count": hits[bad]}
        for n, (a, bad) in enumerate(zip(available, less, strict=True))
    ]  # fmt: skip
    volumes = [
        {
            **common,
            "interval_start": at(n),
            "volume": "VOL001",
            "io_rate": 100.0,
            "disc_ms": (0.2, 0.6)[bad],
            "response_ms": 1.0,
        }
        for n, bad in enumerate(less)
    ]
    return applied(RULE, {"cache_subsystem_interval": cache, "volume_interval": volumes})


def test_what_it_costs_is_what_disconnect_takes_longer() -> None:
    (f,) = found(256, 256, 128, 128)
    assert " has only 128.0 GiB of 256.0 GiB cache (09:30-10:00 on " in f.text and f.severity == "act"
    assert "80 % of reads hit then, 95 % with more cache" in f.details and "0.6 ms per I/O then, 0.2 ms" in f.details
    assert f.lost_s == pytest.approx(2 * 900 * 100 * 0.4e-3) and f.effect and f.effect.value == pytest.approx(0.6)


def test_what_is_back_or_costs_no_hits_is_none_to_act_on() -> None:
    (back,) = found(256, 128, 256, 256)
    assert back.severity == "watch" and "All of it is back since" in back.details
    assert [f.severity for f in found(256, 256, 128, 128, hits=(950.0, 940.0))] == ["watch"]


def test_a_box_that_never_had_all_of_it_is_known_by_what_is_offline() -> None:
    (f,) = found(192, 192, 192, offline=64)
    assert f.severity == "watch" and "with more cache" not in f.details
    assert found(192, 192, 192) == []


@pytest.mark.parametrize("available", [(256, 250, 256), (128, 128, 256), (128,)])
def test_small_changes_and_more_cache_are_no_finding(available: tuple[float, ...]) -> None:
    assert found(*available) == []
