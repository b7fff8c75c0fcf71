"""A write burst to NVS over time, for a machine or given numbers; for a lake see `nvs_box`."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from iosq.models import nvs
from iosq.models.machine import Machine, load
from iosq.models.nvs import subsystem
from iosq.models.queueing.checks import not_negative, overload, positive, ratio
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict import spread
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import over_time
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import shown
from iosq.toolkit.show.theme import HEIGHT, Picture, finished
from iosq.toolkit.units import human_bytes, human_number

SMALL = 4096.0  # a block
USUAL_S = 60.0  # length of a burst if none is given
STEPS = 4000  # simulation steps of a timeline
UNCERTAIN = (
    "destage_rate", "sustained_write_rate", "saturated_write_rate", "full_after_s", "delayed_ratio",
    "delay_ms_per_delayed_write", "recovery_s", "nvs_bytes_needed",
)  # fmt: skip
ROWS = 24  # of the timeline
# by attribute of a burst
OPTIONS = {
    "write_rate": "--write-rate", "footprint_gb": "--footprint-gb", "nvs_bytes": "--nvs-mib",
    "destage_rate": "--destage-rate", "more_bytes": "--more-mib", "write_ratio": "--write-ratio",
    "seconds": "--seconds", "write_bytes": "--block-bytes", "growth": "--growth", "calm_rate": "--calm-rate",
    "rewrite_ratio": "--rewrite-ratio", "read_hit_ratio": "--read-hit-ratio",
}  # fmt: skip
SHARES = ("rewrite_ratio", "write_ratio", "read_hit_ratio")
SETTLES_AT_LEAST_S = 10.0
SETTLES_AT_MOST = 50.0  # times the burst: a longer recovery counts as never


@dataclass(frozen=True)
class Burst:
    """Writes per second for some time (60 s), followed by a calmer rate; from a lake all but the rate is known.

    write_ratio: writes / all I/Os, if reads matter; write_bytes: room per write (4 KiB); more_bytes: NVS to add.

    None in `nvs_bytes`, `destage_rate`, `write_rate`: taken from machine or lake.
    """

    seconds: float | None = None
    write_rate: float | None = None
    calm_rate: float = 0.0
    write_bytes: float | None = None
    rewrite_ratio: float | None = None
    footprint_gb: float | None = None
    write_ratio: float | None = None
    read_hit_ratio: float = 1.0
    nvs_bytes: float | None = None
    destage_rate: float | None = None
    more_bytes: float | None = None
    growth: float = 1.0

    @property
    def block_bytes(self) -> float:
        """NVS room per write, bytes."""
        return self.write_bytes or SMALL

    @property
    def length_s(self) -> float:
        return self.seconds or USUAL_S

    def __post_init__(self) -> None:
        may_be_0 = ("calm_rate", "rewrite_ratio", "read_hit_ratio")
        positive(**{option: getattr(self, name) for name, option in OPTIONS.items() if name not in may_be_0})
        not_negative(**{OPTIONS["calm_rate"]: self.calm_rate})
        ratio(**{OPTIONS[name]: getattr(self, name) for name in SHARES})


def machine_answer(burst: Burst, *, machine: str | None = None, timeline: bool = False) -> Answer:
    """A burst of writes to the NVS of a machine: delayed writes, their delay, recovery time, and the gain of more NVS.

    Args:
        burst: the writes.
        machine: the machine with the NVS; None if the burst gives NVS size and destage rate.
        timeline: rows over time in place of the summary.
    """
    if burst.write_rate is None:
        raise RequestError("not enough to go on", place="simulate nvs", remedy="give --write-rate, or --subsystem")
    rate = burst.write_rate * burst.growth
    if machine is None:
        return _answer(_of_numbers(burst), burst, rate, "the numbers given", timeline)
    named = load(machine)
    bucket = _of_machine(named, burst, rate)

    def ask(other: Machine) -> dict[str, float]:
        return _figures(_of_machine(other, burst, rate), burst, rate)

    known = f"machine file {named.title}"
    wide = spread.ends(named, ask, _figures(bucket, burst, rate))
    answer = _answer(bucket, burst, rate, known, timeline, wide)
    return replace(answer, conclusions=(*answer.conclusions, spread.basis(named)))


def _of_numbers(burst: Burst) -> nvs.Nvs:
    if burst.nvs_bytes is None or burst.destage_rate is None:
        raise RequestError("which NVS?", place="simulate nvs", remedy="give --machine, or --nvs-mib and --destage-rate")
    footprint = math.inf if burst.footprint_gb is None else burst.footprint_gb * 1e9
    return nvs.Nvs(burst.nvs_bytes, burst.block_bytes, burst.destage_rate, burst.rewrite_ratio or 0.0, footprint)


def _of_machine(machine: Machine, burst: Burst, write_rate: float) -> nvs.Nvs:
    """The machine's NVS with given values in place of its own; reads reduce the back-end paths left for destage."""
    size = {} if burst.nvs_bytes is None else {"nvs_bytes": burst.nvs_bytes}
    rewrite = burst.rewrite_ratio
    if rewrite is None:
        merged = machine.parameters.get("destage_per_write_ratio")
        rewrite = 1 - merged.value if merged and burst.write_ratio is not None else 0.0
    footprint = math.inf if burst.footprint_gb is None else burst.footprint_gb * 1e9
    bucket = nvs.from_machine(
        machine.varied(**size), write_bytes=burst.block_bytes, rewrite_ratio=rewrite, footprint_bytes=footprint
    )
    destage = burst.destage_rate
    if destage is None and burst.write_ratio is not None and "stage_ms" in machine.parameters:
        destage = _destage_rate(machine, burst, write_rate)
    return bucket if destage is None else replace(bucket, destage_rate=destage)


