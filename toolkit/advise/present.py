"""Findings about past conditions: notes, with what has changed since."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from iosq.toolkit.advise.causes import Loads, with_parts
from iosq.toolkit.advise.finding import Aliases, Finding
from iosq.toolkit.advise.places import MIRROR, NEAR, Move, Place, Places, moved
from iosq.toolkit.show.numbers import listed

# if this share of a finding's volumes has left or was changed, it is about the past
MOST = 0.9
LOOK = "Look first at the change it began after"
# subjects that say nothing about where volumes are
NOWHERE = ("all", "channel", "link", "machine")


@dataclass(frozen=True, slots=True)
class _Change:
    """The place of a volume in the time of a finding, the first one after a change, and the last one."""

    then: Place
    since: Place
    now: Place

    def is_of(self, f: Finding) -> bool:
        """True if the volume belonged to the subject when it was there."""
        names = f.subject.names
        here = {"lcu": self.then.lcu in names, "box": self.then.box in names or self.then.lcu in names}
        return here.get(f.subject.kind, True)

    def ends(self, f: Finding) -> bool:
        """True if the volume has left the subject, or the trouble was not seen since the change.

        Pools have rules of their own about the wait in another box.
        """
        if not self.then.differs(self.now, with_pav=bool(f.aliases)) or self.now.start < self.then.end:
            return False
        is_lcu, is_box = f.subject.kind == "lcu", f.subject.kind in ("box", "subsystem", "rank")
        if is_lcu and self.now.lcu != self.then.lcu:
            return self.now.lcu not in f.subject.names
        if is_lcu and f.aliases and self.now.pav == self.then.pav:
            return False
        has_left = is_box and bool(self.now.box) and self.now.box != self.then.box
        return has_left or bool(f.when and f.when.last_seen <= self.since.start)


def present(found: Iterable[Finding], places: Places, loads: Loads) -> Iterator[Finding]:
    """The findings; one about a subject that no longer exists, or that ended with a change, is at most a note."""
    every, shown = list(found), []
    parts: dict[int, list[Finding]] = defaultdict(list)
    for f in every:
        if change := _change(f, every, places):
            parts[id(change)].append(f)
            continue
        over = (
            ""
            if f.severity == "note"
            else _advice(f, _left(f, places, loads), loads) or _taken_along(f, every, places, loads)
        )
        shown.append((f, over))
    still = [f for f, over in shown if not over and f.severity != "note"]
    named = {id(f): c for c in every if c.when is None and c.part_of for f in _naming(c, still, places)}
    for f, over in shown:
        now = _note(f, over) if over else _begun(f, places, loads)
        if change := named.get(id(f)):
            now = replace(now.also(change.details), covers=now.covers | change.stands_for)
        if not any(f is c for c in named.values()):
            yield with_parts(now, parts.get(id(f), ()))


def _naming(change: Finding, still: Iterable[Finding], places: Places) -> list[Finding]:
    """The findings that began after a change, say more than it, and are about most of its volumes."""
    volumes = places.of([change.subject])
    found = [f for f in still if f.code in change.part_of and {b.seen for _, b in _came(f, places)} & volumes]
    about = {seen for f in found for seen in places.of(f.places)}
    return found if 2 * len(about & volumes) > len(volumes) else []


def _came(f: Finding, places: Places) -> Sequence[Move]:
    """The moves of nearly all its volumes that it began after."""
    there = set() if f.when is None or _is_nowhere(f) else places.of(f.places)
    came = places.arrivals(there, f.when) if f.when else []
    return came if len(came) >= MOST * len(there) else []


def _change(f: Finding, every: Iterable[Finding], places: Places) -> Finding | None:
    """The one finding about the change that it began after, where that explains it."""
    changes = [c for c in every if f.code in c.explains and c.when is None] if f.severity != "note" else []
    came = _came(f, places) if changes else []
    same = {since.seen for move in came[:1] for _, since in places.like(move)}
    # a mirror that comes or goes acts at once
    if came and came[0][0].mirror != came[0][1].mirror and f.when and abs(f.when.first_seen - came[0][1].start) > NEAR:
        return None
    changes = [c for c in changes if same and same <= places.of([c.subject])]
    return changes[0] if len(changes) == 1 else None


def _begun(f: Finding, places: Places, loads: Loads) -> Finding:
    """The finding, with the change of nearly all its volumes that it began after."""
    came = _came(f, places)
    if f.when is None or not came:
        return f
    there = places.of(f.places)
    change, (then, since) = moved([*came, *places.like(came[0])]), came[0]
    within = then.lcu != since.lcu and then.box == since.box and f.severity != "note"
    if within and loads.during(f.when.whole, there).was_there:
        back = f"Move {'it' if len(came) == 1 else 'them'} back: {change}, and the same load was well before"
        return f.after(back, "If that is to stay")
    keepers = places.keepers(came[0])
    why = (
        f"; {listed(keepers)} kept {then.pav}, so see HYPERPAV in IECIOSxx and SETIOS of {since.system}"
        if keepers
        else ""
    )
    is_resumed = (then.mirror, since.mirror) == (MIRROR[False], MIRROR[True])
    look = "See whether it was only the copy of what the second box lacked" if is_resumed else LOOK
    return f.after(f"{look}: {change}{why}", "If that is to stay")


def _taken_along(f: Finding, every: Iterable[Finding], places: Places, loads: Loads) -> str:
    """Where the same volumes have the same trouble, on another system from about the end of this one on; or nothing."""
    here, then = set(f.subject.systems), f.when
    same = (o for o in every if (o.code, o.subject.names) == (f.code, f.subject.names))
    for there, since in ((set(o.subject.systems), o.when) for o in same):
        if not (here and there and then and since) or here & there or since.last_seen <= then.last_seen:
            continue
        if abs(since.first_seen - then.last_seen) <= NEAR:
            if loads.during(then.whole, places.of(f.places)).has_come_back:  # it has stayed
                return ""
            at = f"{since.first_seen:%H:%M on %Y-%m-%d}"
            return f"Do nothing here: this work is on {listed(sorted(there))} since {at}, as is its wait"
    return ""


def _left(f: Finding, places: Places, loads: Loads) -> Sequence[_Change]:
    """The changes of a finding's volumes since its time, if these ended it for nearly all of them, or of the wait."""
    if f.when is None or _is_nowhere(f):
        return []
    there = [c for c in _changes(f, places) if c.is_of(f)]
    left = [c for c in there if c.ends(f)]
    if len(left) < MOST * len(there) and f.aliases and left:
        every, gone = ({c.then.seen for c in each} for each in (there, left))
        load = loads.during(f.when, every)
        return left if load.wait_of(gone) >= MOST * load.wait_of(every) > 0 else []
    return left if there and len(left) >= MOST * len(there) else []


