"""Time series of places and volumes, in the steps of the page's charts."""

from collections.abc import Sequence
from operator import itemgetter

from iosq.toolkit.report.budget import LCU_SERIES_MOST
from iosq.toolkit.report.places import Place
from iosq.toolkit.report.response_parts import NAMES
from iosq.toolkit.rows import NewRow, Row, grouped
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

Rows = list[NewRow]
Key = tuple[str, ...]

UNITS = load(__package__, "unit_steps.sql")
VOLUMES = load(__package__, "volume_steps.sql")


def of_places(con: Connection, lcus: Sequence[Place]) -> dict[str, Rows]:
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


def of_volumes(con: Connection, chosen: Sequence[Key]) -> dict[Key, Rows]:
    """Rows of volumes by platform, system and volume, with their time as text; numbers are rounded when drawn."""
    listed = "\n" + "\n".join("\t".join(key) for key in chosen) + "\n"
    found = grouped(ask(con, VOLUMES, chosen=listed).to_pylist(), itemgetter("platform", "system", "volume"))
    return {key: [{**r, "t": rounded(r["t"])} for r in rows] for key, rows in found.items()}
