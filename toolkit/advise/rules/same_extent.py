"""A HyperPAV volume waits although aliases are free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import LOCAL, a_day, period, worst_window
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH waiting AS (
    SELECT v.platform, v.system, v.volume, v.lcu, v.interval_start, v.interval_s, v.local_start, v.local_end, v.io_rate,
           v.wait_ms, v.response_ms, v.queue_length, v.read_ratio, l.alias_high_water, l.hyperpav_aliases,
           l.alias_throttled_count
    FROM volume_interval v
    JOIN lcu_interval l ON l.platform = v.platform AND l.system = v.system AND l.lcu = v.lcu
        AND l.interval_start = v.interval_start
    WHERE v.is_hyperpav AND v.wait_ms >= ? AND v.queue_length >= ? AND v.wait_ms >= ? * v.response_ms
        AND l.alias_denied_count <= ? * l.alias_io_count AND l.alias_high_water < l.hyperpav_aliases
), bad AS (
    SELECT *, queue_length * interval_s AS lost, {LOCAL}
    FROM waiting
), {worst_window("bad", "platform, system, volume")}, total AS (
    SELECT platform, system, volume, max(lcu) AS lcu, max(wait_ms) AS peak_ms, max(queue_length) AS queue_length,
           sum(io_rate * wait_ms) / sum(io_rate) AS wait_ms, sum(io_rate * response_ms) / sum(io_rate) AS response_ms,
           1 - min(read_ratio) AS write_ratio, max(alias_high_water) AS high_water, max(hyperpav_aliases) AS aliases,
           sum(lost) AS lost_s, sum(alias_throttled_count) AS throttled
    FROM bad
    GROUP BY platform, system, volume
), span AS (
    SELECT platform, system, volume, sum(interval_s) AS span_s FROM volume_interval GROUP BY platform, system, volume
)
SELECT t.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, s.span_s
FROM total t
JOIN worst w ON w.platform = t.platform AND w.system = t.system AND w.volume = t.volume
JOIN span s ON s.platform = t.platform AND s.system = t.system AND s.volume = t.volume
ORDER BY t.lost_s DESC, t.volume, t.system
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return (_finding(r) for r in rows if r["bad_intervals"] >= limits["intervals"])


def _finding(r: Row) -> Finding:
    subject = volume(r["volume"], r["system"])
    writes = "" if r["write_ratio"] is None else f", up to {100 * r['write_ratio']:.0f} % writes"
    return Finding(
        code="same_extent",
        severity="watch",
        subject=subject,
        text=(
            f"Volume {r['volume']} waits on {r['system']} ({period(r)}) although its pool has aliases free "
            f"({r['high_water']} of {r['aliases']} in use at most): {r['peak_ms']:.1f} ms IOSQ per I/O at the "
            f"worst{writes}"
        ),
        advice=(
            "Aliases will not help: I/Os wait for each other, as writes to the same extent do. First find the busiest "
            "data set that is written (42.6 records show it); then split or stripe it, or use smaller extents"
        ),
        numbers=(
            Number("IOSQ, worst interval", r["peak_ms"], "ms"),
            Number("IOSQ, these intervals", r["wait_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("queue, worst interval", r["queue_length"], "I/Os"),
            Number("aliases in use, high water then", r["high_water"]),
            Number("aliases configured", r["aliases"]),
            Number("I/Os of the LCU delayed by alias throttling", int(r["throttled"] or 0) or None, "I/Os"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, io_rate, wait_ms, response_ms, read_ratio FROM volume_interval "
            f"WHERE volume = {literal(r['volume'])} AND system = {literal(r['system'])} ORDER BY wait_ms DESC"
        ),
        lost_s=a_day(r["lost_s"], r["span_s"]),
        confidence="medium",
        effect=Effect(
            "response with more aliases", "ms", r["response_ms"], r["response_ms"], r["response_ms"], r["response_ms"],
            "no I/O was denied an alias in these intervals",
        ),
        covers=frozenset({("pav_add_alias", subject)}),
        aliases=Aliases("wont_help"),
    )  # fmt: skip


RULE = Rule(
    code="same_extent",
    title="A volume waits while aliases are free",
    finds="HyperPAV volumes with IOSQ time in intervals in which no I/O of their LCU was denied an alias.",
    matters="More aliases are the usual answer to IOSQ time. Here they would change nothing.",
    evidence="IOSQ time and queue of the volume, denied count and high water of the LCU's pool at the same time.",
    wrong_when=(
        "A limit of aliases per base, alias throttling (SMF74ATD, counted where it happened), or a device held by a "
        "utility also queues I/Os with aliases free."
    ),
    do="Find the data set (42.6 records, view of the job's own monitor) and spread what is written to it.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("wait_ms", "queue_length", "wait_share", "denied_ratio"),
    thresholds={
        "wait_ms": Threshold(0.5, "ms", "IOSQ per I/O", "any", "our choice: a flash response of today"),
        "queue_length": Threshold(0.1, "I/Os", "queued on average", "any", "our choice"),
        "wait_share": Threshold(0.2, "ratio", "of the response", "any", "our choice"),
        "denied_ratio": Threshold(
            0.0001, "ratio", "of the I/Os denied an alias, at most", "HyperPAV, 2007 on",
            "IntelliMagic technical notes: waits on writes to the same extent are not cured by aliases",
        ),
        "intervals": Threshold(2.0, "", "intervals at least", "any", "our choice"),
    },
)  # fmt: skip
