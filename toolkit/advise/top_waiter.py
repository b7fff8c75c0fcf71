"""The data set, job, guest or system with most of the work of a finding's volumes in its time, and how much is usual.

The work is what the finding is about (`work` in the header of its rule, time waited for rules about a queue). Type 42.6
has data sets and jobs. Where there is none, type 30 has the job. On z/VM, FCX110 has the guest. Where
none is known, one of several systems may do more than usually.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from iosq.toolkit.advise.finding import Finding, Number
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import ALWAYS
from iosq.toolkit.predict.measured import COMPARABLE
from iosq.toolkit.predict.thresholds import Site, shared
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import plural, share
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

QUESTION, LIMITS = load(__package__, "top_waiter.sql"), shared(__package__, "top_waiter.toml")
# of these what is wrong is not who does it
AFTERWARDS = ("writes", "I/Os")
NO_RECORDS = "Type 42.6 would name the data set and job"
# what is counted, in words
WORK = {
    "waited": "time waited",
    "connect": "connect time",
    "disconnect": "disconnect time",
    "writes": "writes",
    "I/Os": "I/Os",
}
# the first words where they suffer from another's work
VICTIMS = {"I/Os": "Waiting for it: "}
# of these, what no trouble makes more: else I/Os show how much is done
AMOUNTS = ("connect", "writes")
# findings whose users are asked for: the most urgent ones, since each query scans all intervals
MOST = 32


def named(
    con: Connection, found: Sequence[Finding], work: Mapping[str, str], places: Places, site: Site | None = None
) -> list[Finding]:
    """The findings; those of rules in `work` name the data set, job or guest with most of it on their volumes.

    The first of z/OS that could name none for lack of records names the missing data, once.
    """
    limits, shown, is_lacking = LIMITS.limits(site), list(found), False
    for n in [n for n, f in enumerate(found) if work.get(f.code)][:MOST]:
        counted = work[found[n].code]
        rows = _rows(con, found[n], counted, places, limits)
        shown[n] = _named(found[n], rows, counted, limits)
        if shown[n] is found[n] and counted not in VICTIMS and len({r["system"] for r in rows}) > 1:
            shown[n] = _of_a_system(found[n], rows, counted, limits)
        if (
            shown[n] is found[n]
            and found[n].severity != "note"
            and counted not in AFTERWARDS
            and not is_lacking
            and _lacks_records(rows)
        ):
            is_lacking, shown[n] = True, found[n].also(NO_RECORDS)
    return shown


def _rows(con: Connection, f: Finding, work: str, places: Places, limits: Mapping[str, float]) -> list[Row]:
    """The users of the finding's volumes in its time."""
    when, seen = f.when or ALWAYS, places.of(f.places)
    whole = when.whole.in_us
    volumes = "".join(f"|{name}|" for name in sorted({name for _, name in seen}))
    own = {"is_daily": when.days > 1, "volumes": volumes, "work": work}
    given = {**when.in_us, "first_us": whole["start_us"], "last_us": whole["end_us"], "least": limits["least"], **own}
    rows = [r for r in ask(con, QUESTION, **given).to_pylist() if (r["system"], r["volume"]) in seen]
    return rows if _lacks_records(rows) else [r for r in rows if r["source"] != "smf30"]


def _lacks_records(rows: Sequence[Row]) -> bool:
    """True if no system of z/OS has records of data sets."""
    mine = [r["is_recorded"] for r in rows if r["source"] == "smf42" and r["volume_work"]]
    return bool(mine) and not any(mine)


def _named(f: Finding, rows: Sequence[Row], work: str, limits: Mapping[str, float]) -> Finding:
    """The finding with the first name that has most of the work, else that of those that usually do less."""
    found = [m for kind in KINDS for m in _Most.each([r for r in rows if r["source"] == kind.source], kind)]
    half = [m for m in found if m.part >= limits["share"]]
    risen = [m for m in found if m.part >= limits["risen"] and m.has_risen(limits["above"])]
    most = next(iter(half), None) or max(risen, key=lambda m: m.part, default=None)
    if most is None:
        return f
    others = [m for m in found if m.kind is most.kind and m is not most and m.part >= limits["risen"]]
    is_alone = most.part > 1 - limits["seldom"]
    is_once = f.when is not None and (f.when.days == 1 or (is_alone and work == "waited"))
    named = _also(f, most, others[:1], work)
    if f.severity == "act" and work not in VICTIMS and is_once and most.is_new(limits["seldom"]):
        return _first(named, most.kind.words(most.rows, f.subject), work, is_alone=is_alone)
    return named


def _of_a_system(f: Finding, rows: Sequence[Row], work: str, limits: Mapping[str, float]) -> Finding:
    """The finding with the system that does more than usually, if it alone does."""
    each = {(r["system"], r["volume"]): r for r in rows if r["volume_work"]}.values()
    systems = _Most.each([{**r, **{name: r[own] for name, own in OF_SYSTEM.items()}} for r in each], SYSTEM)
    risen = [m for m in systems if m.part >= limits["risen"] and m.has_risen(limits["above"])]
    return _also(f, risen[0], [], work) if len(risen) == 1 else f


