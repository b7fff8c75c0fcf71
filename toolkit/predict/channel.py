"""Channels: rate and throughput by block size, tasks, exposures and distance."""

from collections.abc import Sequence

from iosq.models import channel
from iosq.models.channel import Load
from iosq.models.machine import Machine
from iosq.models.queueing.checks import count, not_negative, positive, ratio
from iosq.toolkit.late import alt
from iosq.toolkit.predict import spread
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import COLOURS, HEIGHT, WIDTH, Picture, finished
from iosq.toolkit.units import human_number

MB = 1e6


def answer(
    machine: str,
    *,
    block_bytes: Sequence[float] = (4096.0,),
    tasks: Sequence[int] = (1, 2, 3, 6, 9, 12, 18),
    distance_km: Sequence[float] = (0.0,),
    read_ratio: float = 1.0,
    volumes: int = 6,
    exposures: int = 1,
    channels: int = 1,
) -> Answer:
    """Channel capacity: rate and throughput for every block size, number of tasks and distance.

    Args:
        machine: a channel: a machine's name or a .toml file.
        block_bytes: data per I/O, bytes.
        tasks: requesters.
        distance_km: length of the link, km.
        read_ratio: reads / all I/Os, 0 to 1.
        volumes: volumes the requesters use.
        exposures: base and aliases of a volume.
        channels: equal channels.
    """
    positive(**{"--block-bytes": list(block_bytes)})
    not_negative(**{"--distance-km": list(distance_km)})
    ratio(**{"--read-ratio": read_ratio})
    count(**{"--tasks": min(tasks), "--volumes": volumes, "--exposures": exposures, "--channels": channels})
    named = of_kind(machine, "channel")
    rows = tuple(
        _row(named, Load(b, read_ratio, n, volumes, exposures), channels, km)
        for b in block_bytes
        for km in distance_km
        for n in tasks
    )
    best = max(rows, key=lambda row: row["io_rate"])
    title = (
        f"{named.title}: {human_number(best['io_rate'])} I/Os per s, "
        f"{human_number(max(row['bytes_rate'] for row in rows) / MB)} MB/s at most"
    )
    notes = (
        f"what limits the highest rate: {best['limit']}",
        f"calibrated on machine file {named.title}",
        spread.basis(named),
    )
    common = {"machine": named.name, "read_ratio": read_ratio, "volumes": volumes, "exposures": exposures}
    return Answer(rows, (title, *notes), {**common, "channels": channels}, lambda: _draw(rows, title, *notes))


def _row(named: Machine, load: Load, channels: int, distance_km: float) -> NewRow:
    """One prediction; its interval covers the spread in the machine file and the unknown variability of service."""

    def ask(machine: Machine) -> dict[str, float]:
        link = channel.from_machine(machine)
        return {"rate": channel.io_rate(link, load, channels=channels, distance_km=distance_km)}

    found = channel.predict(channel.from_machine(named), load, channels=channels, distance_km=distance_km)
    fewer, more = spread.ends(named, ask, {"rate": found.io_rate})["rate"]
    low, high = found.io_rate_low * fewer / found.io_rate, found.io_rate_high * more / found.io_rate
    row: NewRow = {"block_bytes": load.block_bytes, "distance_km": distance_km, "tasks": load.tasks, **vars(found)}
    row |= {"io_rate_low": low, "io_rate_high": high}
    outside = load.tasks / found.io_rate * 1e3 - found.response_ms
    times = tuple(load.tasks / rate * 1e3 - outside for rate in (high, low))
    return spread.bounded(
        row, {"bytes_rate": (low * load.block_bytes, high * load.block_bytes), "response_ms": (times[0], times[1])}
    )


def _draw(rows: Sequence[NewRow], title: str, *notes: str) -> Picture:
    """Chart: the x axis is whichever of tasks, distance and block size varies most; colours show the others."""
    axes = {"tasks": "tasks", "distance_km": "distance (km)", "block_bytes": "block size (bytes)"}
    along = max(axes, key=lambda name: len({row[name] for row in rows}))
    others = [name for name in axes if name != along and len({row[name] for row in rows}) > 1]
    points = [
        {**row, "mb_rate": row["bytes_rate"] / MB, "kind": ", ".join(f"{axes[n]} {row[n]:g}" for n in others) or "all"}
        for row in rows
    ]
    x = alt.X(f"{along}:Q", title=axes[along])
    legend = alt.Legend() if others else None
    colour = alt.Color("kind:N", title=None, legend=legend, sort=None, scale=alt.Scale(range=list(COLOURS)))
    rate = ("io_rate", "io_rate_low", "io_rate_high")
    flow = alt.Chart(alt.InlineData(values=points)).mark_line(point=True)
    y = alt.Y("mb_rate:Q", title="throughput (MB per s)")
    panels = [
        banded(points, rate, "rate (I/Os per s)", x=x, color=colour),
        flow.encode(x=x, y=y, color=colour).properties(width=WIDTH, height=HEIGHT),
    ]
    return finished(alt.vconcat(*panels), title, *notes)
