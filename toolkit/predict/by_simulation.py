"""The wait for an exposure by event simulation: a check of the closed form, not another model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from iosq.models import events
from iosq.models.queueing.stations import mmc
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.rows import NewRow

if TYPE_CHECKING:
    from iosq.toolkit.predict.pav_numbers import Numbers

SEED = 1
IOS, REPLICATIONS = 4000, 10
CONFIDENCE = 0.99
FULLEST = 0.9  # busy share of the exposures beyond which so short a run has not settled
USUAL_ALIASES = 8


def answer(numbers: Numbers, most: int | None) -> Answer:
    """Simulated and calculated wait of one volume for each number of aliases.

    Arrivals at random (Poisson), service times exponential with the measured mean, as many at once as exposures: what
    the closed forms call a box that serves any number as fast as now. A wait that was measured is not used.

    Raises:
        RequestError: no rate or service time, requesters or a pool, or a rate that no count shown can carry.
    """
    if numbers.requesters is not None or numbers.pool is not None:
        place = "--requesters" if numbers.requesters is not None else "--pool"
        raise RequestError("the simulation checks arrivals at --rate on one volume", place=place, remedy="leave it out")
    if numbers.rate is None or numbers.service_ms is None:
        raise RequestError("not enough to go on", place="--by-simulation", remedy="give --rate and --service-ms")
    counts = range((USUAL_ALIASES if most is None else most) + 1)
    busy = numbers.rate * numbers.service_ms / 1e3
    rows = tuple(_row(numbers.rate, numbers.service_ms, aliases, busy) for aliases in counts)
    checked = [row for row in rows if row["agrees"] is not None]
    if not checked:
        raise RequestError(f"{busy:.3g} exposures are busy on average", place="--aliases", remedy="show more counts")
    agree = sum(row["agrees"] for row in checked)
    texts = (
        f"the closed form lies in the simulation's {100 * CONFIDENCE:.0f} % interval for {agree} of {len(checked)} "
        f"counts, {IOS * REPLICATIONS:,} I/Os each",
        "arrivals at random, and a box that serves any number as fast as now; give --machine without --by-simulation "
        "for a box that does not",
    )
    return Answer(rows, texts)


def _row(rate: float, service_ms: float, aliases: int, busy: float) -> NewRow:
    exposures = aliases + 1
    row: NewRow = {"aliases": aliases, "busy_percent": 100 * busy / exposures}
    if busy >= FULLEST * exposures:
        return row | {
            "wait_ms": None,
            "wait_low_ms": None,
            "wait_high_ms": None,
            "formula_wait_ms": None,
            "agrees": None,
        }
    seen = _simulated(rate, service_ms, exposures)
    formula = float(mmc(rate, service_ms, exposures).wait_ms)
    ends = {"wait_low_ms": max(seen.mean - seen.half_width, 0.0), "wait_high_ms": seen.mean + seen.half_width}
    agrees = events.compare(formula, seen).agrees
    return row | {"wait_ms": seen.mean, **ends, "formula_wait_ms": formula, "agrees": agrees}


def _simulated(rate: float, service_ms: float, exposures: int) -> events.Interval:
    host = events.Host(volumes=1, exposures=exposures, arrival_rates=(rate / 1e3,))
    box = events.Box(front_ms=service_ms, front_servers=exposures)
    samples = events.draw(host, box, ios=IOS, replications=REPLICATIONS, rng=np.random.default_rng(SEED))
    return events.summarize(events.simulate(host, box, samples), confidence=CONFIDENCE).wait_ms
