"""The way to a control unit has become slow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs
from iosq.toolkit.advise.subject import lcu_or_storage, lcus, listed, waits
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.show.records import ZVM_CHANNELS, by_platform
from iosq.toolkit.sql.raw import literal

# light in fibre takes 5 microseconds a kilometre, and the answer as long again
MS_PER_KM = 0.01
# what tells whether full channels are the cause
CHANNELS = {"are_channels_told": "73", "are_paths_told": "78.3"}


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["lcu"] or r["system"])):
        yield _finding(list(group), limits)


def _finding(members: list[Row], limits: Mapping[str, float]) -> Finding:
    r = members[0]
    is_busy = (r["cu_busy_ratio"] or 0.0) >= limits["cu_busy_ratio"]
    seen = sorted(m["system"] for m in members)
    rises = any(m["is_rise"] for m in members)
    volumes = [(name, m["system"]) for m in members for name in listed(m["waiting"])]
    return Finding(
        severity="act" if rises else "watch",
        subject=lcu_or_storage(r, seen),
        text=f"{_text(r, ', '.join(seen), rises)}{_path(r)}{_busy(r) if is_busy else ''}{_port(r)}",
        advice=f"{_advice(members, seen, rises, is_busy)}{_untold(members)}",
        numbers=(
            Number(f"{_measure_of(r)}, these intervals", r["cmr_ms"], "ms"),
            Number(f"{_measure_of(r)}, worst interval", r["peak_cmr_ms"], "ms"),
            Number(f"{_measure_of(r)}, best intervals" if rises else "the same, other LCUs", r["usual_ms"], "ms"),
            Number("command response time, other LCUs then", r["others_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("command response time on the slowest path", r["path_cmr_ms"], "ms"),
            Number("command response time on the other paths", r["other_paths_ms"], "ms"),
            Number("starts that met a busy control unit", 100 * r["cu_busy_ratio"] if is_busy else None, "%"),
            Number("control unit busy delay, mean of all starts", r["cu_busy_delay_ms"] if is_busy else None, "ms"),
            Number("wait of a frame at the worst port then", r["frame_pacing_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r),
        when=episode(r),
        lost_s=sum(m["lost_s"] for m in members),
        confidence=_confidence(members, rises),
        effect=_effect(r),
        covers=waits(volumes)
        | {("one_slow_path", lcus([m["lcu"]], m["system"])) for m in members if m["channel_path"]},
    )


def _measure_of(r: Row) -> str:
    return "pend without device busy" if r["is_pend"] else "command response time"


def _shown(r: Row) -> str:
    if r["is_pend"]:
        return (
            "SELECT interval_start, volume, io_rate, pend_ms, response_ms FROM volume_interval WHERE system = "
            f"{literal(r['system'])} AND coalesce(lcu, '') = {literal(r['lcu'])} ORDER BY io_rate * pend_ms DESC"
        )
    return (
        "SELECT system, interval_start, io_rate, cmr_ms, pend_ms, response_ms FROM lcu_interval "
        f"WHERE lcu = {literal(r['lcu'])} ORDER BY cmr_ms DESC"
    )


def _text(r: Row, systems: str, rises: bool) -> str:
    if r["is_pend"]:
        where = f"LCU {r['lcu']}" if r["lcu"] else "the storage"
        return (
            f"The path to {where} is slow on {systems} ({period(r)}): I/Os of {plural(r['volumes'], 'volume')} "
            f"pend for {r['cmr_ms']:.2f} ms, at best for {r['usual_ms']:.2f} ms, most of the volumes alike"
        )
    late = f"the control unit answers after {r['cmr_ms']:.2f} ms (CMR)"
    if rises:
        return (
            f"The path to LCU {r['lcu']} is slow on {systems} ({period(r)}): {late}, at its best {r['usual_ms']:.2f} ms"
        )
    return (
        f"The path to LCU {r['lcu']} is slow on {systems} at all hours read, worst {period(r)}: {late}, other LCUs "
        f"after {r['usual_ms']:.2f} ms"
    )


def _path(r: Row) -> str:
    """The one path that makes the mean long, where the records by path tell one."""
    if not r["channel_path"]:
        return ""
    others = f"its {r['other_paths']} others" if r["other_paths"] > 1 else "its other path"
    return (
        f"; the delay is on channel path {r['channel_path']} of {r['system']}, where it answers after "
        f"{r['path_cmr_ms']:.2f} ms, and after {r['other_paths_ms']:.2f} ms on {others}"
    )


def _busy(r: Row) -> str:
    delay = r["cu_busy_delay_ms"]
    told = f", which delays a start by {delay:.2f} ms on average" if delay else ""
    return f"; {share(r['cu_busy_ratio'])} of the starts meet a busy control unit{told}"


def _port(r: Row) -> str:
    """The port that delays frames then, where the director's records tell one."""
    if not r["port"]:
        return ""
    name = _port_name(r)
    waits_ms = f"; frames waited {r['frame_pacing_ms']:.2f} ms for a buffer at {name}" if r["frame_pacing_ms"] else ""
    counted = plural(int(r["error_count"] or 0), "error")
    errors = f"{' with' if waits_ms else f'; {name} had'} {counted}" if r["error_count"] else ""
    return f"{waits_ms}{errors}"


