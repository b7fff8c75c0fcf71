"""Pend rises, and neither command response time nor device busy nor a full channel says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs
from iosq.toolkit.advise.subject import lcus, volumes
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.raw import literal

# of what is above the usual: a part as large is the cause
HALF = 0.5
# more volumes than these are counted
NAMED = 4


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`: for an LCU, or for those of its volumes that are alone with it."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["system"], r["lcu"], r["volume"] == "")):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    r = members[0]
    names = [m["volume"] for m in members if m["volume"]]
    return Finding(
        severity="act",
        subject=volumes(names, [r["system"]]) if names else lcus([r["lcu"]], r["system"]),
        text=_text(r, names),
        advice=_advice(r, bool(names)),
        numbers=(
            Number("pend without command response and device busy, these intervals", r["rest_ms"], "ms"),
            Number("the same, worst interval", r["peak_ms"], "ms"),
            Number("the same, best intervals", r["usual_ms"], "ms"),
            Number("command response time then", r["cmr_ms"], "ms"),
            Number("control unit queuing then", r["cu_queue_ms"], "ms"),
            Number("control unit queuing, best intervals", r["usual_cu_queue_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("I/O rate, these intervals", r["io_rate"], "per s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, volume, io_rate, pend_ms, cmr_ms, device_busy_ms, cu_queue_ms, response_ms FROM "
            f"volume_interval WHERE system = {literal(r['system'])} AND lcu = {literal(r['lcu'])} "
            "ORDER BY io_rate * pend_ms DESC"
        ),
        when=episode(r),
        lost_s=sum(m["lost_s"] for m in members),
        confidence="medium",
        effect=_effect(r, bool(names)),
    )


def _is_queuing(r: Row) -> bool:
    """Whether I/Os queue at the control unit for as long as half of what is above the usual."""
    rise = (r["cu_queue_ms"] or 0.0) - (r["usual_cu_queue_ms"] or 0.0)
    return bool(rise >= HALF * (r["rest_ms"] - r["usual_ms"]))


def _text(r: Row, names: list[str]) -> str:
    told = "" if r["cu_queue_ms"] is None else " nor control unit queuing"
    part = (
        f"control unit queuing (SMF74CUQ) rises with it, to {r['cu_queue_ms']:.2f} ms"
        if _is_queuing(r)
        else f"neither command response nor device busy{told} explains it"
    )
    usual = f"{r['rest_ms']:.2f} ms of pend before the command's answer in place of {r['usual_ms']:.2f} ms"
    return f"I/Os to {_who(r, names)} start late on {r['system']} ({period(r)}): {usual}; {part}"


def _who(r: Row, names: list[str]) -> str:
    if not names:
        return f"LCU {r['lcu']}"
    several = f"{len(names)} volumes of LCU {r['lcu']}, {r['volume']} first," if len(names) > NAMED else listed(names)
    return several if len(names) > NAMED else f"volume{'s' if len(names) > 1 else ''} {several} alone in LCU {r['lcu']}"


def _advice(r: Row, is_alone: bool) -> str:
    if _is_queuing(r):
        return (
            "Aliases will not help: they lengthen the queue in the control unit. First see what fills it and its host "
            "adapters then, other systems and remote copy with them, and move that work or spread it"
        )
    if is_alone:
        return (
            "Aliases will not help: their I/Os start as late. First look at what other systems do with "
            "the same data then, and at copies or utilities that lock its extents: the way to the LCU is as ever"
        )
    channels = (
        "" if r["are_channels_told"] else ". Full channels would do the same: ingest types 73 and 78.3 of the same time"
    )
    return (
        "Aliases will not help: their I/Os start as late. First look at channels, director ports and links on the way, "
        f"and compare with a good day{channels}"
    )


@needs("response_ms")
def _effect(r: Row, of_volumes: bool) -> Effect:
    now = r["response_ms"]
    left = max(now - (r["rest_ms"] - r["usual_ms"]), 0.0)
    low = max(left - (r["wait_ms"] or 0.0), 0.0)
    basis = "pend back at its usual value; the wait in the host shrinks with it, and is gone at best"
    return Effect(
        f"response with pend as usual{' of the worst' if of_volumes else ''}", "ms", now, left, low, left, basis
    )
