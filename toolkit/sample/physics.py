"""Effects of boxes and queues on the demand: service times, NVS delays, waits, and lower rates at saturation.

Times in ms. A volume is an M/M/c queue with c exposures whose wait is multiplied by `BURST`; a HyperPAV LCU is a pool:
each volume's base serves one I/O, further ones need an alias, and waits are those of an M/M/A queue of alias requests.
In a closed class only the requesters that find no free exposure wait.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.queueing.stations import erlang_b, erlang_c
from iosq.toolkit.sample.demand import Demand, Floats, Ints
from iosq.toolkit.sample.paths import CHANNELS_FULLEST, channel_wait_ms, channels_busy
from iosq.toolkit.sample.sysplex import Sysplex

TRACK_BYTES = 56664
BYTES_PER_MS = 120_000
PROTOCOL_MS = 0.2
PEND_MS = 0.06
# factor on waits, because programs send I/Os in bursts and wait longer than Poisson arrivals
BURST = 1.6
# maximum utilisation: programs slow down before a queue grows without limit
FULLEST = 0.93
# share of the wait for a channel before the I/O starts; the rest lengthens the transfer
WAIT_IN_PEND = 0.3
# maximum share of an arm's capacity
ARMS_FULLEST = 0.97
# less than 1, because normal writes rewrite tracks before they are destaged
TRACKS_PER_WRITE = 0.45
# I/Os that wait per alias in use beyond the first, while a pool has free ones
CROWDED = 0.02
ROUNDS = 24


@dataclass(frozen=True, slots=True)
class State:
    """The solved day. Axes as in `Demand`; alias arrays (system, LCU, interval), boxes (box, interval)."""

    demand: Demand
    rate: Floats
    cmr_ms: Floats
    pend_ms: Floats
    disc_ms: Floats
    conn_ms: Floats
    wait_ms: Floats
    delayed_ratio: Floats
    alias_need: Floats
    alias_use: Floats
    denied_ratio: Floats
    home_full_ratio: Floats
    lcu_queue: Floats

    @property
    def sysplex(self) -> Sysplex:
        return self.demand.sysplex

    @property
    def lcu_service_ms(self) -> Floats:
        """(system, LCU, interval): mean weighted by rate."""
        busy, rate = (sum_by_lcu(self.sysplex, x) for x in (self.rate * self.service_ms, self.rate))
        return busy / np.maximum(rate, 1e-9)

    @property
    def service_ms(self) -> Floats:
        """(volume, interval): service time, the same for every system."""
        return self.pend_ms + self.disc_ms + self.conn_ms


def arriving_tracks(demand: Demand, rate: Floats) -> Floats:
    """(box, interval): tracks per second that writes fill and the box must destage."""
    per_normal = TRACKS_PER_WRITE * (1 - demand.sequential_ratio)
    per_sequential = demand.sequential_ratio * demand.block_bytes / TRACK_BYTES
    tracks = rate.sum(axis=0) * (1 - demand.read_ratio) * (per_normal + per_sequential)
    return sum_by_box(demand.sysplex, tracks)


def sum_by_box(sysplex: Sysplex, values: Floats) -> Floats:
    """(volume, interval) to (box, interval)."""
    boxes = range(len(sysplex.boxes))
    of_box = np.array([[v.box == b for v in sysplex.volumes] for b in boxes], dtype=float)
    return of_box @ values


def delayed_ratio(demand: Demand, rate: Floats) -> Floats:
    """(box, interval): share of writes that find NVS full: arrivals above the destage rate.

    A burst within the interval may first fill NVS, which is empty at its start.
    """
    limit = np.array([b.destage_rate for b in demand.sysplex.boxes])[:, None]
    arriving = np.maximum(arriving_tracks(demand, rate), 1e-9)
    return np.clip(np.maximum(1 - limit / arriving, _burst_delayed(demand, arriving, limit)), 0, 1)


def _burst_delayed(demand: Demand, arriving: Floats, limit: Floats) -> Floats:
    room = np.array([b.nvs_mb * 1_000_000 / TRACK_BYTES for b in demand.sysplex.boxes])[:, None]
    excess = (demand.burst_ratio * arriving - limit) * demand.burst_s - room
    return np.where(demand.burst_s > 0, excess, 0.0) / (arriving * demand.sysplex.interval_s)


def alias_use(demand: Demand) -> Floats:
    """(system, LCU, interval): aliases that the demand would keep busy without any limits."""
    _, pend, disc, conn = _components(demand, np.zeros_like(arriving_tracks(demand, demand.rate)), demand.rate)
    return _pool(demand, demand.rate * (pend + disc + conn) / 1000)[1]


def _arms_busy(demand: Demand, rate: Floats) -> Floats:
    """(volume, interval): utilisation of the arms of a volume's box, 0 if they have no limit."""
    limit = np.array([b.capacity_rate for b in demand.sysplex.boxes])[:, None]
    busy = sum_by_box(demand.sysplex, rate.sum(axis=0)) / limit
    of_volume: Floats = busy[[v.box for v in demand.sysplex.volumes]]
    return of_volume


