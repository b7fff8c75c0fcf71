"""Delays of I/Os that have an alias: the path or control unit is the bottleneck, not the pool.

All rules that recommend aliases share one condition: path delay is a good part of the time that an I/O holds an alias.
It is taken from the recorded parts, or from pend above its best value.
"""

from collections.abc import Mapping, Sequence

from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.rows import NewRow, Row

_KINDS = {"css_delay_ms": "css", "cu_busy_delay_ms": "busy", "cmr_ms": "cmr"}


def is_bottleneck(r: Row, limits: Mapping[str, float]) -> bool:
    """True if an I/O loses a good part of its alias time before the control unit starts it.

    Args:
        r: with `css_delay_ms`, `cu_busy_delay_ms`, `cmr_ms` and `exchange_ms` of the dry intervals, milliseconds, and
            `way_above_ms`, where it is known.
        limits: with `path_ms` and `path_share`.
    """
    delay = max(sum(_delays(r).values()), _above(r))
    return delay >= limits["path_ms"] and delay >= limits["path_share"] * _holds_ms(r)


def held(r: Row) -> Row:
    """A volume's row in the form of a pool: its exposures are held from pend on, and no path delay is known.

    Args:
        r: with `css_delay_ms`, `cu_busy_delay_ms`, `cmr_ms`, `service_ms` and `io_rate`.
    """
    unknown = dict.fromkeys(("channel_paths", "cmr_low_ms", "cmr_high_ms"))
    return {**r, **unknown, "exchange_ms": r["service_ms"], "open_exchanges": None, "path_rate": r["io_rate"]}


def crowd(members: Sequence[Row]) -> Row:
    """The I/Os of several volumes as those of one, for `is_bottleneck` and `columns`.

    Args:
        members: with `io_rate`, `service_ms`, `start_delay_ms`, `cmr_ms` and `way_above_ms`.
    """
    names = ("service_ms", "start_delay_ms", "cmr_ms", "way_above_ms")
    delays = {name: weighted((m[name], m["io_rate"]) for m in members if m["io_rate"]) for name in names}
    rate = sum(m["io_rate"] for m in members)
    return held({**delays, "css_delay_ms": delays["start_delay_ms"], "cu_busy_delay_ms": None, "io_rate": rate})


def columns(r: Row) -> NewRow:
    """Path delays, for the phrase `path_advice` and the numbers `path`."""
    delays, above = _delays(r), _above(r)
    worst = max(delays, key=lambda name: delays[name])
    # part and whole come from two records and may disagree; a part above its whole replaces it
    is_part = r["exchange_ms"] is not None and max(above, delays[worst]) <= _holds_ms(r)
    is_way = above > sum(delays.values())
    names = ("channel_paths", "cmr_low_ms", "cmr_high_ms", "css_delay_ms", "cu_busy_delay_ms", "cmr_ms")
    return {name: r[name] for name in (*names, "open_exchanges", "path_rate")} | {
        "path_delay": "way" if is_way else _KINDS[worst],
        "path_delay_ms": above if is_way else delays[worst],
        "path_holds_ms": _holds_ms(r) if is_part else None,
        "path_count": len((r["channel_paths"] or "").split(",")),
        "pend_above_ms": above or None,
    }


def _delays(r: Row) -> dict[str, float]:
    return {name: r[name] or 0.0 for name in _KINDS}


def _above(r: Row) -> float:
    return float(r.get("way_above_ms") or 0.0)


def _holds_ms(r: Row) -> float:
    """Time that an I/O holds an alias: in the channel subsystem, then at the control unit, CMR included."""
    return (r["css_delay_ms"] or 0.0) + (r["exchange_ms"] or 0.0)
