"""Channels are full: what waits for them waits whatever the aliases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, percent
from iosq.toolkit.advise.subject import Subject, box, lcus, listed, waits
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import ZVM_CHANNELS, by_platform
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["system"])):
        members = list(group)
        known_paths = [m for m in members if m["lcu"] and m["path_ms"] is not None]
        slow = [m for m in known_paths if m["path_ms"] >= limits["above_factor"] * m["usual_ms"]]
        yield _finding(members, slow, _others_fill(members[0], limits), _together(members[0], kept))


def _others_fill(r: Row, limits: Mapping[str, float]) -> bool:
    """Whether the work on the channels is mostly that of other partitions."""
    return r["own_ratio"] is not None and r["own_ratio"] < limits["own_ratio"]


def _together(r: Row, rows: list[Row]) -> dict[str, float]:
    """The share of each system read that has full channels of these names then; their sum is at most too high."""
    names = set(r["channels"].split("|"))
    return {
        m["system"]: m["own_ratio"]
        for m in rows
        if m["own_ratio"] is not None
        and names & set(m["channels"].split("|"))
        and m["window_start"] < r["window_end"]
        and m["window_end"] > r["window_start"]
    }


def _finding(members: list[Row], slow: list[Row], is_foreign: bool, together: dict[str, float]) -> Finding:
    r = members[0]
    channels = sorted(r["channels"].split("|"))
    open_ios = [m["open_ios"] for m in members if m["lcu"]]
    is_open_known = open_ios and None not in open_ios
    return Finding(
        severity="act" if slow else "watch",
        subject=Subject("channel", tuple(channels), (r["system"],)),
        text=f"{_full(r, channels)}{_foreign(r, together) if is_foreign else ''}{_consequence(members, slow)}",
        advice=f"{_part_them(r, slow) if is_foreign else _advice(r, slow)}{_if_not(r, slow)}",
        numbers=(
            percent("channel busy, most", r["busy_ratio"]),
            percent("of it by this system, most", r["partition_busy_ratio"]),
            percent("share of this system in what fills them, worst run", r["own_ratio"]),
            Number("bytes on one of them, all partitions", r["bytes_rate"], "bytes/s"),
            Number("bytes on one of them, this system", r["own_bytes_rate"], "bytes/s"),
            percent("channel bus busy, most", r["bus_busy_ratio"]),
            percent("link used in its fuller direction, most", r["link_ratio"]),
            percent("other channels to disks then, mean", r["others_ratio"]),
            Number("bytes per operation", r["bytes_per_operation"], "bytes"),
            percent("share of zHPF operations", r["zhpf_ratio"]),
            Number(
                "I/Os open per channel, most", sum(open_ios) / r["channel_count"] if is_open_known else None, "I/Os"
            ),
            Number("pend of the worst LCU then, without device busy", r["path_ms"], "ms"),
            Number("pend of the worst LCU, usual", r["usual_ms"], "ms"),
            Number("connect of the worst LCU then", r["conn_ms"], "ms"),
            Number("connect of the worst LCU, usual", r["usual_conn_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, channel_path, busy_ratio, bus_busy_ratio, read_bytes_rate, write_bytes_rate, "
            f"operation_rate FROM channel_interval WHERE system = {literal(r['system'])} AND channel_path IN "
            f"({', '.join(literal(c) for c in channels)}) ORDER BY read_bytes_rate + write_bytes_rate DESC"
        ),
        when=episode(r),
        lost_s=sum(m["lost_s"] + (m["waited_s"] or 0.0) for m in slow),
        confidence="high" if slow and r["is_lcu_known"] else "medium",
        effect=_effect(slow or members),
        covers=_covers(slow),
        about=frozenset(lcus([m["lcu"]], m["system"]) for m in slow),
    )


def _full(r: Row, channels: list[str]) -> str:
    names = f"Channels {', '.join(channels)} of {r['system']} are" if len(channels) > 1 else (
        f"Channel {channels[0]} of {r['system']} is"
    )  # fmt: skip
    return f"{names} up to {share(r['used_ratio'])} {_part(r)} ({period(r)})"


def _foreign(r: Row, together: dict[str, float]) -> str:
    """Whose work it is, where it isn't this system's."""
    told = f". Other partitions fill {'them' if r['channel_count'] > 1 else 'it'}: {r['system']} has "
    told += f"{share(r['own_ratio'])} of that use"
    if len(together) == 1:
        return told
    whole = min(sum(together.values()), 1.0)
    return f"{told}, and the {len(together)} systems read ({', '.join(sorted(together))}) together {share(whole)}"


def _part_them(r: Row, slow: list[Row]) -> str:
    """Nothing this system does empties channels that others fill."""
    first = "Aliases will not help: more I/Os at once only queue for the channel. " if slow else ""
    which = "them" if r["channel_count"] > 1 else "it"
    tells = by_platform(r["platform"], "type 73", ZVM_CHANNELS)
    return (
        f"{first}{_start(r, slow)} find the partition that fills {which}, and the job: {tells} of every partition of "
        f"the machine tells, those not read here too; nothing that {r['system']} does empties {which}. Then move that "
        f"work to another hour or to channels of its own, and keep these for {_lcus(slow) if slow else r['system']}"
    )


def _part(r: Row) -> str:
    """What of the channel is fullest: its processor, its bus or its link."""
    parts = {"busy": r["busy_ratio"], "busy on their bus": r["bus_busy_ratio"], "full on their link": r["link_ratio"]}
    return max(parts, key=lambda name: parts[name] or 0.0)


def _start(r: Row, slow: list[Row]) -> str:
    """What comes first: where no record tells that the channels are the cause, to see whether they can be."""
    if not slow:
        return "Before it gets worse,"
    if r["is_lcu_known"]:
        return "First"
    tells = by_platform(r["platform"], " (type 78.3 tells)")
    return f"First see whether {_lcus(slow)} {'is' if len(slow) == 1 else 'are'} reached over them{tells}. If so,"


def _if_not(r: Row, slow: list[Row]) -> str:
    known = not slow or r["is_lcu_known"]
    return "" if known else ". If not, look at the box's host adapter, the director or its links"


def _consequence(members: list[Row], slow: list[Row]) -> str:
    if slow and not members[0]["is_lcu_known"]:
        return _likely(slow)
    if slow:
        worst = slow[0]
        return (
            f". Most I/Os of {_lcus(slow)} go that way, and on LCU {worst['lcu']} pend is {worst['path_ms']:.2f} ms, "
            f"usually {worst['usual_ms']:.2f} ms{_connect(worst)}"
        )
    tied = [m for m in members if m["lcu"]]
    if tied:
        wait = "but wait no longer than usual yet"
        if any(m["path_ms"] is None for m in tied):
            wait = "how long they wait is unknown"
        return f". Most I/Os of {_lcus(tied)} go that way, {wait}"
    if members[0]["is_lcu_known"]:
        return ". No LCU sends most of its I/Os through them"
    cure = by_platform(members[0]["platform"], ": collect type 78.3")
    return f". Which volumes they lead to isn't recorded{cure}"


def _connect(r: Row) -> str:
    known = r["conn_ms"] is not None and r["usual_conn_ms"] is not None
    return f", and connect {r['conn_ms']:.2f} ms, usually {r['usual_conn_ms']:.2f} ms" if known else ""


def _likely(slow: list[Row]) -> str:
    """The paths that are slow just then, as full channels make them."""
    worst = slow[0]
    return (
        f". Just then the path to {_lcus(slow)} is slow, as full channels make it: on LCU {worst['lcu']} pend is "
        f"{worst['path_ms']:.2f} ms, usually {worst['usual_ms']:.2f} ms. Over which channels LCUs are reached isn't "
        "recorded"
    )


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
    return f"{first}{_start(r, slow)} {spread}; then {then}"


def _others(r: Row) -> str:
    which = (
        f"the {r['other_count']} other channels, which are" if r["other_count"] > 1 else "the other channel, which is"
    )
    return f"{which} {share(r['others_ratio'])} full then"


def _effect(members: list[Row]) -> Effect | None:
    """Pend back at its usual value for sure; whether connect falls too depends on what the I/Os move."""
    times = ("response_ms", "path_ms", "usual_ms", "conn_ms", "usual_conn_ms")
    known = [m for m in members if m["lcu"] and all(m[name] is not None for name in times)]
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
    low, high = max(now - path - conn - wait, 0.0), max(now - path, 0.0)
    basis = (
        "bounds: pend as usual; connect too, unless larger blocks make it longer; the wait in the host goes with them "
        "at best"
    )
    return Effect("response with room on the channels", "ms", now, (low + high) / 2, low, high, basis, False)


def _covers(slow: list[Row]) -> frozenset[tuple[str, Subject]]:
    """Slow paths, volumes that wait in the host mostly then, boxes all of whose I/Os go through these channels."""
    paths = {("slow_path", lcus([m["lcu"]], m["system"])) for m in slow if m["is_path_explained"]}
    if not all(m["is_lcu_known"] for m in slow):
        return frozenset(paths)
    volumes = [(name, m["system"]) for m in slow for name in listed(m["waiting"])]
    reached = [m["box"] for m in slow]
    boxes = {("box_saturated", box(m)) for m in slow if m["box"] and reached.count(m["box"]) == m["lcus_in_box"]}
    return waits(volumes) | boxes | paths
