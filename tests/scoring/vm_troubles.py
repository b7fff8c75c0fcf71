"""Troubles of a made-up z/VM system, and what only looks like one; see `tests.scoring.troubles`."""

from collections.abc import Callable

import numpy as np

from tests.scoring.site import Floats
from tests.scoring.troubles import Kind, When, kind
from tests.scoring.vm_site import EACH, EDEVS, LSS, PAGING, POOLED, SYSTEM, VmSite, labels, volumes_of
from tests.situations_independent.cp import Device

DISKS = len(LSS) * EACH


def _pick(site: VmSite, *, pooled: bool = False) -> int:
    """A volume, of the pool or of the others."""
    lss = POOLED if pooled else int(site.rng.integers(len(LSS) - 1))
    return int(site.rng.choice(volumes_of(lss)))


def _pick_lss(site: VmSite) -> int:
    return int(site.rng.integers(len(LSS)))


def _at_least(site: VmSite, volumes: list[int], when: When, rate: float) -> None:
    cells = np.ix_(volumes, np.flatnonzero(when))
    site.rate[cells] = np.maximum(site.rate[cells], rate)


def _lengthen(site: VmSite, part_ms: Floats, volumes: list[int], when: When, low: float, high: float) -> None:
    """These volumes are busy, and a part of their service time takes so long."""
    _at_least(site, volumes, when, 60.0)
    part_ms[np.ix_(volumes, np.flatnonzero(when))] = site.rng.uniform(low, high)


def _of(lss: int) -> frozenset[str]:
    return frozenset({LSS[lss] + "00", *(labels()[v] for v in volumes_of(lss))})


def _no_alias(site: VmSite, when: When) -> frozenset[str]:
    """Guests drive a device without aliases near what it can do."""
    v = _pick(site)
    site.rate[v, when] = site.rng.uniform(0.85, 0.96) * 1e3 / site.service_ms[v, when]
    return frozenset({labels()[v]})


def _pool_dry(site: VmSite, when: When) -> frozenset[str]:
    """Load comes in bursts, and now and then no alias of the pool is free."""
    volumes = volumes_of(POOLED)
    _at_least(site, volumes, when, site.rng.uniform(300, 700))
    site.failed[when] = site.rng.uniform(0.05, 0.4)
    site.added[np.ix_(volumes, np.flatnonzero(when))] = site.rng.uniform(0.5, 3)
    return _of(POOLED)


def _emulated(site: VmSite, when: When) -> frozenset[str]:
    """A LUN behind FCP answers slowly, and CP sends it one I/O after the other."""
    v = DISKS + int(site.rng.integers(len(EDEVS)))
    site.rate[v, when], site.added[v, when] = site.rng.uniform(30, 60), site.rng.uniform(1.5, 5)
    site.disc_ms[v, when] = site.rng.uniform(8, 15)
    return frozenset({labels()[v]})


def _slow_path(site: VmSite, when: When) -> frozenset[str]:
    """A director, a port or a control unit's adapter delays what is sent to an LSS."""
    lss = _pick_lss(site)
    _lengthen(site, site.pend_ms, volumes_of(lss), when, 0.8, 4)
    return _of(lss)


def _slow_paths(site: VmSite, when: When) -> frozenset[str]:
    """What all paths have in common delays the I/Os to all disks."""
    _lengthen(site, site.pend_ms, list(range(DISKS)), when, 0.8, 4)
    return frozenset().union(*(_of(lss) for lss in range(len(LSS))))


def _short_of_memory(site: VmSite, when: When) -> frozenset[str]:
    """Guests use more memory than there is: CP pages ten times as much, and queues on its paging volumes."""
    volumes, at = list(range(PAGING)), np.flatnonzero(when)
    site.pages[:, when] *= 10
    site.rate[np.ix_(volumes, at)] = site.rng.uniform(0.8, 0.95) * 1e3 / site.service_ms[np.ix_(volumes, at)]
    return frozenset({*labels()[:PAGING], SYSTEM})


def _aliases_lost(site: VmSite, when: When) -> frozenset[str]:
    """Aliases of the pool go offline, and those left are too few from then on."""
    since = np.maximum.accumulate(when)
    _at_least(site, volumes_of(POOLED), since, site.rng.uniform(300, 600))
    site.aliases[since], site.failed[since] = 2, site.rng.uniform(0.1, 0.4)
    site.added[np.ix_(volumes_of(POOLED), np.flatnonzero(since))] = site.rng.uniform(0.5, 3)
    return _of(POOLED)


def _slow_volume(site: VmSite, when: When) -> frozenset[str]:
    """The disks behind one volume answer late."""
    v = _pick(site)
    _lengthen(site, site.disc_ms, [v], when, 3, 8)
    return frozenset({labels()[v]})


def _slow_box(site: VmSite, when: When) -> frozenset[str]:
    """All volumes of an LSS disconnect for long."""
    lss = _pick_lss(site)
    _lengthen(site, site.disc_ms, volumes_of(lss), when, 3, 8)
    return _of(lss)


def _slow_link(site: VmSite, when: When) -> frozenset[str]:
    """The same I/Os take longer on the link: it came up at a lower speed."""
    lss = _pick_lss(site)
    _at_least(site, volumes_of(lss), np.ones_like(when), 30.0)
    site.conn_ms[np.ix_(volumes_of(lss), np.flatnonzero(when))] *= site.rng.uniform(3, 5)
    return _of(lss)


