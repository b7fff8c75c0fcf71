"""IBM 3990-6 with 64 3390-3: published end points compared with the cached-subsystem and NVS models.

Every number in the profile is compared; missing details are stated, not guessed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from statistics import fmean

from iosq.models import machine, nvs
from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.studies.check import Check, direction
from iosq.toolkit.rows import csv_rows

TITLE = "Performance Associates, DASD Subsystem Performance Profile: IBM 3990-6 with 3390-3s, 1995, revised 1996"
SMALL, LARGE = 4096.0, 27998.0
MB = 1024.0**2  # 630 half-track blocks/s on four 4.2 MB/s paths: a megabyte is 2^20 bytes in this source
READ_MISS_RATIO = 0.3  # the mixed-locality workload has 70 % read hits
STRESS_MISS_RATIO = 1 - 0.887  # very high locality: 88.7 % of all I/Os hit

CALIBRATION = frozenset(
    {
        ("front_end", SMALL, "max_throughput"),
        ("front_end", LARGE, "max_throughput"),
        ("front_end", SMALL, "pend_at_min"),
        ("front_end", LARGE, "pend_at_min"),
        ("front_end", SMALL, "conn_at_min"),
        ("record_level_cache", SMALL, "rate_at_nvs_saturation"),
        ("uniform", SMALL, "max_throughput"),
        ("uniform", SMALL, "max_throughput_min_over_write_fraction"),
        ("uniform", SMALL, "rate_at_10ms", 0.0),
        ("skewed", SMALL, "rate_at_10ms", 0.0),
        ("maximum_stress", SMALL, "max_throughput", None, "very_high"),
        ("maximum_stress", SMALL, "throughput_after_nvs_saturation"),
    }
)


@dataclass(frozen=True)
class Row:
    """One stated value; `block_bytes` and `write_ratio` are None if the text does not state them."""

    test: str
    block_bytes: float | None
    write_ratio: float | None
    locality: str
    metric: str
    qualifier: str
    value: float
    unit: str
    note: str


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the source's order."""
    return tuple(_row(line) for line in csv_rows("iosq.models", "studies", "ibm3990_6", "ibm3990_6.csv"))


def _row(line: dict[str, str]) -> Row:
    return Row(
        block_bytes=float(line["block_bytes"]) if line["block_bytes"] else None,
        write_ratio=float(line["write_pct"]) / 100 if line["write_pct"] else None,
        value=float(line["value"]),
        **{name: line[name] for name in ("test", "locality", "metric", "qualifier", "unit", "note")},
    )


def is_calibration(row: Row) -> bool:
    """True if the machine file was fitted to this row."""
    long = (row.test, row.block_bytes, row.metric, row.write_ratio, row.locality)
    return not CALIBRATION.isdisjoint({long[:3], long[:4], long})


def stress(write_ratio: float) -> Workload:
    """The very-high-locality load at a write share; the 11.3 % misses are all read misses."""
    return Workload(SMALL, write_ratio, min(STRESS_MISS_RATIO / (1 - write_ratio), 1.0))


def shares(exponent: float, count: int) -> tuple[float, ...]:
    """Zipf shares: the k-th busiest device gets k^-exponent of the busiest device's I/Os."""
    raw = [(k + 1) ** -exponent for k in range(count)]
    return tuple(x / sum(raw) for x in raw)


WRITE_RATIOS = tuple(step / 10 for step in range(11))

Predict = Callable[[Machine, Row], float]


def predictor(row: Row) -> Predict | None:
    """The function that predicts this row; None if the source does not state an input."""
    if row.test in ("uniform", "skewed") and row.block_bytes:
        return _mixed
    return _SINGLE.get((row.test, row.metric, row.block_bytes, row.locality)) or _SINGLE.get(
        (row.test, f"{row.metric}: {row.qualifier}", row.block_bytes, row.locality)
    )


