"""Troubles of a made-up site: what goes wrong, for how long and how badly, and which finding an expert would expect.

How badly is drawn from what is a trouble in practice, whatever limits the rules have.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.scoring.site import (
    BOXES,
    CHANNELS,
    EXPOSURES,
    LCUS,
    LINKS,
    SYSTEMS,
    Floats,
    Site,
    box_of,
    cells,
    is_pooled,
    lcu_name,
    subsystem_name,
    volume_name,
    volumes_of,
)  # fmt: skip

When = NDArray[np.bool_]
CACHE, QUEUING, CHANNEL, RANKS = "74.5", "78.3", "73", "74.8"
# I/Os per second of an idle volume: its label is looked at once in a while
IDLE = 0.0004


@dataclass(frozen=True)
class Kind:
    """One kind of trouble.

    plant: changes a site at some intervals and says what it is about, by any of its names. expects: findings, one
    of them has to come. also: findings that are right about the same place though they say less. needs: record types
    without which it is unknown. instead: findings, one has to come where `needs` are missing; none: nothing
    has to. always: it lasts as long as the site; least_days: measured before it shows; by_contrast: it shows
    only next to intervals without it, before or after.
    """

    name: str
    plant: Callable[[Any, When], frozenset[str]]
    expects: frozenset[str]
    also: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    instead: frozenset[str] = frozenset()
    always: bool = False
    least_days: float = 0.0
    by_contrast: bool = False


def _pick_lcu(site: Site, pooled: bool) -> int:
    return int(site.rng.choice([n for n in range(LCUS) if is_pooled(n) == pooled]))


def _pick_static(site: Site) -> tuple[int, int]:
    """A static LCU and one of its volumes that has no trouble with its exposures yet."""
    lcu = _pick_lcu(site, pooled=False)
    return lcu, int(site.rng.choice([v for v in volumes_of(lcu) if not _is_short(site, v)]))


def _is_short(site: Site, volume: int) -> bool:
    """Whether another trouble took exposures from it."""
    return bool(site.exposures[volume].min() < EXPOSURES)


def _named(lcu: int, *volumes: int) -> frozenset[str]:
    return frozenset({lcu_name(lcu), subsystem_name(lcu), *(volume_name(v) for v in volumes)})


def _box(box: int) -> frozenset[str]:
    inside = [n for n in range(LCUS) if box_of(n) == box]
    return frozenset({BOXES[box]}).union(*(_named(n, *volumes_of(n)) for n in inside))


def _of_box(box: int) -> list[int]:
    return [v for n in range(LCUS) if box_of(n) == box for v in volumes_of(n)]


def _few_exposures(site: Site, when: When) -> frozenset[str]:
    """Busy near what its exposures can carry: random arrivals queue."""
    (lcu, v), rng = _pick_static(site), site.rng
    system, servers = int(rng.integers(SYSTEMS)), int(rng.integers(1, 4))
    site.exposures[v] = servers
    # enough for all other hours
    site.rate[:, v] *= 0.5 * servers / np.maximum((site.rate[:, v] * site.service_ms[:, v] / 1e3).max(), 0.5)
    busy = rng.uniform(0.85, 0.97) * rng.normal(1, 0.005, int(when.sum()))
    site.rate[system, v, when] = busy * servers * 1e3 / site.service_ms[system, v, when]
    return _named(lcu, v)


def _requesters(site: Site, when: When) -> frozenset[str]:
    """A job with many tasks, and each waits for its answer: all exposures are busy, the rest of the tasks wait."""
    (lcu, v), rng = _pick_static(site), site.rng
    system, servers = int(rng.integers(SYSTEMS)), int(rng.integers(1, 4))
    site.exposures[v] = servers
    site.rate[:, v] *= 0.5 * servers / np.maximum((site.rate[:, v] * site.service_ms[:, v] / 1e3).max(), 0.5)
    # an exposure that somebody waits for is taken again at once
    busy = rng.uniform(0.985, 1.0) * rng.normal(1, 0.002, int(when.sum()))
    site.rate[system, v, when] = busy.clip(max=1) * servers * 1e3 / site.service_ms[system, v, when]
    site.requesters[system, v, when] = servers * rng.integers(2, 7)
    return _named(lcu, v)


def _fill_pool(site: Site, lcu: int, when: When, full: float) -> None:
    volumes = volumes_of(lcu)
    inside = (site.rate[:, volumes] * site.service_ms[:, volumes]).sum(axis=1)[..., when] / 1e3
    more = full * site.aliases[:, lcu, when] / np.maximum(inside, 0.01)
    site.rate[cells(range(SYSTEMS), volumes, np.flatnonzero(when))] *= np.maximum(more, 1.0)[:, None]


def _pool_dry(site: Site, when: When) -> frozenset[str]:
    """Load near the pool's size comes in bursts: now and then all aliases are out."""
    lcu, rng = _pick_lcu(site, pooled=True), site.rng
    _fill_pool(site, lcu, when, rng.uniform(0.4, 0.8))
    denied = rng.uniform(0.02, 0.5)
    site.denied_ratio[:, lcu, when] = denied
    site.high_water[:, lcu, when] = site.aliases[:, lcu, when]
    site.wait_ms[cells(range(SYSTEMS), volumes_of(lcu), np.flatnonzero(when))] = denied * rng.uniform(2, 10)
    return _named(lcu, *volumes_of(lcu))


