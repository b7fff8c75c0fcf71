"""Machines that would carry the measured work: every machine file, today and grown, ranked."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from iosq.models.machine import available, load
from iosq.models.migrate import FULLEST, BoxCount, Forecast, Front, boxes_needed, forecast, stations, utilization
from iosq.models.migrate.targets import Target, target_of
from iosq.models.migrate.workload import MeasuredVolume, together
from iosq.toolkit.advise.finding import Effect, Finding, Number
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.lake import Reading, when
from iosq.toolkit.predict.migrate import Wish, box_words, fullest_of, hands, mean_response_ms, measured
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import human_number, interval, plural
from iosq.toolkit.sql.engine import Connection

KINDS = ("box", "disk")
GROWTHS = (1.0, 1.5, 2.0)
# what `Forecast.saturates_first` calls a volume whose aliases don't suffice
EXPOSURES = "exposures"


@dataclass(frozen=True)
class Carried:
    """One machine: the fewest boxes for today's peak and for the largest growth they can be made to carry.

    forecasts: of the fullest of the latter, at each growth up to that; refused: why no number of boxes does more;
    beyond: how far the fewest boxes go beyond what the machine was measured with; alone: boxes each station by itself
    would ask for at today's peak.
    """

    target: Target
    now: BoxCount | None
    planned: BoxCount | None
    forecasts: tuple[Forecast, ...]
    refused: str
    beyond: str = ""
    alone: Mapping[str, int] = field(default_factory=dict)

    @property
    def most(self) -> str:
        """The station that needs most boxes today."""
        return max(self.alone, key=lambda name: self.alone[name])

    @property
    def others(self) -> Mapping[str, int]:
        """The boxes needed by the other stations."""
        return {name: boxes for name, boxes in self.alone.items() if name != self.most}

    @property
    def fewest(self) -> int:
        """Boxes for today's peak, assuming enough capacity at the station not validated at that load."""
        most = self.now.boxes if self.now else 1
        return min(max(self.others.values()), most) if self.beyond and self.others else most

    @property
    def response_ms(self) -> float:
        """Response of the fullest box at today's peak; infinite if it cannot carry the load."""
        return self.forecasts[0].response_ms if self.forecasts else math.inf


def targets() -> list[str]:
    """The machines that disk work can be moved to, shipped ones and the site's."""
    return [name for name in available() if load(name).kind in KINDS]


def rank(con: Connection, names: Sequence[str], utc: bool = False) -> list[Finding]:
    """One finding per machine, shortest response at today's peak first; what can't carry it comes last.

    Volumes are taken in the lake's busiest interval, with 4 KB per I/O, 1 GB in use each and their present exposures;
    the boxes are counted as `iosq simulate migrate` does for the same growth. `utc`: show the interval in UTC.

    Raises:
        RequestError: the lake holds nothing to move, or a machine is none for disk work.
    """
    chosen = [target_of(load(name)) for name in names]
    volumes, first = measured(con, Wish(to=""))
    ranked = sorted((carried(target, volumes) for target in stages.each("machines", chosen)), key=_place)
    return [_finding(place, c, volumes, first, utc) for place, c in enumerate(ranked, 1)]


def _place(c: Carried) -> tuple[float, float, str]:
    return c.response_ms, c.planned.boxes if c.planned else math.inf, c.target.name


def carried(target: Target, volumes: Sequence[MeasuredVolume]) -> Carried:
    """The volumes on the fewest boxes without a saturated station, today and at the largest growth."""
    counts: list[BoxCount] = []
    refused = ""
    for growth in GROWTHS:
        try:
            counts.append(boxes_needed(target, volumes, growth=growth))
        except RequestError as error:
            refused = error.what
            break
    if not counts:
        return Carried(target, None, None, (), refused)
    dealt = hands(volumes, counts[-1].boxes)
    fullest = max(dealt, key=lambda hand: max(utilization(target, together(hand), Front()).values()))
    forecasts = tuple(forecast(target, fullest, growth=growth) for growth in GROWTHS[: len(counts)])
    loads = (together(hand) for hand in hands(volumes, counts[0].boxes))
    beyond = target.beyond(max(loads, key=lambda load: load.footprint_gb))
    alone = {name: max(math.ceil(share / FULLEST), 1) for name, share in one_box(target, volumes).items()}
    return Carried(target, counts[0], counts[-1], forecasts, refused, beyond, alone)


def one_box(target: Target, volumes: Sequence[MeasuredVolume]) -> Mapping[str, float]:
    """Demand of all volumes on the stations of one box, relative to their capacity."""
    return stations(target, together(volumes), Front())


def _finding(place: int, c: Carried, volumes: Sequence[MeasuredVolume], first: Reading, utc: bool) -> Finding:
    peak = f"the peak at {when(first, utc)}"
    return Finding(
        code="migrate_target",
        severity="note",
        subject=Subject("machine", (c.target.name,)),
        text=f"Place {place}: {_headline(c, peak)}",
        details=_details(c, volumes),
        advice=_advice(c),
        numbers=tuple(_numbers(c)),
        sql=(
            "SELECT system, volume, io_rate, wait_ms, service_ms, response_ms, exposures FROM volume_interval "
            f"WHERE interval_start = TIMESTAMP '{first.start}' ORDER BY io_rate DESC"
        ),
        lost_s=0.0,
        confidence=_confidence(c),
        effect=_effect(c, volumes) if math.isfinite(c.response_ms) else None,
    )


