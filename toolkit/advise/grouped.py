"""Like findings as one: those of a rule about one box and one time, whose headlines and advice differ in names and
numbers only.

Each keeps its own numbers and its own curve, as one of the parts.
"""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from iosq.parsers.api import CONFIDENCES
from iosq.toolkit.advise.causes import overlap
from iosq.toolkit.advise.finding import DOES, Effect, Finding, Number
from iosq.toolkit.advise.places import Places, Seen
from iosq.toolkit.advise.subject import FEW, Subject, merged
from iosq.toolkit.advise.text import expectation, sentences
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.show.numbers import listed

# kinds of subjects: a box has several
KINDS = frozenset({"volume", "volumes", "lcu", "rank", "subsystem", "channel"})
# of these the names have to be the same: how many of them
BY_NAME = {"rank": 1, "channel": None}
# what starts at one minute of the hour: least volumes and hours, and the longest interval that shows it
SEVERAL, SHORT = 4, dt.timedelta(minutes=15)
STAGGER = "Stagger what starts at {} of the hour on all of them: their queues are longest then"
SHARED = "{} have it at once: it is in what they share, the box or the way to it"
OF_ALL = "They serve all systems: these are enough for the others, too"
# what an effect says of its one subject
_WHOSE = re.compile(r" of (the|these) (LCU|volumes?)$")


def grouped(found: Iterable[Finding], places: Places, limits: Mapping[str, float]) -> list[Finding]:
    """The findings, most urgent first; like ones as one, at the place of the first."""
    groups: dict[object, list[list[Finding]]] = {}
    order: list[list[Finding]] = []
    for n, f in enumerate(found):
        same = groups.setdefault(_kind(f, places) or n, [])
        # of one subject, each is what happened then
        others = (g for g in same if all(p.subject != f.subject for p in g))
        group = next(
            (g for g in others if _is_with(f.when, g[0].when, limits["overlap"]) or _is_one_pool([f, g[0]])), None
        )
        if group is None:
            same.append(group := [])
            order.append(group)
        group.append(f)
    return [_in_common(as_one(group), places) for group in order]


def _in_common(f: Finding, places: Places) -> Finding:
    """The finding, with who has it at once: several systems, or all LCUs of one.

    Not of queues, whose loads may begin together.
    """
    s = f.subject
    if f.does == DOES or f.aliases or s.kind in BY_NAME or len(f.parts) < 2:
        return f
    if len({p.subject.names for p in f.parts}) == 1:
        return f.also(SHARED.format("Several systems")) if len(s.systems) == len(f.parts) else f
    is_all = (
        s.kind == "lcu" and len(s.systems) == 1 and places.of([s]) == places.of([Subject("box", s.systems, s.systems)])
    )
    return f.also(SHARED.format(f"All LCUs of {s.systems[0]}")) if is_all else f


def apart(found: Iterable[Finding]) -> list[Finding]:
    """The findings, each about its own subject again."""
    return sorted((part for f in found for part in f.parts or (f,)), key=lambda f: f.urgency)


def as_one(group: Sequence[Finding]) -> Finding:
    """One finding of several like ones: the words of the first, the names and the numbers of all."""
    is_pool = _is_one_pool(group)
    first, *others = sorted(group, key=_need, reverse=True) if is_pool else group
    if not others:
        return first
    same = {p.advice for p in group} == {first.advice}
    whose = "" if same or is_pool else f"{first.subject.opening}: "
    rest = "" if same else f". {OF_ALL}" if is_pool else ". Do the same for the others, each by its own numbers"
    made = replace(
        first,
        subject=merged([p.subject for p in group]),
        text=f"{first.text}; also {_others(first.subject, [p.subject for p in others])}",
        details=". ".join(filter(None, [first.details, *_own_words(others, first, is_pool)])),
        advice=f"{whose}{first.advice}{rest}",
        numbers=tuple(Number(f"{n.name}, {p.subject.in_short}", n.value, n.unit) for p in group for n in p.numbers),
        sql=_all_rows([p.sql for p in group]),
        lost_s=sum(p.lost_s for p in group),
        confidence=min((p.confidence for p in group), key=CONFIDENCES.index),
        effect=_named(first.effect, first.subject),
        curve=None,
        hours=(),
        covers=frozenset().union(*(p.covers for p in group)),
        about=frozenset().union(*(p.places for p in group)),
        when=first.when and _span(first.when, [p.when for p in group if p.when]),
        parts=tuple(group),
    )
    minute = _minute(group)
    return made.after(STAGGER.format(minute), "If they have to start together") if minute else made


