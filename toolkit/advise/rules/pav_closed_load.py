"""Volumes whose requesters wait for each answer: what more aliases give them, all volumes of the box together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.box import CURVE
from iosq.toolkit.advise.closed import Crowd, Outlook, choose, helped_when, outlook
from iosq.toolkit.advise.finding import Finding, Known, Number, Row, Rule, Threshold
from iosq.toolkit.advise.subject import WAITS, Subject, box, volume, volumes
from iosq.toolkit.advise.window import a_day, period, worst_window
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

# the hour's worst interval stands for the hour: the peak decides, the mean misleads
SQL = f"""
WITH {CURVE}, closed AS (
    SELECT box, platform, system, volume, interval_start, interval_s, start_us, end_us, queue_length
    FROM served
    WHERE is_hyperpav IS NOT TRUE AND queue_length >= ? AND in_service >= ? * exposures
        AND (in_service >= exposures
             OR queue_length * (1 - in_service / exposures)
                < ? * pow(in_service / exposures, sqrt(2 * (exposures + 1))))
), bad AS (
    SELECT box, interval_start, start_us, max(end_us) AS end_us, sum(queue_length * interval_s) AS lost
    FROM closed
    GROUP BY box, interval_start, start_us
), {worst_window("bad", "box")}, ranked AS (
    SELECT box, interval_start, start_us, end_us, lost,
           row_number() OVER (PARTITION BY box, start_us // 3600000000 % 24 ORDER BY lost DESC, start_us) AS place
    FROM bad
), share AS (
    SELECT s.platform, s.system, s.volume, sum(s.queue_length * s.interval_s) AS waited_s,
           sum(CASE WHEN c.volume IS NOT NULL THEN s.queue_length * s.interval_s END) AS closed_s,
           sum(s.interval_s) AS span_s
    FROM served s
    LEFT JOIN closed c ON c.platform = s.platform AND c.system = s.system AND c.volume = s.volume
        AND c.interval_start = s.interval_start
    GROUP BY s.platform, s.system, s.volume
)
SELECT s.*, r.lost AS interval_lost_s, c.volume IS NOT NULL AS is_closed, h.waited_s, h.closed_s, h.span_s,
       v.points, v.elasticity, v.fit, v.spread_ratio, v.in_box_max, v.in_box_low,
       w.window_start_us, w.window_end_us, w.bad_intervals, w.runs
FROM ranked r
JOIN served s ON s.box = r.box AND s.interval_start = r.interval_start
JOIN worst w ON w.box = r.box
JOIN share h ON h.platform = s.platform AND h.system = s.system AND h.volume = s.volume
LEFT JOIN curve v ON v.box = r.box
LEFT JOIN closed c ON c.platform = s.platform AND c.system = s.system AND c.volume = s.volume
    AND c.interval_start = s.interval_start
WHERE r.place = 1
ORDER BY s.box, s.interval_start, s.system, s.volume
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    return _judge_knowing(rows, limits, Known())


def _judge_knowing(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    for _, of_box in groupby(rows, key=lambda r: r["box"]):
        found = []
        for _, group in groupby(of_box, key=lambda r: r["interval_start"]):
            members = list(group)
            found.append(outlook(Crowd(members, [m["is_closed"] for m in members]), int(limits["most"]), known))
        yield _finding(found, limits["gain"])


def _finding(found: Sequence[Outlook], gain: float) -> Finding:
    """The hour that loses most among those that aliases help; among all where they help none."""
    chosen, helped = choose(found, gain)
    members, now = chosen.crowd.closed, chosen.crowd.aliases
    r = members[0]
    return Finding(
        code="pav_closed_load",
        severity="act" if helped and chosen.known else "watch",
        subject=volumes((m["volume"] for m in members), (m["system"] for m in members)),
        text=_text(chosen),
        advice=_advice(chosen, found, helped),
        numbers=(
            Number("volumes", len(members)),
            Number("I/Os outstanding", chosen.crowd.requesters, "I/Os"),
            Number("of them queued in the host", chosen.crowd.queue, "I/Os"),
            Number("IOSQ", 1e3 * chosen.crowd.queue / chosen.crowd.rate, "ms"),
            Number("I/O rate, all of them", chosen.crowd.rate, "per s"),
            Number("aliases now, each", now),
            Number("smallest count within 2 % of the best rate", chosen.best if chosen.known else None),
            Number("best rate over now", chosen.gain.value if chosen.known else None, "times"),
            Number("best rate over now, low", chosen.gain.low, "times"),
            Number("best rate over now, high", chosen.gain.high, "times"),
            Number("hours of the day looked at", len(found)),
            Number("hours in which aliases help", len(helped) if chosen.known else None),
        ),
        sql=_shown(members),
        lost_s=a_day(sum(m["closed_s"] or 0.0 for m in members), r["span_s"]),
        confidence="medium" if chosen.known else "low",
        effect=chosen.effect,
        covers=frozenset(_covered(found)),
        curve=chosen.curve,
        aliases=chosen.aliases(bool(helped)),
    )


def _text(o: Outlook) -> str:
    members, crowd = o.crowd.closed, o.crowd
    many = len(members) > 1
    who = f"{len(members)} volumes of {box(members[0])}, {members[0]['volume']} first," if many else "Volume "
    each = crowd.requesters / len(members)
    return (
        f"{who if many else who + members[0]['volume']} {'serve' if many else 'serves'} requesters that wait for each "
        f"answer ({period(members[0])}): of {human_number(each)} I/Os outstanding{' each' if many else ''}, "
        f"{human_number(crowd.queue / len(members))} wait in the host, {human_number(1e3 * crowd.queue / crowd.rate)} "
        "ms IOSQ per I/O"
    )


def _advice(o: Outlook, found: Sequence[Outlook], helped: Sequence[Outlook]) -> str:
    now = f"(now {o.crowd.aliases})"
    if not (o.known and helped):
        return o.no_count
    count = o.best - o.crowd.aliases
    each = " each" if len(o.crowd.closed) > 1 else ""
    return (
        f"Give {'them' if each else 'it'} {count} more alias{'es' if count > 1 else ''}{each} {now}: the rate rises by "
        f"{o.gained}; more than that add less than 2 %{helped_when(helped, len(found))}"
    )


def _covered(found: Sequence[Outlook]) -> Iterator[tuple[str, Subject]]:
    """What the open reading says of these volumes, where most of their wait was met with requesters that wait."""
    rows = [row for o in found for row in o.crowd.closed]
    for row in rows:
        if row["closed_s"] >= 0.5 * row["waited_s"]:
            yield WAITS, volume(row["volume"], row["system"])
    yield "box_saturated", box(rows[0])


def _shown(members: Sequence[Row]) -> str:
    volumes = ", ".join(sorted({literal(m["volume"]) for m in members}))
    return (
        "SELECT volume, system, interval_start, io_rate, wait_ms, service_ms, in_service, queue_length, exposures "
        f"FROM volume_interval WHERE volume IN ({volumes}) ORDER BY queue_length DESC"
    )


RULE = Rule(
    code="pav_closed_load",
    title="Requesters that wait for each answer queue for a volume",
    finds=(
        "Volumes without HyperPAV whose exposures are all busy while the queue stays shorter than arrivals at random "
        "would make it: a fixed number of requesters, as in batch jobs, copies, benchmarks, or guests with few tasks."
    ),
    matters=(
        "Here an alias raises the rate instead of only clearing a queue, up to what the box gives; beyond that the "
        "wait only moves into the box. `Add aliases until no I/O waits` gives far too many."
    ),
    evidence=(
        "Little's law: rate times response is the number outstanding, rate times service what is in the box. Each "
        "hour's worst interval is solved, all volumes of the box together, with its measured curve or a machine file."
    ),
    wrong_when=(
        "The volumes do other work in the busy intervals than in the half-busy ones (the measured curve mixes both), "
        "or the data touched per volume is far from what was assumed (--footprint-gb): writes depend on it."
    ),
    do="Add the aliases named and measure again; where none help, reduce or move the work.",
    sql=SQL,
    judge=_judge,
    judge_knowing=_judge_knowing,
    topic="pav",
    parameters=("queue_length", "busy", "evenness"),
    thresholds={
        "queue_length": Threshold(0.5, "I/Os", "queued in the host, per volume", "any", "the same as in pav_add_alias"),
        "busy": Threshold(0.9, "ratio", "of its exposures in service", "any", "our choice"),
        "evenness": Threshold(
            0.33, "ratio", "of the queue that random arrivals would make", "any",
            "queue of M/M/c as approximated by Sakasegawa (1977); constant service times halve it, only requesters "
            "that wait make it shorter still; a third is our choice",
        ),
        "gain": Threshold(1.05, "times", "today's rate: less is no help", "any", "our choice, as in iosq validate"),
        "most": Threshold(
            15.0, "aliases", "a volume may get", "static PAV, 1999 on", "our choice; set what your LCUs can spare"
        ),
    },
)  # fmt: skip
