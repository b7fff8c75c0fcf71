"""A path went offline, or its share of the I/Os is far from an even one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Finding, Known, Number, percent
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed, plural, share
from iosq.toolkit.sql.raw import literal

_HEADS = {
    "offline": "went offline",
    "low": "takes hardly any I/Os",
    "high": "takes far more than its share of the I/Os",
}
_ADVICE = {
    "offline": "Find out who took it offline, then bring it back: the other paths carry its I/Os",
    "low": "Display the path (D M=DEV) and check its link: the other paths carry its I/Os",
    "high": "Check why the other paths take less: state, links and their command response time",
}


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, members in groupby(kept, key=lambda r: (r["platform"], r["system"], r["channel_path"], r["state"])):
        yield _finding(list(members))


def _finding(members: list[Row]) -> Finding:
    r, names = members[0], [m["lcu"] for m in members]
    return Finding(
        severity="watch",
        subject=Subject("channel", (r["channel_path"],), (r["system"],)),
        text=f"Channel path {r['channel_path']} of {r['system']} {_state(r)}. {_detail(r, names)}",
        advice=f"{_ADVICE[r['state']]}. Aliases do not help",
        numbers=(
            percent("I/Os on the path", r["share_ratio"]),
            percent("an even share", r["even_ratio"]),
            Number("paths online, fewest", r["paths"]),
        ),
        sql=(
            "SELECT interval_start, channel_path, online, taken_rate FROM lcu_path_interval WHERE system = "
            f"{literal(r['system'])} AND lcu = {literal(r['lcu'])} ORDER BY interval_start, channel_path"
        ),
        when=episode(r),
        lost_s=0.0,
        about=frozenset(lcus([name], r["system"]) for name in names),
    )


def _state(r: Row) -> str:
    return f"{_HEADS[r['state']]} ({period(r)})"


def _detail(r: Row, names: list[str]) -> str:
    where = f"LCU{'s' if len(names) > 1 else ''} {listed(names)}"
    if r["state"] == "offline":
        return f"{where} {'have' if len(names) > 1 else 'has'} {plural(r['paths'], 'path')} left"
    taken = share(r["share_ratio"]) if r["share_ratio"] else "none"
    return f"It takes {taken} of the I/Os to {where}; an even share is {share(r['even_ratio'])}"