def _throttled(site: VmSite, when: When) -> frozenset[str]:
    """SET THROTTLE holds a volume back."""
    v = _pick(site)
    held = float(site.rng.integers(20, 60))
    site.rate[v, when], site.throttle[v, when], site.added[v, when] = held, held, site.rng.uniform(1.5, 6)
    return frozenset({labels()[v]})


def _page_space(site: VmSite, when: When) -> frozenset[str]:
    """Page space fills, and stays full."""
    since = np.maximum.accumulate(when)
    site.used[since] = np.linspace(90, 97, int(since.sum()))
    return frozenset({*labels()[:PAGING], SYSTEM})


def _paths_lost(site: VmSite, when: When) -> frozenset[str]:
    """Two of four paths go and don't come back."""
    lss = _pick_lss(site)
    site.paths[np.ix_(volumes_of(lss), np.flatnonzero(np.maximum.accumulate(when)))] = 2
    return _of(lss)


def _uncached(site: VmSite, when: When) -> frozenset[str]:
    """Minidisk cache answered most reads of source disks until somebody switched it off."""
    v, off = _pick(site), np.maximum.accumulate(when)
    asked = site.rng.uniform(200, 400)
    site.reads[v] = 92
    site.avoided[v], site.rate[v] = np.where(off, 0.0, 0.9 * asked), np.where(off, asked, 0.1 * asked)
    return frozenset({labels()[v]})


def _errors(site: VmSite, when: When) -> frozenset[str]:
    """A cable or an adapter goes bad: I/Os are started again, and take longer."""
    v = _pick(site)
    _lengthen(site, site.disc_ms, [v], when, 3, 8)
    site.recovered[v, when] = site.rng.integers(20, 80)
    return frozenset({labels()[v]})


def _backup(site: VmSite, when: When) -> frozenset[str]:
    """Not a trouble: whole cylinders are read from one volume after the other, one I/O at a time."""
    at = np.flatnonzero(when)
    for n, part in enumerate(np.array_split(at, DISKS)):
        site.conn_ms[n, part], site.disc_ms[n, part] = 7.0, 1.5
        site.rate[n, part], site.reads[n, part] = 85.0, 99
        site.in_turn[n, part] = True
    return frozenset().union(*(_of(lss) for lss in range(len(LSS))))


def _left_by_cache(site: VmSite, _: When) -> frozenset[str]:
    """Not a trouble: minidisk cache answers all but one request in a hundred, and those are misses everywhere."""
    v = _pick(site)
    site.rate[v], site.avoided[v], site.disc_ms[v] = 4.0, site.rng.uniform(300, 600), 5.0
    return frozenset({labels()[v]})


def _rarely_used(site: VmSite, _: When) -> frozenset[str]:
    """Not a trouble: a label is read now and then, and takes long."""
    v = _pick(site)
    site.rate[v], site.disc_ms[v] = 0.2, 18.0
    return frozenset()


def _peripherals(site: VmSite, _: When) -> frozenset[str]:
    """Not a trouble: adapters and tapes are busy all the time."""
    site.extra += [
        Device("0E40", "......", 1.0, (0.1, 0.0, 940.0), 0.0, "CTCA", 50, paths=1),
        Device("0580", "......", 18.0, (0.2, 30.0, 18.0), 0.0, "3590", 2, paths=2),
    ]
    return frozenset()


def _busier(site: VmSite, when: When) -> frozenset[str]:
    """Not a trouble: four times the rate, and no device more than a quarter busy."""
    cells = np.ix_(range(DISKS), np.flatnonzero(when))
    site.rate[cells] = np.minimum(4 * site.rate[cells], 0.25e3 / site.service_ms[cells])
    return frozenset()


LISTED: tuple[Kind, ...] = (
    kind(_no_alias, "pav_add_alias closed_load paging_volumes"),
    kind(_emulated, "queue_no_alias", also="disc_unexplained"),
    kind(_slow_path, "slow_path paging_volumes"),
    kind(_slow_paths, "slow_path"),
    kind(_short_of_memory, "paging_volumes"),
    kind(_slow_volume, "disc_unexplained paging_volumes"),
    kind(_slow_box, "disc_unexplained paging_volumes"),
    kind(_slow_link, "connect_unexplained"),
    kind(_throttled, "queue_no_alias"),
    kind(_page_space, "paging_volumes space_full"),
    kind(_paths_lost, "paths_lost"),
    kind(_uncached, "minidisk_cache"),
    kind(_errors, "error_recovery"),
    kind(_backup, "", also="disc_unexplained"),
    kind(_left_by_cache, "", also="minidisk_cache"),
    kind(_rarely_used, ""),
    kind(_peripherals, ""),
    kind(_busier, ""),
)
ONLY_LISTED: frozenset[Callable[[VmSite, When], frozenset[str]]] = frozenset(
    {_emulated, _throttled, _page_space, _short_of_memory, _uncached, _errors, _left_by_cache, _peripherals}
)
MONITORED = (
    *(k for k in LISTED if k.plant not in ONLY_LISTED),
    kind(_pool_dry, "alias_pool_dry", "hyperpav_wait"),
    kind(_aliases_lost, "alias_pool_dry", "hyperpav_wait"),
)
