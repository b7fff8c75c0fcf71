"""Which machine would carry the measured work: every machine file, today and grown, ranked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from iosq.models.machine import available, load
from iosq.models.migrate import (
    Forecast,
    Front,
    MeasuredVolume,
    Target,
    dealt,
    forecast,
    target_of,
    together,
    utilization,
)
from iosq.toolkit.advise.box import opening
from iosq.toolkit.advise.finding import Effect, Finding, Number
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.predict.lake import Reading, local
from iosq.toolkit.predict.migrate import Wish, measured
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    import duckdb

KINDS = ("box", "disk")
GROWTHS = (1.0, 1.5, 2.0)
# no station fuller than this at the largest growth: a rule of planners, ours in this form
FULLEST = 0.8
# what `Forecast.saturates_first` calls a volume whose aliases don't suffice
EXPOSURES = "exposures"


@dataclass(frozen=True)
class Carried:
    """One machine: the fewest boxes that carry the largest growth, and the fullest of them at each growth."""

    target: Target
    boxes: int
    forecasts: tuple[Forecast, ...]

    @property
    def today(self) -> Forecast:
        """At today's peak."""
        return self.forecasts[0]


def targets() -> list[str]:
    """The machines that disk work can be moved to, shipped ones and the site's."""
    return [name for name in available() if load(name).kind in KINDS]


