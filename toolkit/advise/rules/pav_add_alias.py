"""A volume waits in the host because it has too few exposures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.aliases import Need, volume_need
from iosq.toolkit.advise.box import CURVE
from iosq.toolkit.advise.finding import Aliases, Finding, Hour, Known, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import a_day, period, worst_window
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.sql.raw import literal

# volumes whose need is also worked out hour by hour: those that lose most; each hour is a model of its own
WITH_HOURS = 20
SQL = f"""
WITH {CURVE}, candidate AS (
    SELECT *
    FROM pav_candidate
    WHERE verdict = 'add' AND is_hyperpav IS NOT TRUE AND queue_length_peak >= ? AND wait_share_ratio >= ?
), measured AS (
    SELECT * FROM served
), bad AS (
    SELECT m.platform, m.system, m.volume, m.start_us, m.end_us, m.queue_length * m.interval_s AS lost
    FROM candidate c
    JOIN measured m ON m.platform = c.platform AND m.system = c.system AND m.volume = c.volume
    WHERE m.queue_length >= ?
), {worst_window("bad", "platform, system, volume")}, total AS (
    SELECT m.platform, m.system, m.volume, sum(m.queue_length * m.interval_s) AS lost_s, sum(m.interval_s) AS span_s,
           max(CASE WHEN m.interval_start = c.peak_start THEN m.wait_ms END) AS peak_wait_ms,
           max(CASE WHEN m.interval_start = c.peak_start THEN m.io_rate END) AS peak_rate,
           max(CASE WHEN m.interval_start = c.peak_start THEN m.service_ms END) AS peak_service_ms,
           max(CASE WHEN m.interval_start = c.peak_start THEN i.in_box END) AS in_box,
           max(CASE WHEN m.interval_start = c.peak_start THEN i.volumes END) AS volumes,
           max(CASE WHEN m.interval_start = c.peak_start THEN i.read_ratio END) AS read_ratio, max(m.box) AS box
    FROM candidate c
    JOIN measured m ON m.platform = c.platform AND m.system = c.system AND m.volume = c.volume
    LEFT JOIN box_interval i ON i.box = m.box AND i.interval_start = m.box_interval_start
    GROUP BY m.platform, m.system, m.volume
), hourly AS (
    SELECT m.platform, m.system, m.volume, m.start_us, m.end_us, m.queue_length, m.wait_ms, m.io_rate, m.service_ms,
           i.in_box, i.volumes, i.read_ratio,
           row_number() OVER (PARTITION BY m.platform, m.system, m.volume, m.start_us // 3600000000 % 24
                              ORDER BY m.queue_length DESC, m.start_us) AS place
    FROM candidate c
    JOIN measured m ON m.platform = c.platform AND m.system = c.system AND m.volume = c.volume
    JOIN box_interval i ON i.box = m.box AND i.interval_start = m.box_interval_start
    WHERE m.queue_length >= ?
), day AS (
    SELECT platform, system, volume,
           list(struct_pack(start_us, end_us, queue_length, peak_wait_ms := wait_ms, peak_rate := io_rate,
                            peak_service_ms := service_ms, in_box, volumes, read_ratio) ORDER BY start_us) AS hours
    FROM hourly
    WHERE place = 1
    GROUP BY platform, system, volume
)
SELECT c.platform, c.system, c.volume, c.lcu, c.exposures, c.io_rate, c.wait_ms, c.response_ms,
       c.wait_share_ratio, c.queue_length_peak, t.lost_s, t.span_s, t.peak_wait_ms, t.peak_rate,
       t.peak_service_ms, t.in_box, t.volumes, t.read_ratio, d.hours,
       v.points, v.elasticity, v.fit, v.spread_ratio, v.in_box_max, v.in_box_low,
       w.window_start_us, w.window_end_us, w.bad_intervals, w.runs
FROM candidate c
JOIN total t ON t.platform = c.platform AND t.system = c.system AND t.volume = c.volume
JOIN worst w ON w.platform = c.platform AND w.system = c.system AND w.volume = c.volume
JOIN day d ON d.platform = c.platform AND d.system = c.system AND d.volume = c.volume
LEFT JOIN curve v ON v.box = t.box
ORDER BY t.lost_s DESC, c.platform, c.system, c.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return _judge_knowing(rows, limits, Known())


