"""What aliases would do for volumes whose requesters wait for each answer: all volumes of the box solved together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from iosq.models.pav.answers import BEST, Interval, Prediction, RateSource, WhatIf
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import pool_in_use, what_if_closed, what_if_closed_pool
from iosq.models.pav.open_load import DOUBT
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes, pooled_load
from iosq.toolkit.advise.box import elasticity_scatter, opening
from iosq.toolkit.advise.finding import Aliases, Curve, Effect, Known, Row, Span, Step
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import sources
from iosq.toolkit.units import human_number

SEED = 1
STEPS = 24
ANOTHER_BOX = "the machine named delivers another rate than was measured, it seems to be another one"
MEASURED = "the box's rate against the I/Os in it, as measured in its busier intervals"
UNKNOWN = (
    "bounds only, the lake does not tell how the box serves more of this work at once: name its machine (--machine)"
)


@dataclass(frozen=True)
class Crowd:
    """All volumes of a box in one interval, those in `waiting` with requesters that wait for each answer.

    Rows have volume, system, io_rate, wait_ms, service_ms, exposures, read_ratio and the box's curve.
    """

    rows: Sequence[Row]
    waiting: Sequence[bool]

    @property
    def closed(self) -> list[Row]:
        """The rows of the waiting volumes."""
        return [row for row, waits in zip(self.rows, self.waiting, strict=True) if waits]

    counted: ClassVar[str] = "aliases"

    @property
    def aliases(self) -> int:
        """Aliases the poorest waiting volume has now."""
        return int(min(round(row["exposures"]) for row in self.closed)) - 1

    def counts(self, most: int) -> range:
        """Counts to try, from today's to `most`."""
        return range(self.aliases, max(most, self.aliases + 1) + 1)

    def load(self, volumes: ClosedVolumes) -> BoxLoad:
        """What the box sees today."""
        return volumes.load(_aliases(self)[None])

    def predicted(self, source: RateSource, volumes: ClosedVolumes, most: int) -> WhatIf:
        """What the waiting volumes get from each count."""
        return what_if_closed(
            source, volumes, self.counts(most), _chance(), current=_aliases(self), subject=np.array(self.waiting)
        )

    @property
    def rate(self) -> float:
        """I/Os per second of the waiting volumes."""
        return float(sum(row["io_rate"] for row in self.closed))

    @property
    def queue(self) -> float:
        """I/Os of theirs that wait in the host."""
        return float(sum(row["queue_length"] for row in self.closed))

    @property
    def requesters(self) -> float:
        """I/Os of theirs that are outstanding: in the host and in the box."""
        return self.queue + float(sum(row["in_service"] for row in self.closed))