def _destage_rate(machine: Machine, burst: Burst, write_rate: float) -> float:
    """Destages per second in the back-end path time that staging of reads leaves."""
    assert burst.write_ratio is not None
    io_rate = write_rate / burst.write_ratio
    alone = subsystem.demand(machine, subsystem.Workload(burst.block_bytes, 1.0, 0.0))
    destage_ms = alone.back_ms / machine.value("destage_per_write_ratio")
    reads = subsystem.demand(machine, subsystem.Workload(burst.block_bytes, 0.0, 1 - burst.read_hit_ratio))
    left = machine.value("back_path_count") * 1e3 - io_rate * (1 - burst.write_ratio) * reads.back_ms
    if left <= 0:
        used = 1 - left / (machine.value("back_path_count") * 1e3)
        raise RequestError(
            f"{overload(used)} with the reads alone",
            place="back-end paths",
            remedy="lower the rate or raise --read-hit-ratio",
        )
    return left / destage_ms


def _answer(
    bucket: nvs.Nvs,
    burst: Burst,
    rate: float,
    known: str,
    timeline: bool,
    intervals: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> Answer:
    card, rows = _card(bucket, burst, rate), _timeline(bucket, burst, rate)
    verdict = _verdict(card, _more_bytes(bucket, burst))
    asked = tuple(rows) if timeline else (spread.bounded(card, intervals),)
    texts, facts = (verdict, f"calibrated on {known}"), {"calibrated_on": known}
    return Answer(asked, texts, facts, lambda: _draw(rows, verdict, known))


def _more_bytes(bucket: nvs.Nvs, burst: Burst) -> float:
    """NVS to add, bytes: as given, else as much again."""
    return burst.more_bytes or bucket.nvs_bytes


def _phases(bucket: nvs.Nvs, burst: Burst, rate: float) -> list[nvs.Phase]:
    return [nvs.Phase(burst.length_s, rate), nvs.Phase(_settling_s(bucket, burst, rate), burst.calm_rate)]


def _figures(bucket: nvs.Nvs, burst: Burst, rate: float) -> dict[str, float]:
    """The values that depend on uncertain parameters of the NVS."""
    card = _card(bucket, burst, rate)
    return {name: float(card[name]) for name in UNCERTAIN}


def _settling_s(bucket: nvs.Nvs, burst: Burst, rate: float) -> float:
    """Seconds to destage the backlog of a burst, limited in case that never ends."""
    needing = rate * (1 - bucket.rewrite_ratio) * burst.length_s * bucket.write_bytes
    full = nvs.bytes_needed(bucket, rate, burst.length_s)
    absorbed = full <= bucket.nvs_bytes
    behind = full if absorbed else needing
    destage = bucket.destage_rate * (1.0 if absorbed else bucket.collapse_ratio)
    left = destage - burst.calm_rate * (1 - bucket.rewrite_ratio)
    slow = behind / bucket.write_bytes / left if left > 0 else math.inf
    return min(max(1.2 * slow, SETTLES_AT_LEAST_S), SETTLES_AT_MOST * max(burst.length_s, SETTLES_AT_LEAST_S))


def _card(bucket: nvs.Nvs, burst: Burst, rate: float) -> NewRow:
    phases, more_bytes = _phases(bucket, burst, rate), _more_bytes(bucket, burst)
    outcome = nvs.outcome(bucket, phases)
    advice = nvs.advise(bucket, rate, burst.length_s, more_bytes=more_bytes, calm_rate=burst.calm_rate)
    return {
        "write_rate": rate,
        "burst_s": burst.length_s,
        "nvs_bytes": bucket.nvs_bytes,
        "destage_rate": bucket.destage_rate,
        "sustained_write_rate": nvs.sustained_rate(bucket),
        "saturated_write_rate": nvs.saturated_rate(bucket),
        "full_after_s": outcome.full_after_s,
        "writes": outcome.writes,
        "delayed_writes": outcome.delayed_writes,
        "delayed_ratio": outcome.delayed_writes / outcome.writes if outcome.writes else 0.0,
        "delay_ms_per_delayed_write": outcome.delay_ms_per_delayed_write,
        "recovery_s": outcome.recovery_s,
        "observed_s": sum(phase.seconds for phase in phases),
        "nvs_bytes_needed": advice.bytes_needed,
        "verdict": advice.verdict,
    }


def _timeline(bucket: nvs.Nvs, burst: Burst, rate: float) -> list[NewRow]:
    """Rows over equal parts of the run, with mean rates and delays."""
    phases = _phases(bucket, burst, rate)
    step_s = sum(phase.seconds for phase in phases) / STEPS
    line = nvs.simulate(bucket, phases, step_s=step_s)
    rows = []
    for part in np.array_split(np.arange(len(line.time_s)), ROWS * 5):
        span = len(part) * step_s
        delays = line.delay_ms[part]
        writes = line.arrived[part]
        known = ~np.isnan(delays) & (writes > 0)
        delay = float(np.average(delays[known], weights=writes[known])) if known.any() else None
        row = {
            "time_s": float(line.time_s[part[-1]]),
            "arriving_write_rate": float(writes.sum() / span),
            "admitted_write_rate": float(line.admitted[part].sum() / span),
            "destage_rate": float(line.destaged[part].sum() / span),
            "occupied_bytes": float(line.occupied_bytes[part[-1]]),
            "waiting_writes": float(line.waiting[part[-1]]),
            "delay_ms": delay,
        }
        if burst.write_ratio is not None:
            row["io_rate"] = row["admitted_write_rate"] / burst.write_ratio  # type: ignore[operator]
        rows.append(row)
    return rows


def _verdict(card: NewRow, more_bytes: float) -> str:
    """The verdict. It omits the mean delay, which grows with the burst, while real requesters wait and issue less."""
    if not card["delayed_writes"]:
        return "the burst: NVS absorbs every write"
    never = math.isinf(card["recovery_s"])
    after = "never ends at --calm-rate" if never else f"takes {shown(card['recovery_s'])} s"
    needed, enough = card["nvs_bytes_needed"], card["verdict"]
    if math.isfinite(needed):
        would = "would" if enough == "more NVS absorbs it" else "would not"
        enough = f"+{human_bytes(more_bytes)} {would} be enough; {human_bytes(needed)} in all would"
    share, held_to = 100 * card["delayed_writes"] / card["writes"], human_number(card["saturated_write_rate"])
    return (
        f"the burst: NVS full after {shown(card['full_after_s'])} s, requesters are then held back to {held_to} "
        f"writes/s, {share:.0f} % of writes delayed, recovery {after}; {enough}"
    )


def _draw(rows: list[NewRow], verdict: str, known: str) -> Picture:
    points = [{**row, "time": row["time_s"], "occupied_mib": row["occupied_bytes"] / 2**20} for row in rows]
    rates = {"arriving_write_rate": "arriving", "admitted_write_rate": "admitted", "destage_rate": "destaged"}
    time = "time since the burst began (s)"
    panels = [
        over_time(points, rates, "writes per s", time),
        over_time(points, {"occupied_mib": "NVS in use"}, "NVS in use (MiB)", time).properties(height=HEIGHT / 2),
        over_time(points, {"delay_ms": "delay"}, "delay per write (ms)", time).properties(height=HEIGHT / 2),
    ]
    head, _, rest = verdict.partition(", recovery")
    return finished(alt.vconcat(*panels), head, (f"recovery{rest}" if rest else ""), f"calibrated on {known}")
