"""Migration: volumes, measured in a lake or given as numbers, on another machine."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from iosq.models import channel
from iosq.models.machine import available, forms, load
from iosq.models.migrate import FULLEST, BoxCount, Forecast, Front, VolumeForecast, boxes_needed, forecast, stations
from iosq.models.migrate.targets import Target, target_of
from iosq.models.migrate.workload import MeasuredVolume, dealt, grown, together
from iosq.models.queueing.checks import count as at_least_one
from iosq.models.queueing.checks import overload, positive
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import NOTHING, Given
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.predict.pav_numbers import Numbers
from iosq.toolkit.rows import NewRow, csv_rows, grouped
from iosq.toolkit.show import stages
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import interval, listed, plural
from iosq.toolkit.show.theme import SERVICE, WAIT, Picture, finished
from iosq.toolkit.show.values import plain, plain_rows
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import Instant
from iosq.toolkit.units import human_number

SHOWN = 20  # volumes in the chart
ROWS = (
    "the mean of the box is surer than its rows. The machine knows a volume by rate, mix and hits only. Other causes "
    "that make it slower or faster may or may not move along, so a row's bounds reach from none to all of them"
)
NO_TRANSFER = "no --conn-ms given: nothing is added for data that takes longer to move than a small block"
LITTLE = 0.01  # a smaller share of a station is shown as less than this


@dataclass(frozen=True)
class Wish:
    """The new machine and its requirements; None if the machine file or a planning rule decides.

    response_ms: longest acceptable mean response; boxes: number to use; block_bytes: data per I/O; back_end: disks
    and cache of a new box / those of the box its file was fitted to.
    """

    to: str
    growth: float = 1.0
    boxes: int | None = None
    response_ms: float | None = None
    channel: str | None = None
    channels: int = 1
    block_bytes: float = 4096.0
    capacity_gb: float | None = None
    back_end: float = 1.0
    given: Given = NOTHING

    def __post_init__(self) -> None:
        positive(**{"--growth": self.growth, "--block-bytes": self.block_bytes, "--back-end": self.back_end})
        positive(**{"--response-ms": self.response_ms, "--capacity-gb": self.capacity_gb})
        at_least_one(**{"--boxes": self.boxes, "--channels": self.channels})

    @property
    def target(self) -> Target:
        """The machine; RequestError if nothing can be moved to it."""
        return target_of(load(self.to), self.back_end)


def is_machine(name: str) -> bool:
    """True for a shipped machine, even one without parameters, and for a .toml file."""
    return name.endswith(".toml") or name in available() or name in forms()


def checked(wish: Wish) -> None:
    """Check the machine before a lake is read; RequestError if nothing can be moved to it."""
    _ = wish.target, _front(wish)


def numbers_answer(numbers: Numbers, wish: Wish) -> Answer:
    """The work of volumes on another machine: response, what saturates first, how many boxes."""
    if numbers.rate is None or numbers.service_ms is None:
        raise RequestError(
            "nothing to move", place="simulate migrate", remedy="give --lake, or --rate and --service-ms"
        )
    volumes = [
        MeasuredVolume(
            volume=f"volume {number}",
            io_rate=numbers.rate,
            read_ratio=numbers.read_ratio,
            read_hit_ratio=1.0,
            bytes_per_io=wish.block_bytes,
            wait_ms=numbers.wait_ms,
            pend_ms=0.0,
            disc_ms=numbers.service_ms - numbers.conn_ms,
            conn_ms=numbers.conn_ms,
            exposures=numbers.exposures,
            footprint_gb=numbers.touched_gb,
            capacity_gb=wish.capacity_gb or capacity_gb(),
        )
        for number in range(1, numbers.volumes + 1)
    ]
    notes = () if numbers.conn_ms else (NO_TRANSFER,)
    return answer(volumes, wish, plural(numbers.volumes, "volume"), notes)


def lake_answer(con: Connection, wish: Wish, at: Instant | None = None, *, utc: bool = False) -> Answer:
    """The volumes of a lake in their busiest interval, or the one that starts `at`; shown in local time or in UTC.

    RequestError if nothing was measured then, or the new machine can't carry the load.
    """
    volumes, first = measured(con, wish, at)
    when = "the interval asked for" if at else "the busiest interval"
    note = f"{when}: {lake.when(first, utc)}; {plural(len(volumes), 'volume')}"
    facts = {in_file("interval_start", first.utc_offset_s): first.start}
    return answer(volumes, wish, "the lake's volumes", (note,), facts)


def measured(con: Connection, wish: Wish, at: Instant | None = None) -> tuple[list[MeasuredVolume], Reading]:
    """The volumes that `lake_answer` moves, and one of their readings; RequestError if nothing was measured then."""
    stages.progress("busiest interval")
    intervals = lake.by_interval(lake.readings(con, lake.platforms(con)[0]))
    if not intervals:
        raise RequestError("no volume did any I/O", remedy="ask for others")
    chosen = next((t for t, found in intervals.items() if at and lake.starts_at(found, at)), None)
    if at and not chosen:
        raise lake.no_interval(at)
    group = intervals[chosen or max(intervals, key=lambda t: sum(r.in_service + r.queue for r in intervals[t]))]
    return volumes_of(group, wish), group[0]


def volumes_of(group: Sequence[Reading], wish: Wish) -> list[MeasuredVolume]:
    """The volumes of one interval with the load of all systems; RequestError if the read ratio is unknown."""
    reads = lake.read_ratios(group, wish.given.read_ratio)
    parts = grouped(zip(group, reads, strict=True), lambda part: part[0].volume)
    return [_shared(name, readings, wish) for name, readings in sorted(parts.items())]


def answer(
    volumes: Sequence[MeasuredVolume],
    wish: Wish,
    subject: str,
    notes: tuple[str, ...],
    common: NewRow | None = None,
) -> Answer:
    """Forecast of every volume on the smallest sufficient number of boxes (or `wish.boxes`), and of the fullest box.

    RequestError if it is not a disk machine, no number of boxes is enough, or the requested number saturates.
    """
    target, front = wish.target, _front(wish)
    stages.progress("number of boxes")
    count, boxes = None, wish.boxes
    if not boxes:
        longest_ms = wish.response_ms or math.inf
        count = boxes_needed(target, volumes, growth=wish.growth, response_ms=longest_ms, front=front)
        boxes = count.boxes
    moved = grown(volumes, wish.growth)
    made = [_carried(target, box_volumes, front, boxes) for box_volumes in stages.each("boxes", hands(moved, boxes))]
    fullest = max(made, key=lambda f: max(f.utilization.values()))
    facts = {
        "machine": target.name,
        "boxes": boxes,
        "growth": wish.growth,
        "box_response_ms": plain(fullest.response_ms),
        "box_response_low_ms": plain(fullest.response_low_ms),
        "box_response_high_ms": plain(fullest.response_high_ms),
        "saturates_first": fullest.saturates_first,
        "growth_max": fullest.growth_max,
        # the utilisation is unknown if the demand exceeds the capacity
        "utilization": {name: share if share < 1 else None for name, share in fullest.utilization.items()},
        "asked_ratio": dict(fullest.utilization),
        "density_needed": fullest.density_needed,
        "density_offered": fullest.density_offered,
        "calibrated_on": fullest.calibrated_on,
        **(common or {}),
    }
    rows = tuple(_row(v, number, _bounds(v, f)) for number, f in enumerate(made, 1) for v in f.volumes)
    now_ms = mean_response_ms(volumes)
    texts = (*_texts(fullest, now_ms, boxes, count, wish, stations(target, together(moved), front)), *notes)
    caveats = tuple(f"assumed: {text}" for text in fullest.caveats)
    title = _title(subject, fullest, now_ms, boxes)
    beyond = (f"not validated: {fullest.beyond}",) if fullest.beyond else ()
    doubt = (*beyond, ROWS) if len(fullest.volumes) > 1 else beyond
    return Answer(rows, (*texts, *doubt, *caveats), facts, lambda rows=rows: _draw(rows, fullest, title))


def hands(volumes: Sequence[MeasuredVolume], boxes: int) -> list[list[MeasuredVolume]]:
    """The volumes of each box that gets load."""
    return [part for part in dealt(volumes, min(boxes, len(volumes))) if any(v.planned_rate for v in part)]


def mean_response_ms(volumes: Sequence[MeasuredVolume]) -> float:
    """Mean response as measured, ms per I/O, weighted by rate."""
    return sum(v.planned_rate * v.response_ms for v in volumes) / together(volumes).io_rate


def box_words(boxes: int, machine: str) -> str:
    """A number of boxes of a machine, in words."""
    return plural(boxes, f"{machine} box", f"{machine} boxes")


# IBM 3390 Direct Access Storage Reference: 15 tracks of 56,664 bytes
CYLINDER_BYTES = 849_960


def capacity_gb(device_type: str = "", cylinders: int | None = None) -> float:
    """GB of a volume by its cylinders, else by its model, else of a 3390-3."""
    if cylinders:
        return cylinders * CYLINDER_BYTES / 1e9
    return _capacities().get(device_type.replace("-", ""), _capacities()["33903"])


@cache
def _capacities() -> dict[str, float]:
    return {
        row["device_type"]: float(row["capacity_gb"]) for row in csv_rows("iosq.toolkit.predict", "volume_capacity.csv")
    }


def _shared(name: str, parts: Sequence[tuple[Reading, float]], wish: Wish) -> MeasuredVolume:
    """One volume with the load of all systems: rates are added, times are means weighted by rate."""
    rate = sum(r.rate for r, _ in parts)

    def mean(part: str) -> float:
        return float(sum(r.rate * getattr(r, part) for r, _ in parts) / rate)

    reads = sum(r.rate * share for r, share in parts)
    hits = [(r.rate * share, r.read_hit_ratio) for r, share in parts if r.read_hit_ratio is not None and share]
    hit_ratio = sum(n * h for n, h in hits) / sum(n for n, _ in hits) if hits else 1.0
    return MeasuredVolume(
        volume=name,
        io_rate=rate,
        read_ratio=min(reads / rate, 1.0),
        read_hit_ratio=min(hit_ratio, 1.0),
        bytes_per_io=wish.block_bytes,
        wait_ms=mean("wait_ms"),
        pend_ms=mean("pend_ms"),
        disc_ms=mean("disc_ms"),
        conn_ms=max(mean("conn_ms"), 0.0),
        exposures=sum(r.exposures for r, _ in parts),
        footprint_gb=wish.given.touched_gb,
        capacity_gb=wish.capacity_gb or capacity_gb(parts[0][0].device_type, max(r.cylinders or 0 for r, _ in parts)),
    )


def _front(wish: Wish) -> Front:
    if not wish.channel:
        return Front()
    return Front(channel.from_machine(of_kind(wish.channel, "channel", "--channel")), wish.channels)


def _carried(target: Target, box_volumes: Sequence[MeasuredVolume], front: Front, boxes: int) -> Forecast:
    """The forecast of one box; RequestError naming the station if no steady state carries its load."""
    full = {name: share for name, share in stations(target, together(box_volumes), front).items() if share >= 1}
    if full:
        name = max(full, key=lambda station: full[station])
        raise RequestError(
            overload(full[name]),
            place=f"{name} of {box_words(boxes, target.name)}",
            remedy="allow more with --boxes, or choose another machine",
        )
    return forecast(target, box_volumes, front=front)


def _row(v: VolumeForecast, box: int, bounds: tuple[float, float]) -> NewRow:
    names = ("io_rate", "wait_ms", "service_ms", "response_ms", "measured_response_ms")
    values = {name: plain(getattr(v, name)) for name in names}
    low, high = (plain(ms) for ms in bounds)
    ends = {"response_low_ms": low, "response_high_ms": high}
    return {"box": box, "volume": v.volume} | values | ends | {"remark": _remark(v)}


def _bounds(v: VolumeForecast, f: Forecast) -> tuple[float, float]:
    """Bounds of a volume's response: the machine's value, and that times the volume's own level, with the box's error.

    The own level is measured / predicted response, relative to that ratio of all volumes. How much of it moves along
    is unknown.
    """
    if not math.isfinite(f.response_ms):
        return v.response_ms, v.response_ms
    rate = sum(each.io_rate for each in f.volumes)
    usual = sum(each.io_rate * each.measured_response_ms for each in f.volumes) / rate / f.response_ms
    own = v.measured_response_ms / v.response_ms / usual
    return min(own, 1.0) * v.response_low_ms, max(own, 1.0) * v.response_high_ms


def _remark(v: VolumeForecast) -> str:
    """Why a volume's response has no upper limit: exposures it lacks, at least in the worst case; else empty."""
    if math.isinf(v.response_ms) or math.isfinite(v.response_high_ms):
        return lacks_exposures(v)
    if math.isinf(v.slow_ms):
        return "no upper limit: at the slow end of the machine file the box is full"
    return f"no upper limit: may need {_exposures(v.io_rate, v.slow_ms)}"