def _mixed(box: Machine, row: Row) -> float:
    """The mixed-locality envelope at a write share, or its mean, lowest or highest point over all write shares."""
    if row.write_ratio is not None:
        return _envelope(box, row, row.write_ratio)
    points = [_envelope(box, row, write) for write in WRITE_RATIOS]
    return fmean(points) if "average" in row.qualifier else min(points)


def _envelope(box: Machine, row: Row, write_ratio: float) -> float:
    exponent, count = box.value("skew_exponent_ratio"), int(box.value("volume_count"))
    even = row.test == "uniform"
    load = Workload(
        row.block_bytes or SMALL, write_ratio, READ_MISS_RATIO, shares=() if even else shares(exponent, count)
    )
    density = box.value("capacity_gb") if "density" in row.metric else 1.0
    if "max_throughput" in row.metric:
        return subsystem.max_rate(box, load) / density
    return subsystem.rate_at(box, load, 10.0 if "10ms" in row.metric else 20.0) / density


def _hit(part: str, block_bytes: float, box: Machine, _: Row) -> float:
    pend = subsystem.hit_pend_ms(box, block_bytes)
    connect = subsystem.hit_connect_ms(box, block_bytes)
    return {"pend": pend, "disc": 0.0, "conn": connect, "response": pend + connect}[part]


def _front_max(block_bytes: float, box: Machine, _: Row) -> float:
    return subsystem.max_rate(box, Workload(block_bytes, 0.0, 0.0))


def _stage_rate(box: Machine, _: Row) -> float:
    """Rate of sequential staging of whole tracks: only the byte rate of the paths limits it."""
    return box.value("back_path_count") * box.value("back_path_bytes_rate") / LARGE


def _destages(block_bytes: float, box: Machine, _: Row) -> float:
    return nvs.from_machine(box, write_bytes=block_bytes).destage_rate


def _stress_max(box: Machine, _: Row) -> float:
    return subsystem.max_rate(box, stress(box.value("stress_write_ratio")))


def _half_track_longer(box: Machine, _: Row) -> float:
    write = box.value("stress_write_ratio")
    small, large = (subsystem.response_ms(box, Workload(size, write, READ_MISS_RATIO), 10.0) for size in (SMALL, LARGE))
    return 100 * (large / small - 1)


def _stressed_busy(block_bytes: float, _: Machine, __: Row) -> float:
    """Utilization law applied to the published rate and response of the stressed device."""
    found = {r.metric: r.value for r in rows() if r.test == "burn_through" and r.block_bytes == block_bytes}
    return found["stressed_device_max_rate"] * found["stressed_device_response_at_max"] / 10


