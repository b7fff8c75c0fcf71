"""A HyperPAV volume waits although aliases are free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number, unchanged
from iosq.toolkit.advise.subject import volume
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import by_platform
from iosq.toolkit.sql.questions import load


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r, limits) for r in rows if lasts(r, limits) or r["queue_length"] >= limits["long_queue"])


ADVICE = (
    "Aliases will not help: I/Os wait for each other, as writes to the same extent do. First find the busiest data set "
    "that is written{}; then split or stripe it, or use smaller extents"
)


def _finding(r: Row, limits: Mapping[str, float]) -> Finding:
    subject = volume(r["volume"], r["system"])
    writes = "" if r["write_ratio"] is None else f", up to {share(r['write_ratio'])} writes"
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"Volume {r['volume']} waits on {r['system']} ({period(r)}) although its pool has aliases free "
            f"({r['high_water']} of {r['aliases']} in use at most): {r['peak_wait_ms']:.1f} ms IOSQ per I/O at the "
            f"worst{writes}"
        ),
        advice=ADVICE.format(by_platform(r["platform"], " (42.6 records show it)")),
        numbers=(
            Number("IOSQ, worst interval", r["peak_wait_ms"], "ms"),
            Number("IOSQ, these intervals", r["wait_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("queue, worst interval", r["queue_length"], "I/Os"),
            Number("aliases in use, high water then", r["high_water"]),
            Number("aliases configured", r["aliases"]),
            Number("I/Os of the LCU delayed by alias throttling", int(r["throttled"] or 0) or None, "I/Os"),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=_shown(r, limits),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium",
        effect=unchanged(r, "response with more aliases", "no I/O was denied an alias in these intervals"),
        covers=frozenset({("pav_add_alias", subject)}),
        aliases=Aliases("wont_help"),
    )  # fmt: skip


def _shown(r: Row, limits: Mapping[str, float]) -> str:
    return load(__package__, "shown.sql").spelled(volume=r["volume"], system=r["system"], **limits)
