"""Error if a filter leaves no rows: it names the part of the filter that is the cause."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.catalog import View, made_of, needed
from iosq.toolkit.sql.connect import WHOLE
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.filter import COLUMNS, Filter, shifted
from iosq.toolkit.sql.guard import query

LISTED = 12  # names listed, the rest is counted
_KINDS = {"--system": "system", "--lcu": "LCU", "--volume": "volume"}
INGEST_DEVICES = "ingest SMF dumps with type 74.1, device reports (RMF, FCX108, FCX168), or MONWRITE"


def insist(con: Connection, views: Sequence[View], asked: Filter, *, whole: str = f"{WHOLE}.") -> None:
    """Refuse a query without remaining measurements, or with names missing from the lake.

    RequestError names the option at fault and the existing values. `views`: those the question is about; if none gives
    rows per interval, nothing is refused. `asked`: at least the filter of `con`. `whole`: what the names of the views
    without a filter begin with; empty where `con` has none.
    """
    seen = [v for v in views if any(c.name == "interval_start" for c in v.columns)]
    for option in asked.given if seen else ():
        if all(option in asked.misses(v) for v in seen):
            names = ", ".join(v.name for v in seen)
            what = (
                "narrowed to whole boxes only"
                if any(asked.follows(v) in ("subsystem", "box") for v in seen)
                else "not narrowed by it"
            )
            raise RequestError(f"{names} is {what}", place=option, remedy="use a view with such a column")
    places = {option: _named(first_of(seen), option) for option, values in asked.names.items() if values}
    narrowed = first_of([v for v in seen if not asked.misses(v)])
    lcus = _named(first_of(seen), "--lcu") if asked.volumes else []
    for option, values in asked.names.items():
        _insist_known(con, whole, places.get(option, ()), option, values, lcus)
    if narrowed and not any(_holds(con, v, asked) for v in narrowed):
        raise _nothing(con, narrowed, asked, whole)


def first_of(asked: Sequence[View]) -> list[View]:
    """The views that do not depend on the others: if they are empty, the others are too.

    Views with few inputs come first: they are planned soonest.
    """
    names = {v.name for v in asked}
    return sorted((v for v in asked if not made_of(v, names - {v.name})), key=lambda v: len(needed(v.name)))


def _named(views: Sequence[View], option: str) -> list[str]:
    """All `view:column` places of an option's values."""
    return [f"{v.name}:{c.name}" for v in views for c in v.columns if c.name in COLUMNS[option]]


def _insist_known(
    con: Connection, whole: str, places: Sequence[str], option: str, values: Sequence[str], lcus: Sequence[str]
) -> None:
    missing, known = list(values), set[str]()
    for place in places:
        if not missing:
            return
        known |= _known(con, whole, place)
        missing = [v for v in missing if v not in known]
    if places and missing:
        tables = sorted({place.partition(":")[0] for place in places})
        where = f"{tables[0]} of the lake" if len(tables) == 1 else "the lake"
        names = sorted(known)
        near = nearest(missing[0], names) if len(names) > LISTED else ""
        what = _KINDS[option]
        if not names:
            read = f"{listed(tables)} of the lake name{'s' if len(tables) == 1 else ''} no {what} at all"
            raise RequestError(read, place=option, remedy=INGEST_DEVICES)
        if option == "--volume" and any(missing[0] in _known(con, whole, place) for place in lcus):
            near = f"an LCU has this name: --lcu {missing[0]}"
        remedy = near or f"there {'is' if len(names) < 2 else 'are'} {_listed(names)}"
        raise RequestError(f"there is no {what} {missing[0]} in {where}", place=option, remedy=remedy)


def _known(con: Connection, whole: str, place: str) -> set[str]:
    view, _, column = place.partition(":")
    return set(query(con, f"SELECT DISTINCT {column} AS name FROM {whole}{view}")["name"].to_pylist()) - {None}


def _nothing(con: Connection, views: Sequence[View], asked: Filter, whole: str) -> RequestError:
    named = asked.named()
    spans = [s for v in _local(views) if (s := _span(con, v, named, whole))]
    who = _who(named)
    if not who and not spans:
        return RequestError("the lake has no measurements", remedy="ingest dumps or listings first")
    if not spans or not asked.span():
        return RequestError(
            f"there is nothing here for {who}", place=", ".join(named.given), remedy="leave one of them out"
        )
    first, last = min(s[0] for s in spans), max(s[1] for s in spans)
    return RequestError(
        f"no interval{f' of {who}' if who else ''} starts {_times(asked)}",
        place=", ".join(asked.span().given),
        remedy=f"the first starts {_clock(first)}, the last {_clock(last)}, local time",
    )


def _local(views: Sequence[View]) -> Sequence[View]:
    """The views that know local time; all if none does."""
    return [v for v in views if any(c.name == "utc_offset_s" for c in v.columns)] or views


def _span(con: Connection, view: View, named: Filter, whole: str) -> tuple[datetime, datetime] | None:
    """First and last local start of the intervals of these names, at any time."""
    offset = "utc_offset_s" if any(c.name == "utc_offset_s" for c in view.columns) else "0"
    local = shifted("interval_start", f"coalesce({offset}, 0)")
    (row,) = query(
        con,
        f"SELECT min({local}) AS first, max({local}) AS last FROM {whole}{view.name} "
        f"WHERE {named.condition(view) or 'TRUE'}",
    ).to_pylist()
    return None if row["first"] is None else (row["first"], row["last"])


def _holds(con: Connection, view: View, asked: Filter) -> bool:
    rows: Any = query(con, f"SELECT 1 FROM {view.name} WHERE {asked.condition(view) or 'TRUE'} LIMIT 1")
    return bool(rows.num_rows)


def described(asked: Filter) -> str:
    """A filter in words, empty for none: `system SYSA and LCU 0012, intervals that start before 2025-11-18 12:00`."""
    who, times = _who(asked), _times(asked) if asked.span() else ""
    return ", ".join(filter(None, [who, f"intervals that start {times}" if times else ""]))


def _who(named: Filter) -> str:
    return " and ".join(f"{_KINDS[option]} {', '.join(names)}" for option, names in named.names.items() if names)


def _times(asked: Filter) -> str:
    since, until = (_clock(at.at) + " UTC" * at.is_utc if at else "" for at in (asked.since, asked.until))
    if since and until:
        return f"at {since} or later and before {until}"
    return f"at {since} or later" if since else f"before {until}"


def _clock(at: datetime) -> str:
    return at.isoformat(" ", "minutes")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "") or "none"
