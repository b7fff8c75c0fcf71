"""Subpages of the report: one per box, LCU and volume, with numbers, findings and charts over time."""

import datetime as dt
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from iosq.toolkit.advise import Finding
from iosq.toolkit.report import places
from iosq.toolkit.report.anchors import volume_id
from iosq.toolkit.report.budget import LCU_SERIES_MOST, ROWS_MOST, choose
from iosq.toolkit.report.links import Link, Links
from iosq.toolkit.report.places import Place
from iosq.toolkit.report.response_parts import NAMES, with_week
from iosq.toolkit.report.table import (
    Cell,
    Rows,
    cell,
    datum,
    filled_columns,
    named,
    numeric_columns,
    rows_of,
)
from iosq.toolkit.report.template import compact, epoch_ms, over_time, short
from iosq.toolkit.report.timeline import when
from iosq.toolkit.rows import NewRow, Row, grouped
from iosq.toolkit.show.numbers import human_number, rounded
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

UNITS = load(__package__, "unit_steps.sql")
VOLUMES = load(__package__, "volume_steps.sql")
Lines = Mapping[str, Sequence[Row]]
About = tuple[int, Finding, Sequence[Link]]  # number on the page, and the pages it is about
# columns of the volume table that are constant on the page of one LCU
_SAME = ("system", "lcu")
# details that get a column; the others are on the volume's page
_ALSO = ("exposures", "peak")


@dataclass(frozen=True)
class Page:
    """The page of one place, a box, LCU or system.

    `title` states the result of its chart. `children` are the LCUs of a box. `top` has the volumes with charts, most
    lost time first. `volumes` is the number of volumes with I/O, `listed` the number on the page.
    """

    place: Place
    findings: Sequence[tuple[int, Finding]] = ()
    title: str = ""
    parent: Place | None = None
    children: Sequence[Place] = ()
    top: Sequence[Sequence[Cell]] = ()
    volumes: int = 0
    listed: int = 0


@dataclass(frozen=True)
class Drill:
    """All pages. `data`: input of the script; `headings`, `rows`: headings and all rows of the volume tables."""

    links: Links
    rows: Rows
    boxes: Sequence[Page] = ()
    lcus: Sequence[Page] = ()
    headings: Sequence[tuple[str, bool]] = ()
    data: Row = field(default_factory=dict)
    templates: Mapping[str, Row] = field(default_factory=dict)
    drawn: int = 0
    volumes: int = 0

    @property
    def title(self) -> str:
        """Title of the section; z/VM has no LCUs, and boxes need cache records."""
        return "Systems" if {p.place.kind for p in self.lcus} == {"system"} and not self.boxes else "LCUs and boxes"

    @property
    def all_of_them(self) -> str:
        return self.title if self.title.startswith("LCU") else self.title.lower()

    @property
    def loose(self) -> list[Place]:
        return [p.place for p in self.lcus if p.parent is None]


def texts() -> list[str]:
    """All SQL run for the pages."""
    return [places.LCUS.sql, places.BOXES.sql, UNITS.sql, VOLUMES.sql]


def drill(con: Connection, found: Sequence[Finding], before: Connection | None = None) -> Drill:
    """The pages of a lake (`before`: a week before), with findings about each; none without volumes that do I/O."""
    boxes = places.boxes(con)
    lcus = places.lcus(con, boxes)
    every = _placed(rows_of(con, named("volumes"), ()), boxes, lcus)
    rows = [r for r in every if r["place"]]
    links = Links([*boxes, *lcus], rows)
    about = [(number, f, links.about(f)) for number, f in enumerate(found, 1)]
    chosen = choose(rows, [link.id for _, _, pages in about for link in pages])
    lines = _lines(con, lcus, chosen)
    earlier = _lines(before, lcus, chosen) if before not in (None, con) else lines
    lines = {name: with_week(own, earlier.get(name, ())) for name, own in lines.items()}
    if not lines:
        return Drill(links, every)
    shown = _shown(rows)
    pages = _pages(boxes, lcus, about, lines, rows, _cells(chosen, list(shown)))
    steps = {r["t"]: r["step_s"] for own in lines.values() for r in own}
    peaks = {p.id: p.row for p in (*boxes, *lcus)} | {volume_id(r): r for r in chosen}
    return Drill(
        links,
        every,
        pages[: len(boxes)],
        pages[len(boxes) :],
        [(heading, name in numeric_columns(rows)) for name, heading in shown.items()],
        _data(rows[:ROWS_MOST], list(shown), lines, peaks),
        over_time([{"t": t, "step_s": steps[t]} for t in sorted(steps)]),
        len(chosen),
        len(rows),
    )


