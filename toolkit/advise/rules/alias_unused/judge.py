"""A volume waits although aliases of its own stand free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number, unchanged
from iosq.toolkit.advise.subject import WAITS, volume
from iosq.toolkit.advise.window import episode, period
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.raw import literal

ADVICE = (
    "Aliases will not help: whatever keeps I/Os from {} keeps them from more. First find out why: whether {} "
    "attached and online beside this base (CP QUERY PAV); whether the volume is dedicated to a guest, which uses only "
    "aliases it has itself; then whether the I/Os wait for each other"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return map(_finding, rows)


def _finding(r: Row) -> Finding:
    subject = volume(r["volume"], r["system"])
    unused, aliases = r["unused_aliases"], round(r["aliases"])
    free = "its alias does" if aliases == 1 else f"{unused} of its {aliases} aliases {'does' if unused == 1 else 'do'}"
    return Finding(
        severity="act",
        subject=subject,
        text=(
            f"Volume {r['volume']} waits on {r['system']} ({period(r)}) while {free} no I/O: "
            f"{r['peak_wait_ms']:.1f} ms IOSQ per I/O at the worst, with {r['queue_length']:.1f} I/Os queued"
        ),
        advice=ADVICE.format(*(("this alias", "it is") if unused == 1 else ("these aliases", "they are"))),
        numbers=(
            Number("IOSQ, worst interval", r["peak_wait_ms"], "ms"),
            Number("IOSQ, these intervals", r["wait_ms"], "ms"),
            Number("response, these intervals", r["response_ms"], "ms"),
            Number("queue, worst interval", r["queue_length"], "I/Os"),
            Number("aliases without I/O", unused),
            Number("aliases of its own", aliases),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, device, role, io_rate, wait_ms, queue_length FROM device_interval "
            f"WHERE base_device = {literal(r['device'])} AND system = {literal(r['system'])} "
            "ORDER BY interval_start, device"
        ),
        when=episode(r),
        lost_s=r["lost_s"],
        confidence="medium",
        effect=unchanged(r, "response with more aliases", "an alias stood free in these intervals"),
        covers=frozenset({(WAITS, subject), ("pav_closed_load", subject)}),
        aliases=Aliases("wont_help", aliases),
    )  # fmt: skip