def lacks_exposures(v: VolumeForecast) -> str:
    """The exposures a volume needs at the new service time, in words; empty if it has enough."""
    if math.isfinite(v.wait_ms) or math.isinf(v.service_ms):
        return ""
    return f"needs at least {_exposures(v.io_rate, v.service_ms)}"


def _exposures(io_rate: float, service_ms: float) -> str:
    return plural(math.floor(io_rate * service_ms / 1e3) + 1, "exposure")


def _texts(
    f: Forecast, now_ms: float, boxes: int, count: BoxCount | None, wish: Wish, all_in_one_box: Mapping[str, float]
) -> tuple[str, ...]:
    offered = "the machine file names none"
    if f.density_offered is not None:
        offered = f"{human_number(f.density_offered)} offered"
    which = f"{box_words(boxes, f.target)}, the fullest" if boxes > 1 else box_words(boxes, f.target)
    return (
        f"{which}: {_response(f)}; {human_number(now_ms)} ms measured now",
        *_uncarried(f),
        *_open_end(f),
        _why(count, wish, all_in_one_box),
        f"saturates first: {f.saturates_first}, at {human_number(f.growth_max)} times this load",
        "utilization: " + ", ".join(f"{name} {_busy(share)}" for name, share in f.utilization.items()),
        f"access density: {human_number(f.density_needed)} I/Os per s and GB needed {fullest_of(boxes)}, {offered}",
        f"calibrated on {f.calibrated_on}",
    )