def _confidence(c: Carried) -> str:
    sure = math.isfinite(c.response_ms) and not c.beyond
    return "medium" if sure else "low"


def _headline(c: Carried, peak: str) -> str:
    if c.now is None:
        return f"{c.target.name} can't carry {peak}"
    fewest = f"{c.fewest} to " if c.fewest < c.now.boxes else ""
    boxes = f"{fewest}{box_words(c.now.boxes, c.target.name)}"
    if not math.isfinite(c.response_ms):
        return f"{boxes} for {peak}, but volumes run out of exposures"
    return f"{boxes} {'carries' if c.now.boxes == 1 else 'carry'} {peak}"


def _details(c: Carried, volumes: Sequence[MeasuredVolume]) -> str:
    """Boxes and response at each growth, compared with today, and how far out the count is."""
    if c.now is None or c.planned is None:
        return f"The peak has {plural(len(volumes), 'volume')}"
    boxes = f"{'Up to ' if c.fewest < c.now.boxes else ''}{c.planned.boxes}"
    growth = GROWTHS[len(c.forecasts) - 1]
    more = f"{boxes} for {growth:g} times the load" if c.planned.boxes > c.now.boxes else ""
    response = f"Response with {c.planned.boxes}: {'; '.join(_forecast(f) for f in c.forecasts)}"
    now_ms = mean_response_ms(volumes)
    # a rank compares the targets; it does not mean that one is better than the current machine
    slower = f"Today it is {human_number(now_ms)} ms" if c.forecasts[0].response_low_ms > now_ms else ""
    parts = more, response, slower, _extrapolated(c), f"The peak has {plural(len(volumes), 'volume')}"
    return ". ".join(filter(None, parts))


def _extrapolated(c: Carried) -> str:
    """The limit beyond which the model is not validated."""
    if not c.beyond or not c.others or c.alone[c.most] == 1:
        return ""
    others = [f"its {name} alone {_asks(name)} for {boxes}" for name, boxes in c.others.items()]
    count = "higher count" if c.now and c.fewest < c.now.boxes else "count"
    return f"The {count} is that of {c.most} with the disks its file was fitted to; {', '.join(others)}"


def _asks(station: str) -> str:
    return "ask" if station.endswith("s") else "asks"


def _forecast(f: Forecast) -> str:
    when = "now" if f.growth == 1 else f"{f.growth:g} times"
    if not math.isfinite(f.response_ms):
        return f"{when} volumes run out of exposures"
    return f"{when} {interval(f.response_ms, f.response_low_ms, f.response_high_ms, 'ms')}"


def _limit(f: Forecast) -> str:
    return "the number of a volume's exposures" if f.saturates_first == EXPOSURES else f.saturates_first


def _advice(c: Carried) -> str:
    name = c.target.name
    if c.planned is None:
        return f"Choose another machine: {c.refused}"
    today = c.forecasts[0]
    if today.saturates_first == EXPOSURES and today.growth_max < GROWTHS[-1]:
        when = "already at" if today.growth_max < 1 else f"at {today.growth_max:.1f} times"
        return (
            "Add aliases first: on this machine I/Os take longer, and volumes run out of exposures "
            f"{when} today's peak. iosq simulate pav --machine {name} shows how many aliases it takes"
        )
    if c.refused:
        return f"Choose another machine for more growth: {c.refused}"
    limit = f" (with one box less, {c.planned.limit})" if c.planned.limit else ""
    return (
        f"Plan for {_limit(today)} as the first limit, at {today.growth_max:.1f} times today's peak{limit}. iosq "
        f"simulate migrate --to {name} --boxes {c.planned.boxes} shows every volume and the assumptions"
    )


def _numbers(c: Carried) -> list[Number]:
    numbers: list[Number] = []
    if c.now and c.planned:
        numbers.append(Number("boxes for today's peak", c.now.boxes))
        if len(c.forecasts) > 1:
            numbers.append(Number(f"boxes for {GROWTHS[len(c.forecasts) - 1]:g} times today's peak", c.planned.boxes))
    for f in c.forecasts:
        busiest = max(f.utilization, key=lambda station: f.utilization[station])
        if math.isfinite(f.response_ms):
            numbers.append(Number(f"response at {f.growth:g} times today's peak", f.response_ms, "ms"))
            # without a response there is no carried load, hence no utilisation
            share = 100 * f.utilization[busiest]
            numbers.append(Number(f"{busiest} at {f.growth:g} times today's peak", share, "% busy"))
    if c.forecasts:
        today, whose = c.forecasts[0], fullest_of(c.planned.boxes if c.planned else 1)
        numbers.append(Number("growth left", today.growth_max, "times"))
        numbers.append(Number(f"access density needed {whose}", today.density_needed, "I/Os per s and GB"))
        if today.density_offered is not None:
            numbers.append(Number("access density offered", today.density_offered, "I/Os per s and GB"))
    return numbers


def _effect(c: Carried, volumes: Sequence[MeasuredVolume]) -> Effect:
    now, f = mean_response_ms(volumes), c.forecasts[0]
    basis = "; ".join(text for text in (f.calibrated_on, f.beyond, *f.caveats) if text)
    ends = f.response_ms, f.response_low_ms, f.response_high_ms
    return Effect("response, fullest box, today's peak", "ms", now, *ends, basis)
