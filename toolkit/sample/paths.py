"""FICON channels: the LCUs each leads to, and the wait of I/Os of LCUs with channels of their own.

Other LCUs share the remaining channels, which are never a bottleneck here.
"""

import numpy as np

from iosq.toolkit.sample.demand import Demand, Floats
from iosq.toolkit.sample.sysplex import Lcu, Sysplex, System

FICON_GROUP = 2
FIRST_CHANNEL = 0x50
BYTES_PER_S = 800_000_000
# processor time of a channel per operation; data transfer adds to it
BUSY_MS_PER_OPERATION = 0.022
MOVING_BUSY = 0.8
# programs slow down before a channel is busier than this
CHANNELS_FULLEST = 0.95


def ficon_channels(system: System) -> list[str]:
    """Channel path ids of a system's FICON channels."""
    return [f"{FIRST_CHANNEL + i:02X}" for i, g in enumerate(system.channel_groups) if g == FICON_GROUP]


def channels_to(sysplex: Sysplex, system: System, lcu: Lcu) -> list[str]:
    """The channels of a system that lead to an LCU."""
    taken = {c for other in sysplex.lcus for c in other.channels}
    return [c for c in ficon_channels(system) if (c in lcu.channels if lcu.channels else c not in taken)]


def channel_ms(demand: Demand) -> Floats:
    """(volume, interval): time that one I/O keeps a channel busy, ms."""
    return BUSY_MS_PER_OPERATION + MOVING_BUSY * demand.block_bytes * 1000 / BYTES_PER_S


def channels_busy(demand: Demand, rate: Floats) -> Floats:
    """(volume, interval): utilisation of the own channels of a volume's LCU by all systems; 0 for shared channels.

    The systems are partitions of one machine and use the same channels.
    """
    plex, spent = demand.sysplex, rate.sum(axis=0) * channel_ms(demand) / 1000
    busy: Floats = np.zeros(spent.shape)
    for i, lcu in enumerate(plex.lcus):
        if lcu.channels:
            busy[plex.members(i)] = spent[plex.members(i)].sum(axis=0) / len(lcu.channels)
    return busy


def channel_wait_ms(demand: Demand, rate: Floats) -> Floats:
    """(volume, interval): wait per I/O for a channel, as in an M/M/1 queue."""
    busy = np.minimum(channels_busy(demand, rate), CHANNELS_FULLEST)
    wait: Floats = channel_ms(demand) * busy / (1 - busy)
    return wait