def _also(f: Finding, most: "_Most", others: Sequence["_Most"], work: str) -> Finding:
    """The finding with a name, its share of the work, and those of others."""
    time = most.kind.work or WORK[work]
    number = Number(f"share of that {most.kind.noun} in the {time}", 100 * most.part, "%")
    verb = "is that" if "time" in time else "are those"
    who = most.kind.words(most.rows, f.subject)
    amount = most.kind.work or (WORK[work] if work in AMOUNTS else "I/Os")
    words = f"{VICTIMS.get(work, '')}{share(most.part)} of the {time} then {verb} of {who}{most.compared(amount)}"
    words += "".join(f"; {share(m.part)} {verb} of {m.kind.words(m.rows, f.subject)}" for m in others)
    return replace(f, numbers=(*f.numbers, number), who=words).also(words)


def _first(f: Finding, who: str, work: str, *, is_alone: bool) -> Finding:
    """The finding, beginning with the work that is there only then; hardly any other waits where it `is_alone`."""
    if is_alone and work == "waited":
        return f.after(f"See whether the work of {who} has to end sooner: hardly any other gains", "If so")
    place, slow = " or other volumes" if work == "waited" else "", ", or let it do less at once" if is_alone else ""
    return f.after(f"Move the work of {who} to another hour{place}{slow}", "If it must run then")


@dataclass(frozen=True, slots=True)
class _Most:
    """The rows with a name, its share of the work, what it does per s, and usually if known."""

    kind: "_Kind"
    rows: Sequence[Row]
    part: float
    amount: float
    usual: float | None

    @classmethod
    def each(cls, rows: Sequence[Row], kind: "_Kind") -> "Iterator[_Most]":
        """From the rows of a source: each name, that with most of the work first."""
        by_name: dict[str, list[Row]] = defaultdict(list)
        for r in rows:
            if r[kind.key]:
                by_name[r[kind.key]].append(r)
        whole = sum({(r["system"], r["volume"]): r["volume_work"] or 0.0 for r in rows}.values())
        for most in sorted(by_name.values(), key=_work, reverse=True):
            known = [r for r in most if r["amount"] is not None and r["usual_amount"] is not None]
            amount, usual = (sum(r[name] for r in known) for name in ("amount", "usual_amount"))
            yield cls(kind, most, min(_work(most) / whole, 1.0), amount, usual if known else None)

    def has_risen(self, above: float) -> bool:
        """True if it does much more than usually."""
        return self.usual is not None and self.amount >= above * self.usual

    def compared(self, what: str) -> str:
        """How much it does, of what it usually does."""
        if not self.usual:
            return "" if self.usual is None else ", none at other times"
        times = self.amount / self.usual
        return ", as usual" if abs(times - 1) <= COMPARABLE else f", {human_number(times)} times its usual {what}"

    def is_new(self, seldom: float) -> bool:
        """True if it is hardly there at other times."""
        return self.usual is not None and self.usual <= seldom * self.amount


def _work(rows: Sequence[Row]) -> float:
    return float(sum(r["work"] for r in rows))


def _data_set(rows: Sequence[Row], subject: Subject) -> str:
    worst = max(rows, key=lambda r: float(r["work"]))
    job = f", job {worst['job']}" if worst["job"] else ""
    others = " and others" if job and len({r["job"] for r in rows}) > 1 else ""
    volumes = {r["volume"] for r in rows}
    more = f" and {len(volumes) - 1} more" if len(volumes) > 1 else ""
    place = "" if subject.kind == "volume" else f" on volume {worst['volume']}{more}"
    return f"data set {worst['name']}{place}{job}{others} (42.6)"


def _job(rows: Sequence[Row], _: Subject) -> str:
    worst = max(rows, key=lambda r: float(r["work"]))
    dd = f", DD {worst['name']}" if worst["name"] else ""
    return f"job {worst['job']}{dd} (30)"


def _job_of_data_sets(rows: Sequence[Row], _: Subject) -> str:
    return f"job {rows[0]['job']}, {plural(len({r['name'] for r in rows}), 'data set')} (42.6)"


def _guest(rows: Sequence[Row], _: Subject) -> str:
    return f"guest {rows[0]['job']} (FCX110)"


def _system(rows: Sequence[Row], _: Subject) -> str:
    return f"system {rows[0]['job']}"


class _Kind(NamedTuple):
    """The source and column of a name, what it names, the words for it, and its work if not that of the finding."""

    source: str
    key: str
    noun: str
    words: Callable[[Sequence[Row], Subject], str]
    work: str = ""


SYSTEM = _Kind("", "job", "system", _system)
# columns of a user, and those of the system itself
OF_SYSTEM = {
    "job": "system",
    "work": "volume_work",
    "amount": "volume_amount",
    "usual_amount": "usual_volume_amount",
}
# of users, those of the first source that has one
KINDS = (
    _Kind("smf42", "name", "data set", _data_set),
    _Kind("smf42", "job", "job", _job_of_data_sets),
    _Kind("smf30", "job", "job", _job, "connect time"),
    _Kind("fcx110", "job", "guest", _guest, "I/Os"),
)
