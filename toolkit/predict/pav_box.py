"""Common parts of PAV what-ifs from a lake: the request, and the box in the selected interval."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from iosq.models.pav.answers import WhatIf
from iosq.toolkit.predict import closed_load, evidence, headroom, lake, measured
from iosq.toolkit.predict.closed_hours import Name, chosen, name_of
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.given import NOTHING, Given
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.predict.open_load import Load
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import stages
from iosq.toolkit.show.clock import in_file
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load

MEMBERS = load(evidence.__name__, "members.sql")
LONGEST = "the interval with the longest queue"
HELPED = "the hour that loses most of those that aliases help"


@dataclass(frozen=True)
class Asked:
    """The request: counts up to `most` (None: as many as matter), and known values of the box.

    pool: aliases in the pool, if the lake lacks the number; requesters: of the volume, if its workload is closed;
    utc: show times in UTC; exposures: base and aliases of the volume, if the lake lacks the number; room: free
    addresses of its LCU.
    """

    given: Given = NOTHING
    most: int | None = None
    pool: int | None = None
    requesters: float | None = None
    utc: bool = False
    exposures: int | None = None
    room: int | None = None

    def counts(self, usual: range) -> range:
        return usual if self.most is None else range(self.most + 1)


def box_then(con: Connection, own: Sequence[Reading]) -> list[Row]:
    """All volumes of the boxes of these readings in their interval: rows of `members.sql` with the box's curve."""
    stages.progress("counts")
    names = "".join(f"|{r.volume}|" for r in own)
    at = {"platform": own[0].platform, "system": own[0].system, "interval_start": own[0].began}
    rows = ask(con, MEMBERS, names=names, **at).to_pylist()
    curves = {box: evidence.row(con, "curve", {"box": box}) or NO_CURVE for box in {r["box"] for r in rows}}
    return [{**curves[r["box"]], **r} for r in rows]


NO_CURVE: Row = {"points": 0, "elasticity_ratio": None, "in_service_max": 0.0}


def given_requesters(rows: Sequence[Row], own: Reading, requesters: float) -> list[Row]:
    """The rows with a given number of requesters on the volume `own`."""
    more = {"queue_length": max(requesters - own.in_service, 0.0)}
    return [{**r, **more} if name_of(r) == own.name else r for r in rows]


def crowd_then(rows: Sequence[Row], waiting: Collection[Name], size: int | None = None) -> Crowd:
    """The box with a closed workload of the `waiting` volumes; `size`: aliases in their pool."""
    return Crowd(rows, [name_of(r) in waiting for r in rows], size)


def solved(crowd: Crowd, usual: range, asked: Asked) -> tuple[WhatIf, str]:
    """The result of a closed workload for each count, and a sentence about measurements."""
    what_if, note = measured.closed(crowd, asked.counts(usual), asked.given)
    what_if = _held_back(what_if, crowd, asked.given)
    if not what_if.identifiable and not what_if.settle:
        what_if = replace(what_if, settle=f"not identifiable: {what_if.calibrated_on}")
    return what_if, note


def _held_back(what_if: WhatIf, crowd: Crowd, given: Given) -> WhatIf:
    """The result with counts above today's marked unknown if a channel is full: extra I/Os would queue for it."""
    used, now = headroom.channel_used(crowd.longest(given)), crowd.aliases
    if used < given.headroom["channel_full"]:
        return what_if
    unsure = tuple(
        replace(p, identifiable=p.is_measured or (p.identifiable and p.aliases <= now)) for p in what_if.predictions
    )
    reason = f"not identifiable: the fullest channel to disks is {100 * used:.0f} % used then, so I/Os queue for it"
    return replace(what_if, predictions=unsure, settle=reason)


def helped_hour(crowds: Sequence[Crowd], usual: Callable[[Crowd], range], given: Given) -> tuple[Crowd, str]:
    """The hour of closed work to report, chosen by the same rule as in advice, and a description.

    `crowds`: hours with most lost time first; a single one needs no solving.
    """
    if len(crowds) == 1:
        return crowds[0], LONGEST

    def helps(crowd: Crowd) -> bool:
        what_if, _ = measured.closed(crowd, usual(crowd), given)
        return closed_load.gain(what_if, crowd.aliases) > given.closed["gain"]

    crowd = chosen(crowds, lambda c: c.lost_s, helps)
    return crowd, LONGEST if crowd is crowds[0] else HELPED


def load_of(r: Reading) -> Load:
    """A reading in the form the open solver needs."""
    return Load(r.rate, r.wait_ms, r.service_ms, r.measured_exposures)


def notes(rows: Sequence[Row], at: Reading, asked: Asked, which: str = LONGEST) -> tuple[str, ...]:
    """Scope of the answer in words: interval, volumes and box, and the values taken from a machine."""
    lcus = sorted({r["lcu"] for r in rows if r["lcu"]})
    named = f"{at.box} (LCU {', '.join(lcus)})" if lcus else at.box
    texts = [
        f"{which}: {lake.when(at, asked.utc)}; {plural(len({r['volume'] for r in rows}), 'volume')} of {named} together"
    ]
    if asked.given.machine:
        texts.append("of the machine file only the growth of service time with load is taken, not its level")
    return tuple(texts)


def facts(at: Reading) -> NewRow:
    """Interval, measuring system and box, as values for programs."""
    when = {in_file("interval_start", at.utc_offset_s): at.began, "utc_offset_s": at.utc_offset_s}
    return {"system": at.system, "box": at.box, **when}
