"""The data set, job or guest with most of a queue, named in every finding about a queue.

Type 42.6 has data sets and jobs. Where there is none, type 30 has the job. On z/VM, FCX110 has the guest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.predict.thresholds import Site, shared
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.questions import Question, ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION, JOBS, GUESTS = (load(__package__, f"top_{what}.sql") for what in ("waiter", "job", "guest"))
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
    asked = [n for n, f in enumerate(found) if f.code in about]
    shown, rows = list(found), _rows(con, QUESTION, limits)
    for n in asked:
        shown[n] = _first_named(shown[n], [(rows, DATA_SET), (_of_one_job(rows), DATA_SETS)], limits)
    lacking = [n for n in asked if _lacks_records(found[n], rows)]
    jobs = _rows(con, JOBS, limits) if lacking else []
    for n in lacking:
        shown[n] = _first_named(shown[n], [(jobs, JOB)], limits)
    elsewhere = [n for n in asked if not any(_is_of(r, found[n].subject) for r in rows)]
    guests = _rows(con, GUESTS, limits) if elsewhere else []
    for n in elsewhere:
        shown[n] = _first_named(shown[n], [(guests, GUEST)], limits)
    first = next((n for n in lacking if shown[n] is found[n]), None)
    return [f.also(NO_RECORDS) if n == first else f for n, f in enumerate(shown)]


def _rows(con: Connection, question: Question, limits: Mapping[str, float]) -> list[Row]:
    rows: list[Row] = ask(con, question, least=limits["least"]).to_pylist()
    return rows


def _of_one_job(rows: Sequence[Row]) -> list[Row]:
    return [r if r["jobs"] == 1 else {**r, "job": None} for r in rows]


def _lacks_records(f: Finding, rows: Sequence[Row]) -> bool:
    mine = [r["is_recorded"] for r in rows if _is_of(r, f.subject)]
    return bool(mine) and not any(mine)


def _first_named(f: Finding, sources: Sequence[tuple[Sequence[Row], _Kind]], limits: Mapping[str, float]) -> Finding:
    """The finding with the first name that has most of the time of its volumes."""
    for rows, kind in sources:
        most, part = _most([r for r in rows if _is_of(r, f.subject)], kind.key, limits)
        if most:
            number = Number(f"share of that {kind.key.replace('_', ' ')} in the {kind.time}", 100 * part, "%")
            sentence = f"{share(part)} of the {kind.time}{kind.sentence(most, f.subject)}"
            return replace(f, numbers=(*f.numbers, number)).also(sentence)
    return f


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


def _job_of_data_sets(rows: Sequence[Row], _: Subject) -> str:
    return f" is that of job {rows[0]['job']}, {plural(len({r['data_set'] for r in rows}), 'data set')} (42.6)"


def _guest(rows: Sequence[Row], _: Subject) -> str:
    return f" then are those of guest {rows[0]['guest']} (FCX110)"


class _Kind(NamedTuple):
    """The column of a name, what it has a share of, and the end of the sentence."""

    key: str
    time: str
    sentence: Callable[[Sequence[Row], Subject], str]


DATA_SET, DATA_SETS = _Kind("data_set", "time waited", _data_set), _Kind("job", "time waited", _job_of_data_sets)
JOB, GUEST = _Kind("job", "connect time", _job), _Kind("guest", "I/Os", _guest)
