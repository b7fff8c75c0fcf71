"""The way to a control unit has become slow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import lcus, listed, waits
from iosq.toolkit.advise.window import LOCAL, a_day, period, worst_window
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH measured AS (
    SELECT platform, system, lcu, interval_start, interval_s, io_rate, cmr_ms, wait_ms, response_ms, {LOCAL}
    FROM lcu_interval
    WHERE io_rate >= ? AND cmr_ms IS NOT NULL
), own AS (
    SELECT platform, system, lcu, percentile_cont(0.25) WITHIN GROUP (ORDER BY cmr_ms) AS own_ms, count(*) AS intervals
    FROM measured
    GROUP BY platform, system, lcu
), others AS (
    SELECT m.platform, m.system, m.lcu, m.interval_start, median(o.cmr_ms) AS others_ms
    FROM measured m
    JOIN measured o ON o.platform = m.platform AND o.system = m.system AND o.interval_start = m.interval_start
        AND o.lcu <> m.lcu
    GROUP BY m.platform, m.system, m.lcu, m.interval_start
), compared AS (
    SELECT m.*, o.own_ms, p.others_ms, least(o.own_ms, coalesce(p.others_ms, o.own_ms)) AS usual_ms
    FROM measured m
    JOIN own o ON o.platform = m.platform AND o.system = m.system AND o.lcu = m.lcu
    LEFT JOIN others p ON p.platform = m.platform AND p.system = m.system AND p.lcu = m.lcu
        AND p.interval_start = m.interval_start
), bad AS (
    SELECT *, io_rate * (cmr_ms - usual_ms) * interval_s / 1000 AS lost
    FROM compared
    WHERE cmr_ms >= usual_ms + ? AND cmr_ms >= ? * usual_ms
), {worst_window("bad", "platform, system, lcu")}, total AS (
    SELECT platform, system, lcu, max(cmr_ms) AS peak_ms, sum(io_rate * cmr_ms) / sum(io_rate) AS cmr_ms,
           sum(io_rate * usual_ms) / sum(io_rate) AS usual_ms, max(others_ms) AS others_ms,
           sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
           sum(io_rate * wait_ms) / sum(io_rate) AS wait_ms, sum(lost) AS lost_s
    FROM bad
    GROUP BY platform, system, lcu
), queue AS (
    SELECT v.platform, v.system, v.lcu, v.volume, sum(v.queue_length) AS queued,
           sum(CASE WHEN b.lcu IS NOT NULL THEN v.queue_length END) AS queued_then
    FROM volume_interval v
    LEFT JOIN bad b ON b.platform = v.platform AND b.system = v.system AND b.lcu = v.lcu
        AND b.interval_start = v.interval_start
    GROUP BY v.platform, v.system, v.lcu, v.volume
), waiting AS (
    SELECT platform, system, lcu, string_agg(volume, '|') AS volumes
    FROM queue
    WHERE queued > 0 AND queued_then >= 0.5 * queued
    GROUP BY platform, system, lcu
), span AS (
    SELECT platform, system, lcu, sum(interval_s) AS span_s FROM lcu_interval GROUP BY platform, system, lcu
)
SELECT t.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, s.span_s, q.volumes
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.lcu = t.lcu
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.lcu = t.lcu
LEFT JOIN waiting q ON q.platform = t.platform AND q.system = t.system AND q.lcu = t.lcu
ORDER BY t.platform, t.lcu, t.lost_s DESC
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    kept = [r for r in rows if r["bad_intervals"] >= limits["intervals"]]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["lcu"])):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    r = members[0]
    seen = sorted(m["system"] for m in members)
    systems = ", ".join(seen)
    where = (
        "the box's host adapter, the director or its links: several systems see it"
        if len(members) > 1
        else f"the channels and links of {systems}, if other systems reach this control unit as fast as ever"
    )
    volumes = [(name, m["system"]) for m in members for name in listed(m["volumes"])]
    return Finding(
        code="slow_path",
        severity="act",
        subject=lcus([r["lcu"]], *seen),
        text=(
            f"The path to LCU {r['lcu']} is slow on {systems} ({period(r)}): the control unit answers after "
            f"{r['cmr_ms']:.2f} ms (CMR), usually {r['usual_ms']:.2f} ms"
        ),
        advice=f"Aliases will not help. First look at {where}; compare link error counts and port use with a good day",
        numbers=(
            Number("command response time, these intervals", r["cmr_ms"], "ms"),
            Number("command response time, worst interval", r["peak_ms"], "ms"),
            Number("command response time, usual", r["usual_ms"], "ms"),
            Number("command response time, other LCUs then", r["others_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT system, interval_start, io_rate, cmr_ms, pend_ms, response_ms FROM lcu_interval "
            f"WHERE lcu = {literal(r['lcu'])} ORDER BY system, interval_start"
        ),
        lost_s=sum(a_day(m["lost_s"], m["span_s"]) for m in members),
        confidence="high" if r["others_ms"] is not None else "medium",
        effect=_effect(r),
        covers=waits(volumes),
    )


def _effect(r: Row) -> Effect:
    left = r["response_ms"] - (r["cmr_ms"] - r["usual_ms"])
    low = max(left - (r["wait_ms"] or 0.0), 0.0)
    basis = "command response time back at its usual value; the wait in the host shrinks with it, and is gone at best"
    return Effect("response with the path as usual", "ms", r["response_ms"], left, low, left, basis)


RULE = Rule(
    code="slow_path",
    title="The path to a control unit is slow",
    finds="LCUs whose initial command response time is far above what it usually is.",
    matters="The time passes before the control unit has even the command; every I/O of the LCU pays it.",
    evidence=(
        "Command response time (SMF74CMR) against the site's own baseline: the lower quarter of the LCU's own "
        "intervals, and the median of the system's other LCUs at the same time."
    ),
    wrong_when="All of a control unit's work has changed, or a copy service delays commands for a reason of its own.",
    do="Check links, director ports and host adapters on the way; move paths; only then think of aliases.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("io_rate", "above_ms", "above_factor"),
    thresholds={
        "io_rate": Threshold(10.0, "per s", "rate of the LCU below which CMR scatters", "any", "our choice"),
        "above_ms": Threshold(
            0.3, "ms", "above the usual value", "FICON",
            "IntelliMagic: CMR rising above its own baseline means contention; the amount is our choice",
        ),
        "above_factor": Threshold(3.0, "", "times the usual value", "FICON", "our choice"),
        "intervals": Threshold(2.0, "", "intervals at least", "any", "our choice"),
    },
)  # fmt: skip
