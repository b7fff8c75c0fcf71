"""A system that reaches volumes without zHPF, as it did not before or as another one does not."""

import datetime as dt

import pytest
from advise_rows import applied, at

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Finding

(RULE,) = (r for r in all_rules() if r.code == "zhpf_unused")


DAY = (at(0) - dt.datetime(1970, 1, 1)).days


def found(*ratios: float | None, conn_s: float = 500.0, days: int = 1) -> list[Finding]:
    """For systems with these shares of zHPF, a million I/Os each to three volumes; `conn_s` is of the first.

    Over several days one share after the other is that of the first system, whose last day has `conn_s`.
    """
    seen = [(f"SYS{1 if days > 1 else n + 1}", n if days > 1 else 0, ratio) for n, ratio in enumerate(ratios)]
    first = seen[-1] if days > 1 else seen[0]
    volumes = [
        {"platform": "z/OS", "system": system, "volume": volume, "disk": volume, "ios": 1e6, "in_day": DAY + day,
         "conn_s": conn_s if (system, day, ratio) == first else 100.0, "zhpf_ratio": ratio}
        for system, day, ratio in seen for volume in ("VOL000", "VOL001", "VOL002")
    ]  # fmt: skip
    common = ("platform", "system")
    named = {"_volume_day": ("volume", "in_day", "ios", "conn_s"), "volume_box": ("volume", "disk")}
    rows = {view: [{k: v[k] for k in (*common, *columns)} for v in volumes] for view, columns in named.items()}
    rows["disk_channel_interval"] = [
        {"interval_start": at(96 * (v["in_day"] - DAY)), "interval_s": 900.0, "channel_path": "50"}
        | {k: v[k] for k in (*common, "zhpf_ratio")}
        for v in volumes[::3]
    ]
    return applied(RULE, rows)


def test_what_it_costs_is_what_the_other_system_does_not_wait() -> None:
    (f,) = found(0.0, 0.6, 0.9)
    assert f.text == "SYS1 uses no zHPF: its I/Os connect for 0.50 ms, those of SYS2 for 0.10 ms"
    assert f.lost_s == pytest.approx(3 * 1e6 * 0.4e-3) and f.severity == "note"
    assert found(0.0, 0.6, conn_s=9000.0)[0].severity == "watch", "hours of I/O time"


@pytest.mark.parametrize("ratios", [(0.0, 0.0), (0.2, 0.9), (None, 0.9), (0.0, None), (0.0,)])
def test_without_a_system_that_uses_it_nothing_is_known(ratios: tuple[float | None, ...]) -> None:
    assert found(*ratios) == []


def test_comparable_connect_is_no_finding() -> None:
    assert found(0.0, 0.9, conn_s=140.0) == []


def test_a_system_that_lost_it_is_compared_with_the_days_before() -> None:
    (f,) = found(0.9, 0.9, 0.0, days=3)
    assert f.text == "SYS1 uses no zHPF since 09:15 on 2026-03-03: its I/Os connect for 0.50 ms, before for 0.10 ms"
    assert found(0.9, 0.0, 0.9, days=3) == [], "it is back"