def fullest_of(boxes: int) -> str:
    """The box that the access density is of, in words: with more boxes, the fullest differs more from the mean."""
    return f"by the fullest of {boxes} boxes" if boxes > 1 else "by the one box"


def _response(f: Forecast) -> str:
    if math.isinf(f.volumes[0].service_ms):
        return "more arrives than its volumes' exposures let in at this machine's service times"
    if math.isinf(f.response_ms):
        lacking = [v for v in f.volumes if lacks_exposures(v)]
        return f"{plural(len(lacking), 'volume')} of {len(f.volumes)} would run out of exposures (see remark)"
    return interval(f.response_ms, f.response_low_ms, f.response_high_ms, "ms")


def _open_end(f: Forecast) -> list[str]:
    """Why the response has no upper limit; empty if it has one."""
    if math.isinf(f.response_ms) or math.isfinite(f.response_high_ms):
        return []
    if any(math.isinf(v.slow_ms) for v in f.volumes):
        return ["no upper limit: at the slow end of the machine file this load is more than the box carries"]
    lacking = sum(math.isinf(v.response_high_ms) for v in f.volumes)
    lacks = f"{plural(lacking, 'volume')} of {len(f.volumes)} may run out of exposures (see remark)"
    return [f"no upper limit: at the slow end of the machine file, {lacks}"]