def _same_extent(site: Site, when: When) -> frozenset[str]:
    """Writes to one extent wait for each other, aliases or not."""
    lcu, rng = _pick_lcu(site, pooled=True), site.rng
    v, system = int(rng.choice(volumes_of(lcu))), int(rng.integers(SYSTEMS))
    site.rate[system, v, when] = rng.uniform(150, 600)
    site.wait_ms[system, v, when] = rng.uniform(4, 15)
    return _named(lcu, v)


def _throttled(site: Site, when: When) -> frozenset[str]:
    """PAV alias throttling holds I/Os back on purpose."""
    lcu, rng = _pick_lcu(site, pooled=True), site.rng
    system = int(rng.integers(SYSTEMS))
    site.throttled_ratio[system, lcu, when] = rng.uniform(0.1, 0.5)
    places = cells([system], volumes_of(lcu), np.flatnonzero(when))
    site.rate[places] = rng.uniform(150, 400)
    site.wait_ms[places] = rng.uniform(2, 10)
    return _named(lcu, *volumes_of(lcu))


def _reserved(site: Site, when: When) -> frozenset[str]:
    """A job of one system reserves a volume that the other reads and writes."""
    lcu, rng = int(site.rng.integers(LCUS)), site.rng
    v, holder = int(rng.choice(volumes_of(lcu))), int(rng.integers(SYSTEMS))
    site.reserved[holder, v, when] = rng.uniform(0.1, 0.5)
    site.rate[1 - holder, v, when] = rng.uniform(60, 150)
    site.device_busy_ms[1 - holder, v, when] = rng.uniform(2, 12)
    return _named(lcu, v)


def _nvs_full(site: Site, when: When) -> frozenset[str]:
    """More writes than the box destages."""
    box, rng = int(site.rng.integers(len(BOXES))), site.rng
    places = cells(_of_box(box), np.flatnonzero(when))
    site.delayed_ratio[places] = rng.uniform(0.02, 0.15)
    site.delay_ms[places] = rng.uniform(10, 40)
    site.destage_rate[cells([n for n in range(LCUS) if box_of(n) == box], np.flatnonzero(when))] = rng.uniform(300, 900)
    return _box(box)


def _slow_path(site: Site, when: When) -> frozenset[str]:
    """A port, a link or an adapter on the way to one control unit is in trouble."""
    lcu, rng = int(site.rng.integers(LCUS)), site.rng
    site.rate[cells(range(SYSTEMS), volumes_of(lcu), np.flatnonzero(when))] = rng.uniform(60, 200)
    site.cmr_ms[cells(range(SYSTEMS), volumes_of(lcu), np.flatnonzero(when))] = rng.uniform(0.8, 5)
    return _named(lcu, *volumes_of(lcu))


