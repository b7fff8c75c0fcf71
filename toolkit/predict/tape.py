"""A virtual tape server over time: peak rate until the cache is full, followed by the rate of premigration."""

import math
from dataclasses import dataclass

import numpy as np

from iosq.models import tape
from iosq.models.machine import Machine, load
from iosq.models.queueing.checks import not_negative, positive
from iosq.models.tape import TapeLoad, TapePhase
from iosq.toolkit.late import alt
from iosq.toolkit.predict import spread
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import over_time
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import duration
from iosq.toolkit.show.theme import HEIGHT, Picture, finished
from iosq.toolkit.units import human_number

STEPS, ROWS = 2000, 24
USUAL_S = 4 * 3600.0
MB = 1e6


@dataclass(frozen=True)
class Setting:
    """The server and how long to run it; drives and drawers override the machine file, None keeps its values."""

    machine: str = "vts-b20"
    seconds: float | None = None
    drives: int | None = None
    drawers: int | None = None

    def __post_init__(self) -> None:
        positive(**{"--hours": self.seconds, "--drives": self.drives, "--drawers": self.drawers})


def answer(setting: Setting, work: TapeLoad, *, timeline: bool = False) -> Answer:
    """Throughput of a virtual tape server over time, before and after its cache is full."""
    not_negative(**{"--distance-km": work.distance_km})
    named = of_kind(setting.machine, "tape")
    changed = {"backend_drive_count": setting.drives, "drawer_count": setting.drawers}
    box = named.varied(**{name: float(value) for name, value in changed.items() if value is not None})
    prediction = tape.predict(box, work)
    seconds = setting.seconds or (USUAL_S if math.isinf(prediction.peak_s) else 2 * prediction.peak_s)
    line = tape.simulate(box, work, [TapePhase(seconds, work.jobs)], step_s=seconds / STEPS)
    rows, found = _rows(line), _numbers(prediction)
    card = {
        **found,
        "limit": prediction.limit,
        "cache_bytes": tape.cache_bytes(box),
        "premigration_bytes_rate": tape.premigration_bytes_rate(box, work),
        "jobs": work.jobs,
        "compression_ratio": work.compression_ratio,
    }

    def ask(machine: Machine, *channels: Machine) -> dict[str, float]:
        return _numbers(tape.predict(machine, work, tape.attachment(*channels)))

    card = spread.bounded(card, spread.ends(box, ask, found, [load(name) for name in tape.CHANNELS]))
    title = _title(prediction)
    notes = (
        f"what limits the peak: {prediction.limit}",
        f"calibrated on machine file {named.title}",
        spread.basis(box),
    )
    assumed = "assumed, no number published: " + ", ".join(prediction.assumed)
    return Answer(
        tuple(rows) if timeline else (card,),
        (title, *notes, assumed),
        {"machine": named.name, "assumed": list(prediction.assumed)},
        lambda: _draw(rows, title, *notes, "most absolute rates are assumed, ratios are published"),
    )


def _numbers(prediction: tape.TapePrediction) -> dict[str, float]:
    names = ("peak_bytes_rate", "sustained_bytes_rate", "peak_s", "mounts_per_hour")
    return {name: getattr(prediction, name) for name in names}


def _title(prediction: tape.TapePrediction) -> str:
    peak, sustained = (
        human_number(rate / MB) for rate in (prediction.peak_bytes_rate, prediction.sustained_bytes_rate)
    )
    if math.isinf(prediction.peak_s):
        return f"{peak} MB/s without limit in time: premigration keeps up"
    return f"{peak} MB/s for {duration(prediction.peak_s)}, then {sustained} MB/s"


def _rows(line: tape.TapeTimeline) -> list[NewRow]:
    parts = np.array_split(np.arange(len(line.time_s)), ROWS * 5)
    return [
        {
            "time_s": float(line.time_s[part[-1]]),
            "host_bytes_rate": float(line.host_bytes_rate[part].mean()),
            "cached_bytes": float(line.cached_bytes[part[-1]]),
            "premigrated_bytes_rate": float(line.premigrated_bytes_rate[part].mean()),
        }
        for part in parts
    ]


def _draw(rows: list[NewRow], title: str, *notes: str) -> Picture:
    points = [
        {
            "time": row["time_s"] / 60,
            "host": row["host_bytes_rate"] / MB,
            "cached": row["cached_bytes"] / 1e9,
            "premigrated": row["premigrated_bytes_rate"] / MB,
        }
        for row in rows
    ]
    time = "time since the cache was empty (minutes)"
    rates = {"host": "from the host, before compression", "premigrated": "to cartridges, compressed"}
    panels = [
        over_time(points, rates, "throughput (MB per s)", time),
        over_time(points, {"cached": "cached"}, "data not yet on tape (GB)", time).properties(height=HEIGHT / 2),
    ]
    return finished(alt.vconcat(*panels), title, *notes)