def rank(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> list[Finding]:
    """One finding per machine, shortest response at today's peak first; what saturates comes last.

    Volumes are taken in the lake's busiest interval, with 4 KB per I/O, 1 GB in use each and their present exposures.

    Raises:
        RequestError: the lake holds nothing to move, or a machine is none for disk work.
    """
    chosen = [target_of(load(name)) for name in names]
    volumes, first = measured(con, Wish(to=""), lcus=(), system=None, at=None)
    ranked = sorted((carried(target, volumes) for target in chosen), key=lambda c: (c.today.response_ms, c.boxes))
    return [_finding(place, c, volumes, first) for place, c in enumerate(ranked, 1)]


def carried(target: Target, volumes: Sequence[MeasuredVolume]) -> Carried:
    """The volumes on the fewest boxes that hold them and stay below `FULLEST` at the largest growth."""
    boxes = _boxes(target, volumes)
    hands = [hand for hand in dealt(volumes, boxes) if any(v.io_rate for v in hand)]
    fullest = max(hands, key=lambda hand: max(utilization(target, together(hand), Front()).values()))
    return Carried(target, boxes, tuple(forecast(target, fullest, growth=growth) for growth in GROWTHS))


def _boxes(target: Target, volumes: Sequence[MeasuredVolume]) -> int:
    """Enough for data and volumes, then more until no box is too full; at most one per volume."""
    least = max(
        math.ceil(together(volumes).capacity_gb / (target.capacity_gb or math.inf)),
        math.ceil(len(volumes) / (target.volumes_max or len(volumes))),
        1,
    )
    if not _fits(target, volumes, len(volumes)):
        # a volume that fills a box alone is no matter of boxes
        return least
    return next((n for n in range(least, len(volumes)) if _fits(target, volumes, n)), len(volumes))


def _fits(target: Target, volumes: Sequence[MeasuredVolume], boxes: int) -> bool:
    hands = [hand for hand in dealt(volumes, boxes) if any(v.io_rate for v in hand)]
    busiest = max(max(utilization(target, together(hand), Front()).values()) for hand in hands)
    return busiest * GROWTHS[-1] <= FULLEST


def _finding(place: int, c: Carried, volumes: Sequence[MeasuredVolume], first: Reading) -> Finding:
    today, name = c.today, c.target.name
    return Finding(
        code="migrate_target",
        severity="note",
        subject=Subject("machine", (name,)),
        text=(
            f"Place {place}: {_count(c)} for the {_volumes(volumes)} of the peak at {local(first)}: "
            + "; ".join(_said(f) for f in c.forecasts)
            + _against_today(c, volumes)
        ),
        advice=_advice(c),
        numbers=tuple(_numbers(c)),
        sql=f"SELECT * FROM volume_interval WHERE interval_start = TIMESTAMP '{first.start}' ORDER BY io_rate DESC",
        lost_s=0.0,
        confidence="medium" if math.isfinite(today.response_ms) else "low",
        effect=_effect(c, volumes) if math.isfinite(today.response_ms) else None,
    )


def _volumes(volumes: Sequence[MeasuredVolume]) -> str:
    return f"{len(volumes)} volumes" if len(volumes) > 1 else "one volume"


def _against_today(c: Carried, volumes: Sequence[MeasuredVolume]) -> str:
    """A place says how targets compare, not that any of them is better than what there is."""
    now = response_now(volumes)
    slower = c.today.response_low_ms > now
    return f"; slower than today's {human_number(now)} ms" if slower else ""


def response_now(volumes: Sequence[MeasuredVolume]) -> float:
    """Mean response as measured, ms per I/O."""
    return sum(v.io_rate * v.response_ms for v in volumes) / together(volumes).io_rate


def _count(c: Carried) -> str:
    return f"{c.boxes} {c.target.name} box{'es' if c.boxes > 1 else ''}"


def _said(f: Forecast) -> str:
    when = "now" if f.growth == 1 else f"{f.growth:g} times"
    if not math.isfinite(f.response_ms):
        return f"{when} saturated ({_limit(f)})"
    value, low, high = (human_number(ms) for ms in (f.response_ms, f.response_low_ms, f.response_high_ms))
    return f"{when} {value} ms ({low} to {high})"


def _limit(f: Forecast) -> str:
    return "the number of a volume's exposures" if f.saturates_first == EXPOSURES else f.saturates_first


def _advice(c: Carried) -> str:
    name, last = c.target.name, c.forecasts[-1]
    if not math.isfinite(c.today.response_ms):
        return f"Not for this work: {_limit(c.today)} is the limit already at today's peak"
    if c.today.saturates_first == EXPOSURES and c.today.growth_max < GROWTHS[-1]:
        return (
            "Not with the aliases there are: on this machine I/Os take longer, and volumes run out of exposures at "
            f"{c.today.growth_max:.1f} times today's peak. iosq simulate pav --machine {name} says how many it takes"
        )
    if not math.isfinite(last.response_ms):
        return f"Not for growth: {_limit(last)} is the limit, at {c.today.growth_max:.1f} times today's peak"
    return (
        f"{opening(_limit(last))} is the first limit, at {c.today.growth_max:.1f} times today's peak; "
        f"iosq simulate migrate --to {name} --boxes {c.boxes} shows every volume and what is taken for granted"
    )


def _numbers(c: Carried) -> list[Number]:
    found = [Number("boxes", c.boxes)]
    for f in c.forecasts:
        busiest = max(f.utilization, key=lambda station: f.utilization[station])
        found.append(Number(f"response at {f.growth:g} times today's peak", f.response_ms, "ms"))
        found.append(Number(f"{busiest} at {f.growth:g} times today's peak", 100 * f.utilization[busiest], "% busy"))
    found.append(Number("growth left", c.today.growth_max, "times"))
    found.append(Number("access density needed", c.today.density_needed, "I/Os per s and GB"))
    if c.today.density_offered is not None:
        found.append(Number("access density offered", c.today.density_offered, "I/Os per s and GB"))
    return found


def _effect(c: Carried, volumes: Sequence[MeasuredVolume]) -> Effect:
    now, f = response_now(volumes), c.today
    basis = f"{f.calibrated_on}; {'; '.join(f.caveats)}"
    return Effect(
        "response, fullest box, today's peak", "ms", now, f.response_ms, f.response_low_ms, f.response_high_ms, basis
    )