_ALL = "all_hit"
_SINGLE: dict[tuple[str, str, float | None, str], Predict] = {
    **{("front_end", "max_throughput", b, _ALL): partial(_front_max, b) for b in (SMALL, LARGE)},
    **{("front_end", "min_response", b, _ALL): partial(_hit, "response", b) for b in (SMALL, LARGE)},
    **{
        ("front_end", f"{part}_at_min", b, _ALL): partial(_hit, part, b)
        for part in ("pend", "disc", "conn")
        for b in (SMALL, LARGE)
    },
    ("front_end", "min_response_other_statement", SMALL, _ALL): partial(_hit, "response", SMALL),
    ("record_level_cache", "rate_at_nvs_saturation", SMALL, "all_write_miss"): partial(_destages, SMALL),
    ("sequential", "max_throughput_cached_read", LARGE, "sequential"): _stage_rate,
    ("sequential", "back_end_read_limit", LARGE, "sequential"): _stage_rate,
    ("sequential", "max_throughput_cached_write", LARGE, "sequential"): partial(_destages, LARGE),
    ("aggregate_rates", "front_end_rate", LARGE, _ALL): lambda m, r: _front_max(LARGE, m, r) * LARGE / MB,
    ("aggregate_rates", "back_end_stage_rate", LARGE, "sequential"): lambda m, r: _stage_rate(m, r) * LARGE / MB,
    ("aggregate_rates", "back_end_destage_rate", LARGE, "sequential"): lambda m, r: _destages(LARGE, m, r) * LARGE / MB,
    ("channel_rates", "effective_channel_rate: at low load", LARGE, _ALL): lambda m, _: (
        LARGE / subsystem.hit_connect_ms(m, LARGE) * 1e3 / MB
    ),
    ("channel_rates", "effective_channel_rate: at high load", LARGE, _ALL): lambda m, r: (
        _front_max(LARGE, m, r) * LARGE / MB / m.value("storage_path_count")
    ),
    ("maximum_stress", "max_throughput", SMALL, "very_high"): _stress_max,
    ("maximum_stress", "throughput_after_nvs_saturation", SMALL, "very_high"): lambda m, r: (
        _stress_max(m, r) * m.value("collapse_ratio")
    ),
    ("maximum_stress", "throughput_drop_at_nvs_saturation", SMALL, "very_high"): lambda m, _: (
        100 * (1 - m.value("collapse_ratio"))
    ),
    ("maximum_stress", "rate_within_10ms: high end of range", SMALL, ""): lambda m, _: subsystem.rate_at(
        m, stress(m.value("stress_write_ratio")), 10.0
    ),
    ("maximum_stress", "response_half_track_vs_4k_at_low_rate", LARGE, ""): _half_track_longer,
    **{
        ("burn_through", "stressed_device_utilization_at_max", b, "random"): partial(_stressed_busy, b)
        for b in (SMALL, LARGE)
    },
}


STUDY = "3990-6"
UNSAID = "the source states neither write share nor hit ratio of this load"
REASONS = {
    "hit": "given to the model, not predicted",
    "background": "given to the model, not predicted",
    "response_at_max": "given to the model, not predicted",
    "difference": "follows from the two envelopes above",
    "effective_channel_rate": "depends on channel programs the source does not describe",
    "stage_rate_vs": "16.7 of 16.8 MB/s is 99 %, so the source means another rate",
}


def checks() -> list[Check]:
    """One check per stated number outside the configuration table, followed by the stated directions."""
    box = machine.load("ibm3990-6")
    return [_check(box, row) for row in rows() if row.test != "configuration"] + _directions(box)


def _check(box: Machine, row: Row) -> Check:
    predict = predictor(row)
    role = "calibration" if is_calibration(row) else "scored" if predict else "unpredicted"
    note = row.note if predict else next((why for word, why in REASONS.items() if word in row.metric), UNSAID)
    return Check(STUDY, _subject(row), row.unit, predict(box, row) if predict else None, row.value, role, note)


def _subject(row: Row) -> str:
    block = f"{row.block_bytes:.0f} B" if row.block_bytes else ""
    write = f"{row.write_ratio:.0%} writes" if row.write_ratio is not None else ""
    words = (row.test, block, write, row.locality, f"{row.metric}, {row.qualifier}")
    return " ".join(word.replace("_", " ") for word in words if word)


def _directions(box: Machine) -> list[Check]:
    """Statements without a number: a busy device does not affect others, record staging beats track staging."""
    load = Workload(SMALL, 0.0, READ_MISS_RATIO)
    alone, shared = (subsystem.response_ms(box, load, rate) for rate in (512.0, 512.0 + 114.0 * READ_MISS_RATIO))
    by_record, by_track = (
        subsystem.max_rate(box, Workload(SMALL, 0.25, 0.8, is_track_staged=staged)) for staged in (False, True)
    )
    harm = f"others respond in {alone:.2f} ms alone, {shared:.2f} ms next to it"
    return [
        direction(STUDY, "one device at its maximum leaves the other 63 unharmed", shared < 1.05 * alone, harm),
        direction(STUDY, "record staging carries more random I/Os than track staging", by_record > by_track),
    ]
