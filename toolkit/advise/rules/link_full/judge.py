"""A link of the box moves all it can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Known, Number, percent
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import episode, lasts, period
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.raw import literal


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    return (_finding(r) for r in rows if lasts(r, limits))


def _finding(r: Row) -> Finding:
    subject = Subject("link", (r["box"], r["link"]), words=f"link {r['link']} of box {r['box']}")
    outward = r["read_bytes_rate"] >= r["write_bytes_rate"]
    copies = f", {share(r['copy_ratio'])} of it remote copy" if r["copy_ratio"] else ""
    return Finding(
        severity="watch",
        subject=subject,
        text=(
            f"{subject.opening} ({r['link_type']}) is up to {share(r['used_ratio'])} full ({period(r)}) with what "
            f"{'leaves' if outward else 'reaches'} the box{copies}"
        ),
        advice=f"Aliases will not help. First {_spread(r)}; then move the work that fills it to another hour",
        numbers=(
            percent("link used in its fuller direction, most", r["used_ratio"]),
            Number("bytes that leave the box", r["read_bytes_rate"], "bytes/s"),
            Number("bytes that reach the box", r["write_bytes_rate"], "bytes/s"),
            percent("remote copy in these bytes", r["copy_ratio"]),
            Number("an operation on the link takes", r["response_ms"], "ms"),
            percent("other links of the box then, mean", r["others_ratio"]),
            Number("intervals", r["bad_intervals"]),
        ),
        sql=(
            "SELECT interval_start, operation, operation_rate, bytes_rate, response_ms FROM link_interval WHERE box = "
            f"{literal(r['box'])} AND link = {literal(r['link'])} ORDER BY bytes_rate DESC"
        ),
        when=episode(r),
        lost_s=0.0,  # what waits for it shows as pend or disconnect of volumes
        confidence="medium",
    )


def _spread(r: Row) -> str:
    if r["other_count"] and r["others_ratio"] is not None and r["others_ratio"] <= 0.5 * r["used_ratio"]:
        used = f"{share(r['others_ratio'])} used then"
        return f"spread hosts or remote copy over the {plural(r['other_count'], 'other link')} of the box, {used}"
    return "add links, as no other of the box has room"
