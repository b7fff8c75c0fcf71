"""Equal changes for all volumes of a box at once: I/Os admitted for one volume slow down all others.

One chain for all requests, as for a pool (`iosq.models.pav.crowd`); requests with an exposure of their own volume are
in the box. Given their total, requests are spread as over independent M/M/c queues with the volumes' shares of the
arrivals (a product form: J. R. Jackson, *Management Science* 10, 1963): of m requests, Σ w_v G(m - 1) / G(m) are in
the box, with G(m) the coefficients of the product of the volumes' generating functions. Exact for one volume, and
without a wait for any number of exposures; event simulations agree within 1/7.
"""

from functools import lru_cache, reduce

import numpy as np

from iosq.models.arrays import Floats, Ints
from iosq.models.pav.crowd import blocks, chain
from iosq.models.pav.open_load import OpenVolumes, Waits, read_both_ways
from iosq.models.pav.station import Served, Stretch

EXACT = 512  # requests up to which the product is computed; above, a saddle-point approximation
FASTEST = 2.0  # most factor of speed over that at the mean: no box that isn't full is faster
_HALVINGS = 16
MOST = 60  # exposures that a volume never fills
_GRID = 4000  # grid points of a volume's load for the saddle point


def everyone(volumes: OpenVolumes, exposures: Floats, stretch: Stretch) -> tuple[Served, Served]:
    """Solve all volumes together, with burstiness as busy periods and as batches; exposures: (settings, volumes)."""
    wait, service = (np.array([volumes.mean(ms)]) for ms in (volumes.wait_ms, volumes.service_ms))
    now, new = (_waits(volumes.steady, rows, stretch) for rows in (volumes.exposures[None], exposures))
    grown = np.asarray(exposures / volumes.exposures)
    grown = np.where((grown < 1).any(axis=1), grown.min(axis=1), grown.max(axis=1))
    return read_both_ways(now, new, wait, service, grown)


def as_measured(volumes: OpenVolumes, stretch: Stretch) -> Stretch:
    """Scale the stretch to the measured service time, as the box is fuller than its mean for part of the time."""
    low, high, busy = 1 / FASTEST, 1.0, in_box(volumes.rate / volumes.rate.sum(), volumes.exposures)[None]
    wanted = float(volumes.in_service.sum() / volumes.rate.sum() * 1e3)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        slow = chain(volumes, busy, _scaled(stretch, middle), 1.0, 0.0).service_ms[0] > wanted
        low, high = (low, middle) if slow else (middle, high)
    return _scaled(stretch, high)


def in_box(shares: Floats, exposures: Floats) -> Floats:
    """Mean I/Os in the box for each block's number of requests of all volumes; `shares` are of the arrivals."""
    kinds, counts = np.unique(np.stack([shares, np.minimum(exposures, MOST)]), axis=1, return_counts=True)
    return _in_box(kinds.tobytes(), counts.tobytes())


def _scaled(stretch: Stretch, level: float) -> Stretch:
    return lambda inside: level * stretch(inside)


def _waits(volumes: OpenVolumes, exposures: Floats, stretch: Stretch) -> Waits:
    shares = volumes.rate / volumes.rate.sum()
    busy = np.array([in_box(shares, row) for row in exposures])
    return lambda busier, batching: chain(volumes, busy, stretch, float(busier[0]), float(batching[0]))


@lru_cache(maxsize=256)
def _in_box(kinds: bytes, counts: bytes) -> Floats:
    (shares, limits), many = np.frombuffer(kinds).reshape(2, -1), np.frombuffer(counts, np.int_)
    number, _ = blocks()
    weights = shares * many.sum()
    found = np.array(_by_saddle(weights, limits, many, number))
    few = number <= EXACT
    found[few] = _exactly(weights, limits, many)[number[few].astype(int)]
    return np.minimum(found, number)


def _exactly(weights: Floats, limits: Floats, many: Ints) -> Floats:
    """I/Os in the box for each number of requests up to `EXACT`; arguments are scaled to avoid overflow."""
    scale = min(EXACT / np.e / float((weights * many).sum()), float((limits / weights).min()))
    parts = [
        _power(_generating(weight * scale, limit), count)
        for weight, limit, count in zip(weights, limits, many, strict=True)
    ]
    product = reduce(_product, parts)
    return np.append(0.0, scale * float((weights * many).sum()) * product[:-1] / product[1:])


def _generating(load: float, limit: float) -> Floats:
    """Generating function of one volume: weights of 0, 1, ... requests."""
    steps = load / np.minimum(np.arange(1.0, EXACT + 1), limit)
    return np.concatenate([[1.0], np.cumprod(steps)])


def _power(series: Floats, count: int) -> Floats:
    """Power of a series by repeated squaring."""
    if count == 1:
        return series
    half = _power(series, count // 2)
    square = _product(half, half)
    return _product(square, series) if count % 2 else square


def _product(one: Floats, other: Floats) -> Floats:
    return np.asarray(np.convolve(one, other)[: EXACT + 1])


def _by_saddle(weights: Floats, limits: Floats, many: Ints, number: Floats) -> Floats:
    """I/Os in the box at the load with this mean number of requests."""
    fullest = float((limits / weights).min())
    load = fullest * (1 - np.geomspace(1 - 1e-9, 1e-9, _GRID))
    requests = sum(n * _requests(load * w, int(c)) for w, c, n in zip(weights, limits, many, strict=True))
    return np.asarray(number * np.interp(number, requests, load * float((weights * many).sum()) / requests))


def _requests(load: Floats, limit: int) -> Floats:
    """Mean number of requests in an M/M/c queue at this load."""
    steps = np.cumprod(np.concatenate([np.ones((1, len(load))), load / np.arange(1.0, limit + 1)[:, None]]), axis=0)
    queued = steps[-1] * limit / (limit - load)
    waits = queued / (steps[:-1].sum(axis=0) + queued)
    return np.asarray(load + waits * load / (limit - load))
