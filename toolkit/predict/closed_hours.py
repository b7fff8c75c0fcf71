"""Closed workloads in the worst closed interval of each hour of the day, solved for rules and what-ifs."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.evidence import Evidence, asked
from iosq.toolkit.predict.work import Work, of_trial
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.engine import Connection

Name = tuple[str, str]
T = TypeVar("T")
Hours = Sequence[Sequence[Row]]


def name_of(r: Row) -> Name:
    """The volume of a row."""
    return r["system"], r["volume"]


def chosen(hours: Sequence[T], lost_s: Callable[[T], float], helps: Callable[[T], bool]) -> T:
    """The hour to report: of the hours in which aliases help, else of all, the one with most lost time."""
    by_lost_s = sorted(hours, key=lambda hour: -lost_s(hour))
    return next((hour for hour in by_lost_s if helps(hour)), by_lost_s[0])


def of_pool(hours: Hours, evidence: Evidence) -> Iterator[Crowd]:
    """The volumes of a pool in each hour, along with all other volumes of their boxes.

    `hours`: rows of `closed_member`, one list per interval, with the curves of the boxes; `evidence`: `closed_trial`.
    """
    for rows in hours:
        r = rows[0]
        key = {"platform": r["pool_platform"], "system": r["pool_system"], "pool": r["pool"]}
        trials = _trials(evidence, key | {"interval_start": r["interval_start"]})
        yield Crowd(rows, [row["is_closed"] for row in rows], r["pool_size"], trials)


def of_box(hours: Hours, evidence: Evidence, left_out: Collection[Name] = ()) -> Iterator[list[Crowd]]:
    """The closed volumes of a box in each hour, grouped by number of exposures; each group is solved separately.

    `hours` and `evidence` as of `of_pool`, for the box.
    """
    counts = _exposures(r for rows in hours for r in rows if r["is_closed"] and name_of(r) not in left_out)
    for exposures in sorted(set(counts.values())):
        crowds = [_waiting(rows, counts, exposures, evidence) for rows in hours]
        yield [crowd for crowd in crowds if any(crowd.waiting)]


def _waiting(rows: Sequence[Row], counts: Mapping[Name, int], exposures: int, evidence: Evidence) -> Crowd:
    waiting = [bool(r["is_closed"] and counts.get(name_of(r)) == round(r["exposures"]) == exposures) for r in rows]
    key = {"box": rows[0]["box"], "interval_start": rows[0]["interval_start"], "asked_exposures": exposures}
    return Crowd(rows, waiting, trials=_trials(evidence, key))


def _exposures(closed: Iterable[Row]) -> dict[Name, int]:
    """Exposures of each volume in its interval with most lost time; losses with other counts are the same problem."""
    by_lost_s = sorted(closed, key=lambda r: r["interval_lost_s"], reverse=True)
    return {name_of(r): round(r["exposures"]) for r in by_lost_s[::-1]}


def _trials(evidence: Evidence, key: Row) -> list[Work]:
    return [of_trial(r) for r in evidence.rows("closed_trial", **key)]


def crowds_of_pool(con: Connection, limits: Mapping[str, float], pool: Row) -> list[Crowd]:
    """The volumes of a pool in each hour, most lost time first; none if the row has no `pool`, only its system."""
    if "pool" not in pool:
        return []
    members, evidence = _closed_evidence(con, limits)
    key = tuple(pool[n] for n in ("platform", "system", "pool"))
    own = [r for r in members if (r["pool_platform"], r["pool_system"], r["pool"]) == key]
    return _worst_first(of_pool(_by_interval(own, evidence), evidence))


def crowds_of_volume(con: Connection, limits: Mapping[str, float], box: str, volume: Name) -> list[Crowd]:
    """The hours in which a volume of a box waits, with all volumes of the box; most lost time first."""
    members, evidence = _closed_evidence(con, limits)
    hours = _by_interval([r for r in members if r["pool"] is None and r["box"] == box], evidence)
    found = (crowd for crowds in of_box(hours, evidence) for crowd in crowds)
    return _worst_first(c for c in found if volume in map(name_of, c.closed))


def _closed_evidence(con: Connection, limits: Mapping[str, float]) -> tuple[Sequence[Row], Evidence]:
    answers = {name: asked(con, name, limits) for name in ("closed_member", "closed_trial", "curve")}
    return answers["closed_member"].rows, Evidence(answers)


def _by_interval(members: Sequence[Row], evidence: Evidence) -> list[list[Row]]:
    rows = evidence.joined(members, {"curve": ("box",)})
    return [list(group) for _, group in groupby(rows, key=lambda r: r["interval_start"])]


def _worst_first(crowds: Iterable[Crowd]) -> list[Crowd]:
    return sorted(crowds, key=lambda c: (-c.lost_s, c.closed[0]["interval_start"]))
