"""NVS is full because the box can't destage what comes in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.models.nvs import seconds_to_fill
from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.overload import Overload, overloads
from iosq.toolkit.advise.subject import box, rows_of_box
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share

WAYS = "Take writes away in these hours, spread them over boxes, or get a faster back end"
LASTS = (
    "As much NVS again would take those for as long as it lasted, if writers that no longer wait write no more (iosq "
    "simulate nvs asks for other sizes)"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(o, limits["writer_ratio"]) for o in overloads(rows) if o.steady)


def _finding(o: Overload, most: float) -> Finding:
    first, last, subject = o.steady[0], o.steady[-1], box(o.first)
    worst = max(o.steady, key=lambda r: r["nvs_delay_count"])
    size = float(worst["nvs_bytes"] or 0.0)
    writes, late = (worst[name] / worst["interval_s"] for name in ("write_count", "nvs_delay_count"))
    filled = seconds_to_fill(2 * size, late) if size else None
    lasts = _lasts(worst)
    return Finding(
        severity="note",
        subject=subject,
        text=(
            f"{subject.opening} gets more writes than its destage makes room for "
            f"({spoken(first['local_start'], last['local_end'])}): "
            f"{plural(len(o.steady), 'interval')} with delayed writes while destage stands at "
            f"{worst['destage_rate']:,.0f} tracks/s (a write may leave several), its ceiling; in the worst "
            f"{late:,.0f} of {writes:,.0f} writes/s found no room. {LASTS if lasts else _delays(filled)}"
            f"{_writer(o.first, most)}"
        ),
        advice=WAYS if lasts else f"Do not buy NVS for this: {WAYS[:1].lower()}{WAYS[1:]}",
        numbers=(
            Number("writes delayed", o.delayed, "writes"),
            Number("delayed, worst interval", 100 * worst["nvs_delay_count"] / worst["write_count"], "%"),
            Number("destage, worst interval", worst["destage_rate"], "tracks/s"),
            Number("writes, worst interval", writes, "per s"),
            Number("of them without room in NVS", late, "per s"),
            Number("NVS", size or None, "bytes"),
            Number("twice the NVS full after", filled, "s"),
            Number("delay per write, worst interval", o.per_write("lost_s"), "ms"),
        ),
        sql=_shown(o),
        lost_s=0.0,  # counted by nvs_delay
        confidence="low" if lasts else "medium",
        effect=_effect(o, lasts),
        covers=o.covers,
    )


def _lasts(r: Row) -> bool:
    """Whether as much NVS again takes what finds no room for as long as that goes on; as `iosq simulate nvs` asks."""
    late = r["nvs_delay_count"] / r["interval_s"]
    return bool(r["nvs_bytes"]) and seconds_to_fill(r["nvs_bytes"], late) >= r["run_s"]


def _delays(filled: float | None) -> str:
    gained = "" if filled is None else f": twice as much would be full after {filled:.0f} s"
    return f"More NVS would only delay the overflow{gained}"


def _writer(r: Row, most: float) -> str:
    """Who writes, where one volume has a good part of it."""
    if r["writer_ratio"] is None or r["writer_ratio"] < most:
        return ""
    sequential = r["writer_sequential_ratio"]
    how = f", {share(sequential)} of its I/O sequential" if sequential is not None else ""
    job = f"; job {r['writer_job']} uses it most" if r["writer_job"] else ""
    return f". {share(r['writer_ratio'])} of the writes then go to volume {r['writer']}{how}{job}"


def _effect(o: Overload, lasts: bool) -> Effect | None:
    """More NVS leaves the delay as it is, but where it outlasts the overload; the model's bucket says for how long."""
    now, low, high = (o.per_write(n) for n in ("lost_s", "lost_low_s", "lost_high_s"))
    if now is None or low is None or high is None:
        return None
    if lasts:
        basis = "bounds: room for all that find none, or as many more come once none wait; which isn't recorded"
        return Effect("delay per write with twice the NVS", "ms", now, 0.0, 0.0, high, basis, identifiable=False)
    return Effect(
        "delay per write with twice the NVS",
        "ms",
        now,
        now,
        low,
        high,
        "NVS as a bucket that each write without room takes a track of: no size of it lasts",
    )


def _shown(o: Overload) -> str:
    return (
        "SELECT interval_start, sum(nvs_delay_count) AS nvs_delay_count, sum(write_rate) AS write_rate, "
        "sum(destage_rate) AS destage_rate FROM cache_subsystem_interval "
        f"WHERE {rows_of_box(o.first)} GROUP BY interval_start ORDER BY sum(nvs_delay_count) DESC"
    )