def _channel_full(site: Site, when: When) -> frozenset[str]:
    """A copy job fills the channels that lead to a box."""
    box, rng, system = int(site.rng.integers(len(BOXES))), site.rng, int(site.rng.integers(SYSTEMS))
    channels = [2 * box, 2 * box + 1]
    site.channel_ratio[cells([system], channels, np.flatnonzero(when))] = rng.uniform(0.8, 0.97)
    places = cells([system], _of_box(box), np.flatnonzero(when))
    site.rate[places] = rng.uniform(80, 200)
    site.cmr_ms[places] += rng.uniform(0.3, 1.2)
    return _box(box) | {f"{0x50 + n:02X}" for n in channels}


def _random_reader(site: Site, when: When) -> frozenset[str]:
    """One program reads at random over more than any cache holds."""
    lcu, rng = int(site.rng.integers(LCUS)), site.rng
    v = int(rng.choice(volumes_of(lcu)))
    site.rate[:, v, when] = rng.uniform(60, 200)
    site.read_ratio[v, when], site.hit_ratio[v, when] = 0.92, rng.uniform(0.25, 0.6)
    return _named(lcu, v)


def _bypassed(site: Site, when: When) -> frozenset[str]:
    """A job asks for its I/Os to go past the cache."""
    lcu, rng = int(site.rng.integers(LCUS)), site.rng
    v = int(rng.choice(volumes_of(lcu)))
    site.rate[:, v, when] = rng.uniform(60, 200)
    site.passed_ratio[v, when] = rng.uniform(0.3, 0.9)
    return _named(lcu, v)


def _flood(site: Site, when: When) -> frozenset[str]:
    """A copy job reads a volume from end to end; all others of the box lose their tracks."""
    box, rng = int(site.rng.integers(len(BOXES))), site.rng
    job, *others = rng.permutation(_of_box(box))
    site.sequential_ratio[job, when], site.staged_rate[job, when] = rng.uniform(0.85, 1), rng.uniform(200, 1500)
    site.hit_ratio[cells(others, np.flatnonzero(when))] -= rng.uniform(0.12, 0.3)
    return _box(box)


def _fewer_hits(site: Site, when: When) -> frozenset[str]:
    """New work on a box that ran well for more than a week."""
    box, rng = int(site.rng.integers(len(BOXES))), site.rng
    late = when & (site.hours >= 24 * 8)
    site.hit_ratio[cells(_of_box(box), np.flatnonzero(late))] -= rng.uniform(0.12, 0.3)
    return _box(box)


def _small_cache(site: Site, when: When) -> frozenset[str]:
    """Every volume of a box reads more than its cache keeps."""
    box, rng = int(site.rng.integers(len(BOXES))), site.rng
    places = cells(_of_box(box), np.flatnonzero(when))
    site.hit_ratio[places] = rng.uniform(0.4, 0.65)
    site.rate[cells(range(SYSTEMS), _of_box(box), np.flatnonzero(when))] = rng.uniform(60, 150)
    return _box(box)


def _rank_full(site: Site, when: When) -> frozenset[str]:
    """One rank takes the destage of others too, and answers slowly."""
    lcu, rng = int(site.rng.integers(LCUS)), site.rng
    slower = rng.uniform(5, 10)
    site.rank_ms[lcu, when] *= slower
    site.miss_ms[cells(volumes_of(lcu), np.flatnonzero(when))] *= slower
    site.destage_rate[lcu, when] *= 3
    site.rate[cells(range(SYSTEMS), volumes_of(lcu), np.flatnonzero(when))] = rng.uniform(60, 150)
    return _named(lcu, *volumes_of(lcu)) | {BOXES[box_of(lcu)], f"{lcu:04X}"}


