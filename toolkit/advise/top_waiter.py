"""The data set and job with most of a queue, named in every finding about a queue.

Type 42.6 has both. Where there is none, type 30 has the job.
"""

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

QUESTION, JOBS = load(__package__, "top_waiter.sql"), load(__package__, "top_job.sql")
LIMITS = shared(__package__, "top_waiter.toml")
NO_RECORDS = "Type 42.6 would name the data set and job"


def named(con: Connection, found: Sequence[Finding], about: Collection[str], site: Site | None = None) -> list[Finding]:
    """The findings; those of rules in `about` name the data set with most of their volumes' wait.

    If no 42.6 record covers the volumes, they name the job with most of their connect time. The first without a job
    names the missing data, once.
    """
    if not any(f.code in about for f in found):
        return list(found)
    limits = LIMITS.limits(site)
    rows: list[Row] = ask(con, QUESTION, least=limits["least"]).to_pylist()
    named_ones = [_with_top_waiter(f, rows, limits) if f.code in about else f for f in found]
    lacking = [n for n, f in enumerate(named_ones) if f.code in about and _lacks_records(f, rows)]
    jobs: list[Row] = ask(con, JOBS, least=limits["least"]).to_pylist() if lacking else []
    by_job = {n: _with_top_job(named_ones[n], jobs, limits) for n in lacking}
    first = next((n for n in lacking if by_job[n] is named_ones[n]), None)
    return [f.also(NO_RECORDS) if n == first else by_job.get(n, f) for n, f in enumerate(named_ones)]


def _lacks_records(f: Finding, rows: Sequence[Row]) -> bool:
    mine = [r["is_recorded"] for r in rows if _is_of(r, f.subject)]
    return bool(mine) and not any(mine)


def _with_top_waiter(f: Finding, rows: Sequence[Row], limits: Mapping[str, float]) -> Finding:
    most, part = _most([r for r in rows if _is_of(r, f.subject)], "data_set", limits)
    if not most:
        return f
    number = Number("share of that data set in the time waited", 100 * part, "%")
    return replace(f, numbers=(*f.numbers, number)).also(_sentence(most, part, f.subject))


def _with_top_job(f: Finding, rows: Sequence[Row], limits: Mapping[str, float]) -> Finding:
    most, part = _most([r for r in rows if _is_of(r, f.subject)], "job", limits)
    if not most:
        return f
    worst = max(most, key=lambda r: float(r["waited_s"]))
    dd = f", DD {worst['dd']}" if worst["dd"] else ""
    number = Number("share of that job in the connect time", 100 * part, "%")
    sentence = f"{share(part)} of the connect time then is that of job {worst['job']}{dd} (30)"
    return replace(f, numbers=(*f.numbers, number)).also(sentence)


def _most(rows: Sequence[Row], key: str, limits: Mapping[str, float]) -> tuple[Sequence[Row], float]:
    """The rows with the name in `key` that has most of the time, and its share; none where it has too little."""
    whole = sum({(r["system"], r["lcu"], r["volume"]): r["volume_s"] for r in rows}.values())
    by_name: dict[str, list[Row]] = defaultdict(list)
    for r in rows:
        if r[key]:
            by_name[r[key]].append(r)
    most = max(by_name.values(), key=_waited, default=[])
    if not most or _waited(most) < limits["share"] * whole:
        return [], 0.0
    return most, min(_waited(most) / whole, 1.0)


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
