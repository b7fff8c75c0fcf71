"""All requests of an LCU as one chain: spread over its volumes at random, those without base or alias wait.

The chain is summed in blocks of states: single states first, then blocks 2 % wide over which the step of the chain is
taken as constant, at last one block without end. Work is the same for any load and any batch.
"""

from functools import lru_cache
from math import erf, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.station import Served, Stretch

Floats = NDArray[np.float64]
_SINGLE = 512  # states summed one by one
_LAST = 1e6  # requests beyond which no further volume gets busy
_GROWTH = 1.02
_TIE = 1e-9  # a step this close to 1 is taken as this far from it: the sum of a geometric series divides by it
_erf = np.vectorize(erf, otypes=[float])


def crowd(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    """Behaviour of the LCU with pools of these sizes; an element per size.

    Args:
        busier: factor on the measured arrival rate.
        batching: chance that an I/O brings another with it.
    """
    start, _ = blocks()
    busy = np.array([start - _waiting(volumes.rate.tobytes(), float(size)) for size in pools])
    return chain(volumes, busy, stretch, busier, batching)


def chain(volumes: OpenVolumes, busy: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    """One chain for all requests of these volumes; an element per row of `busy`.

    Args:
        busy: how many of a number of requests (the columns, see `blocks`) are in the box.
        busier, batching: as for `crowd`.
    """
    rate = float(volumes.rate.sum()) * busier
    service = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    start, width = blocks()
    step = rate * (1 - batching) / 1e3 * service * stretch(busy) / busy
    ratio = step + batching
    ratio = np.where(np.abs(ratio - 1) < _TIE, 1 + _TIE, ratio)
    stable = ratio[:, -1] < 1
    share, empty = _shares(step, ratio, width)
    offset = np.where(np.isfinite(width), (width - 1) / 2, 0.0) + np.zeros_like(ratio)
    offset[stable, -1] = ratio[stable, -1] / (1 - ratio[stable, -1])
    waiting = (share * (start + offset - busy)).sum(axis=1)
    in_service = (share * busy).sum(axis=1)
    wait = np.where(stable, waiting / rate * 1e3, np.inf)
    return Served(wait, in_service / rate * 1e3, step[:, -1] / (1 - batching), in_service, waiting, 1 - empty)


def normal_loss(room: Floats, spread: Floats) -> Floats:
    """Mean excess over `room` of a normal variable with mean 0."""
    k = room / spread
    return np.asarray(spread * (np.exp(-k * k / 2) / sqrt(2 * pi) - k * 0.5 * (1 - _erf(k / sqrt(2)))))


def _shares(step: Floats, ratio: Floats, width: Floats) -> tuple[Floats, Floats]:
    """Probability of each block and of the empty state, in logarithms: blocks differ by orders of magnitude."""
    rise = np.cumsum(np.log(ratio[:, :-1]) * width[:-1], axis=1)
    before = np.concatenate([np.zeros((len(ratio), 1)), rise], axis=1)
    share = np.log(step) + before + _log_geometric(ratio, width)
    top = np.maximum(share.max(axis=1, keepdims=True), 0)
    share, empty = np.exp(share - top), np.exp(-top[:, 0])
    whole = share.sum(axis=1) + empty
    return share / whole[:, None], empty / whole


def _log_geometric(ratio: Floats, width: Floats) -> Floats:
    """Logarithm of 1 + ratio + ratio^2 + ... of `width` terms; of no terms where an endless sum has no limit."""
    power = np.log(ratio) * width
    total = np.maximum(power, 0) + np.log(-np.expm1(-np.abs(power))) - np.log(np.abs(ratio - 1))
    return np.where(np.isposinf(power), -np.inf, total)


@lru_cache(maxsize=1)
def blocks() -> tuple[Floats, Floats]:
    """First number of requests in each block, and its length."""
    wide = np.floor(np.geomspace(_SINGLE + 1, _LAST, int(np.log(_LAST / _SINGLE) / np.log(_GROWTH))))
    start = np.concatenate([np.arange(1, _SINGLE + 1), wide])
    return start, np.append(np.diff(start), np.inf)


@lru_cache(maxsize=1024)  # a search for burstiness uses the same pools some forty times; 6 KB each
def _waiting(rates: bytes, aliases: float) -> Floats:
    """Mean requests without base or alias when a block's number of them falls on the volumes: a normal loss."""
    number, _ = blocks()
    beyond, spread = _beyond_bases(rates)
    loss = normal_loss(aliases - beyond, spread)
    return np.asarray(np.clip(loss, np.maximum(beyond - aliases, 0), number - 1))


@lru_cache(maxsize=8)
def _beyond_bases(rates: bytes) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the requests that find their base busy, per block."""
    number, _ = blocks()
    given, count = np.unique(np.frombuffer(rates), return_counts=True)
    shares = np.minimum(given / (given * count).sum(), 1 - 1e-12)[:, None]
    empty = (1 - shares) ** number
    busy = count @ (1 - empty)
    variance = count @ (empty * (1 - empty)) - number * (count @ (shares * empty)) ** 2
    return number - busy, np.sqrt(np.maximum(variance, 1e-9))