def _uncarried(f: Forecast) -> list[str]:
    """The note that the number of boxes is not enough because volumes lack exposures; else empty."""
    if math.isfinite(f.response_ms):
        return []
    return [
        "no number of boxes carries this load now: these volumes need more exposures first (more aliases, or their "
        "data on more volumes); the count is for the load after that"
    ]


def _why(count: BoxCount | None, wish: Wish, all_in_one_box: Mapping[str, float]) -> str:
    """The rule behind the number of boxes, in words: the same as `iosq advise migrate` uses for the same growth."""
    if count is None:
        return "the number of boxes given by --boxes"
    load = "this load" if wish.growth == 1 else f"{wish.growth:g} times the measured load"
    rule = f"the fewest with no station of a box above {100 * FULLEST:.0f} % at {load}"
    within = f" and a response within {human_number(wish.response_ms)} ms" if wish.response_ms else ""
    limit = f"; with one less: {count.limit}" if count.limit else ""
    needed = listed(f"{_times(share)} its {name} capacity" for name, share in all_in_one_box.items())
    return f"{rule}{within}{limit}; one box for all would need {needed}"


def _times(share: float) -> str:
    return f"{human_number(share)} times" if share > 1 else f"{_percent(share)} of"


def _busy(share: float) -> str:
    """Utilisation of a station in words; above 100 % it is shown as demand."""
    return f"demand {_times(share)} capacity" if share > 1 else _percent(share)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= LITTLE else "less than 1 %"


