"""Channels are full: what waits for them waits whatever the aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.box import VOLUME_BOX, box_name
from iosq.toolkit.advise.finding import Effect, Finding, Number, Row, Rule, Threshold
from iosq.toolkit.advise.window import LOCAL, period, worst_window
from iosq.toolkit.sql.raw import literal

# one row per system with busy channels and LCU that most of whose I/Os go through them; one with NULLs if there is none
SQL = f"""
WITH {VOLUME_BOX}, disk_path AS (
    SELECT p.platform, p.system, p.interval_start, p.lcu, p.channel_path, p.taken_rate
    FROM lcu_path_interval p
    JOIN lcu_interval l ON l.platform = p.platform AND l.system = p.system AND l.lcu = p.lcu
        AND l.interval_start = p.interval_start
), leads AS (
    SELECT DISTINCT platform, system, channel_path FROM disk_path
), carried AS (
    SELECT c.platform, c.system, c.channel_path, c.interval_start, c.interval_s, c.busy_ratio, c.bus_busy_ratio,
           greatest(c.read_bytes_rate, c.write_bytes_rate) * 10 / c.speed_bits_rate AS link_ratio,
           (c.read_bytes_rate + c.write_bytes_rate) / nullif(c.operation_rate, 0) AS bytes_each,
           c.partition_busy_ratio, c.zhpf_operation_rate / nullif(c.operation_rate, 0) AS zhpf_ratio, {LOCAL}
    FROM channel_interval c
    LEFT JOIN leads d ON d.platform = c.platform AND d.system = c.system AND d.channel_path = c.channel_path
    LEFT JOIN (SELECT DISTINCT platform, system FROM leads) k ON k.platform = c.platform AND k.system = c.system
    WHERE ((c.type LIKE 'FC%' AND c.type NOT LIKE 'FCP%') OR c.source LIKE 'fcx215%')
        AND (d.channel_path IS NOT NULL OR k.system IS NULL)
), used AS (
    SELECT *, greatest(coalesce(busy_ratio, 0), coalesce(bus_busy_ratio, 0), coalesce(link_ratio, 0)) AS used_ratio
    FROM carried
), full_channel AS (
    SELECT * FROM used WHERE used_ratio >= ?
), bad AS (
    SELECT platform, system, interval_start, start_us, max(end_us) AS end_us, sum(used_ratio) AS lost
    FROM full_channel
    GROUP BY platform, system, interval_start, start_us
), {worst_window("bad", "platform, system")}, channels AS (
    SELECT platform, system, string_agg(DISTINCT channel_path, '|') AS channels,
           count(DISTINCT channel_path) AS channel_count, max(used_ratio) AS used_ratio, max(busy_ratio) AS busy_ratio,
           max(partition_busy_ratio) AS own_ratio, max(bus_busy_ratio) AS bus_ratio,
           max(link_ratio) AS link_ratio, avg(bytes_each) AS bytes_each,
           avg(zhpf_ratio) AS zhpf_ratio
    FROM full_channel
    GROUP BY platform, system
), others AS (
    SELECT u.platform, u.system, avg(u.used_ratio) AS others_ratio, count(DISTINCT u.channel_path) AS other_count
    FROM used u
    JOIN bad b ON b.platform = u.platform AND b.system = u.system AND b.interval_start = u.interval_start
    LEFT JOIN (SELECT DISTINCT platform, system, channel_path FROM full_channel) f
        ON f.platform = u.platform AND f.system = u.system AND f.channel_path = u.channel_path
    WHERE f.channel_path IS NULL
    GROUP BY u.platform, u.system
), taken AS (
    SELECT p.platform, p.system, p.lcu, p.interval_start, sum(p.taken_rate) AS taken,
           sum(CASE WHEN f.channel_path IS NOT NULL THEN p.taken_rate END) AS taken_full
    FROM disk_path p
    LEFT JOIN full_channel f ON f.platform = p.platform AND f.system = p.system AND f.channel_path = p.channel_path
        AND f.interval_start = p.interval_start
    GROUP BY p.platform, p.system, p.lcu, p.interval_start
), held AS (
    SELECT * FROM taken WHERE taken_full >= ? * taken AND taken > 0
), timed AS (
    SELECT *, pend_ms - coalesce(device_busy_ms, 0) AS path_ms FROM lcu_interval WHERE io_rate >= ?
), usual AS (
    SELECT platform, system, lcu, percentile_cont(0.25) WITHIN GROUP (ORDER BY path_ms) AS usual_ms,
           percentile_cont(0.25) WITHIN GROUP (ORDER BY conn_ms) AS usual_conn_ms, sum(interval_s) AS span_s
    FROM timed
    GROUP BY platform, system, lcu
), cost AS (
    SELECT t.platform, t.system, t.lcu, max(u.usual_ms) AS usual_ms, max(u.usual_conn_ms) AS usual_conn_ms,
           sum(t.io_rate * t.path_ms) / sum(t.io_rate) AS path_ms,
           sum(t.io_rate * t.conn_ms) / sum(t.io_rate) AS conn_ms,
           sum(t.io_rate * t.response_ms) / sum(t.io_rate) AS response_ms,
           sum(t.io_rate * t.wait_ms) / sum(t.io_rate) AS wait_ms, sum(t.io_rate) AS rate_sum,
           max(t.io_rate * (coalesce(t.cmr_ms, 0) + t.conn_ms + t.disc_ms) / 1000) AS open_ios,
           sum(t.io_rate * greatest(t.path_ms - u.usual_ms, 0) * t.interval_s) / 1000 AS lost_s
    FROM timed t
    JOIN held h ON h.platform = t.platform AND h.system = t.system AND h.lcu = t.lcu
        AND h.interval_start = t.interval_start
    JOIN usual u ON u.platform = t.platform AND u.system = t.system AND u.lcu = t.lcu
    GROUP BY t.platform, t.system, t.lcu
), queue AS (
    SELECT v.platform, v.system, v.lcu, v.volume, sum(v.queue_length) AS queued,
           sum(CASE WHEN h.lcu IS NOT NULL THEN v.queue_length END) AS queued_then,
           sum(CASE WHEN h.lcu IS NOT NULL THEN v.queue_length * v.interval_s END) AS waited_s
    FROM volume_interval v
    LEFT JOIN held h ON h.platform = v.platform AND h.system = v.system AND h.lcu = v.lcu
        AND h.interval_start = v.interval_start
    GROUP BY v.platform, v.system, v.lcu, v.volume
), waiting AS (
    SELECT platform, system, lcu, string_agg(volume || ' on ' || system, '|') AS volumes, sum(waited_s) AS waited_s
    FROM queue
    WHERE queued > 0 AND queued_then >= 0.5 * queued
    GROUP BY platform, system, lcu
), home AS (
    SELECT p.platform, p.system, p.lcu, max(b.box) AS box, max(b.serial) AS serial, max(b.type) AS type
    FROM place p
    JOIN volume_box b ON b.platform = p.platform AND b.system = p.system AND b.volume = p.volume
    GROUP BY p.platform, p.system, p.lcu
), box_size AS (
    SELECT platform, system, box, count(DISTINCT lcu) AS lcus_in_box FROM home GROUP BY platform, system, box
), covered_span AS (
    SELECT platform, system, sum(interval_s) / count(DISTINCT channel_path) AS span_s
    FROM used
    GROUP BY platform, system
)
SELECT c.*, w.window_start_us, w.window_end_us, w.bad_intervals, w.runs, o.others_ratio, o.other_count, s.span_s,
       m.lcu, m.usual_ms, m.usual_conn_ms, m.path_ms, m.conn_ms, m.response_ms, m.wait_ms, m.rate_sum, m.open_ios,
       m.lost_s, q.volumes, q.waited_s, h.box, h.serial, h.type, z.lcus_in_box, k.system AS known
