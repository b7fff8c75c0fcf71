"""One pool has one number of aliases, and what asks for aliases and what rejects them name each other.

Two findings that ask for aliases of the same pool are one, which holds the other as evidence. One that asks and one
that rejects may both be right: I/Os wait in the host for an alias, and later on the path or in the box. More aliases do
not shorten the second wait.
"""

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import A_DAY, Places
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.show.numbers import listed

# advice about some hours speaks for these only
NO_HELP = re.compile(r"aliases (will not help(?! in these hours)( here)?|don't shorten disconnect)", re.IGNORECASE)
# verdicts that name a count of aliases, or would if more were known
COUNTS = frozenset({"add", "no_address", "cant_tell"})
NOT_SHORTER = "Aliases don't shorten the other delay found here: "
IOSQ_ONLY = " (those that are advised here shorten IOSQ only)"


def agreed(found: Sequence[Finding], places: Places, titles: Mapping[str, str]) -> list[Finding]:
    """The findings; those that ask for aliases and those that reject them name each other (by `titles` of rules)."""
    give = [n for n, f in enumerate(found) if f.aliases and f.aliases.verdict == "add"]
    deny = [n for n, f in enumerate(found) if n not in give and f.severity != "note" and NO_HELP.search(f.advice)]
    if not (give and deny):
        return list(found)
    at = {n: places.of(found[n].places) for n in (*give, *deny)}
    near: dict[int, set[str]] = defaultdict(set)
    for one in give:
        for other in deny:
            if at[one] & at[other]:
                near[one].add(about(titles[found[other].code]))
                near[other] |= set()
    return [_annotated(f, sorted(near[n])) if n in near else f for n, f in enumerate(found)]


def lent(found: Sequence[Finding]) -> list[Finding]:
    """The findings; one that borrows aliases of an LCU and one that takes these away name each other."""
    each, spare = list(found), [n for n, f in enumerate(found) if f.aliases and f.aliases.verdict == "too_many"]
    for n in spare:
        own = {s.on_all_systems() for s in found[n].subject.each}
        borrow = [m for m, f in enumerate(found) if f.aliases and lcus([f.aliases.lender]) in own]
        if borrow:
            names = listed([str(found[m].subject) for m in borrow])
            each[n] = each[n].after(
                f"Keep them until {names} no longer wait{'s'[len(borrow) > 1 :]} for aliases", "If none is lent by then"
            )
        for m in borrow:
            each[m] = _ending(each[m], f"Keep those of {found[n].subject} for that: another finding would remove them")
    return each


def moved_here(found: Sequence[Finding], places: Places) -> list[Finding]:
    """The findings; one that began within a day after aliases moved a wait of its volumes into the box names that."""
    waits = [f for f in found if f.severity == "watch" and f.aliases and f.aliases.verdict == "enough"]
    return [_after_waits(f, waits, places) for f in found]


def _after_waits(f: Finding, waits: Sequence[Finding], places: Places) -> Finding:
    is_about = f.when is not None and f.severity != "note" and not f.aliases
    for w in waits if is_about else ():
        since = f.when.first_seen - w.when.last_seen if f.when and w.when else -A_DAY
        if dt.timedelta() <= since <= A_DAY and places.of(f.places) & places.of(w.places):
            return f.also(f"{w.subject.opening} waited for aliases before it began: that wait may only have moved here")
    return f


def one_of_each_pool(found: Sequence[Finding]) -> list[Finding]:
    """The findings; of those that ask for aliases of one pool the most serious, then costliest, holds the others."""
    kept: list[Finding] = []
    for f in sorted(found, key=lambda f: f.urgency):
        n = next((n for n, other in enumerate(kept) if _pool(f) & _pool(other)), None)
        if n is None:
            kept.append(f)
        else:
            kept[n] = _holding(kept[n], f)
    return kept


def _pool(f: Finding) -> set[Subject]:
    """The LCUs of the pool that it asks for aliases of; empty if it asks for none."""
    asks = f.subject.kind == "lcu" and f.severity != "note" and f.aliases and f.aliases.verdict in COUNTS
    return set(f.subject.each) if asks else set()


def _holding(f: Finding, other: Finding) -> Finding:
    """The finding with one about the same queue, whose time is a part of its own."""
    covers = f.covers | other.covers | other.stands_for
    held = replace(f, covers=covers, lost_s=max(f.lost_s, other.lost_s))
    return held.also(f"About the same queue: {other.text}")


def other_delays(f: Finding) -> str:
    """The other findings about the same I/Os that a finding with aliases must name; empty if there are none."""
    _, found, rest = f.advice.partition(NOT_SHORTER)
    return f"{NOT_SHORTER}{rest}" if found else ""


def _annotated(f: Finding, others: Sequence[str]) -> Finding:
    """One that asks names the others, one that rejects that there are some."""
    if others:
        return _ending(f, f"{NOT_SHORTER}{'; '.join(others)}")
    return replace(f, advice=NO_HELP.sub(lambda m: m[0] + IOSQ_ONLY, f.advice, count=1))


def _ending(f: Finding, words: str) -> Finding:
    """The finding with a last sentence of its advice, which like findings do not share."""
    return replace(f, advice=f"{f.advice}. {words}", form=f"{f.form}{words}")


def about(title: str) -> str:
    """What a rule is about: `channels are full`."""
    return re.sub(r"^[A-Z](?=[a-z ])", lambda m: m[0].lower(), re.split("[:,]", title)[0])
