"""Fit of the 3990-6 from twelve named rows, one parameter after the other."""

from __future__ import annotations

from collections.abc import Callable

from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.studies.ibm3990_6.published import Row, value

SMALL, LARGE = 4096.0, 27998.0
MB = 1024.0**2  # 630 half-track blocks/s on four 4.2 MB/s paths: a megabyte is 2^20 bytes in this source
PATHS = 4
BACK_BYTES_RATE = 4.2 * MB
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


def is_calibration(row: Row) -> bool:
    """Whether `fit` reads this row."""
    long = (row.test, row.block_bytes, row.metric, row.write_ratio, row.locality)
    return not CALIBRATION.isdisjoint({long[:3], long[:4], long})


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


def stress(write_ratio: float) -> Workload:
    """The very-high-locality load at that write share; the 11.3 % misses are all read misses."""
    return Workload(SMALL, write_ratio, min(STRESS_MISS_RATIO / (1 - write_ratio), 1.0))


def shares(exponent: float, count: int) -> tuple[float, ...]:
    """Zipf shares: the k-th busiest device gets k^-exponent of the busiest's I/Os."""
    raw = [(k + 1) ** -exponent for k in range(count)]
    return tuple(x / sum(raw) for x in raw)


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
