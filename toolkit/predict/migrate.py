"""Migration: measured volumes, of a lake or given as numbers, on another machine."""

from __future__ import annotations

import csv
import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from iosq.models import channel
from iosq.models.machine import load
from iosq.models.migrate import (
    Forecast,
    Front,
    MeasuredVolume,
    Target,
    boxes_needed,
    dealt,
    forecast,
    target_of,
    together,
    utilization,
)
from iosq.models.migrate.workload import grown
from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import lake
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.predict.pav_numbers import Numbers
from iosq.toolkit.show.theme import SERVICE, WAIT, finished
from iosq.toolkit.show.values import plain_rows
from iosq.toolkit.units import human_number

if TYPE_CHECKING:
    import duckdb

    from iosq.toolkit.show.theme import Picture

SHOWN = 20  # volumes in the chart
SLOWER = 1.25  # without a wish, responses may grow by this much before one box is called too few


@dataclass(frozen=True)
class Wish:
    """The new machine and what is asked of it; None where the machine file or today's response decides.

    response_ms: longest acceptable mean response; boxes: how many to use; block_bytes: data per I/O.
    """

    to: str
    growth: float = 1.0
    boxes: int | None = None
    response_ms: float | None = None
    channel: str | None = None
    channels: int = 1
    block_bytes: float = 4096.0
    capacity_gb: float | None = None
    read_ratio: float | None = None
    footprint_gb: float = 1.0

    def __post_init__(self) -> None:
        positive(**{"--growth": self.growth, "--block-bytes": self.block_bytes, "--footprint-gb": self.footprint_gb})
        optional = {"--response-ms": self.response_ms, "--capacity-gb": self.capacity_gb}
        positive(**{name: value for name, value in optional.items() if value is not None})
        ratio(**{"--read-ratio": 0.5 if self.read_ratio is None else self.read_ratio})
        for name, count in (("--boxes", 1 if self.boxes is None else self.boxes), ("--channels", self.channels)):
            if count < 1:
                raise RequestError(f"must be at least 1, not {count}", place=name)


def checked(wish: Wish) -> None:
    """Refuse machines nothing can be moved to before a lake is read; RequestError names them."""
    target_of(load(wish.to))
    _front(wish)


def numbers_answer(numbers: Numbers, wish: Wish) -> Answer:
    """Equal volumes from the command line on another machine."""
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
            disc_ms=0.0,
            conn_ms=numbers.service_ms,
            exposures=numbers.exposures,
            footprint_gb=numbers.footprint_gb,
            capacity_gb=wish.capacity_gb or capacity_gb(""),
        )
        for number in range(1, numbers.volumes + 1)
    ]
    return answer(volumes, wish, f"{numbers.volumes} volumes", ())


def lake_answer(
    con: duckdb.DuckDBPyConnection, wish: Wish, *, lcus: Sequence[str], system: str | None, at: dt.datetime | None
) -> Answer:
    """The volumes of a lake (or of some LCUs, one system) in their busiest interval, or the one that starts `at`.

    Raises:
        RequestError: nothing measured there, or the new machine can't carry it.
    """
    volumes, first = measured(con, wish, lcus=lcus, system=system, at=at)
    when = "the interval asked for" if at else "the busiest interval"
    note = f"{when}: {lake.local(first)} local; {len(volumes)} volumes"
    return answer(volumes, wish, "the lake's volumes", (note,), {"interval_start": first.start})