def _port_name(r: Row) -> str:
    return f"port {r['port']} of director {r['director']}"


def _advice(members: list[Row], seen: list[str], rises: bool, is_busy: bool) -> str:
    r = members[0]
    if r["channel_path"]:
        return _repair(r)
    if is_busy:
        return _relieve(r)
    return _look(members, seen) if rises else _measure(r)


def _repair(r: Row) -> str:
    """One path is ill: what is on it alone."""
    port = f"{_port_name(r)}, then at " if r["port"] else ""
    return (
        f"Aliases will not help. First look at {port}the optics and cables between channel {r['channel_path']} and the "
        f"box, with the error counts of its ports. Until it is repaired, take channel path {r['channel_path']} of "
        f"{r['system']} offline to this control unit, if the other paths, which answer as they should, have room for "
        "its I/Os"
    )


def _relieve(r: Row) -> str:
    """The control unit refuses starts: what it shares out is used up."""
    port = f"; {_port_name(r)} may be one of its ways in" if r["port"] else ""
    return (
        "Aliases will not help: they lengthen the queue in the control unit. First see what fills its host adapters "
        f"then, other systems and remote copy with them{by_platform(r['platform'], ' (ingest type 74.8)')}, and move "
        f"that work or spread it over more adapters; then compare with a good day{port}"
    )


def _measure(r: Row) -> str:
    """Slow at all hours: it may be far."""
    km = (r["cmr_ms"] - r["usual_ms"]) / MS_PER_KM
    return (
        f"Aliases will not help. First see how far away the box is: {km:.0f} km of fibre would take as long there "
        "and back, and nothing makes that shorter. If it is near, read a longer span, and look at its host "
        "adapters, ports and links"
    )


def _look(members: list[Row], seen: list[str]) -> str:
    r = members[0]
    where = (
        "the box's host adapter, the director or its links: several systems see it"
        if len(members) > 1
        else f"the channels and links of {', '.join(seen)}, if other systems reach this control unit as fast as ever"
    )
    first = f"{_port_name(r)}, then at {where}" if r["port"] else where
    return f"Aliases will not help. First look at {first}; compare link error counts and port use with a good day"


def _untold(members: list[Row]) -> str:
    """Which records would tell whether full channels are the cause, of those that are missing."""
    if members[0]["is_pend"]:
        return _unread(members)
    missing = [record for name, record in CHANNELS.items() if not all(m[name] for m in members)]
    if not missing:
        return ""
    types = f"type{'s' if len(missing) > 1 else ''} {' and '.join(missing)}"
    return by_platform(
        members[0]["platform"], f". Full channels would do the same: ingest {types} of the same time to rule them out"
    )


def _unread(members: list[Row]) -> str:
    """The same where pend stands for command response time: which part of it is long isn't told either."""
    r = members[0]
    if all(m["are_channels_told"] for m in members):
        return ""
    tells = by_platform(r["platform"], "type 73", ZVM_CHANNELS)
    return f". Full channels would do the same: ingest {tells} of the same time to rule them out"


def _confidence(members: list[Row], rises: bool) -> str:
    if not rises:
        return "low"
    is_alone = all(m[name] for m in members for name in CHANNELS)
    return "high" if is_alone and members[0]["others_ms"] is not None else "medium"


@needs("response_ms")
def _effect(r: Row) -> Effect:
    left = max(r["response_ms"] - (r["cmr_ms"] - r["usual_ms"]), 0.0)
    low = max(left - (r["wait_ms"] or 0.0), 0.0)
    what = "pend" if r["is_pend"] else "command response time"
    basis = f"{what} back at its usual value; the wait in the host shrinks with it, and is gone at best"
    return Effect("response with the path as usual", "ms", r["response_ms"], left, low, left, basis)
