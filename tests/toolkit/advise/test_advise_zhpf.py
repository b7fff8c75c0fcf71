"""A system that reaches volumes without zHPF, as it did not before or as another one does not."""

import pytest
from advise_rows import applied, at

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding

(RULE,) = (r for r in all_rules() if r.code == "zhpf_unused")
VOLUMES = ("VOL000", "VOL001", "VOL002")
Shares = tuple[float | None, ...]


def found(*shares: Shares, conn_ms: float = 0.5) -> list[Finding]:
    """For the shares of zHPF of systems by hour; each of three volumes does 100 I/Os per s, `conn_ms` without it."""
    rows = [
        {"platform": "z/OS", "system": f"SYS{n}", "interval_start": at(4 * hour), "interval_s": 3600.0, "ratio": ratio}
        for n, ratios in enumerate(shares, 1) for hour, ratio in enumerate(ratios)
    ]  # fmt: skip
    common = ("platform", "system", "interval_start", "interval_s")
    kept = [({name: row[name] for name in common}, row["ratio"]) for row in rows]
    return applied(RULE, {
        "disk_channel_interval": [c | {"channel_path": "50", "zhpf_ratio": ratio} for c, ratio in kept],
        "volume_interval": [
            c | {"volume": volume, "io_rate": 100.0, "conn_ms": 0.1 if ratio else conn_ms}
            for c, ratio in kept for volume in VOLUMES
        ],
        "volume_box": [c | {"volume": volume, "disk": volume} for c in [
            {"platform": "z/OS", "system": f"SYS{n}"} for n, _ in enumerate(shares, 1)] for volume in VOLUMES],
    })  # fmt: skip


def test_what_it_costs_is_what_the_other_system_does_not_wait() -> None:
    (f,) = found((0.0,), (0.6,), (0.6,))
    assert f.text == "SYS1 uses no zHPF: its I/Os connect for 0.50 ms, those of SYS2 for 0.10 ms"
    assert f.lost_s == pytest.approx(3 * 100 * 3600 * 0.4e-3) and f.severity == "note"
    assert found((0.0,), (0.6,), conn_ms=9.0)[0].severity == "watch", "hours of I/O time"


@pytest.mark.parametrize("ratios", [(0.0, 0.0), (0.2, 0.9), (None, 0.9), (0.0, None), (0.0,)])
def test_without_a_system_that_uses_it_nothing_is_known(ratios: Shares) -> None:
    assert found(*((ratio,) for ratio in ratios)) == []


def test_comparable_connect_is_no_finding() -> None:
    assert found((0.0,), (0.9,), conn_ms=0.14) == []


def test_a_system_that_lost_it_is_compared_with_itself() -> None:
    (f,) = found((0.9, 0.9, 0.0, 0.0))
    assert f.text == "SYS1 uses no zHPF since 11:00 on 2026-03-02: its I/Os connect for 0.50 ms, before for 0.10 ms"
    assert f.lost_s == pytest.approx(2 * 3 * 100 * 3600 * 0.4e-3)
    assert found((0.9, 0.0, 0.9)) == [], "it is back"
