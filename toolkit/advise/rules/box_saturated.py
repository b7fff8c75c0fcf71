"""A box is full: what waits in the host would wait inside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.box import CURVE
from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import box, waits
from iosq.toolkit.advise.window import a_day, period, worst_window
from iosq.toolkit.predict.elasticity import elasticity_bounds
from iosq.toolkit.sql.raw import literal

SQL = f"""
WITH {CURVE}, crowded AS (
    SELECT s.*, i.rate AS box_rate, i.in_box, i.queued
    FROM served s
    JOIN box_interval i ON i.box = s.box AND i.interval_start = s.box_interval_start
    JOIN curve c ON c.box = s.box
    WHERE i.rate >= ? * c.rate_max AND i.queued >= ?
), bad AS (
    SELECT box, start_us, max(end_us) AS end_us, sum(queue_length * interval_s) AS lost
    FROM crowded
    GROUP BY box, start_us
), {worst_window("bad", "box")}, span AS (
    SELECT box, volume, system, sum(queue_length * interval_s) AS waited_s, sum(interval_s) AS span_s
    FROM served
    GROUP BY box, volume, system
), waiting AS (
    SELECT box, volume, system, max(serial) AS serial, max(type) AS type, sum(queue_length * interval_s) AS lost_s,
           max(in_box) AS in_box, sum(io_rate * service_ms) / sum(io_rate) AS service_ms,
           sum(queue_length) * 1000 AS wait_sum, sum(io_rate) AS rate_sum
    FROM crowded
    GROUP BY box, volume, system
)
SELECT w.*, s.waited_s, s.span_s, c.points, c.elasticity, c.fit, c.spread_ratio, c.in_box_max, c.in_box_low,
       c.rate_max, c.rate_low, c.queued_max, r.window_start_us, r.window_end_us, r.bad_intervals, r.runs
FROM waiting w
JOIN span s ON s.box = w.box AND s.volume = w.volume AND s.system = w.system
JOIN curve c ON c.box = w.box
JOIN worst r ON r.box = w.box
ORDER BY w.box, w.lost_s DESC, w.volume, w.system
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    for _, group in groupby(rows, key=lambda r: r["box"]):
        members = list(group)
        bounds = elasticity_bounds(members[0])
        if bounds is not None and bounds[1] <= limits["elasticity"] and _stands_still(members[0]):
            yield _finding(members, bounds)


def _stands_still(first: Row) -> bool:
    """The rate itself must have risen much less than the number in the box, whatever the service times say."""
    return bool(first["rate_max"] / first["rate_low"] <= (first["in_box_max"] / first["in_box_low"]) ** 0.5)


def _finding(members: list[Row], bounds: tuple[float, float]) -> Finding:
    first = members[0]
    stuck = [m for m in members if m["lost_s"] >= 0.5 * m["waited_s"] > 0]
    subject = box(first)
    grown = 100 * (first["rate_max"] / first["rate_low"] - 1)
    return Finding(
        code="box_saturated",
        severity="act",
        subject=subject,
        text=(
            f"{subject.opening} is full ({period(first)}): with {first['in_box_low']:.0f} to "
            f"{first['in_box_max']:.0f} I/Os inside its rate rises by {grown:.0f} %, while up to "
            f"{first['queued_max']:.0f} more wait in the host"
        ),
        advice=(
            "Aliases will not help: response would hardly change, the wait only moves into the box. Take work off "
            "it, spread it over time, or get more arms or a faster box (iosq advise migrate)"
        ),
        numbers=(
            Number("rate, most", first["rate_max"], "per s"),
            Number(f"rate, with {first['in_box_low']:.1f} in the box", first["rate_low"], "per s"),
            Number("I/Os in the box, most", first["in_box_max"], "I/Os"),
            Number("I/Os queued in the host, most", first["queued_max"], "I/Os"),
            Number("rate gained per cent more in the box, low bound", bounds[0], "%"),
            Number("rate gained per cent more in the box, high bound", bounds[1], "%"),
            Number("volumes that wait mostly then", len({m["volume"] for m in stuck})),
        ),
        sql=_shown(stuck or members),
        lost_s=a_day(sum(m["lost_s"] for m in stuck), first["span_s"]),
        confidence="high" if len(members) > 1 else "medium",
        effect=_effect(members, bounds),
        covers=waits((m["volume"], m["system"]) for m in stuck),
        aliases=Aliases("wont_help"),
    )


def _effect(members: list[Row], bounds: tuple[float, float]) -> Effect:
    """Enough aliases for all that wait: the box gains what its curve gives, and nobody waits outside."""
    first = members[0]
    rate = sum(m["rate_sum"] for m in members)
    now = sum(m["wait_sum"] + m["rate_sum"] * m["service_ms"] for m in members) / rate
    fuller = 1 + first["queued_max"] / first["in_box_max"]
    high, low = (now * fuller**-e for e in bounds)
    basis = "the same requests, all of them in the box, at the rate its measured curve gives"
    return Effect("response with any number of aliases", "ms", now, (low + high) / 2, low, high, basis)


def _shown(members: list[Row]) -> str:
    volumes = ", ".join(sorted({literal(m["volume"]) for m in members}))
    return (
        "SELECT interval_start, sum(io_rate) AS io_rate, sum(in_service) AS in_service, sum(queue_length) AS "
        f"queue_length FROM volume_interval WHERE volume IN ({volumes}) GROUP BY interval_start ORDER BY in_service"
    )


RULE = Rule(
    code="box_saturated",
    title="The box is full: aliases will not help",
    finds="Boxes whose rate stops rising while the number of I/Os inside grows and more wait in the host.",
    matters="An alias moves a request from the host into the box. A full box serves it no sooner: response stays.",
    evidence=(
        "How much each volume's own service time grows with the number of I/Os in the box (74.1), in intervals above a "
        "tenth of the largest number, with two standard errors; host queues at the same time."
    ),
    wrong_when=(
        "The same volumes do other work in the busy intervals than in the half-busy ones, with larger blocks or fewer "
        "hits; or other systems, not read, share the box."
    ),
    do="Reduce or move work, add arms, cache or a box; ask `iosq advise migrate` what other machines would do.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("near", "queue_length"),
    thresholds={
        "queue_length": Threshold(
            1.0, "I/Os", "waiting in the host for the box, all volumes together", "any",
            "our choice: shorter queues are no reason to ask about aliases",
        ),
        "near": Threshold(0.8, "ratio", "of its largest rate: the box counts as full", "any", "our choice"),
        "elasticity": Threshold(
            0.4, "% per %", "rate gained when the number in the box grows, upper bound", "ESS F20 to DS8100",
            "our choice: below it twice as many I/Os in the box give a third more rate at most (2 to the 0.4)",
        ),
    },
)  # fmt: skip
