"""The numbers in the text of the 3990-6 profile, their loads, and the twelve rows used to fit its machine file."""

from dataclasses import dataclass
from functools import cache

from iosq.models.nvs.subsystem import Workload
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