def _is_one_pool(group: Sequence[Finding]) -> bool:
    """True if systems lack aliases of the same LCU or volume: those defined for one of them serve all."""
    adds = all(p.subject.kind in ("lcu", "volume") and p.aliases and p.aliases.verdict == "add" for p in group)
    return adds and len({p.subject.names for p in group}) == 1 < len(group)


def _need(f: Finding) -> int:
    return (f.aliases and (f.aliases.likely or f.aliases.fewest)) or 0


def _minute(group: Sequence[Finding]) -> str:
    """`:00`, where several volumes queue in one short interval of many hours; else nothing."""
    hours = [h for p in group for h in p.hours]
    starts = {f":{h.start:%M}" for h in hours}
    are_several = min(len(group), len(group[0].hours)) >= SEVERAL and all(h.end - h.start <= SHORT for h in hours)
    return starts.pop() if are_several and len(starts) == 1 else ""


def _own_words(others: Iterable[Finding], first: Finding, is_pool: bool) -> list[str]:
    """What the other parts have of their own, of one pool no advice; those with the same words are named together."""
    known = {*sentences(first.advice), *sentences(first.details)}
    same: dict[str, list[Subject]] = {}
    for p in others:
        effect = "" if p.severity == "note" else expectation(p, brief=True)
        opening = effect[:1].upper() + effect[1:] or p.text
        advised = () if is_pool else sentences(p.advice)
        own = (words for words in (*advised, *sentences(p.details)) if words not in known)
        same.setdefault(". ".join([opening, *own]), []).extend([p.subject] * bool(effect))
    return [f"{_opening(each)}{words}" for words, each in same.items()]


def _opening(subjects: Sequence[Subject]) -> str:
    """Whose words follow; nothing where these name them."""
    each = [s.in_short for s in subjects]
    return f"{listed([each[0].opening, *map(str, each[1:])], FEW)}: " if each else ""


def _all_rows(queries: Iterable[str]) -> str:
    """One query for the rows of several with the same columns, each once."""
    each = list(dict.fromkeys(queries))
    return " UNION ALL ".join(f"SELECT * FROM ({sql})" for sql in each) if len(each) > 1 else each[0]


def _kind(f: Finding, places: Places) -> object:
    """What like findings have in common; None where a finding stands for itself."""
    if not f.form or f.subject.kind not in KINDS:
        return None
    seen = places.of([f.subject])
    now = {places.at(one, f.when) if f.when else places.now(one) for one in seen}
    boxes = {place.box for place in now if place and place.box} or _first_system(seen, places)
    is_by_name = f.subject.kind in BY_NAME
    return f.code, f.severity, f.form, frozenset(f.subject.names[: BY_NAME[f.subject.kind]] if is_by_name else boxes)


def _first_system(seen: Iterable[Seen], places: Places) -> set[str]:
    """The first of all systems that see these volumes: in its place, of a box that no record names."""
    systems = (system for _, name in seen for system, _ in places.of([Subject("volume", (name,))]))
    return {min(systems, default="")}


def _is_with(f: Episode | None, first: Episode | None, least: float) -> bool:
    """True if most of a finding's time is in that of the first, or neither has one.

    Of bursts of one day, which of them is the worst is chance: all of them count.
    """
    if f is None or first is None:
        return f is first
    are_bursts = f.days == first.days == 1 and not (f.is_one_run or first.is_one_run)
    return overlap(first, f) >= least or (are_bursts and overlap(first.whole, f.whole) >= least)


def _others(first: Subject, others: Sequence[Subject]) -> str:
    """`volumes B, C and 2 more`, `on SYSB`: what others have that the first has not."""
    names = _missing(first.names, (s.names for s in others))
    systems = _missing(first.systems, (s.systems for s in others))
    what = listed(names, FEW)
    if first.words:
        what = listed([s.words for s in others], FEW)
    elif names:
        kind = {"lcu": "LCU", "subsystem": "subsystem"}.get(first.kind, "volume")
        what = f"{kind}{'s' if len(names) > 1 else ''} {what}"
    return " ".join(filter(None, [what, f"on {listed(systems, FEW)}" if systems else ""]))


def _missing(first: Sequence[str], others: Iterable[Sequence[str]]) -> list[str]:
    """The names that the first lacks, each once."""
    return list(dict.fromkeys(name for names in others for name in names if name not in first))


def _named(effect: Effect | None, subject: Subject) -> Effect | None:
    """The effect with whose it is."""
    return effect and replace(effect, what=f"{_WHOSE.sub('', effect.what)} of {subject.in_short}")


def _span(first: Episode, every: Sequence[Episode]) -> Episode:
    """The worst run of the first, the first interval and the last one of all."""
    return replace(first, first=min(e.first_seen for e in every), until=max(e.last_seen for e in every))
