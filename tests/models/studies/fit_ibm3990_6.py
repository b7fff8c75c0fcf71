"""The fit behind `ibm3990-6.toml`: twelve named rows, one parameter after the other, and the stress test over time."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from iosq.models import nvs
from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.studies.ibm3990_6 import (
    LARGE,
    MB,
    READ_MISS_RATIO,
    SMALL,
    Row,
    is_calibration,
    shares,
    stress,
)  # fmt: skip

PATHS = 4
BACK_BYTES_RATE = 4.2 * MB


def value(
    given: tuple[Row, ...], test: str, metric: str, block_bytes: float, write: float | None, locality: str = ""
) -> float:
    """The value of the one row with these keys."""
    key = (test, metric, block_bytes, write)
    found = [
        r.value
        for r in given
        if (r.test, r.metric, r.block_bytes, r.write_ratio) == key and locality in (r.locality, "")
    ]
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows for {key}")
    return found[0]


def fit(given: tuple[Row, ...], start: Machine) -> dict[str, float]:
    """Machine parameters from the calibration rows among `given`; `start` supplies the configuration."""
    used = tuple(row for row in given if is_calibration(row))
    found = _front_end(used) | _back_end(used)
    box = start.varied(**found)
    found["arm_ms"] = _arm_ms(used, box)
    found["skew_exponent_ratio"] = _skew(used, box.varied(arm_ms=found["arm_ms"]))
    before = value(used, "maximum_stress", "max_throughput", SMALL, None, "very_high")
    after = value(used, "maximum_stress", "throughput_after_nvs_saturation", SMALL, None)
    found["collapse_ratio"] = after / before
    found["stress_write_ratio"] = _solve(lambda w: subsystem.max_rate(box, stress(w)), before, 0.01, 0.8)
    return found


def rate_over_time(
    box: Machine, offered_rate: float, seconds: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Seconds, and I/Os per second the box completes when `offered_rate` of the very-high-locality load arrives.

    Destage gets the back-end path time the reads leave at the box's maximum. Every I/O behind a write that waits for
    NVS waits with it, so the total falls as the writes do (rate times write share is constant).
    """
    write_ratio = box.value("stress_write_ratio")
    merged = box.value("destage_per_write_ratio")
    writes = subsystem.max_rate(box, stress(write_ratio)) * write_ratio
    bucket = nvs.from_machine(box, write_bytes=SMALL, rewrite_ratio=1 - merged)
    line = nvs.simulate(
        replace(bucket, destage_rate=writes * merged), [nvs.Phase(seconds, offered_rate * write_ratio)], step_s=0.05
    )
    return line.time_s, line.admitted / 0.05 / write_ratio


def _front_end(used: tuple[Row, ...]) -> dict[str, float]:
    """Two block sizes give cost per I/O and per byte; connect keeps the per-byte cost."""
    busy = [PATHS * 1e3 / value(used, "front_end", "max_throughput", size, 0.0) for size in (SMALL, LARGE)]
    pend = [value(used, "front_end", "pend_at_min", size, 0.0) for size in (SMALL, LARGE)]
    per_byte, pend_per_byte = ((pair[1] - pair[0]) / (LARGE - SMALL) for pair in (busy, pend))
    return {
        "storage_path_ms": busy[0] - per_byte * SMALL,
        "storage_path_bytes_rate": 1e3 / per_byte,
        "connect_ms": value(used, "front_end", "conn_at_min", SMALL, 0.0) - per_byte * SMALL,
        "pend_ms": pend[0] - pend_per_byte * SMALL,
        "pend_ms_per_byte": pend_per_byte,
    }


def _back_end(used: tuple[Row, ...]) -> dict[str, float]:
    """Path time of a destage from write misses alone, of a stage from reads alone, of merged writes from the floor."""
    destage_ms = PATHS * 1e3 / value(used, "record_level_cache", "rate_at_nvs_saturation", SMALL, 1.0)
    read_max = value(used, "uniform", "max_throughput", SMALL, 0.0)
    floor = value(used, "uniform", "max_throughput_min_over_write_fraction", SMALL, None)
    staged_ms = subsystem.staged_bytes(SMALL, True) / BACK_BYTES_RATE * 1e3
    return {
        "destage_ms": destage_ms - SMALL / BACK_BYTES_RATE * 1e3,
        "stage_ms": PATHS * 1e3 / read_max / READ_MISS_RATIO - staged_ms,
        "destage_per_write_ratio": PATHS * 1e3 / floor / destage_ms,
    }


def _arm_ms(used: tuple[Row, ...], box: Machine) -> float:
    target = value(used, "uniform", "rate_at_10ms", SMALL, 0.0)
    load = Workload(SMALL, 0.0, READ_MISS_RATIO)
    return _solve(lambda ms: subsystem.rate_at(box.varied(arm_ms=ms), load, 10.0), target, 1.0, 29.0)


def _skew(used: tuple[Row, ...], box: Machine) -> float:
    target = value(used, "skewed", "rate_at_10ms", SMALL, 0.0)
    count = int(box.value("volume_count"))

    def rate(exponent: float) -> float:
        load = Workload(SMALL, 0.0, READ_MISS_RATIO, shares=shares(exponent, count))
        return subsystem.rate_at(box, load, 10.0)

    return _solve(rate, target, 0.0, 1.5)


def _solve(falling: Callable[[float], float], target: float, low: float, high: float) -> float:
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > target else (low, middle)
    return (low + high) / 2
