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
    named_ones = [_with_top(f, rows, "data_set", limits) if f.code in about else f for f in found]
    lacking = [n for n, f in enumerate(named_ones) if f.code in about and _lacks_records(f, rows)]
    jobs: list[Row] = ask(con, JOBS, least=limits["least"]).to_pylist() if lacking else []
    by_job = {n: _with_top(named_ones[n], jobs, "job", limits) for n in lacking}
    first = next((n for n in lacking if by_job[n] is named_ones[n]), None)
    return [f.also(NO_RECORDS) if n == first else by_job.get(n, f) for n, f in enumerate(named_ones)]


def _lacks_records(f: Finding, rows: Sequence[Row]) -> bool:
    mine = [r["is_recorded"] for r in rows if _is_of(r, f.subject)]
    return bool(mine) and not any(mine)


def _with_top(f: Finding, rows: Sequence[Row], key: str, limits: Mapping[str, float]) -> Finding:
    """The finding with the name in `key`, of a data set or a job, that has most of the time of its volumes."""
    most, part = _most([r for r in rows if _is_of(r, f.subject)], key, limits)
    if not most:
        return f
    time, sentence = ("time waited", _data_set) if key == "data_set" else ("connect time", _job)
    number = Number(f"share of that {key.replace('_', ' ')} in the {time}", 100 * part, "%")
    return replace(f, numbers=(*f.numbers, number)).also(f"{share(part)} of the {time}{sentence(most, f.subject)}")


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


def _data_set(rows: Sequence[Row], subject: Subject) -> str:
    worst = max(rows, key=lambda r: float(r["waited_s"]))
    job = f", job {worst['job']}" if worst["job"] else ""
    others = " and others" if job and worst["jobs"] > 1 else ""
    volumes = sorted({r["volume"] for r in rows})
    more = f" and {len(volumes) - 1} more" if len(volumes) > 1 else ""
    place = "" if subject.kind == "volume" else f" on volume {worst['volume']}{more}"
    return f" is that of data set {worst['data_set']}{place}{job}{others} (42.6)"


def _job(rows: Sequence[Row], _: Subject) -> str:
    worst = max(rows, key=lambda r: float(r["waited_s"]))
    dd = f", DD {worst['dd']}" if worst["dd"] else ""
    return f" then is that of job {worst['job']}{dd} (30)"