FROM channels c
JOIN worst w ON w.platform = c.platform AND w.system = c.system
JOIN covered_span s ON s.platform = c.platform AND s.system = c.system
LEFT JOIN others o ON o.platform = c.platform AND o.system = c.system
LEFT JOIN (SELECT DISTINCT platform, system FROM leads) k ON k.platform = c.platform AND k.system = c.system
LEFT JOIN cost m ON m.platform = c.platform AND m.system = c.system
LEFT JOIN waiting q ON q.platform = m.platform AND q.system = m.system AND q.lcu = m.lcu
LEFT JOIN home h ON h.platform = m.platform AND h.system = m.system AND h.lcu = m.lcu
LEFT JOIN box_size z ON z.platform = h.platform AND z.system = h.system AND z.box = h.box
ORDER BY c.platform, c.system, m.lost_s DESC, m.lcu
"""


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    kept = [r for r in rows if r["bad_intervals"] >= limits["intervals"]]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["system"])):
        members = list(group)
        slow = [m for m in members if m["lcu"] and m["path_ms"] >= limits["above_factor"] * m["usual_ms"]]
        yield _finding(members, slow)


def _finding(members: list[Row], slow: list[Row]) -> Finding:
    r = members[0]
    channels = sorted(r["channels"].split("|"))
    open_ios = sum(m["open_ios"] for m in members if m["lcu"])
    return Finding(
        code="channel_busy",
        severity="act" if slow else "watch",
        subject_kind="channel",
        subject=f"channels {', '.join(channels)} on {r['system']}",
        text=f"{_full(r, channels)}{_consequence(members, slow)}",
        advice=_advice(r, slow),
        numbers=(
            Number("channel busy, most", _percent(r["busy_ratio"]), "%"),
            Number("of it by this system, most", _percent(r["own_ratio"]), "%"),
            Number("channel bus busy, most", _percent(r["bus_ratio"]), "%"),
            Number("link used in its fuller direction, most", _percent(r["link_ratio"]), "%"),
            Number("other channels to disks then, mean", _percent(r["others_ratio"]), "%"),
            Number("bytes per operation", r["bytes_each"], "bytes"),
            Number("share of zHPF operations", _percent(r["zhpf_ratio"]), "%"),
            Number("I/Os open per channel, most", open_ios / r["channel_count"] if open_ios else None, "I/Os"),
            Number("pend of the worst LCU then, without device busy", r["path_ms"], "ms"),
            Number("pend of the worst LCU, usual", r["usual_ms"], "ms"),
            Number("connect of the worst LCU then", r["conn_ms"], "ms"),
            Number("connect of the worst LCU, usual", r["usual_conn_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, channel_path, busy_ratio, bus_busy_ratio, read_bytes_rate, write_bytes_rate, "
            f"operation_rate FROM channel_interval WHERE system = {literal(r['system'])} AND channel_path IN "
            f"({', '.join(literal(c) for c in channels)}) ORDER BY interval_start, channel_path"
        ),
        lost_s=sum(m["lost_s"] + (m["waited_s"] or 0.0) for m in slow) * 86400 / r["span_s"],
        confidence="high" if slow else "medium",
        effect=_effect(slow or members),
        covers=_covers(slow),
    )


def _full(r: Row, channels: list[str]) -> str:
    names = f"Channels {', '.join(channels)} of {r['system']} are" if len(channels) > 1 else (
        f"Channel {channels[0]} of {r['system']} is"
    )  # fmt: skip
    return f"{names} up to {100 * r['used_ratio']:.0f} % {_part(r)} ({period(r)})"


def _part(r: Row) -> str:
    """What of the channel is fullest: its processor, its bus or its link."""
    parts = {"busy": r["busy_ratio"], "busy on their bus": r["bus_ratio"], "full on their link": r["link_ratio"]}
    return max(parts, key=lambda name: parts[name] or 0.0)


def _consequence(members: list[Row], slow: list[Row]) -> str:
    if slow:
        worst = slow[0]
        return (
            f". Most I/Os of {_lcus(slow)} go that way, and on LCU {worst['lcu']} pend is {worst['path_ms']:.2f} ms, "
            f"usually {worst['usual_ms']:.2f} ms, and connect {worst['conn_ms']:.2f} ms, usually "
            f"{worst['usual_conn_ms']:.2f} ms"
        )
    tied = [m for m in members if m["lcu"]]
    if tied:
        return f". Most I/Os of {_lcus(tied)} go that way, but wait no longer than usual yet"
    if members[0]["known"]:
        return ". No LCU sends most of its I/Os through them"
    return ". Which volumes they lead to isn't recorded: collect type 78.3"


def _lcus(members: list[Row]) -> str:
    names = sorted({m["lcu"] for m in members})
    shown = ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    return f"LCU{'s' if len(names) > 1 else ''} {shown}"


def _advice(r: Row, slow: list[Row]) -> str:
    first = "Aliases will not help: more I/Os at once only queue for the channel. " if slow else ""
    room = r["others_ratio"] is not None and r["others_ratio"] <= 0.5 * r["used_ratio"]
    spread = f"give {_lcus(slow) if slow else 'what uses them'} paths over {_others(r)}" if room else (
        "add channels, as no other has room"
    )  # fmt: skip
    then = (
        "move the batch that fills them to another hour, or get faster channels" if _part(r) != "busy" else
        "have programs move more per I/O or use zHPF (a channel's processor pays per operation), or get faster channels"
    )  # fmt: skip
    return f"{first}{'First' if slow else 'Before it gets worse,'} {spread}; then {then}"


def _others(r: Row) -> str:
    which = (
        f"the {r['other_count']} other channels, which are" if r["other_count"] > 1 else "the other channel, which is"
    )
    return f"{which} {100 * r['others_ratio']:.0f} % full then"


def _effect(members: list[Row]) -> Effect | None:
    """Pend back at its usual value for sure; whether connect falls too depends on what the I/Os move."""
    known = [m for m in members if m["lcu"]]
    if not known:
        return None
    rate = sum(m["rate_sum"] for m in known)
    now, path, conn, wait = (
        sum(m["rate_sum"] * value for m, value in zip(known, values, strict=True)) / rate
        for values in (
            [m["response_ms"] for m in known],
            [max(m["path_ms"] - m["usual_ms"], 0.0) for m in known],
            [max(m["conn_ms"] - m["usual_conn_ms"], 0.0) for m in known],
            [m["wait_ms"] or 0.0 for m in known],
        )
    )
    low, high = max(now - path - conn - wait, 0.0), now - path
    basis = (
        "bounds: pend as usual; connect too, unless larger blocks make it longer; the wait in the host goes with them "
        "at best"
    )
    return Effect("response with room on the channels", "ms", now, (low + high) / 2, low, high, basis, False)


def _covers(slow: list[Row]) -> frozenset[tuple[str, str]]:
    """Volumes that wait in the host mostly then, and boxes that all of their I/Os reach through these channels."""
    volumes = {("pav_add_alias", name) for m in slow for name in (m["volumes"] or "").split("|") if name}
    reached = [m["box"] for m in slow]
    boxes = {("box_saturated", box_name(m)) for m in slow if m["box"] and reached.count(m["box"]) == m["lcus_in_box"]}
    return frozenset(volumes | boxes)


def _percent(ratio: float | None) -> float | None:
    return None if ratio is None else 100 * ratio


RULE = Rule(
    code="channel_busy",
    title="Channels are full: aliases will not help",
    finds="FICON channels to disks whose processor, bus or link is nearly full in their busiest intervals.",
    matters=(
        "An I/O waits for a channel before the box has even heard of it, and its data wait between other I/Os' data. "
        "An alias lets more I/Os out, which only queue for the same channel, past WLM priorities."
    ),
    evidence=(
        "Channel busy, bus busy and bytes of type 73 (a link of n Gb/s is taken to move n times 100 MB/s each way); "
        "which LCUs go through them from the paths taken in type 78.3; pend without device busy, and connect, of these "
        "LCUs against the lower quarter of their own intervals. I/Os open per channel = rate x (CMR + connect + "
        "disconnect) / channels."
    ),
    wrong_when=(
        "Other work with larger blocks runs at the same hours: its connect time is longer anyway, so pend decides. "
        "Paths of managed channels (DCM) are not named one by one. Which partitions fill a shared channel isn't told."
    ),
    do="Spread LCUs over more channels or the load over time, use zHPF for small I/Os, then think of faster channels.",
    sql=SQL,
    judge=_judge,
    topic="pav",
    parameters=("used_ratio", "taken_ratio", "io_rate"),
    thresholds={
        "used_ratio": Threshold(
            0.7, "ratio", "of the channel's processor, bus or link", "FICON; Hitachi USP-V, 2007",
            "Hitachi USP-V practice keeps channel processors (CHP) of the box below 70 %; taken over to the host's "
            "channels by our choice",
        ),
        "taken_ratio": Threshold(0.5, "ratio", "of the LCU's I/Os that take such a channel", "FICON", "our choice"),
        "above_factor": Threshold(
            1.5, "", "times the usual pend: from here on the channel is the cause", "FICON",
            "IntelliMagic: pend above its own baseline means contention on the way; the amount is our choice",
        ),
        "io_rate": Threshold(10.0, "per s", "rate of the LCU below which its times scatter", "any", "our choice"),
        "intervals": Threshold(2.0, "", "intervals at least", "any", "our choice"),
    },
)  # fmt: skip
