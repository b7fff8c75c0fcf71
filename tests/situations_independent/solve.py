"""What a moment comes to: service by its parts, queues for exposures and for pools of aliases, by Little's law."""

import math
from dataclasses import dataclass, field

import numpy as np

from iosq.models.queueing.stations import erlang_c
from tests.situations_independent.shop import Moment, Shop, System, Volume, Work

CONN_MS, BYTES_PER_MS, OTHER_PEND_MS = 0.09, 400_000, 0.02
SEQUENTIAL_MISS = 0.012
BURST, FULLEST = 1.4, 0.94


@dataclass
class Pool:
    """Aliases of an LCU as one system uses them: mean in use, I/Os refused, I/Os queued, highest use."""

    aliases: int = 0
    used: float = 0.0
    refused: float = 0.0
    queued: float = 0.0
    peak: int = 0


@dataclass
class Result:
    """A moment solved: work by system and volume, pools by system and LCU."""

    work: dict[tuple[str, int], Work] = field(default_factory=dict)
    pools: dict[tuple[str, int], Pool] = field(default_factory=dict)

    def of_volume(self, place: int) -> list[Work]:
        """The work of all systems on a volume."""
        return [w for (_, v), w in self.work.items() if v == place and w.rate > 0]


def missed(w: Work) -> float:
    """Share of the reads that wait for the disks."""
    return (1 - w.sequential) * (1 - w.hit) + w.sequential * SEQUENTIAL_MISS


def disc_ms(w: Work) -> float:
    """Read misses, and what writes wait for."""
    return w.read * missed(w) * w.miss_ms + (1 - w.read) * (w.nvs_ratio * w.nvs_ms + w.copy_ms) + w.disc_extra_ms


def conn_ms(w: Work) -> float:
    """Protocol and transfer."""
    return CONN_MS + w.block / BYTES_PER_MS + w.conn_extra_ms


def pend_ms(w: Work) -> float:
    """Command response, reserve of another system, and a little besides."""
    return w.cmr_ms + w.held_ms + w.css_ms + OTHER_PEND_MS


def service_ms(w: Work) -> float:
    """Pend, disconnect and connect."""
    return pend_ms(w) + disc_ms(w) + conn_ms(w)


def solve(shop: Shop, m: Moment) -> Result:
    """Work of every system, whether its SMF data are read or not."""
    found = Result()
    for system in shop.systems:
        for place, v in enumerate(shop.volumes):
            found.work[system.sid, place] = _work(shop, m, system, v)
        for lcu in range(len(shop.lcus)):
            found.pools[system.sid, lcu] = _queue(shop, m, system, lcu, found)
    return found


def _work(shop: Shop, m: Moment, system: System, v: Volume) -> Work:
    lcu, rng = shop.lcus[v.lcu], shop.chance(m.start, system.sid, v.volser)
    box = shop.boxes[shop.box_of(m, lcu) if shop.box_of else lcu.box]
    rate = lcu.rate * v.weight * system.share * shop.load(m) * float(np.clip(rng.normal(1, 0.06), 0.7, 1.3))
    own = shop.chance(v.volser)
    hit = float(np.clip(own.uniform(0.93, 0.98) + rng.normal(0, 0.003), 0.5, 0.995))
    w = Work(rate, lcu.read, lcu.exposures if lcu.pav == "static" else 1, hit=hit, volser=v.volser)
    w.miss_ms = box.miss_ms * float(rng.normal(1, 0.04))
    w.cmr_ms *= float(rng.normal(1, 0.05))
    for change in shop.changes:
        change(m, system, v, w)
    if not lcu.is_seen_by(system):
        w.rate, w.requesters = 0.0, 0
    return w


def _queue(shop: Shop, m: Moment, system: System, place: int, found: Result) -> Pool:
    lcu = shop.lcus[place]
    works = [found.work[system.sid, i] for i, v in enumerate(shop.volumes) if v.lcu == place]
    count = shop.aliases_of(m, system, lcu) if shop.aliases_of else lcu.aliases
    if lcu.pav in ("hyper", "super"):
        return _pool(works, count)
    for w in works:
        _static(w)
    return Pool()


def _static(w: Work) -> None:
    """A volume with exposures of its own: M/M/c, or a closed world."""
    service = service_ms(w)
    if w.requesters:
        _closed(w, min(w.requesters, w.exposures))
        return
    w.rate = min(w.rate, FULLEST * w.exposures * 1000 / service)
    if w.iosq_ms is None:
        busy = w.rate * service / 1000
        wait = float(erlang_c(busy, w.exposures))
        w.iosq_ms = 1000 * BURST * wait * busy / (w.exposures - busy) / w.rate if w.rate > 0 else 0.0


def _closed(w: Work, served: float) -> None:
    """N programs: those that have an exposure are served, the rest wait; the rate follows from Little's law."""
    w.rate = served * 1000 / (service_ms(w) + w.think_ms)
    if w.iosq_ms is None:
        w.iosq_ms = 1000 * (w.requesters - served) / w.rate if w.requesters > served else 0.0


def _pool(works: list[Work], count: int) -> Pool:
    """A pool all volumes draw on: the base takes one I/O, an alias each one more."""
    asked = sum(max(w.requesters - 1, 0) for w in works)
    open_need = [_need(w) for w in works]
    for _ in range(40):
        room = FULLEST * max(count - min(asked, count) * 0.5, 0.5)
        if sum(open_need) <= room:
            break
        for w in works:
            w.rate *= 1.0 if w.requesters else 0.97
        open_need = [_need(w) for w in works]
    used = sum(open_need)
    wait = float(erlang_c(min(used, 0.985 * max(count, 1)), max(count, 1)))
    queued = BURST * wait * used / max(count - used, 0.05) if used else 0.0
    for w, need in zip(works, open_need, strict=True):
        _share(w, need, used, queued, asked, count)
    granted = min(asked, max(count - used, 0)) if asked else 0.0
    total = used + granted
    full = wait > 0.002 or asked > granted
    peak = count if full else min(count, math.ceil(total + 3 * math.sqrt(total + 0.1)) if total else 0)
    refused = min(0.9, wait * used / max(sum(w.rate * service_ms(w) / 1000 for w in works), 1e-9))
    if asked > granted:
        refused, queued = max(refused, 1 - granted / asked), queued + asked - granted
    return Pool(count, total, refused, queued, peak)


def _need(w: Work) -> float:
    busy = 0.0 if w.requesters else w.rate * service_ms(w) / 1000
    return busy - 1 + math.exp(-busy)


def _share(w: Work, need: float, used: float, queued: float, asked: float, count: int) -> None:
    if w.requesters:
        granted = min(asked, max(count - used, 0)) * (w.requesters - 1) / asked if asked else 0.0
        _closed(w, 1 + granted)
    elif w.iosq_ms is None:
        w.iosq_ms = 1000 * queued * need / used / w.rate if used and w.rate else 0.0
