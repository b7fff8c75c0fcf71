"""The data set and job with most of a queue, named in every finding about a queue."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.predict.thresholds import Site, shared
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import share
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION, LIMITS = load(__package__, "top_waiter.sql"), shared(__package__, "top_waiter.toml")
NO_RECORDS = "Type 42.6 would name the data set and job"


def named(con: Connection, found: Sequence[Finding], about: Collection[str], site: Site | None = None) -> list[Finding]:
    """The findings; those of rules in `about` name the data set with most of their volumes' wait.

    If no 42.6 record covers the volumes, the first finding names the missing data, once.
    """
    if not any(f.code in about for f in found):
        return list(found)
    limits = LIMITS.limits(site)
    rows: list[Row] = ask(con, QUESTION, least=limits["least"]).to_pylist()
    named_ones = [_with_top_waiter(f, rows, limits) if f.code in about else f for f in found]
    first = next((n for n, f in enumerate(named_ones) if f.code in about and _lacks_records(f, rows)), None)
    return [f.also(NO_RECORDS) if n == first else f for n, f in enumerate(named_ones)]


def _lacks_records(f: Finding, rows: Sequence[Row]) -> bool:
    mine = [r["is_recorded"] for r in rows if _is_of(r, f.subject)]
    return bool(mine) and not any(mine)


def _with_top_waiter(f: Finding, rows: Sequence[Row], limits: Mapping[str, float]) -> Finding:
    mine = [r for r in rows if _is_of(r, f.subject)]
    whole = sum({(r["system"], r["lcu"], r["volume"]): r["volume_s"] for r in mine}.values())
    by_data_set: dict[str, list[Row]] = defaultdict(list)
    for r in mine:
        if r["data_set"]:
            by_data_set[r["data_set"]].append(r)
    most = max(by_data_set.values(), key=_waited, default=[])
    if not most or _waited(most) < limits["share"] * whole:
        return f
    part = min(_waited(most) / whole, 1.0)
    number = Number("share of that data set in the time waited", 100 * part, "%")
    return replace(f, numbers=(*f.numbers, number)).also(_sentence(most, part, f.subject))


def _is_of(r: Row, subject: Subject) -> bool:
    name = r["lcu"] if subject.kind == "lcu" else r["volume"]
    return name in subject.names and r["system"] in (subject.systems or (r["system"],))


def _waited(rows: Sequence[Row]) -> float:
    return float(sum(r["waited_s"] for r in rows))


def _sentence(rows: Sequence[Row], part: float, subject: Subject) -> str:
    worst = max(rows, key=lambda r: float(r["waited_s"]))
    job = f", job {worst['job']}" if worst["job"] else ""
    others = " and others" if job and worst["jobs"] > 1 else ""
    volumes = sorted({r["volume"] for r in rows})
    more = f" and {len(volumes) - 1} more" if len(volumes) > 1 else ""
    place = "" if subject.kind == "volume" else f" on volume {worst['volume']}{more}"
    return f"{share(part)} of the time waited is that of data set {worst['data_set']}{place}{job}{others} (42.6)"