def _title(subject: str, f: Forecast, now_ms: float, boxes: int) -> str:
    count = f"{boxes} × {f.target}" if boxes > 1 else f.target
    if math.isinf(f.response_ms):
        return f"{subject} on {count}: not carried, some volumes lack exposures"
    change = f"{human_number(now_ms)} → {human_number(f.response_ms)} ms"
    return f"{subject} on {count}: {change}; first to saturate: {f.saturates_first}"


def _draw(rows: Sequence[NewRow], f: Forecast, title: str) -> Picture:
    stations = [{"station": name, "percent": 100 * share} for name, share in f.utilization.items()]
    bars = (
        alt.Chart(alt.InlineData(values=stations))
        .mark_bar(color=SERVICE, height=18)
        .encode(
            x=alt.X(
                "percent:Q",
                title="demand on the fullest box, of its capacity (%)",
                scale=alt.Scale(domain=[0, max(100.0, *(100 * share for share in f.utilization.values()))]),
            ),
            y=alt.Y("station:N", title=None, sort="-x", axis=alt.Axis(labelLimit=200)),
        )
        .properties(width=560, height=alt.Step(30))
    )
    top = sorted(plain_rows(rows), key=lambda r: -r["io_rate"])[:SHOWN]
    pairs = (("measured_response_ms", "measured now"), ("response_ms", f"predicted on {f.target}"))
    long = [{"volume": r["volume"], "what": label, "ms": r[name]} for r in top for name, label in pairs]
    colour = alt.Scale(domain=[label for _, label in pairs], range=[WAIT, SERVICE])
    dots = (
        alt.Chart(alt.InlineData(values=long))
        .mark_point(filled=True, size=70)
        .encode(
            x=alt.X("ms:Q", title="response time (ms per I/O)", scale=alt.Scale(zero=True)),
            y=alt.Y("volume:N", title="busiest volumes", sort=[r["volume"] for r in top]),
            color=alt.Color("what:N", title=None, scale=colour),
            shape=alt.Shape(
                "what:N", title=None, scale=alt.Scale(domain=colour["domain"], range=["circle", "diamond"])
            ),
        )
        .properties(width=560, height=alt.Step(18))
    )
    return finished(alt.vconcat(bars, dots), title, f"calibrated on {f.calibrated_on}")
