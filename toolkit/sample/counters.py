"""Counters of records for the solved day: integers in record units, with noise of counting and sampling.

All values are integers, so that differences between machines in the last bit of exponentials never show.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.sample.demand import Floats, Ints, generator
from iosq.toolkit.sample.physics import TRACK_BYTES, TRACKS_PER_WRITE, State, sum_by_lcu
from iosq.toolkit.sample.sysplex import Sysplex

UNIT_MS = 0.128
TRANSFER_UNIT_BYTES = 131072
SEQUENTIAL_HIT_RATIO = 0.985
# microseconds and bytes of a synchronous I/O, and shares that fail because of a busy link, a timeout or other causes
SYNC_READ_US, SYNC_WRITE_US, SYNC_BYTES = 21, 27, 4096
SYNC_LOST = (0.004, 0.0003, 0.002)


def whole(values: NDArray[Any]) -> Ints:
    """Values rounded to integers."""
    rounded: Ints = np.rint(values).astype(np.int64)
    return rounded


def samples(state: State, system: int) -> int:
    """Number of RMF cycles in one interval."""
    return state.sysplex.interval_s * 1000 // state.sysplex.systems[system].cycle_ms


def device_counters(state: State, seed: int) -> dict[str, Ints]:
    """Fields of the 74.1 device section without their prefix, each (system, volume, interval).

    Volumes without a path to a system have no counts there.
    """
    rng = generator(seed, "device")
    plex, seconds = state.sysplex, state.sysplex.interval_s
    online = np.array([[v.volser not in plex.offline(s) for v in plex.volumes] for s in plex.systems])[:, :, None]
    started = rng.poisson(state.rate * seconds) * online
    events = started - rng.binomial(started, 0.0004)

    def accumulated(mean_ms: Floats) -> Ints:
        return whole(events * mean_ms * rng.lognormal(0, 0.015, events.shape) / UNIT_MS)

    cmr, busy = accumulated(state.cmr_ms), accumulated(0.006 + state.demand.busy_ms)
    pend = cmr + busy + accumulated(state.pend_ms - state.cmr_ms - state.demand.busy_ms - 0.006)
    disc, conn = accumulated(state.disc_ms), accumulated(state.conn_ms)
    fields = {"SSC": started, "MEC": events, "CNN": conn, "PEN": pend, "DIS": disc, "ATV": pend + disc + conn}
    fields |= {"CMR": cmr, "DVB": busy, "IDT": accumulated(np.full_like(state.pend_ms, 0.011))}
    fields["IOS"] = whole(started * state.wait_ms * 1000 * rng.lognormal(0, 0.02, started.shape))
    return fields | _sampled(state, started, rng)


def _sampled(state: State, started: Ints, rng: np.random.Generator) -> dict[str, Ints]:
    plex = state.sysplex
    cycles = np.array([samples(state, i) for i in range(len(plex.systems))])[:, None, None]
    queue = started / plex.interval_s * state.wait_ms / 1000
    # sum of samples of a geometric queue length: Poisson with a gamma-distributed mean
    sampled_queue = rng.poisson(rng.gamma(np.broadcast_to(cycles, queue.shape), queue))
    allocated = (started > 0) * cycles
    jobs = rng.integers(1, 14, (1, len(plex.volumes), 1))
    reserved = rng.binomial(np.broadcast_to(allocated, started.shape), state.demand.reserved_ratio)
    in_use = rng.poisson(cycles * np.minimum(state.alias_need, 60))
    return {
        "QUE": sampled_queue,
        "RSV": reserved,
        "UTL": reserved // 3,
        "ALC": allocated,
        "NDA": allocated * jobs,
        "aliases_in_use": in_use,
    }


def sync_counters(state: State, started: Ints, seed: int) -> dict[str, Ints]:
    """Synchronous I/O in the 74.1 device section, each (system, volume, interval); failed I/Os are repeated normally.

    Only systems that write the whole section have any; older releases don't support it.
    """
    rng, d, plex = generator(seed, "sync"), state.demand, state.sysplex
    able = np.array(["device_data" not in s.lengths for s in plex.systems])[:, None, None]
    asked = rng.binomial(started, np.array([plex.lcus[v.lcu].sync_ratio for v in plex.volumes])[:, None]) * able
    reads = rng.binomial(asked, d.read_ratio)
    writes = asked - reads
    # programs use it for recently read data, so the miss ratio is lower than that of all reads
    missed, unstored = rng.binomial(reads, 0.4 * (1 - d.hit_ratio)), rng.binomial(writes, 0.004)
    fields = {"SCMR": missed, "SNIS": unstored}
    for end, left in (("R", reads - missed), ("W", writes - unstored)):
        lost = [rng.binomial(left, share) for share in SYNC_LOST]
        names = [f"{name}{end}" for name in ("SLB", "STO", "SO", "SQ")]
        fields |= dict(zip(names, [*lost, left - sum(lost)], strict=True))
    fields |= {"SPR": whole(fields["SQR"] * SYNC_READ_US * 2), "SPW": whole(fields["SQW"] * SYNC_WRITE_US * 2)}
    fields |= {"SFTR": (reads - fields["SQR"]) * 12, "SFTW": (writes - fields["SQW"]) * 12}
    return fields | {"SBR": fields["SQR"] * SYNC_BYTES, "SBW": fields["SQW"] * SYNC_BYTES}


def cache_counters(state: State, started: Ints, seed: int) -> dict[str, Ints]:
    """Fields of the 74.5 device and extent pool sections, each (volume, interval), of all systems together.

    The box counts one request per SSCH here; real boxes count commands, which are more.
    """
    rng = generator(seed, "cache")
    d, total = state.demand, started.sum(axis=0)
    delayed = state.delayed_ratio[[v.box for v in d.sysplex.volumes]]
    past = generator(seed, "bypass").binomial(total, d.bypass_ratio)
    reads = rng.binomial(total - past, d.read_ratio)
    writes = total - past - reads
    fields = {
        "DBCR": past,
        "DRSR": rng.binomial(reads, d.sequential_ratio),
        "DWSR": rng.binomial(writes, d.sequential_ratio),
    }
    fields |= {"DRCR": reads - fields["DRSR"], "DWRC": writes - fields["DWSR"]}
    fields["DCRH"] = rng.binomial(fields["DRCR"], d.hit_ratio)
    fields["DRSH"] = rng.binomial(fields["DRSR"], SEQUENTIAL_HIT_RATIO)
    held = rng.binomial(fields["DWRC"], delayed), rng.binomial(fields["DWSR"], delayed)
    fields |= {"DFWB": held[0] + held[1], "DFWC": fields["DWRC"], "DFWS": fields["DWSR"]}
    fields["DWCH"] = fields["DWRC"] - held[0] - rng.binomial(fields["DWRC"] - held[0], 0.0005)
    fields["DWSH"] = fields["DWSR"] - held[1]
    return fields | _back_end(state, fields, reads, writes)


def _back_end(state: State, fields: dict[str, Ints], reads: Ints, writes: Ints) -> dict[str, Ints]:
    d = state.demand
    boxes = [d.sysplex.boxes[v.box] for v in d.sysplex.volumes]
    miss_ms, delay_ms = (np.array([getattr(b, n) for b in boxes])[:, None] for n in ("miss_ms", "delay_ms"))
    tracks = d.block_bytes / TRACK_BYTES
    delayed = state.delayed_ratio[[v.box for v in d.sysplex.volumes]]
    staged = whole((fields["DRCR"] - fields["DCRH"]) * 1.04)
    ahead = whole(fields["DRSR"] * tracks * 1.02)
    arriving = fields["DWRC"] * TRACKS_PER_WRITE + fields["DWSR"] * tracks
    destaged = whole(arriving * (1 - delayed))
    # sequential stages and destages move a stripe of eight tracks per disk operation
    read_operations, write_operations = staged + ahead // 8, (destaged + 3) // 4
    return {
        "DNTD": staged,
        "DTC": ahead,
        "DCTD": destaged,
        "PRO": read_operations,
        "PWO": write_operations,
        "PBR": whole((staged * 0.3 + ahead) * TRACK_BYTES / TRANSFER_UNIT_BYTES),
        "PBW": whole(destaged * 0.7 * TRACK_BYTES / TRANSFER_UNIT_BYTES),
        "PRT": whole(read_operations * miss_ms / 16),
        "PWT": whole(write_operations * miss_ms * 1.4 / 16),
        "NVS": writes,
        "CT1": whole(reads * d.block_bytes / TRANSFER_UNIT_BYTES),
        "CT2": whole(writes * d.block_bytes / TRANSFER_UNIT_BYTES),
        "CT3": whole(reads * (state.conn_ms + 0.1) / 16 + (fields["DRCR"] - fields["DCRH"]) * miss_ms / 16),
        "CT4": whole((writes * (state.conn_ms + 0.12) + fields["DFWB"] * delay_ms) / 16),
        "CT5": whole(reads * 0.8),
        "CT6": whole(writes * 0.8),
        **_replicated(d.sysplex, whole(arriving)),
    }


def _replicated(sysplex: Sysplex, tracks: Ints) -> dict[str, Ints]:
    """Replicated writes: to a second box, and from there to a third by XRC (even volumes) or Global Mirror (odd)."""
    sent = tracks * np.array([sysplex.lcus[v.lcu].mirrored for v in sysplex.volumes])[:, None]
    even = (np.arange(len(sysplex.volumes)) % 2 == 0)[:, None]
    third = {"XSF": sent // 5 * even, "XCW": sent // 400 * even, "GSF": sent // 3 * ~even, "GSS": sent // 900 * ~even}
    return {"TSP": sent, **third}


def _high_water(mean: Floats) -> Floats:
    """Maximum of many samples of a Poisson number."""
    return np.where(mean > 0.001, np.ceil(mean + 3.5 * np.sqrt(mean)), 0)


def alias_counters(state: State, started: Ints, seed: int) -> dict[str, Ints]:
    """Fields of the 78.3 HyperPAV section, each (system, LCU, interval); an exhausted pool has all aliases in use.

    SuperPAV fields (X...) apply to LCUs that lend and borrow; 78.3 leaves them out for other LCUs.
    """
    rng = generator(seed, "alias")
    home = state.demand.aliases[None, :, None]
    total = whole(sum_by_lcu(state.sysplex, started.astype(np.float64)))
    events = state.alias_use * state.sysplex.interval_s * 1000 / np.maximum(state.lcu_service_ms, 1e-9)
    need = rng.binomial(total, np.minimum(events / np.maximum(total, 1), 0.9))
    denied = rng.binomial(need, state.denied_ratio)
    borrowed = rng.binomial(need - denied, np.minimum(state.home_full_ratio, 1)) * _lending(state)
    peak = _high_water(state.alias_use)
    in_use = whole(np.minimum(np.where(denied > 0, home, peak), home))
    lent = np.where(borrowed > 0, np.clip(whole(peak) - home, 1, None), 0)
    fields = {"HTIO": total, "HNAI": denied, "HAIU": in_use, "HIOQ": whole(_high_water(state.lcu_queue)) + (denied > 0)}
    fields["HCAD"] = np.minimum((in_use + 2) // 3, in_use)
    # a search of the group sometimes finds the last alias just taken, and is repeated
    missed = denied + borrowed // 400
    fields |= {"XANC": need, "XAUC": need - missed, "XNHC": borrowed + denied, "XABC": borrowed, "XNAG": missed}
    fields |= {"XHBC": lent, "XALC": _partner(state, borrowed), "XHLC": _partner(state, lent)}
    fields["XCQD"] = whole(denied * (1 + state.lcu_queue))
    fields["XCIU"] = whole(need * np.minimum(state.alias_use + 1, home))
    return fields


def _lending(state: State) -> Ints:
    return np.array([c.pav == "super" for c in state.sysplex.lcus]).astype(np.int64)[None, :, None]


def _partner(state: State, values: Ints) -> Ints:
    """Loans of the partner: SuperPAV LCUs come in pairs, in which one borrows from the other."""
    found = np.zeros_like(values)
    partners = [i for i, c in enumerate(state.sysplex.lcus) if c.pav == "super"]
    for one, other in zip(partners[::2], partners[1::2], strict=True):
        found[:, one], found[:, other] = values[:, other], values[:, one]
    return found
