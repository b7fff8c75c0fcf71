"""What holds I/Os up that have an alias: path or control unit, where these and not the pool are the bottleneck.

One condition for whatever names a count of aliases: where the way to the box takes a good part of the time that an I/O
holds an alias, by what is recorded of its parts or by how far pend is above its best, further aliases wait there too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from iosq.toolkit.advise.finding import Aliases, Finding, Number
from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.rows import Row
from iosq.toolkit.show.records import by_platform


def is_bottleneck(r: Row, limits: Mapping[str, float]) -> bool:
    """Whether an I/O loses a good part of the time it holds an alias before the control unit begins with it.

    Args:
        r: with `css_delay_ms`, `cu_busy_delay_ms`, `cmr_ms` and `exchange_ms` of the dry intervals, milliseconds, and
            `way_above_ms`, where it is known.
        limits: with `path_ms` and `path_share`.
    """
    delay = max(sum(_delays(r).values()), _above(r))
    return delay >= limits["path_ms"] and delay >= limits["path_share"] * _holds_ms(r)


def on_the_way(finding: Finding, r: Row) -> Finding:
    """The same wait, with path or control unit to look at in place of more aliases, which are no cure."""
    now = finding.aliases.now if finding.aliases else None
    told = replace(finding, advice=advice(r), numbers=finding.numbers + numbers(r), aliases=Aliases("wont_help", now))
    return replace(told, effect=None, curve=None, hours=())


def held(r: Row) -> Row:
    """A volume's own row as one of a pool: its exposures are held from pend on, and no path is told apart.

    Args:
        r: with `css_delay_ms`, `cu_busy_delay_ms`, `cmr_ms`, `service_ms` and `io_rate`.
    """
    untold = dict.fromkeys(("channel_paths", "cmr_low_ms", "cmr_high_ms"))
    return {**r, **untold, "exchange_ms": r["service_ms"], "open_exchanges": None, "path_rate": r["io_rate"]}


def crowd(members: Sequence[Row]) -> Row:
    """The I/Os of several volumes as those of one, for `is_bottleneck` and `advice`.

    Args:
        members: with `io_rate`, `service_ms`, `start_delay_ms`, `cmr_ms` and `way_above_ms`.
    """
    names = ("service_ms", "start_delay_ms", "cmr_ms", "way_above_ms")
    delays = {name: weighted((m[name], m["io_rate"]) for m in members if m["io_rate"]) for name in names}
    rate = sum(m["io_rate"] for m in members)
    return held({**delays, "css_delay_ms": delays["start_delay_ms"], "cu_busy_delay_ms": None, "io_rate": rate})


def advice(r: Row) -> str:
    """What to look at in place of more aliases."""
    delays = _delays(r)
    worst = max(delays, key=lambda name: delays[name])
    paths, many = r["channel_paths"], "," in (r["channel_paths"] or "")
    channels = f"channel{'s' if many else ''} {paths}" if paths else "its channels"
    # the two records behind part and whole may disagree: a part that exceeds its whole stands alone
    is_part = r["exchange_ms"] is not None and max(_above(r), delays[worst]) <= _holds_ms(r)
    held = f"of the {_holds_ms(r):.1f} ms an I/O holds an alias, " if is_part else ""
    start = f"More aliases will not help: {held}{'it' if held else 'an I/O with an alias'}"
    if _above(r) > sum(delays.values()):
        return (
            f"{start} pends {_above(r):.1f} ms longer than at its best on the way to the control unit, and so would "
            f"what gets another one. First look at {channels}, director ports and host adapters; count aliases again "
            "when the way is as usual"
        )
    waits = f"{start} waits {delays[worst]:.1f} ms"
    if worst == "cmr_ms":
        by_path = f"; {r['cmr_low_ms']:.1f} to {r['cmr_high_ms']:.1f} ms by path" if many else ""
        return (
            f"{waits} for the first answer of the control unit (CMR{by_path}). First look at what the paths share: "
            f"host adapters and ports of the box, director ports and links behind {channels}, and distance; then at "
            "how much work the control unit has"
        )
    if worst == "cu_busy_delay_ms":
        return f"{waits} for a busy control unit. First reduce its work, or move some of it"
    records = by_platform(r["platform"], "ingest types 73 and 74.7 of the same time, ")
    return (
        f"{waits} for a free path (CSS delay). First look at {channels} and the ports behind: {records}"
        "give these LCUs more paths, or move "
        "load to others"
    )


def numbers(r: Row) -> tuple[Number, ...]:
    """What the records tell of the way to the control unit in the dry intervals."""
    return (
        Number("CSS delay then", r["css_delay_ms"], "ms"),
        Number("control unit busy delay then", r["cu_busy_delay_ms"], "ms"),
        Number("command response time (CMR) then", r["cmr_ms"], "ms"),
        Number("pend above its best then", _above(r) or None, "ms"),
        Number("open exchanges then, mean", r["open_exchanges"], "I/Os"),
        Number("I/O rate on the paths then", r["path_rate"], "per s"),
    )


def _delays(r: Row) -> dict[str, float]:
    return {name: r[name] or 0.0 for name in ("css_delay_ms", "cu_busy_delay_ms", "cmr_ms")}


def _above(r: Row) -> float:
    return float(r.get("way_above_ms") or 0.0)


def _holds_ms(r: Row) -> float:
    """How long an I/O holds an alias: in the channel subsystem, then open at the control unit (CMR is part of it)."""
    return (r["css_delay_ms"] or 0.0) + (r["exchange_ms"] or 0.0)
