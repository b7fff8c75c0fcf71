"""What minidisk cache saves of the requests to volumes, and volumes of reads that it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from iosq.toolkit.advise.finding import Finding, Known, Number
from iosq.toolkit.advise.subject import volumes
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed, plural, share
from iosq.toolkit.sql.raw import literal
from iosq.toolkit.units import human_number

SHOWN = "SELECT volume, interval_start, io_rate, mdc_avoided_rate, read_ratio, disc_ms, service_ms FROM volume_interval"
KEEP = (
    "Keep minidisk cache for them, and look at its size (QUERY MDCACHE). The times of these volumes are those of "
    "the I/Os it leaves"
)
TURN_ON = (
    "Look whether minidisk cache is off for them (QUERY MDCACHE MDISK, MINIOPT NOMDC in the directory). Turn it on "
    "with SET MDCACHE where guests read data again. Guests that cache for themselves need none"
)


def judge(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Finding]:
    """Findings about the answer to `query.sql`: one per system for what it saves, one for what it leaves out."""
    for (system, is_saved), members in groupby(rows, key=lambda r: (r["system"], r["is_saved"])):
        yield _finding(system, is_saved, list(members))


def _finding(system: str, is_saved: bool, members: Sequence[Row]) -> Finding:
    done, avoided = (sum(m[name] for m in members) for name in ("io_rate", "avoided_rate"))
    names = ", ".join(literal(m["volume"]) for m in members)
    return Finding(
        severity="note" if is_saved else "watch",
        subject=volumes((m["volume"] for m in members), [system]),
        text=_saved(system, members, done, avoided) if is_saved else _left_out(system, members, done),
        advice=KEEP if is_saved else TURN_ON,
        numbers=(
            Number("volumes", len(members)),
            Number("I/O rate", done, "per s"),
            Number("I/Os avoided", avoided, "per s"),
            Number("disconnect of the first", members[0]["disc_ms"], "ms"),
        ),
        sql=f"{SHOWN} WHERE system = {literal(system)} AND volume IN ({names})",
        lost_s=0.0,
        confidence="high" if is_saved else "low",
    )


def _saved(system: str, members: Sequence[Row], done: float, avoided: float) -> str:
    every = done + avoided
    return (
        f"Minidisk cache answers {human_number(avoided)} of {human_number(every)} requests per s "
        f"({share(avoided / every)}) to {_named(members)} on {system}{_rest(members[0])}"
    )


def _rest(r: Row) -> str:
    """What the I/Os are that are left, of the volume with most requests."""
    reads = None if r["read_ratio"] is None else f"{share(r['read_ratio'])} reads"
    disc = None if r["disc_ms"] is None else f"disconnect {r['disc_ms']:.1f} ms"
    known = listed(filter(None, (reads, disc)))
    return f". The I/Os left to {r['volume']}: {known}" if known else ""


def _left_out(system: str, members: Sequence[Row], done: float) -> str:
    reads = sum(m["read_ratio"] * m["io_rate"] for m in members) / done
    return (
        f"Minidisk cache avoids no I/O to {_named(members)} on {system}, where {share(reads)} of "
        f"{human_number(done)} I/Os per s are reads"
    )


def _named(members: Sequence[Row]) -> str:
    first = members[0]["volume"]
    return f"volume {first}" if len(members) == 1 else f"{plural(len(members), 'volume')}, {first} first"
