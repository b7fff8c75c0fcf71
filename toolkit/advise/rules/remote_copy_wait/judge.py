"""Writes wait for the second box of a mirror."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Effect, Finding, Known, Number, needs, percent
from iosq.toolkit.advise.subject import box, listed
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.raw import literal

NAMED = 6


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r) for r in rows if lasts(r, limits) and not _is_elsewhere(r, limits["send_share"]))


def _a_write_ms(r: Row) -> float:
    """What a write waits, if only writes do."""
    return float(r["wait_ms"] / r["write_ratio"])


def _is_elsewhere(r: Row, share: float) -> bool:
    """Whether the links are timed and send in far less than a write waits."""
    return r["send_ms"] is not None and r["send_ms"] < share * _a_write_ms(r)


def _finding(r: Row) -> Finding:
    subject, is_timed = box(r), r["send_ms"] is not None
    return Finding(
        severity="watch",
        subject=subject,
        text=_text(r, str(subject)),
        advice=_advice(r),
        numbers=(
            Number("disconnect that neither misses nor NVS explain, at least", r["wait_ms"], "ms"),
            Number("the same, at most", r["high_ms"], "ms"),
            Number("disconnect", r["disc_ms"], "ms"),
            Number("response", r["response_ms"], "ms"),
            percent("writes", r["write_ratio"]),
            percent("read hits", r["read_hit_ratio"]),
            Number("a send to the second box takes", r["send_ms"], "ms"),
            Number("links that send", r["send_links"]),
            Number("mirrored volumes that wait", len(listed(r["volumes"]))),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, volume, io_rate, disc_ms, miss_ms, nvs_ms, replication_ms FROM disconnect_interval "
            f"WHERE box = {literal(r['box'])} AND is_mirrored ORDER BY io_rate * replication_ms DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium" if is_timed else "low",
        effect=_effect(r),
    )


def _text(r: Row, name: str) -> str:
    part = share(r["wait_ms"] / r["response_ms"])
    names = listed(r["volumes"])
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    send = f"; its links take {r['send_ms']:.2f} ms for a send" if r["send_ms"] is not None else ""
    return (
        f"Writes to {plural(len(names), 'mirrored volume')} of {name} ({', '.join(names[:NAMED])}{more}) wait for the "
        f"second box ({period(r)}): {r['wait_ms']:.2f} of {r['response_ms']:.2f} ms per I/O ({part}) are "
        f"disconnect that neither misses nor NVS explain, {_a_write_ms(r):.2f} ms a write{send}"
    )


def _advice(r: Row) -> str:
    tell = (
        "The send holds both the way and the second box: no record tells them apart, so compare with the round trip of "
        "the lines"
        if r["send_ms"] is not None
        else "No record read times it: ingest type 74.8 of the same time, which tells how long the links take to send"
    )
    return (
        "Neither aliases nor cache nor NVS of this box will help. First see whether it has always been so: then it is "
        "distance, 1 ms for each 100 km of fibre there and back, and writing less often, or more at once, is all that "
        f"helps; else look at the links to the second box and at what else that box does. {tell}"
    )


@needs("response_ms")
def _effect(r: Row) -> Effect:
    """Without the mirror at best; as now if the wait is something else."""
    now, left = r["response_ms"], r["response_ms"] - r["wait_ms"]
    basis = "bounds: without the wait, or as it is; what a nearer box or fewer writes would save depends on the lines"
    return Effect("response of these volumes", "ms", now, (left + now) / 2, left, now, basis, False)
