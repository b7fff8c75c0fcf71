"""The way to a control unit has become slow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number
from iosq.toolkit.advise.subject import lcus, listed, waits
from iosq.toolkit.advise.window import a_day, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal

# light in fibre takes 5 microseconds a kilometre, and the answer as long again
MS_PER_KM = 0.01


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits["minutes"])]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["lcu"])):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    r = members[0]
    seen = sorted(m["system"] for m in members)
    rises = any(m["is_rise"] for m in members)
    volumes = [(name, m["system"]) for m in members for name in listed(m["waiting"])]
    return Finding(
        severity="act" if rises else "watch",
        subject=lcus([r["lcu"]], *seen),
        text=f"{_text(r, ', '.join(seen), rises)}{_port(r)}",
        advice=_advice(members, seen, rises),
        numbers=(
            Number("command response time, these intervals", r["cmr_ms"], "ms"),
            Number("command response time, worst interval", r["peak_cmr_ms"], "ms"),
            Number("command response time, best intervals" if rises else "the same, other LCUs", r["usual_ms"], "ms"),
            Number("command response time, other LCUs then", r["others_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("wait of a frame at the worst port then", r["frame_pacing_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT system, interval_start, io_rate, cmr_ms, pend_ms, response_ms FROM lcu_interval "
            f"WHERE lcu = {literal(r['lcu'])} ORDER BY system, interval_start"
        ),
        lost_s=sum(a_day(m["lost_s"], m["span_s"]) for m in members),
        confidence=_confidence(r, rises),
        effect=_effect(r),
        covers=waits(volumes),
    )


def _text(r: Row, systems: str, rises: bool) -> str:
    late = f"the control unit answers after {r['cmr_ms']:.2f} ms (CMR)"
    if rises:
        return (
            f"The path to LCU {r['lcu']} is slow on {systems} ({period(r)}): {late}, at its best {r['usual_ms']:.2f} ms"
        )
    return (
        f"The path to LCU {r['lcu']} is slow on {systems} at all hours read, worst {period(r)}: {late}, other LCUs "
        f"after {r['usual_ms']:.2f} ms"
    )


def _port(r: Row) -> str:
    """The port that delays frames then, where the director's records tell one."""
    if not r["port"]:
        return ""
    name = f"port {r['port']} of director {r['director']}"
    waits_ms = f"; frames waited {r['frame_pacing_ms']:.2f} ms for a buffer at {name}" if r["frame_pacing_ms"] else ""
    errors = f"{' with' if waits_ms else f'; {name} had'} {r['error_count']:.0f} errors" if r["error_count"] else ""
    return f"{waits_ms}{errors}"


def _advice(members: list[Row], seen: list[str], rises: bool) -> str:
    r, systems = members[0], ", ".join(seen)
    if not rises:
        km = (r["cmr_ms"] - r["usual_ms"]) / MS_PER_KM
        return (
            f"Aliases will not help. First see how far away the box is: {km:.0f} km of fibre would take as long there "
            "and back, and nothing makes that shorter. If it is near, read a longer span, and look at its host "
            "adapters, ports and links"
        )
    where = (
        "the box's host adapter, the director or its links: several systems see it"
        if len(members) > 1
        else f"the channels and links of {systems}, if other systems reach this control unit as fast as ever"
    )
    first = f"port {r['port']} of director {r['director']}, then at {where}" if r["port"] else where
    return f"Aliases will not help. First look at {first}; compare link error counts and port use with a good day"


def _confidence(r: Row, rises: bool) -> str:
    if not rises:
        return "low"
    return "high" if r["others_ms"] is not None else "medium"


def _effect(r: Row) -> Effect:
    left = r["response_ms"] - (r["cmr_ms"] - r["usual_ms"])
    low = max(left - (r["wait_ms"] or 0.0), 0.0)
    basis = "command response time back at its usual value; the wait in the host shrinks with it, and is gone at best"
    return Effect("response with the path as usual", "ms", r["response_ms"], left, low, left, basis)
