"""Spare capacity of path and back end, if the records show no shortage in any part."""

from collections.abc import Iterable, Mapping, Sequence

from iosq.models.pav.box import REACH
from iosq.models.pav.power_curve import PowerCurve
from iosq.toolkit.predict.thresholds import shared
from iosq.toolkit.rows import Row

SHARED = shared(__package__, "headroom.toml")
AT_EASE = (
    "an interval in which channels, command response and disks had room. More I/Os at once hardly slow each other "
    "then; watch the service time after the change"
)
RECORDS = {"channel_used_ratio": "73", "cmr_ms": "74.1", "miss_ms": "74.5", "back_end_ms": "74.5"}
Limits = Mapping[str, float]

NOTHING: Row = dict.fromkeys(("service_ms", "start_delay_ms", "disc_ms", "copy_ms", "back_end_best_ms", *RECORDS))


def headroom(rows: Iterable[Row], limits: Limits) -> float | None:
    """Factor by which the load of rows of `volume_headroom` could grow; None if a record lacks or a part is short."""
    times = [_times(r, limits) for r in rows]
    known = [t for t in times if t is not None]
    return min(known) if known and len(known) == len(times) else None


def longest(rows: Sequence[Row], queues: Sequence[float], limits: Limits) -> list[Row]:
    """The rows that decide if a part is short: those whose queue is at least a set share of the longest."""
    least = limits["matters"] * max(queues, default=0.0)
    return [row for row, queue in zip(rows, queues, strict=True) if queue >= least]


def channel_used(rows: Iterable[Row]) -> float:
    """Utilisation of the busiest channel to disks, 0..1; 0 if no record has it."""
    return max((min(r["channel_used_ratio"] or 0.0, 1.0) for r in rows), default=0.0)


def curve(name: str, rate: float, inside: float, times: float, limits: Limits) -> PowerCurve:
    """Curve of a box without a path bottleneck, valid up to `times` today's I/Os in progress.

    Based on measurements of each station, so better than a curve over intervals of other work.
    """
    ends = limits["elasticity_low"], limits["elasticity_high"]
    return PowerCurve(name, rate, inside, ends, inside * times / REACH, AT_EASE)


def missing_records(rows: Iterable[Row]) -> list[str]:
    """Record types that are missing to decide if path and back end have spare capacity."""
    seen = list(rows)
    missing = (record for name, record in RECORDS.items() if any(r[name] is None for r in seen))
    return list(dict.fromkeys(missing))


def _times(r: Row, limits: Limits) -> float | None:
    if any(r[name] is None for name in (*RECORDS, "disc_ms", "back_end_best_ms")):
        return None
    used, rest = r["channel_used_ratio"], r["disc_ms"] - r["miss_ms"]
    by_copy = not _is_small(rest, r, limits)
    unexplained = rest - (r["copy_ms"] or 0.0)
    eased = _starts_at_once(r, limits) and _back_end_is_eased(r, limits) and _is_small(unexplained, r, limits)
    if not eased or used >= limits["channel_full"]:
        return None
    most = limits["copy_times" if by_copy else "most_times"]
    return float(min(limits["channel_full"] / max(used, 1e-6), most))


def _starts_at_once(r: Row, limits: Limits) -> bool:
    before = r["cmr_ms"] + (r["start_delay_ms"] or 0.0)
    return bool(before <= max(limits["start_share"] * r["service_ms"], limits["start_ms"]))


def _back_end_is_eased(r: Row, limits: Limits) -> bool:
    return bool(r["back_end_ms"] <= min(limits["slower"] * r["back_end_best_ms"], limits["back_end_ms"]))


def _is_small(rest_ms: float, r: Row, limits: Limits) -> bool:
    """True if the unexplained disconnect time is within the error of its explained parts."""
    return bool(rest_ms <= max(limits["rest_share"] * r["disc_ms"], limits["rest_ms"]))