def measured(
    con: duckdb.DuckDBPyConnection, wish: Wish, *, lcus: Sequence[str], system: str | None, at: dt.datetime | None
) -> tuple[list[MeasuredVolume], Reading]:
    """What `lake_answer` moves, and one of the readings it comes from.

    Raises:
        RequestError: nothing measured there.
    """
    wanted = {lcu.upper() for lcu in lcus}
    if lcus:
        lake.find_lcus(con, lcus)
    found = [r for r in lake.readings(con, lake.platform_of(con)) if not wanted or r.lcu in wanted]
    found = [r for r in found if system in (None, r.system)]
    intervals = lake.by_interval(found)
    if at is not None and at not in intervals:
        raise RequestError(f"no interval starts at {at.isoformat()} UTC", place="--at", remedy="see volume_interval")
    if not intervals:
        raise RequestError(f"no volume{f' of system {system}' if system else ''} did any I/O", remedy="ask for others")
    start = at or max(intervals, key=lambda t: sum(r.in_service + r.queue for r in intervals[t]))
    group = intervals[start]
    reads = lake.read_ratios(group, wish.read_ratio)
    parts: dict[str, list[tuple[Reading, float]]] = {}
    for reading, share in zip(group, reads, strict=True):
        parts.setdefault(reading.volume, []).append((reading, share))
    return [_shared(name, seen, wish) for name, seen in sorted(parts.items())], group[0]


def answer(
    volumes: Sequence[MeasuredVolume],
    wish: Wish,
    subject: str,
    notes: tuple[str, ...],
    common: dict[str, Any] | None = None,
) -> Answer:
    """Forecast of every volume on the fewest boxes that do (or on `wish.boxes`), and of the fullest box.

    Raises:
        RequestError: the machine is no disk machine; the boxes asked for saturate (names the station).
    """
    target, front = target_of(load(wish.to)), _front(wish)
    now_ms = _mean_ms(volumes)
    longest = wish.response_ms or SLOWER * now_ms
    needed, why_not = _needed(target, volumes, wish, front, longest)
    boxes = wish.boxes or needed or 1
    moved = grown(volumes, wish.growth)
    hands = [hand for hand in dealt(moved, min(boxes, len(moved))) if any(v.planned_rate for v in hand)]
    made = [_carried(target, hand, front, boxes) for hand in hands]
    fullest = max(made, key=lambda f: max(f.utilization.values()))
    rows = tuple(_row(v, number) for number, f in enumerate(made, 1) for v in f.volumes)
    one = utilization(target, together(moved), front)
    facts = {
        "machine": target.name,
        "boxes": boxes,
        "box_response_ms": fullest.response_ms,
        "box_response_low_ms": fullest.response_low_ms,
        "box_response_high_ms": fullest.response_high_ms,
        "saturates_first": fullest.saturates_first,
        "growth_max": fullest.growth_max,
        "utilization": dict(fullest.utilization),
        "density_needed": fullest.density_needed,
        "density_offered": fullest.density_offered,
        "boxes_needed": needed,
        "response_wanted_ms": longest,
        "calibrated_on": fullest.calibrated_on,
        **(common or {}),
    }
    texts = _texts(fullest, now_ms, boxes, needed, why_not, longest, one)
    caveats = tuple(f"taken for granted: {text}" for text in fullest.caveats)
    title = _title(subject, fullest, now_ms, boxes)
    return Answer(rows, (*texts, *notes, *caveats), facts, lambda: _draw(rows, fullest, title))


def capacity_gb(device_type: str) -> float:
    """GB of a volume of that model; that of a 3390-3 where the model says nothing."""
    return _capacities().get(device_type.replace("-", ""), _capacities()["33903"])


@cache
def _capacities() -> dict[str, float]:
    text = files("iosq.toolkit.predict").joinpath("volume_capacity.csv").read_text("utf-8")
    return {row["device_type"]: float(row["capacity_gb"]) for row in csv.DictReader(text.splitlines())}


def _shared(name: str, seen: Sequence[tuple[Reading, float]], wish: Wish) -> MeasuredVolume:
    """One volume as all systems together use it: rates add up, times are weighted by rate."""
    rate = sum(r.rate for r, _ in seen)

    def mean(part: str) -> float:
        return float(sum(r.rate * getattr(r, part) for r, _ in seen) / rate)

    reads = sum(r.rate * share for r, share in seen)
    hits = [(r.rate * share, r.read_hit_ratio) for r, share in seen if r.read_hit_ratio is not None and share]
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
        exposures=sum(r.exposures for r, _ in seen),
        footprint_gb=wish.footprint_gb,
        capacity_gb=wish.capacity_gb or capacity_gb(seen[0][0].device_type),
    )