@dataclass(frozen=True)
class PoolCrowd(Crowd):
    """The same of volumes that draw on one pool of `size` aliases: those are the waiting ones."""

    size: int
    counted: ClassVar[str] = "aliases in the pool"

    @property
    def aliases(self) -> int:
        """Aliases in the pool now."""
        return self.size

    def counts(self, most: int) -> range:
        """Counts to try, at most about two dozen."""
        step = max(1, (most - self.size) // STEPS)
        return range(self.size, max(most, self.size + 1) + step, step)

    def load(self, volumes: ClosedVolumes) -> BoxLoad:
        """What the box sees today."""
        in_use = pool_in_use(volumes, np.array([self.size]), np.array(self.waiting))
        return pooled_load(volumes, in_use, in_use)

    def predicted(self, source: RateSource, volumes: ClosedVolumes, most: int) -> WhatIf:
        """What the volumes of the pool get from each count."""
        return what_if_closed_pool(
            source, volumes, self.counts(most), _chance(), current=self.size, subject=np.array(self.waiting)
        )


@dataclass(frozen=True)
class Outlook:
    """What more aliases would do for a crowd.

    best: smallest count within 2 % of the best rate there is with `most` aliases; gain: the best rate more aliases
    give over today's; limit: the fullest station then, in words.
    """

    crowd: Crowd
    curve: Curve
    best: int
    gain: Span
    limit: str

    @property
    def known(self) -> bool:
        """Whether the box is known well enough to tell."""
        return self.curve.identifiable

    def step(self, count: int) -> Step:
        """What one count would do."""
        return next(s for s in self.curve.steps if s.count == count)

    @property
    def gained(self) -> str:
        """The rise of the rate in words."""
        value, low, high = (f"{100 * (times - 1):.0f} %" for times in (self.gain.value, self.gain.low, self.gain.high))
        return f"{value} ({low} to {high})"

    @property
    def no_count(self) -> str:
        """The advice where no number of aliases is to be named: it can't be told, or they won't help."""
        now = f"(now {self.crowd.aliases})"
        if not self.known:
            more = human_number(self.gain.high)
            return f"Can't be told yet: aliases {now} may give nothing or up to {more} times the rate. {self.settled}"
        return (
            f"Aliases will not help {now}: the rate would change by {self.gained}, the wait only moves into the box "
            f"({self.limit}). Take work off the box, or look for a faster one (iosq advise migrate)"
        )

    @property
    def settled(self) -> str:
        """What would tell, where it isn't known."""
        if self.curve.basis.startswith(ANOTHER_BOX):
            return f"{opening(ANOTHER_BOX)}: check --machine, --read-ratio and --footprint-gb"
        return (
            "Name the machine (iosq advise pav --machine NAME, with --system where boxes differ and --read-ratio where "
            "no cache record tells it), or measure once with a few aliases: they can be taken away again"
        )

    @property
    def effect(self) -> Effect:
        """The response with the best count, or with the most where today's is best."""
        then, now = self.step(self.best).response_ms, self.step(self.crowd.aliases).response_ms
        if self.best == self.crowd.aliases:
            then = self.curve.steps[-1].response_ms
        basis = self.curve.basis, self.curve.identifiable
        return Effect("response at the peak", "ms", now.value, then.value, then.low, then.high, *basis)

    def aliases(self, helps: bool) -> Aliases:
        """The answer in short."""
        if not self.known:
            return Aliases("cant_tell", self.crowd.aliases)
        return Aliases("add" if helps else "wont_help", self.crowd.aliases, self.best, self.best)


def choose(found: Sequence[Outlook], gain: float) -> tuple[Outlook, list[Outlook]]:
    """The hour that loses most among those that aliases help, else among all; and those they help.

    Args:
        found: one per hour; rows have `interval_lost_s`.
        gain: least rise of the rate that is a help.
    """
    helped = [o for o in found if o.gain.value > gain]
    return max(helped or found, key=lambda o: float(o.crowd.closed[0]["interval_lost_s"])), helped


def helped_when(helped: Sequence[Outlook], hours: int) -> str:
    """In how many of the hours aliases help, in words; nothing where it is all of them."""
    if len(helped) == hours:
        return ""
    row = max(helped, key=lambda o: o.gain.value).crowd.rows[0]
    return f"; it helps in {len(helped)} of {hours} hours, most at {spoken(row['local_start'], row['local_end'])}"


def outlook(crowd: Crowd, most: int, known: Known) -> Outlook:
    """Counts from today's to `most`, today's as measured.

    Raises:
        RequestError: a machine is named and the read share is not known.
    """
    volumes = _volumes(crowd, known)
    source = _source(crowd, volumes, known)
    found = crowd.predicted(source, volumes, most)
    predicted, basis = _reached(found)
    fits = 1 / DOUBT < float(source.rate(crowd.load(volumes))[0]) / _box_rate(crowd) < DOUBT
    # their I/Os may take longer or shorter than others in the box: of that only the growth is predicted
    level = crowd.rate / found.predictions[0].rate.value
    steps = (_measured(crowd), *(_step(p, level) for p in predicted[1:]))
    rates = np.array([step.io_rate.value for step in steps])
    best = steps[int(np.argmax(rates >= BEST * rates.max()))]
    most_rate = max(steps[1:], key=lambda step: step.io_rate.value).io_rate
    gain = Span(*(getattr(most_rate, end) / crowd.rate for end in ("value", "low", "high")))
    known_enough = fits and all(p.identifiable for p in predicted)
    curve = Curve(crowd.counted, crowd.aliases, steps, basis if fits else f"{ANOTHER_BOX}: {basis}", known_enough)
    return Outlook(crowd, curve, best.count, gain, found.limit)


def _reached(found: WhatIf) -> tuple[Sequence[Prediction], str]:
    """The counts that the measurements say something about, if any beyond today's; else all, as bounds."""
    said = [p for p in found.predictions if p.identifiable]
    if found.identifiable or len(said) < 2:
        return found.predictions, found.calibrated_on
    return said, f"{found.calibrated_on}; more than {said[-1].aliases} aliases go beyond what was measured"


def _volumes(crowd: Crowd, known: Known) -> ClosedVolumes:
    inside = [row["in_service"] + (row["queue_length"] if waits else 0.0) for row, waits in _pairs(crowd)]
    return ClosedVolumes.of(inside, _read_ratios(crowd, known), known.footprint_gb)


def _pairs(crowd: Crowd) -> list[tuple[Row, bool]]:
    return list(zip(crowd.rows, crowd.waiting, strict=True))


def _aliases(crowd: Crowd) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Of volumes that don't wait, enough for what they have in progress."""
    given = [
        row["exposures"] - 1 if waits else max(row["exposures"], row["in_service"]) - 1 for row, waits in _pairs(crowd)
    ]
    return np.maximum(np.round(np.array(given, float)), 0.0)


def _read_ratios(crowd: Crowd, known: Known) -> list[float]:
    shares = [known.read_ratio if row["read_ratio"] is None else min(row["read_ratio"], 1.0) for row in crowd.rows]
    if known.machine is None:
        return [0.5 if share is None else share for share in shares]
    for row, share in zip(crowd.rows, shares, strict=True):
        if share is None:
            raise RequestError(
                f"no cache record of {row['volume']} in the lake: its read share is unknown",
                place="--machine",
                remedy="give --read-ratio",
            )
    return [share for share in shares if share is not None]


def _box_rate(crowd: Crowd) -> float:
    return float(sum(row["io_rate"] for row in crowd.rows))


def _chance() -> np.random.Generator:
    return np.random.default_rng(SEED)


def _source(crowd: Crowd, volumes: ClosedVolumes, known: Known) -> RateSource:
    box_rate, load = _box_rate(crowd), crowd.load(volumes)
    if known.machine is not None:
        return sources.refitted(known.machine, load, box_rate, _chance())
    row, inside = crowd.rows[0], float(load.in_box[0])
    bounds = elasticity_scatter(row)
    if bounds is None:
        return PowerCurve(row["box"], box_rate, inside, (0.0, 1.0), 0.0, UNKNOWN)
    return PowerCurve(row["box"], box_rate, inside, bounds, row["in_service_max"], MEASURED)


def _measured(crowd: Crowd) -> Step:
    rate = crowd.rate
    service_ms = sum(row["in_service"] for row in crowd.closed) / rate * 1e3
    wait_ms = crowd.queue / rate * 1e3
    return Step(crowd.aliases, _sure(wait_ms), _sure(wait_ms + service_ms), _sure(rate))


def _sure(value: float) -> Span:
    return Span(value, value, value)


def _step(p: Prediction, level: float) -> Step:
    return Step(p.aliases, _span(p.wait_ms, 1 / level), _span(p.response_ms, 1 / level), _span(p.rate, level))


def _span(interval: Interval, level: float) -> Span:
    return Span(interval.value * level, interval.low * level, interval.high * level)