def _placed(rows: Sequence[Row], boxes: Sequence[Place], lcus: Sequence[Place]) -> list[NewRow]:
    """Rows of the table of volumes with the id of their `place`, None without one, their `box` and extent `pool`.

    `extent_pool` becomes both: two boxes may use the same number.
    """
    names = {b.id: b.row["box"] for b in boxes}
    units = {(p.row["platform"], p.row["system"], p.row["unit"]): p for p in lcus}
    made = []
    for r in rows:
        place, pool = units.get((r["platform"], r["system"], r["lcu"] or "")), r["extent_pool"]
        box = names.get(place.parent or "") if place else None
        both = f"{box} {pool}" if box and pool else pool
        made.append({**r, "place": place and place.id, "box": box, "pool": pool, "extent_pool": both})
    return made


def _lines(con: Connection, lcus: Sequence[Place], chosen: Sequence[Row]) -> Lines:
    """Rows over time, with their time as text, by id of page; numbers are rounded when drawn."""
    keys = {volume_id(r): (r["platform"], r["system"], r["volume"]) for r in chosen}
    listed = "\n" + "\n".join(map("\t".join, keys.values())) + "\n"
    found = grouped(ask(con, VOLUMES, chosen=listed).to_pylist(), itemgetter("platform", "system", "volume"))
    drawn = {n: [{**r, "t": rounded(r["t"])} for r in found[key]] for n, key in keys.items() if key in found}
    return _of_places(con, lcus) | drawn


def _of_places(con: Connection, lcus: Sequence[Place]) -> dict[str, list[NewRow]]:
    """Rows with `t`, `step_s`, the four parts, `rate` and `queue` by id of place, for boxes and the first LCUs."""
    of_unit = grouped(ask(con, UNITS).to_pylist(), itemgetter("platform", "system", "unit"))
    members: dict[str, list[Row]] = {}
    for place, lcu in enumerate(lcus):
        own = of_unit.get((lcu.row["platform"], lcu.row["system"], lcu.row["unit"]), [])
        for name in (lcu.id if place < LCU_SERIES_MOST else None, lcu.parent):
            if name:
                members.setdefault(name, []).extend(own)
    step = itemgetter("t")
    steps = {name: grouped(sorted(rows, key=step), step) for name, rows in sorted(members.items())}
    return {name: [_step(own) for own in each.values()] for name, each in steps.items() if each}


def _step(rows: Sequence[Row]) -> NewRow:
    """Several units in one step: times are means per I/O, the rate that of the measured time, added over systems."""
    ios = sum(r["ios"] for r in rows)
    system = itemgetter("platform", "system")
    systems = grouped(sorted(rows, key=system), system).values()
    seconds = [max(r["seconds"] for r in own) for own in systems]
    rate, waited = (
        sum(sum(r[name] or 0 for r in own) / length for own, length in zip(systems, seconds, strict=True))
        for name in ("ios", "iosq")
    )
    parts = {name: _per_io(rows, name, ios) for name in NAMES}
    t, step_s = rounded(rows[0]["t"]), max(r["step_s"] for r in rows)
    return {"t": t, "step_s": step_s, **parts, "rate": rate, "queue": waited / 1000}


def _per_io(rows: Sequence[Row], name: str, ios: float) -> float | None:
    """A part's time per I/O of all units; None if no unit reports it."""
    known = [r[name] for r in rows if r[name] is not None]
    return sum(known) / ios if known and ios else None


