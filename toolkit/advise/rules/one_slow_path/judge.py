"""One path of a control unit answers far later than its fastest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Finding, Known, Number, percent
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.raw import literal

_LEAST_MS = 0.01  # as printed


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, members in groupby(kept, key=lambda r: (r["platform"], r["system"], r["channel_path"])):
        yield _finding(list(members))


def _finding(members: list[Row]) -> Finding:
    r = members[0]
    fastest = f"{r['fastest_ms']:.2f} ms" if r["fastest_ms"] >= _LEAST_MS / 2 else f"less than {_LEAST_MS} ms"
    subject = lcus(sorted(m["lcu"] for m in members), r["system"])
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"Channel path {r['channel_path']} of {r['system']} is slow ({period(r)}). LCU {r['lcu']} answers on it "
            f"after {r['cmr_ms']:.2f} ms, on its fastest path after {fastest}; "
            f"{share(r['share_ratio'])} of the I/Os take it{_others(members)}"
        ),
        advice=_advice(r),
        numbers=(
            Number("command response time on the path", r["cmr_ms"], "ms"),
            Number("command response time on the fastest path", r["fastest_ms"], "ms"),
            percent("I/Os on the path", r["share_ratio"]),
            Number("paths", r["paths"]),
            Number("errors of the channel's director port", r["error_count"]),
        ),
        sql=(
            "SELECT interval_start, channel_path, taken_rate, cmr_ms FROM lcu_path_interval WHERE system = "
            f"{literal(r['system'])} AND lcu = {literal(r['lcu'])} ORDER BY interval_start, channel_path"
        ),
        when=episode(r),
        lost_s=sum(m["lost_s"] for m in members),
    )


def _others(members: list[Row]) -> str:
    return f". It is as slow for {plural(len(members) - 1, 'other LCU')}" if len(members) > 1 else ""


def _advice(r: Row) -> str:
    port = f"port {r['port']} of director {r['director']}, then " if r["port"] else ""
    return (
        f"Aliases do not help. First look at {port}the cable, optics and host adapter of channel path "
        f"{r['channel_path']}. Until it is repaired, take the path offline if the others have room"
    )
