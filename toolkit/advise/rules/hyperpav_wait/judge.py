"""HyperPAV volumes wait, and no record tells whether their pool ran dry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Aliases, Finding, Known, Number, percent
from iosq.toolkit.advise.path import held, is_bottleneck, on_the_way
from iosq.toolkit.advise.subject import lcu_or_storage
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.show.records import by_platform
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    for r in rows:
        yield on_the_way(_finding(r), held(r)) if is_bottleneck(held(r), limits) else _finding(r)


def _untold(r: Row) -> str:
    """What is missing; intervals that have their record are judged by it."""
    some, waiting = r["untold_intervals"], r["waiting_intervals"]
    if some == waiting:
        without = by_platform(
            r["platform"],
            "without type 78.3 records, or an I/O queuing listing,",
            "without the monitor's records of pools (D6R28)",
        )
        return f"{without} it is unknown whether the alias pool ran dry"
    return (
        f"{some} of the {waiting} intervals of waiting {'has' if some == 1 else 'have'} no whole type 78.3 record that "
        "tells whether the alias pool ran dry; the others are judged by theirs"
    )


def _finding(r: Row) -> Finding:
    many = r["volumes"] > 1
    volumes = f"{r['volumes']} HyperPAV volumes" if many else f"HyperPAV volume {r['first_volume']}"
    return Finding(
        severity="watch",
        subject=lcu_or_storage(r, [r["system"]]),
        text=(
            f"{volumes}{' of LCU ' + r['lcu'] if r['lcu'] else ''} {'wait' if many else 'waits'} on {r['system']}: "
            f"up to {share(r['wait_share_ratio'])} of the response time is IOSQ; {_untold(r)}"
        ),
        advice=by_platform(
            r["platform"],
            "First collect SMF type 78 subtype 3 as well, or print the I/O queuing report. Only if it shows a dry "
            "pool do more aliases help; a reserve or writes to the same extent need another cure",
            "The pool size is unknown: collect D6R28 (MONITOR SAMPLE ENABLE I/O). Only if its records show searches "
            "that found no alias do more of them help; a reserve or writes to the same extent need another cure",
        ),
        numbers=(
            Number("volumes that wait", r["volumes"]),
            Number("queue of a volume, peak interval", r["queue_length_peak"], "I/Os"),
            percent("IOSQ share of the worst volume", r["wait_share_ratio"]),
        ),
        sql=(
            "SELECT system, volume, queue_length_mean, queue_length_peak, wait_share_ratio, peak_start "
            f"FROM pav_candidate WHERE coalesce(lcu, '') = {literal(r['lcu'])} "
            f"AND system = {literal(r['system'])} ORDER BY queue_length_mean DESC"
        ),
        lost_s=r["lost_s"] or 0.0,
        confidence="low",
        aliases=Aliases("cant_tell"),
    )