def _components(demand: Demand, delayed: Floats, rate: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    boxes = [demand.sysplex.boxes[v.box] for v in demand.sysplex.volumes]
    names = ("miss_ms", "cmr_ms", "delay_ms", "arm_ms")
    column = {n: np.array([getattr(b, n) for b in boxes])[:, None] for n in names}
    box = np.array([v.box for v in demand.sysplex.volumes])
    normal_reads = demand.read_ratio * (1 - demand.sequential_ratio)
    misses = normal_reads * (1 - demand.hit_ratio) + 0.015 * demand.read_ratio * demand.sequential_ratio
    disc = misses * column["miss_ms"] + (1 - demand.read_ratio) * (0.02 + delayed[box] * column["delay_ms"])
    disc = (1 - demand.bypass_ratio) * disc + demand.bypass_ratio * column["miss_ms"]
    arms = np.minimum(_arms_busy(demand, rate), ARMS_FULLEST)
    disc = disc + column["arm_ms"] * arms / (1 - arms)
    queued = channel_wait_ms(demand, rate)
    conn = PROTOCOL_MS + demand.block_bytes / BYTES_PER_MS + (1 - WAIT_IN_PEND) * queued
    cmr = np.broadcast_to(column["cmr_ms"], conn.shape) + demand.path_ms
    return cmr, cmr + PEND_MS + demand.busy_ms + WAIT_IN_PEND * queued, disc, conn


def sum_by_lcu(sysplex: Sysplex, values: Floats) -> Floats:
    """(system, volume, interval) to (system, LCU, interval)."""
    of_lcu = np.array([[v.lcu == c for v in sysplex.volumes] for c in range(len(sysplex.lcus))], dtype=float)
    total: Floats = np.einsum("lv,svt->slt", of_lcu, values)
    return total


def _groups(sysplex: Sysplex) -> Ints:
    """The pool of each LCU: its own number, or that of the first SuperPAV LCU in the same box."""
    first: dict[int, int] = {}
    pools = []
    for i, lcu in enumerate(sysplex.lcus):
        pools.append(first.setdefault(lcu.box, i) if lcu.pav == "super" else i)
    return np.array(pools)


def _members(sysplex: Sysplex) -> Floats:
    """(LCU, LCU): 1 if two LCUs use the same pool."""
    groups = _groups(sysplex)
    same: Floats = (groups[:, None] == groups[None, :]).astype(float)
    return same


def _shared(sysplex: Sysplex) -> NDArray[np.bool_]:
    """(volume): true if its aliases come from a pool."""
    return np.array([sysplex.lcus[v.lcu].pav in ("hyper", "super") for v in sysplex.volumes])


def _pool(demand: Demand, busy: Floats) -> tuple[Floats, Floats, Floats, Ints]:
    """Alias need by volume, use by LCU, and use and aliases of the pool of each LCU."""
    sysplex = demand.sysplex
    beyond = np.where(demand.requesters > 0, np.maximum(busy - 1, 0), busy - 1 + np.exp(-busy))
    need = np.where(_shared(sysplex)[None, :, None], beyond, 0.0)
    use, members = sum_by_lcu(sysplex, need), _members(sysplex)
    aliases = (members @ demand.aliases).astype(np.int64)
    return need, use, np.einsum("lm,smt->slt", members, use), aliases


def _room(demand: Demand, rate: Floats, service: Floats) -> Floats:
    """Share of `rate` that exposures and aliases can carry: at most 1."""
    sysplex, busy = demand.sysplex, rate * service / 1000
    lcu_of, shared = np.array([v.lcu for v in sysplex.volumes]), _shared(sysplex)[None, :, None]
    _, _, use, aliases = _pool(demand, busy)
    own = FULLEST * demand.exposures[None, :, None] / np.maximum(busy, 1e-9)
    # a closed workload may fill a pool
    use = np.where(_asked(demand) > 0, 0.0, use)
    pool = FULLEST * aliases[None, :, None] / np.maximum(use, 1e-9)
    return np.minimum(1.0, np.where(shared, np.sqrt(pool[:, lcu_of]), own))


def _settle(demand: Demand) -> tuple[Floats, Floats]:
    """Rate and delayed share in equilibrium: delays lengthen service, saturated queues reduce the rate."""
    rate = demand.rate.copy()
    delayed = delayed_ratio(demand, rate)
    for _ in range(ROUNDS):
        delayed = (delayed + delayed_ratio(demand, rate)) / 2
        _, pend, disc, conn = _components(demand, delayed, rate)
        room = _room(demand, rate, pend + disc + conn)
        room = np.minimum(room, ARMS_FULLEST / np.maximum(_arms_busy(demand, rate), ARMS_FULLEST))
        room = np.minimum(room, CHANNELS_FULLEST / np.maximum(channels_busy(demand, rate), CHANNELS_FULLEST))
        rate = _closed(demand, rate * np.where(room < 1, np.sqrt(room), 1.0), pend + disc + conn)
    return rate, delayed


def _asked(demand: Demand) -> Floats:
    """(system, LCU, interval): aliases that the LCU's requesters would use if there were enough."""
    beyond = np.where(_shared(demand.sysplex)[None, :, None], np.maximum(demand.requesters - 1, 0), 0.0)
    asked: Floats = np.einsum("lm,smt->slt", _members(demand.sysplex), sum_by_lcu(demand.sysplex, beyond))
    return asked


def _served(demand: Demand) -> Floats:
    """(system, volume, interval): requesters with an exposure; the others wait. A pool is shared equally."""
    sysplex, lcu_of = demand.sysplex, [v.lcu for v in demand.sysplex.volumes]
    aliases = (_members(sysplex) @ demand.aliases)[None, :, None]
    share = np.minimum(1, aliases / np.maximum(_asked(demand), 1e-9))[:, lcu_of]
    base = np.minimum(demand.requesters, 1)
    pooled = base + share * (demand.requesters - base)
    own = np.minimum(demand.requesters, demand.exposures[None, :, None])
    return np.where(_shared(sysplex)[None, :, None], pooled, own)


def _closed(demand: Demand, rate: Floats, service: Floats) -> Floats:
    """For a closed workload, the rate of its requesters by Little's law."""
    return np.where(demand.requesters > 0, _served(demand) * 1000 / service, rate)


def solve(demand: Demand) -> State:
    """The day that results from the demand."""
    rate, delayed = _settle(demand)
    cmr, pend, disc, conn = _components(demand, delayed, rate)
    busy = rate * (pend + disc + conn) / 1000
    need, use, pool_use, aliases = _pool(demand, busy)
    servers = aliases[None, :, None]
    load = np.minimum(pool_use, 0.985 * servers)
    waiting = np.where(servers > 0, erlang_c(load, np.maximum(servers, 1)), 1.0)
    queue = np.where(load > 0, BURST * waiting * load / np.maximum(servers - load, 1e-9), 0.0)
    lcu_queue = queue * np.where(pool_use > 0, use / np.maximum(pool_use, 1e-12), 0.0)
    lcu_queue = np.where(_asked(demand) > 0, sum_by_lcu(demand.sysplex, demand.requesters - _served(demand)), lcu_queue)
    wait = _waits(demand, rate, busy, need, use, lcu_queue)
    home_full = erlang_b(use, demand.aliases[None, :, None])
    return State(demand, rate, cmr, pend, disc, conn, wait, delayed, need, use, waiting, home_full, lcu_queue)


def _waits(demand: Demand, rate: Floats, busy: Floats, need: Floats, use: Floats, lcu_queue: Floats) -> Floats:
    """IOSQ time by system, volume, interval: for own exposures, or a share of the LCU's alias queue."""
    lcu_of, shared = np.array([v.lcu for v in demand.sysplex.volumes]), _shared(demand.sysplex)[None, :, None]
    servers = demand.exposures[None, :, None]
    load = np.minimum(busy, 0.985 * servers)
    own = BURST * erlang_c(load, servers) * load / (servers - load)
    share = need / np.maximum(use[:, lcu_of], 1e-12)
    # even with free aliases, a volume that uses several waits a little for each
    crowded = CROWDED * np.maximum(need - 1, 0)
    length = np.where(shared, lcu_queue[:, lcu_of] * share + crowded, own)
    length = np.where(demand.requesters > 0, demand.requesters - _served(demand), length)
    return 1000 * length / np.maximum(rate, 1e-9) + demand.extent_ms
