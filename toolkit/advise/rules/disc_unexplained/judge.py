"""Disconnect rises, and no other rule says why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs, percent
from iosq.toolkit.advise.rules.disc_unexplained.cause import Cause, cause
from iosq.toolkit.advise.subject import lcu_or_storage, volumes
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

MOST = 0.5  # of the disconnect time: our choice


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    kept = [r for r in rows if lasts(r, limits)]
    for _, group in groupby(kept, key=lambda r: (r["platform"], r["lcu"] or r["system"], r["volume"] == "")):
        yield _finding(list(group))


def _finding(members: list[Row]) -> Finding:
    """About an LCU, or volumes of it, by the system or volume that loses most there, which comes first."""
    r, seen, why = members[0], sorted({m["system"] for m in members}), cause(members[0])
    return Finding(
        severity="watch",
        subject=volumes((m["volume"] for m in members), seen) if r["volume"] else lcu_or_storage(r, seen),
        text=_text(r, _who(members), ", ".join(seen), why),
        advice=f"{why.advice}. Aliases don't shorten disconnect",
        numbers=(
            Number("disconnect, these intervals", r["disc_ms"], "ms"),
            Number("disconnect, worst interval", r["peak_disc_ms"], "ms"),
            Number("disconnect, best intervals", r["usual_ms"], "ms"),
            Number(f"of it in {'known parts' if r['volume'] else 'other findings'}", r["elsewhere_ms"] or None, "ms"),
            *(_parts(r) if why.is_parted else ()),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("I/O rate, these intervals", r["io_rate"], "per s"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r, why),
        when=episode(r),
        lost_s=sum(m["lost_s"] for m in members),
        confidence="medium",
        effect=_effect(r, why),
    )


def _parts(r: Row) -> tuple[Number, ...]:
    """What is known of the time above the usual one."""
    return (
        Number("read misses in what is above", r["miss_ms"], "ms"),
        Number("delayed writes in what is above", r["nvs_ms"], "ms"),
        Number("second box in what is above", r["copy_ms"], "ms"),
        percent("read hits, these intervals", r["hit_ratio"]),
        percent("read hits, all other intervals", r["usual_hit_ratio"]),
    )


def _shown(r: Row, why: Cause) -> str:
    if why.is_parted:
        return (
            "SELECT interval_start, volume, io_rate, disc_ms, miss_ms, nvs_ms, replication_ms, unexplained_ms FROM "
            "disconnect_interval WHERE volser IN (SELECT volser FROM volume_interval WHERE system = "
            f"{literal(r['system'])} AND coalesce(lcu, '') = {literal(r['lcu'])}) ORDER BY io_rate * disc_ms DESC"
        )
    if not r["lcu"]:
        return (
            "SELECT interval_start, volume, io_rate, disc_ms, response_ms FROM volume_interval "
            f"WHERE system = {literal(r['system'])} AND lcu IS NULL ORDER BY io_rate * disc_ms DESC"
        )
    return (
        "SELECT system, interval_start, io_rate, disc_ms, response_ms FROM lcu_interval "
        f"WHERE lcu = {literal(r['lcu'])} ORDER BY disc_ms DESC"
    )


def _who(members: list[Row]) -> str:
    names = sorted({m["volume"] for m in members if m["volume"]})
    if not names:
        return f"LCU {members[0]['lcu']}"
    if len(names) == 1:
        return f"volume {names[0]} alone in LCU {members[0]['lcu']}"
    return f"{len(names)} volumes of LCU {members[0]['lcu']}, {members[0]['volume']} first,"


def _text(r: Row, who: str, systems: str, why: Cause) -> str:
    how, usual = (
        ("is long", "on the quicker volumes of the LCU") if r["is_chronic"] else ("rose", "in its best intervals")
    )
    where = f"{who} {how} on {systems}" if r["lcu"] else f"the storage of {systems} {how}"
    return (
        f"Disconnect of {where} ({period(r)}): {r['disc_ms']:.2f} ms per I/O, {usual} "
        f"{r['usual_ms']:.2f} ms, at {human_number(r['io_rate'])} I/Os per s of {r['system']}{_most(r)}. {why.text}"
    )


def _most(r: Row) -> str:
    """The volume with most of it, where no LCU narrows the place down."""
    most = r["most_share_ratio"] or 0.0
    return "" if r["lcu"] or most < MOST else f", {share(most)} of it on volume {r['most_volume']}"


@needs("response_ms")
def _effect(r: Row, why: Cause) -> Effect:
    now = r["response_ms"]
    left = max(now - (r["disc_ms"] - r["elsewhere_ms"] - r["usual_ms"]), 0.0)
    of = f"of {r['volume']}" if r["volume"] else "of the LCU" if r["lcu"] else f"of the volumes of {r['system']}"
    basis = f"bounds: disconnect back at its usual value, or as it is; {why.settles} would tell what can be had of it"
    return Effect(f"response {of}", "ms", now, (left + now) / 2, left, now, basis, False)
