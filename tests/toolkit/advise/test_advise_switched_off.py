"""Caching or fast write that is off: one finding says so, and no other one gives the same time another cause."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from tests.scoring.measured import tables
from tests.scoring.site import EACH, LCUS, Site, lcu_name, subsystem_name, volume_name, volumes_of
from tests.scoring.tables import lake

CODES = ("cache_off", "cache_bypass", "low_hit_ratio", "cache_too_small", "disc_unexplained", "remote_copy_wait")
RULES = {rule.code: rule for rule in all_rules() if rule.code in CODES}
BOTH = ("cache", "fast write")
# how a finding names a rule
NAMED = {"cache_bypass": "bypass the cache"}


def made(
    seed: int,
    what: tuple[str, ...],
    volumes: list[int],
    *,
    is_reported: bool,
    mirrored: bool = False,
    bypassed: bool = False,
) -> list[Finding]:
    """What the rules on cache and NVS find: 40 quarter hours, `what` is off for these volumes in the 12 from 03:00 on.

    Without caching no read hits, 4 ms each; without fast write no write is fast, 6 ms each.
    """
    site, when = Site(900, 40, np.random.default_rng(seed)), np.arange(40) // 12 == 1
    site.miss_ms[:], site.read_ratio[:] = 4.0, 0.6
    site.rate[:, volumes] = site.rate[:, volumes].clip(60)
    site.is_mirrored[volumes] = mirrored
    places = np.ix_(volumes, np.flatnonzero(when))
    is_off = np.zeros(site.read_ratio.shape, dtype=bool)
    is_off[places] = True
    if "cache" in what:
        site.hit_ratio[places] = 0.0
    if "fast write" in what:
        site.late_ms[places] = 6.0
    reported = tables(site)
    reported["cache_interval"] = _with_status(reported["cache_interval"], is_off.reshape(-1), what, is_reported)
    if bypassed:
        reported["cache_interval"] = _as_bypasses(reported["cache_interval"], is_off.reshape(-1))
    with lake(reported, [RULES[code].sql for code in CODES]) as con:
        return [f for code in CODES for f in apply(con, RULES[code])]


def _with_status(rows: pa.Table, is_off: Any, what: tuple[str, ...], is_reported: bool) -> pa.Table:
    reads, writes = (rows[name].to_numpy() / 900 for name in ("read_count", "write_count"))
    more = {"read_rate": reads, "write_rate": writes}
    more["fast_write_inhibit_rate"] = np.where(is_off, writes, 0.0) * ("fast write" in what)
    if is_reported:
        more |= {"cache_active": ~(is_off & ("cache" in what)), "fast_write_active": ~(is_off & ("fast write" in what))}
    rows = rows.drop_columns([name for name in more if name in rows.column_names])
    for name, column in more.items():
        rows = rows.append_column(name, [column])
    return rows


def _as_bypasses(rows: pa.Table, is_off: Any) -> pa.Table:
    """The same I/Os, where the box counts reads as bypasses while caching is off: no read, so no hit ratio either."""
    reads, ratio = rows["read_rate"].to_numpy(), rows["read_hit_ratio"].to_numpy()
    counted = {
        "read_rate": pa.array(np.where(is_off, 0.0, reads)),
        "bypass_rate": pa.array(np.where(is_off, reads, 0.0)),
        "read_hit_ratio": pa.array(ratio, mask=is_off),
    }
    for name, column in counted.items():
        rows = rows.set_column(rows.column_names.index(name), name, column)
    return rows


def about(found: list[Finding], lcu: int, volumes: list[int]) -> list[Finding]:
    """Those that are about the volumes, their subsystem or their LCU."""
    names = {lcu_name(lcu), subsystem_name(lcu), *(volume_name(v) for v in volumes)}
    return [f for f in found if names & set(f.subject.names)]


@given(
    seed=st.integers(0, 2**31),
    what=st.sampled_from([BOTH, ("cache",), ("fast write",)]),
    lcu=st.integers(0, LCUS - 1),
    count=st.sampled_from([1, 2, EACH]),
    is_reported=st.booleans(),
    mirrored=st.booleans(),
)
@settings(max_examples=2, deadline=None)
def test_the_same_time_gets_one_cause_or_one_names_the_other(
    seed: int, what: tuple[str, ...], lcu: int, count: int, is_reported: bool, mirrored: bool
) -> None:
    volumes = volumes_of(lcu)[:count]
    found = about(made(seed, what, volumes, is_reported=is_reported, mirrored=mirrored), lcu, volumes)
    assert found or not is_reported
    if is_reported:
        assert [f.code for f in found] == ["cache_off"]
    for f in found:
        for other in found:
            same = f is not other and set(f.subject.names) & set(other.subject.names)
            pairs = ((f, other), (other, f))
            assert not same or any(NAMED.get(one.code, one.code) in f"{two.text} {two.advice}" for one, two in pairs)


@pytest.mark.parametrize(
    ("what", "count", "stated"),
    [(("fast write",), EACH, "DASD fast write is off for subsystem 2010"),
     (BOTH, EACH, "Cache and fast write are off for subsystem 2010"),
     (("cache",), 1, "Caching is off for volume V00000")],
)  # fmt: skip
def test_what_is_off_is_stated_with_its_cost(what: tuple[str, ...], count: int, stated: str) -> None:
    """6 of 10 I/Os read, 4 ms each when none hits, 4 write, 6 ms each when none is fast: 2.4 ms each."""
    (f,) = about(made(1, what, volumes_of(0)[:count], is_reported=True, mirrored=True), 0, volumes_of(0))
    now, then = (
        next(n.value for n in f.numbers if n.name == name) for name in ("disconnect then", "disconnect while it is on")
    )
    extra = 2.4 * len(what) - (then if "cache" in what else 0.0)
    assert f.text.startswith(f"{stated} (03:00-06:00 on 2026-03-02)") and f.code == "cache_off"
    assert now - then == pytest.approx(extra, rel=0.05) and then < 0.25
    assert f.effect and f.effect.low <= f.effect.value <= f.effect.high < f.effect.now
    assert f.effect.now - f.effect.value == pytest.approx(now - then)
    ios = next(n.value for n in f.numbers if n.name == "I/O rate then") * 12 * 900
    assert f.lost_s == pytest.approx(ios * (now - then) / 1000, rel=0.02)
    assert f.severity == ("act" if count == EACH else "watch")
    shares = {n.name: n.value for n in f.numbers}
    if "fast write" in what:
        assert shares["fast writes of the writes then"] == 0.0


@pytest.mark.parametrize("count", [1, EACH])
def test_a_box_that_counts_bypasses_while_caching_is_off_gets_the_same_finding(count: int) -> None:
    volumes = volumes_of(0)[:count]
    found = [about(made(1, ("cache",), volumes, is_reported=True, bypassed=b), 0, volumes) for b in (True, False)]
    assert found[0] == found[1] and [f.code for f in found[0]] == ["cache_off"]
