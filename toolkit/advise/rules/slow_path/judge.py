"""The way to a control unit has become slow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, Row
from iosq.toolkit.advise.subject import lcus, listed, waits
from iosq.toolkit.advise.window import a_day, period
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
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
    volumes = [(name, m["system"]) for m in members for name in listed(m["waiting"])]
    return Finding(
        severity="act",
        subject=lcus([r["lcu"]], *seen),
        text=(
            f"The path to LCU {r['lcu']} is slow on {systems} ({period(r)}): the control unit answers after "
            f"{r['cmr_ms']:.2f} ms (CMR), usually {r['usual_ms']:.2f} ms"
        ),
        advice=f"Aliases will not help. First look at {where}; compare link error counts and port use with a good day",
        numbers=(
            Number("command response time, these intervals", r["cmr_ms"], "ms"),
            Number("command response time, worst interval", r["peak_cmr_ms"], "ms"),
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