def _front(wish: Wish) -> Front:
    return (
        Front(channel.from_machine(of_kind(wish.channel, "channel", "--channel")), wish.channels)
        if wish.channel
        else Front()
    )


def _needed(
    target: Target, volumes: Sequence[MeasuredVolume], wish: Wish, front: Front, longest: float
) -> tuple[int | None, str]:
    try:
        return boxes_needed(target, volumes, response_ms=longest, growth=wish.growth, front=front), ""
    except RequestError as error:
        return None, error.what


def _carried(target: Target, hand: Sequence[MeasuredVolume], front: Front, boxes: int) -> Forecast:
    """The forecast of one box; RequestError naming the station if no steady state carries its load."""
    made = forecast(target, hand, front=front)
    full = {name: share for name, share in made.utilization.items() if share >= 1}
    if full:
        name = max(full, key=lambda station: full[station])
        raise RequestError(
            f"utilization is {full[name]:.3g}, {full[name] - 1:.3g} above what can be served",
            place=f"{name} of {target.name}, {boxes} box{'es' if boxes > 1 else ''}",
            remedy="allow more with --boxes, or choose another machine",
        )
    return made


def _row(v: Any, box: int) -> dict[str, Any]:
    names = ("volume", "io_rate", "wait_ms", "service_ms", "response_ms", "measured_response_ms")
    return {"box": box} | {name: getattr(v, name) for name in names}


def _mean_ms(volumes: Sequence[MeasuredVolume]) -> float:
    rate = together(volumes).io_rate
    return sum(v.planned_rate * v.response_ms for v in volumes) / rate


def _texts(
    f: Forecast, now_ms: float, boxes: int, needed: int | None, why_not: str, longest: float, one: Any
) -> tuple[str, ...]:
    low, mean, high = (human_number(ms) for ms in (f.response_low_ms, f.response_ms, f.response_high_ms))
    count = f"{boxes} box{'es' if boxes > 1 else ''} of {f.target}"
    fullest = max(one, key=lambda station: one[station])
    enough = f"{needed} box(es) keep the response within {human_number(longest)} ms" if needed else why_not
    offered = "not stated by the machine file" if f.density_offered is None else f"{human_number(f.density_offered)}"
    return (
        f"{count}: {mean} ms ({low} to {high}) in the fullest box; {human_number(now_ms)} ms measured now",
        f"saturates first: {f.saturates_first}, at {human_number(f.growth_max)} times this load",
        "utilization: " + ", ".join(f"{name} {100 * share:.0f} %" for name, share in f.utilization.items()),
        f"all on one box: {fullest} {100 * one[fullest]:.0f} %; {enough}",
        f"access density: {human_number(f.density_needed)} I/Os per s and GB needed, {offered} offered",
        f"calibrated on {f.calibrated_on}",
    )


def _title(subject: str, f: Forecast, now_ms: float, boxes: int) -> str:
    count = f"{boxes} × {f.target}" if boxes > 1 else f.target
    if math.isinf(f.response_ms):
        return f"{subject} on {count}: some volumes lack exposures"
    way = f"{human_number(now_ms)} → {human_number(f.response_ms)} ms"
    return f"{subject} on {count}: {way}; first to saturate: {f.saturates_first}"


def _draw(rows: Sequence[dict[str, Any]], f: Forecast, title: str) -> Picture:
    import altair as alt

    stations = [{"station": name, "percent": 100 * share} for name, share in f.utilization.items()]
    bars = (
        alt.Chart(alt.InlineData(values=stations))
        .mark_bar(color=SERVICE, height=18)
        .encode(
            x=alt.X("percent:Q", title="utilization of the fullest box (%)", scale=alt.Scale(domain=[0, 100])),
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
