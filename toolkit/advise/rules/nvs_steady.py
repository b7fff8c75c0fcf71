"""NVS is full because the box can't destage what comes in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.overload import SQL, Overload, overloads, seconds_to_fill
from iosq.toolkit.advise.subject import box
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.sql.raw import literal


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return (_finding(o) for o in overloads(rows) if o.is_steady)


def _finding(o: Overload) -> Finding:
    first, last, subject = o.steady[0], o.steady[-1], box(o.first)
    worst = max(o.steady, key=lambda r: r["delayed"])
    size = float(worst["nvs_bytes"] or 0.0)
    filled = seconds_to_fill(worst, 2 * size) if size else None
    gained = "" if filled is None else f": twice as much would be full after {filled:.0f} s"
    return Finding(
        code="nvs_steady",
        severity="note",
        subject=subject,
        text=(
            f"{subject.opening} takes more writes than it destages ({spoken(first['start_us'], last['end_us'])}): "
            f"{len(o.steady)} intervals with delayed writes while destage stands at {worst['destage_rate']:.0f} "
            f"tracks/s, its ceiling. More NVS would only delay the overflow{gained}"
        ),
        advice=(
            "Do not buy NVS for this: take writes away in these hours, spread them over boxes, or get a faster back end"
        ),
        numbers=(
            Number("writes delayed", o.delayed, "writes"),
            Number("delayed, worst interval", 100 * worst["delayed"] / worst["writes"], "%"),
            Number("destage, worst interval", worst["destage_rate"], "tracks/s"),
            Number("NVS", size / 1e6, "MB"),
            Number("twice the NVS full after", filled, "s"),
            Number("delay per write, worst interval", o.per_write("lost_s"), "ms"),
        ),
        sql=_shown(o),
        lost_s=0.0,  # counted by nvs_delay
        confidence="medium",
        effect=_effect(o),
        covers=o.covers,
    )


def _effect(o: Overload) -> Effect:
    """More NVS leaves the delay as it is; the model's bucket says for how long it would not."""
    now, low, high = (o.per_write(n) for n in ("lost_s", "lost_low_s", "lost_high_s"))
    return Effect(
        "delay per write with twice the NVS", "ms", now, now, low, high, "NVS as a bucket: no size of it lasts"
    )


def _shown(o: Overload) -> str:
    return (
        "SELECT interval_start, subsystem, nvs_delay_count, write_rate, destage_rate FROM cache_subsystem_interval "
        f"WHERE serial = {literal(o.first['serial'] or '')} ORDER BY interval_start, subsystem"
    )


RULE = Rule(
    code="nvs_steady",
    title="Steady write overload: more NVS would not help",
    finds="Boxes whose writes wait for NVS in intervals on end while destage stands at its ceiling.",
    matters="NVS evens out bursts. Against a rate above the destage rate any size of it is full after a while.",
    evidence="Delayed fast writes in neighbouring intervals, with tracks destaged within 10 % of the highest seen.",
    wrong_when=(
        "The highest destage rate of the span is not the box's ceiling: a short span, or a box that destages lazily. "
        "What a write occupies is taken as a track; small writes may take less."
    ),
    do="Move or spread the writes; look at what destages slowly (RAID 5, busy ranks, remote copy).",
    sql=SQL,
    judge=_judge,
    topic="nvs",
    parameters=("delayed_ratio",),
    thresholds={
        "delayed_ratio": Threshold(
            0.005, "ratio", "of the writes of an interval, whole box", "3990-6 to DS8000",
            "no published limit is known; half a per cent keeps single delayed writes out",
        )
    },
)  # fmt: skip
