"""I/Os wait because the use of aliases is throttled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Known, Number, needs
from iosq.toolkit.advise.subject import lcus, listed, waits
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r) for r in rows)


def _finding(r: Row) -> Finding:
    return Finding(
        severity="watch",
        subject=lcus([r["lcu"]], r["system"]),
        text=(
            f"Alias throttling holds back I/Os of LCU {r['lcu']} on {r['system']} ({period(r)}): "
            f"{share(r['throttled'] / r['ios'])} of its I/Os, {r['wait_ms']:.1f} ms IOSQ per I/O, up to "
            f"{r['peak_queue']:.1f} I/Os queued"
        ),
        advice=(
            "Aliases will not help: they are kept from these I/Os on purpose. First see what makes z/OS throttle them "
            "(a busy control unit, work of low importance) and whether the goals in WLM say what you mean"
        ),
        numbers=(
            Number("I/Os delayed by alias throttling", r["throttled"], "I/Os"),
            Number("I/Os of these intervals", r["ios"], "I/Os"),
            Number("queue, worst interval", r["peak_queue"], "I/Os"),
            Number("IOSQ, these intervals", r["wait_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, io_rate, wait_ms, queue_length, throttled_count, each_ms FROM throttled_interval "
            f"WHERE lcu = {literal(r['lcu'])} AND system = {literal(r['system'])} ORDER BY queue_length DESC"
        ),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium",
        effect=_effect(r),
        covers=waits((name, r["system"]) for name in listed(r["waiting"])),
        aliases=Aliases("wont_help"),
    )


@needs("response_ms")
def _effect(r: Row) -> Effect:
    now, left = r["response_ms"], r["response_ms"] - r["wait_ms"]
    basis = "the whole wait goes at best; the record counts the I/Os held back, it doesn't time them"
    return Effect("response without throttling", "ms", now, left, left, now, basis)