def _shown(rows: Sequence[Row]) -> dict[str, str]:
    """Columns of the table of a place's volumes with their headings, without columns that are empty everywhere."""
    table = named("volumes")
    wanted = {name: heading for name, (heading, _) in table.columns.items() if name not in _SAME}
    wanted |= {name: table.details[name][0] for name in _ALSO}
    return {name: wanted[name] for name in filled_columns(wanted, rows)}


def _cells(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[list[Cell]]]:
    """The cells of volumes by place."""
    columns = {**named("volumes").columns, **named("volumes").details}
    return {
        place: [[cell(r[n], columns[n][1], volume_id(r) if n == "volume" else "") for n in names] for r in own]
        for place, own in grouped(rows, itemgetter("place")).items()
    }


def _pages(
    boxes: Sequence[Place],
    lcus: Sequence[Place],
    about: Sequence[About],
    lines: Lines,
    rows: Sequence[Row],
    top: Mapping[str, Sequence[Sequence[Cell]]],
) -> list[Page]:
    """The pages of all boxes, then of all LCUs; `top`: cells of the volumes with charts, by place."""
    volumes, listed = (Counter(r["place"] for r in some) for some in (rows, rows[:ROWS_MOST]))
    return [
        Page(
            place,
            _findings(place, lcus, about),
            _title(place.row) if place.id in lines else "",
            next((b for b in boxes if b.id == place.parent), None),
            [lcu for lcu in lcus if lcu.parent == place.id],
            top.get(place.id, ()),
            volumes[place.id],
            listed[place.id],
        )
        for place in (*boxes, *lcus)
    ]


def _findings(place: Place, lcus: Sequence[Place], about: Sequence[About]) -> list[tuple[int, Finding]]:
    """Findings about a place, its contents and its box, each with its number on the page."""
    inside = {p.id for p in lcus if p.parent == place.id} | {place.id}
    near = {*inside, place.parent}
    return [(number, f) for number, f, pages in about if any(p.id in near or p.inside in inside for p in pages)]


def _title(row: Row) -> str:
    """Title with the interval of most lost time; a step of the chart may average it with others."""
    if row["peak"] is None:
        return "Over time"
    response, wait, rate = (human_number(row[f"peak_{name}"]) for name in ("response_ms", "wait_ms", "rate"))
    waits = "" if row["peak_wait_ms"] is None else f", {wait} ms of it IOSQ"
    at = when(rounded(row["peak"]))
    return f"Most time was lost at {at} (◆): {response} ms per I/O{waits}, with {rate} I/Os per s"


def _data(rows: Sequence[Row], shown: Sequence[str], lines: Lines, peaks: Mapping[str, Row]) -> NewRow:
    """Input of the script: rows of volumes by place in order of `columns`, and series by id of page.

    `shown` has the positions of the columns that tables of volumes show. Series are stored by column, which compresses
    better. `peaks`: rows with the interval of most lost time, by id of page.
    """
    start = dt.datetime.fromisoformat(min(r["t"] for own in lines.values() for r in own))
    table, numeric = named("volumes"), numeric_columns(rows)
    of = {**table.columns, **table.details}
    names = list(of)
    columns = [{"name": n, "heading": h, "decimals": d or 0 if n in numeric else None} for n, (h, d) in of.items()]
    return {
        "start": epoch_ms(start),
        "columns": columns,
        "shown": [names.index(n) for n in shown],
        "volumes": {
            place: [[datum(r[n], of[n][1]) for n in names] for r in own]
            for place, own in grouped(rows, itemgetter("place")).items()
        },
        "series": {
            name: {**_peak(peaks[name]), "columns": list(zip(*compact(own, start), strict=True))}
            for name, own in lines.items()
        },
    }


def _peak(row: Row) -> NewRow:
    """The interval of most lost time, in words and as a mark of the chart."""
    at = epoch_ms(row["peak"]) if row["peak"] else None
    return {
        "title": _title(row),
        "words": {"peak": json.dumps(at), "peak_ms": json.dumps(short(row["peak_response_ms"]))},
    }