def _link_full(site: Site, when: When) -> frozenset[str]:
    """A restore reads all it can over one adapter."""
    link = int(site.rng.integers(len(site.link_ratio)))
    site.link_ratio[link, when] = site.rng.uniform(0.8, 0.98)
    return frozenset({BOXES[link // LINKS]})


def _mirror(site: Site, when: When) -> frozenset[str]:
    """Writes of a box wait for a second one, farther away than it was, or over worse lines."""
    box, rng = int(site.rng.integers(len(BOXES))), site.rng
    volumes = _of_box(box)
    site.is_mirrored[volumes] = True
    site.late_ms[cells(volumes, np.flatnonzero(when))] = rng.uniform(2.5, 8)
    site.rate[cells(range(SYSTEMS), volumes, np.flatnonzero(when))] = rng.uniform(60, 150)
    return _box(box)


def _idle(site: Site, _: When) -> frozenset[str]:
    lcu = int(site.rng.integers(LCUS))
    v = int(site.rng.choice(volumes_of(lcu)))
    site.rate[:, v] = IDLE
    return _named(lcu, v)


def _large_pool(site: Site, _: When) -> frozenset[str]:
    lcu = _pick_lcu(site, pooled=True)
    site.aliases[:, lcu] = site.rng.integers(60, 120)
    return _named(lcu)


def _many_static(site: Site, _: When) -> frozenset[str]:
    lcu = _pick_lcu(site, pooled=False)
    # who gave too many to all others still left one volume short
    site.exposures[[v for v in volumes_of(lcu) if not _is_short(site, v)]] = site.rng.integers(10, 17)
    return _named(lcu, *volumes_of(lcu))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def kind(
    plant: Callable[[Any, When], frozenset[str]], expects: str, also: str = "", needs: str = "", instead: str = "",
    always: bool = False, least_days: float = 0.0, by_contrast: bool = False,
) -> Kind:  # fmt: skip
    """A kind, its findings as words; see `Kind`."""
    name = plant.__name__.removeprefix("_")
    return Kind(
        name, plant, _words(expects), _words(also), _words(needs), _words(instead), always, least_days, by_contrast
    )


KINDS = (
    kind(_few_exposures, "pav_add_alias closed_load", also="lcu_addresses"),
    kind(_requesters, "closed_load", also="lcu_addresses"),
    kind(_pool_dry, "alias_pool_dry closed_load", "hyperpav_wait", QUEUING, "hyperpav_wait"),
    kind(_same_extent, "same_extent", "hyperpav_wait", QUEUING, "hyperpav_wait"),
    kind(_throttled, "alias_throttled"),
    kind(_reserved, "reserve_contention"),
    kind(_nvs_full, "nvs_delay", "disc_unexplained", CACHE),
    kind(_slow_path, "slow_path"),
    kind(_channel_full, "channel_busy", "slow_path", f"{CHANNEL} {QUEUING}"),
    kind(_random_reader, "low_hit_ratio", "disc_unexplained", CACHE),
    kind(_bypassed, "cache_bypass", "low_hit_ratio disc_unexplained", CACHE),
    kind(
        _flood,
        "sequential_flood",
        "hit_ratio_drop low_hit_ratio cache_too_small disc_unexplained",
        CACHE,
        by_contrast=True,
    ),
    kind(_fewer_hits, "hit_ratio_drop", "low_hit_ratio cache_too_small disc_unexplained", CACHE, least_days=10),
    # where a week before it shows that the box hit well, that it hits less is the truer word
    kind(_small_cache, "cache_too_small hit_ratio_drop", "low_hit_ratio disc_unexplained", CACHE),
    kind(_rank_full, "rank_saturated", "disc_unexplained", RANKS, by_contrast=True),
    kind(_link_full, "link_full", needs=RANKS),
    kind(_mirror, "remote_copy_wait", "disc_unexplained", CACHE),
    kind(_idle, "idle_volume", always=True, least_days=0.5),
    kind(_large_pool, "pool_too_large", needs=QUEUING, always=True, least_days=0.5),
    kind(_many_static, "pav_too_many", always=True, least_days=0.5),
)


def span(site: Site, begin_h: float, hours: float, daily: bool) -> When:
    """Intervals of a trouble that begins at an hour of the site and lasts so long, once or every day at that hour."""
    at: Floats = site.hours - begin_h
    if daily:
        at = np.where(at >= 0, at % 24, at)
    return np.asarray((at >= 0) & (at < hours))


__all__ = ["CACHE", "CHANNEL", "CHANNELS", "IDLE", "KINDS", "QUEUING", "RANKS", "Kind", "When", "kind", "span"]
