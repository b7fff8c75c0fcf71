"""All requests of an LCU as one birth-death chain: spread over its volumes at random; without base or alias they wait.

The chain is summed in blocks of states: first single states, then blocks 2 % wide with a constant step of the chain,
last an infinite block. The computing time is the same for any load and batch size.
"""

from functools import lru_cache
from math import erf, pi, sqrt

import numpy as np

from iosq.models.arrays import Floats
from iosq.models.pav.open_load import OpenVolumes
from iosq.models.pav.station import Served, Stretch

_SINGLE = 512  # states summed one by one
_LAST = 1e6  # requests beyond which all volumes are busy
_GROWTH = 1.02
_TIE = 1e-9  # smallest distance of a step from 1, as the sum of a geometric series divides by it
_erf = np.vectorize(erf, otypes=[float])


def crowd(volumes: OpenVolumes, pools: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    """Solve the LCU with pools of these sizes; one element per size.

    Args:
        busier: factor on the measured arrival rate.
        batching: probability that an I/O brings another one.
    """
    start, _ = blocks()
    busy = np.array([start - _waiting(volumes.rate.tobytes(), float(size)) for size in pools])
    return chain(volumes, busy, stretch, busier, batching)


def chain(volumes: OpenVolumes, busy: Floats, stretch: Stretch, busier: float, batching: float) -> Served:
    """Solve one chain for all requests of these volumes; one element per row of `busy`.

    Args:
        busy: requests in the box for each total number of requests (the columns, see `blocks`).
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
    """Mean excess of a normal variable with mean 0 over `room`."""
    k = room / spread
    return np.asarray(spread * (np.exp(-k * k / 2) / sqrt(2 * pi) - k * 0.5 * (1 - _erf(k / sqrt(2)))))


def _shares(step: Floats, ratio: Floats, width: Floats) -> tuple[Floats, Floats]:
    """Probability of each block and of the empty state, via logarithms as blocks differ by orders of magnitude."""
    rise = np.cumsum(np.log(ratio[:, :-1]) * width[:-1], axis=1)
    before = np.concatenate([np.zeros((len(ratio), 1)), rise], axis=1)
    share = np.log(step) + before + _log_geometric(ratio, width)
    top = np.maximum(share.max(axis=1, keepdims=True), 0)
    share, empty = np.exp(share - top), np.exp(-top[:, 0])
    whole = share.sum(axis=1) + empty
    return share / whole[:, None], empty / whole


def _log_geometric(ratio: Floats, width: Floats) -> Floats:
    """Logarithm of 1 + ratio + ratio^2 + ... with `width` terms; -inf if an infinite sum diverges."""
    power = np.log(ratio) * width
    total = np.maximum(power, 0) + np.log(-np.expm1(-np.abs(power))) - np.log(np.abs(ratio - 1))
    return np.where(np.isposinf(power), -np.inf, total)


@lru_cache(maxsize=1)
def blocks() -> tuple[Floats, Floats]:
    """First number of requests of each block, and its length."""
    wide = np.floor(np.geomspace(_SINGLE + 1, _LAST, int(np.log(_LAST / _SINGLE) / np.log(_GROWTH))))
    start = np.concatenate([np.arange(1, _SINGLE + 1), wide])
    return start, np.append(np.diff(start), np.inf)


@lru_cache(maxsize=1024)  # fitting burstiness uses the same pools about forty times; 6 KB each
def _waiting(rates: bytes, aliases: float) -> Floats:
    """Mean requests without base or alias for each block's number of requests, by the normal loss function."""
    number, _ = blocks()
    beyond, spread = _beyond_bases(rates)
    loss = normal_loss(aliases - beyond, spread)
    return np.asarray(np.clip(loss, np.maximum(beyond - aliases, 0), number - 1))


@lru_cache(maxsize=8)
def _beyond_bases(rates: bytes) -> tuple[Floats, Floats]:
    """Mean and standard deviation of requests that find their base busy, per block."""
    number, _ = blocks()
    distinct, count = np.unique(np.frombuffer(rates), return_counts=True)
    shares = np.minimum(distinct / (distinct * count).sum(), 1 - 1e-12)[:, None]
    empty = (1 - shares) ** number
    busy = count @ (1 - empty)
    variance = count @ (empty * (1 - empty)) - number * (count @ (shares * empty)) ** 2
    return number - busy, np.sqrt(np.maximum(variance, 1e-9))
