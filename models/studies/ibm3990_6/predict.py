"""Predictions for each kind of number in the 3990-6 profile."""

from collections.abc import Callable
from functools import partial
from statistics import fmean

from iosq.models import nvs
from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.studies.ibm3990_6.published import LARGE, MB, READ_MISS_RATIO, SMALL, Row, rows, shares, stress

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
