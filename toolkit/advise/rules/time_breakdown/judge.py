"""Where the response time of all volumes goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share

_SHOWN = (
    "SELECT "
    + ", ".join(
        f"sum(io_rate * {n}_ms * interval_s) / sum(io_rate * interval_s) AS {n}_ms"
        for n in ("wait", "pend", "disc", "conn")
    )
    + " FROM volume_interval WHERE io_rate > 0 AND wait_ms + pend_ms + disc_ms + conn_ms IS NOT NULL"
)
# ms of I/O time a second: half an I/O at all times
_HALF_AN_IO = 500
_NAMES = {
    "wait": "IOSQ (host queue)",
    "pend": "pend (path and control unit)",
    "disc": "disc (back end)",
    "conn": "conn (transfer)",
}


def _volumes(row: Row) -> str:
    known, every = row["volumes"], row["all_volumes"]
    if known < every:
        return f"the {known} of {every} volumes whose parts are known"
    return "the one volume" if every == 1 else f"all {every} volumes"


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`."""
    row = rows[0]
    parts = {name: row[f"{name}_sum_ms"] for name in _NAMES}
    total = sum(ms for ms in parts.values() if ms)
    # no I/O has all four parts known, or hardly anything is read, written or waited for
    if not total or (row["ios"] < limits["io_rate"] * row["span_s"] and total < _HALF_AN_IO * row["span_s"]):
        return
    largest = max(parts, key=lambda name: parts[name])
    queued = parts["wait"] / total
    aliases = (
        "aliases don't help" if queued < limits["wait_share"] else f"aliases can shorten IOSQ alone, {share(queued)}"
    )
    shares = ", ".join(f"{_NAMES[n].split()[0]} {share(v / total)}" for n, v in parts.items())
    yield Finding(
        severity="note",
        subject=Subject("all", words=plural(row["volumes"], "volume")),
        text=(
            f"Over {_volumes(row)} an I/O takes {total / row['ios']:.2f} ms; the largest part is "
            f"{_NAMES[largest]}: {shares}"
        ),
        advice={
            "wait": "First see which volumes wait, and whether it is for aliases or for a full box: iosq advise pav",
            "pend": f"First look at channels, directors and others' reserves: iosq advise pav; {aliases}",
            "disc": f"First look at cache, NVS and the back end: iosq advise nvs; {aliases}",
            "conn": f"First look at how much each I/O moves and at channel speed; {aliases}",
        }[largest],
        numbers=tuple(Number(_NAMES[n], v / row["ios"], "ms") for n, v in parts.items()),
        sql=_SHOWN,
        lost_s=0.0,
    )