def _judge_knowing(rows: list[Row], _: Mapping[str, float], known: Known) -> Iterator[Finding]:
    for place, r in enumerate(rows):
        need = _need(r, known)
        yield Finding(
            code="pav_add_alias",
            severity="act",
            subject=volume(r["volume"], r["system"]),
            text=(
                f"Volume {r['volume']} waits on {r['system']} ({period(r)}): IOSQ is "
                f"{100 * r['wait_share_ratio']:.0f} % of its response time over the whole span and "
                f"{r['peak_wait_ms']:.1f} ms per I/O at the peak, with {r['queue_length_peak']:.1f} I/Os queued"
            ),
            advice=_advice(need),
            numbers=(
                Number("IOSQ, mean", r["wait_ms"], "ms"),
                Number("IOSQ, peak interval", r["peak_wait_ms"], "ms"),
                Number("response, mean", r["response_ms"], "ms"),
                Number("I/O rate, peak interval", r["peak_rate"], "per s"),
                Number("queue, peak interval", r["queue_length_peak"], "I/Os"),
                Number("intervals with such a queue", r["bad_intervals"]),
                Number("exposures", r["exposures"]),
                Number("aliases to clear the wait at the peak, at best", need.fewest),
                Number("aliases to clear the wait at the peak, at worst", need.most),
                Number("aliases the mean of the span would ask for", _for_the_mean(r)),
            ),
            sql=(
                f"SELECT * FROM volume_interval WHERE volume = {literal(r['volume'])} "
                f"AND system = {literal(r['system'])} ORDER BY queue_length DESC"
            ),
            lost_s=a_day(r["lost_s"], r["span_s"]),
            confidence="medium" if need.effect.identifiable else "low",
            effect=need.effect,
            curve=need.curve,
            hours=_hours(r, known) if place < WITH_HOURS else (),
            aliases=Aliases("add", need.curve.now, need.fewest, need.most),
        )


def _need(r: Row, known: Known) -> Need:
    service_ms = r["peak_service_ms"] or r["response_ms"] - r["wait_ms"]
    load = Load(r["peak_rate"], r["peak_wait_ms"], service_ms, r["exposures"] or 1)
    return volume_need(
        load, BoxState(r["in_box"] or 0.0, r["volumes"] or 1, r["read_ratio"], elasticity_bounds(r)), known
    )


def _hours(r: Row, known: Known) -> tuple[Hour, ...]:
    return tuple(_hour(r | h, known) for h in r["hours"])


def _hour(r: Row, known: Known) -> Hour:
    need = _need(r, known)
    return Hour(r["start_us"], r["end_us"], r["queue_length"], r["peak_wait_ms"], need.fewest, need.most)


def _advice(need: Need) -> str:
    now = need.curve.now
    has = f"(now {now + 1} exposure{'s' if now else ''}, the base included)"
    counts = [count - now for count in (need.fewest, need.most) if count is not None and count > now]
    if not counts:
        return f"No number of aliases of its own is sure to clear the wait {has}: spread its data over volumes"
    more = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{max(counts)}"
    least = "at least " if need.most is None else ""
    return f"Give it {least}{more} more alias{'es' if max(counts) > 1 else ''} {has}, or spread its data"


def _for_the_mean(r: Row) -> int:
    """What Little's law on the mean of the whole span says: too few, because the wait comes with the peak."""
    inside = (r["io_rate"] or 0.0) * r["response_ms"] / 1e3
    return int(max(math.ceil(inside) - 1, 0))


RULE = Rule(
    code="pav_add_alias",
    title="A volume waits for a free exposure",
    finds="Volumes without HyperPAV whose I/Os queue in the host (IOSQ) for a good part of their response time.",
    matters="IOSQ is time in which the storage is not even asked; aliases remove it without new hardware.",
    evidence="Queue length and wait of the worst interval, share of the wait in the response, exposures there are.",
    wrong_when=(
        "The box behind is the bottleneck (NVS, destage, arms): then more aliases only move the queue. "
        "Writes to the same extent wait for each other whatever the aliases."
    ),
    do="Add the aliases named, or move the volume to an LCU with HyperPAV; measure again.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    judge_knowing=_judge_knowing,
    parameters=("queue_length", "wait_share", "queue_length", "queue_length"),
    thresholds={
        "queue_length": Threshold(
            0.5,
            "I/Os",
            "queued at once in the worst interval",
            "any",
            "Little's law: below half an I/O queued a further exposure is idle most of the time",
        ),
        "wait_share": Threshold(
            0.1,
            "ratio",
            "of the response time, mean over the span",
            "any",
            "IBM, z/VM Performance Toolkit: compare with the system's own good periods; a tenth is our choice",
        ),
    },
)