def _is_nowhere(f: Finding) -> bool:
    return f.subject.kind in NOWHERE and not f.about


def _changes(f: Finding, places: Places) -> Iterator[_Change]:
    for seen in sorted(places.of(f.places)):
        then = places.at(seen, f.when) if f.when else None
        if then:
            yield _Change(then, places.since(seen, then, with_pav=bool(f.aliases)), places.now(seen))


def _note(f: Finding, advice: str) -> Finding:
    return replace(
        f.advised(advice),
        severity="note",
        effect=None,
        curve=None,
        hours=(),
        aliases=Aliases("enough") if f.aliases else None,
    )


def _advice(f: Finding, left: Sequence[_Change], loads: Loads) -> str:
    """The change, and whether the load has shown that nothing is left to do; nothing without a change."""
    if not left:
        return ""
    what = moved([(c.then, c.since) for c in left])
    if left[0].then.lcu != left[0].since.lcu:
        where = listed(sorted({f"LCU {c.since.lcu}" for c in left if c.since.lcu}))
        return f"Do nothing about this place: {what}. Read the findings about {where or 'where they are'}, if any"
    if (left[0].then.mirror, left[0].since.mirror) == (MIRROR[True], MIRROR[False]):
        return f"First see whether the remote copy should run: {what}. What waited for it comes back with it"
    volumes = {c.then.seen for c in left}
    if f.when and loads.during(f.when, volumes).has_come_back:
        return f"Do nothing: {what}, and since then the same load has run without the problem"
    return f"Measure before you change anything: {what}, and no such load came since"
