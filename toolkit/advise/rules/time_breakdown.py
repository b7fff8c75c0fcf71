"""Where the response time of all volumes goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Finding, Number, Row, Rule
from iosq.toolkit.advise.subject import Subject

SQL = """
SELECT sum(io_rate * interval_s) AS ios, sum(io_rate * wait_ms * interval_s) AS wait,
       sum(io_rate * pend_ms * interval_s) AS pend, sum(io_rate * disc_ms * interval_s) AS disc,
       sum(io_rate * conn_ms * interval_s) AS conn, count(DISTINCT volume) AS volumes
FROM volume_interval
WHERE io_rate > 0
"""
_NAMES = {
    "wait": "IOSQ (host queue)",
    "pend": "pend (path and control unit)",
    "disc": "disc (back end)",
    "conn": "conn (transfer)",
}


def _volumes(count: int) -> str:
    return "the one volume" if count == 1 else f"all {count} volumes"


def _judge(rows: list[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
    row = rows[0]
    parts = {name: row[name] or 0.0 for name in _NAMES}
    total = sum(parts.values())
    if not row["ios"] or not total:
        return
    largest = max(parts, key=lambda name: parts[name])
    shares = ", ".join(f"{_NAMES[n].split()[0]} {100 * v / total:.0f} %" for n, v in parts.items())
    yield Finding(
        code="time_breakdown",
        severity="note",
        subject=Subject("all", words="1 volume" if row["volumes"] == 1 else f"{row['volumes']} volumes"),
        text=(
            f"Over {_volumes(row['volumes'])} an I/O takes {total / row['ios']:.2f} ms; the largest part is "
            f"{_NAMES[largest]}: {shares}"
        ),
        advice={
            "wait": "First see which volumes wait, and whether it is for aliases or for a full box: iosq advise pav",
            "pend": "First look at channels, directors and others' reserves: iosq advise pav; aliases don't help",
            "disc": "First look at cache, NVS and the back end: iosq advise nvs; aliases don't help",
            "conn": "First look at how much each I/O moves and at channel speed; aliases don't help",
        }[largest],
        numbers=tuple(Number(_NAMES[n], v / row["ios"], "ms") for n, v in parts.items()),
        sql=" ".join(SQL.split()),
        lost_s=0.0,
    )


RULE = Rule(
    code="time_breakdown",
    title="Where the response time goes",
    finds="The part of the response time that is largest over all volumes.",
    matters="It says which cure is worth a look before any single volume does.",
    evidence="IOSQ, pend, disc and conn of all volumes, weighted by I/O rate.",
    wrong_when="A few large volumes hide many small ones; look at the volumes too.",
    do="Begin with the cause that holds most of the time.",
    sql=SQL,
    judge=_judge,
    general=True,
    thresholds={},
)
