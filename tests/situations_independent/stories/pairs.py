"""A symptom and its cause in one window, and what was changed afterwards: the cause is advised, and the present.

Every pair has the same background: the symptom's LCU and a healthy one in one box, a healthy one in a second box. In
the window the cause lengthens each I/O at an unchanged rate, so that aliases or exposures run out.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
ABOUT = "XK9P1|0010|PA00|2010|0000"
FULL = ("is full|is saturated with I/Os",)
NO_BOX = Say("the box carries this rate with a third of the I/Os inside at other hours", "XK9P1", ("^box_saturated",))
OTHERS = Say("the others are well", "0011|0012|PB00|PC00|XK9P2", (), severity="act")


@dataclass(frozen=True)
class Cause:
    """What lengthens each I/O of the LCU, and the words that name it."""

    plant: Callable[[Work], None]
    words: tuple[str, ...]
    lcu: Callable[[Lcu], Lcu] = lambda c: c
    is_off: bool = False


def _array(w: Work) -> None:
    w.miss_ms *= 12


def _mirror(w: Work) -> None:
    w.copy_ms = 6.0


def _nvs(w: Work) -> None:
    w.nvs_ratio = 0.25


def _path(w: Work) -> None:
    w.cmr_ms += 1.6


def _hits(w: Work) -> None:
    w.hit = 0.5


def _off(w: Work) -> None:
    w.hit, w.sequential = 0.05, 0.0


CAUSES = {
    "array": Cause(_array, ("rank|extent pool|array|back.?end|disks|arms",)),
    "mirror": Cause(_mirror, ("second box|mirror|remote copy",), lambda c: replace(c, mirrored=True)),
    "cache_off": Cause(_off, ("caching (is|was) off",), is_off=True),
    "nvs": Cause(_nvs, ("NVS",)),
    "path": Cause(_path, (r"\bCMR\b|command response|on the way",)),
    "hits": Cause(_hits, ("hits?\\b|miss",)),
}
POOL = Lcu("0010", 0x1000, "PA", volumes=5, aliases=8, rate=2200.0)
STATIC = Lcu("0010", 0x1000, "PA", volumes=3, pav="static", exposures=2, rate=900.0)
SYMPTOMS = {"pool": POOL, "static": STATIC}


def shop(lcu: Lcu, days: int = 2) -> Shop:
    """The background of every pair: equal load at all hours, from 8 to 14 each day."""
    others = [Lcu("0011", 0x1100, "PB", volumes=4, aliases=24), Lcu("0012", 0x1200, "PC", volumes=4, box=1, aliases=24)]
    return Shop(
        MONDAY, days * 24, [System("PRD1"), System("PRD2", share=0.02)], [Box("0000000XK9P1"), Box("0000000XK9P2")],
        [lcu, *others], kept=lambda m: 8 <= m.start.hour < 14, profile=lambda _: 1.0,
    )  # fmt: skip


def _window(m: Moment) -> bool:
    return m.within(10, 12)


def pair(cause: str, symptom: str, days: int) -> Situation:
    """One cause behind one symptom."""
    c = CAUSES[cause]
    s = shop(c.lcu(SYMPTOMS[symptom]), days)

    def planted(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and _window(m):
            c.plant(w)

    s.changes.append(planted)
    if c.is_off:
        s.uncached = lambda m, lcu: lcu.number == "0010" and _window(m)
    words = Say(f"{cause} is why", ABOUT, (*c.words, "10:"))
    return Situation(
        f"pair_{cause}_{symptom}", f"{cause} lengthens I/Os from 10 to 12 of {days} days; {symptom} runs out.", s,
        must=(words,),
        must_not=(
            Say(f"{cause} is why they run out", "0010|PA00", (), severity="act", more_aliases=True),
            NO_BOX, OTHERS,
        ),
        pav_first=Say(f"{cause} comes first in advice about aliases", ABOUT, c.words),
    )  # fmt: skip


def _named(maker: Callable[[], Situation], name: str) -> None:
    maker.__name__ = name
    situation(maker)


for _cause in CAUSES:
    for _symptom in SYMPTOMS:
        _days = 1 + (len(_cause) + len(_symptom)) % 3
        _named(lambda c=_cause, s=_symptom, d=_days: pair(c, s, d), f"pair_{_cause}_{_symptom}")  # type: ignore[misc]


def _grown(name: str, lcu: Lcu, *, slow_neighbour: bool) -> Situation:
    """More I/Os of the same length, each day: aliases are the cure, whatever else is slow."""
    s = shop(lcu, 3)

    def busier(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and _window(m):
            w.rate *= 2.8
        if slow_neighbour and v.lcu == 1 and _window(m):
            w.miss_ms *= 12
            w.rate *= 4

    s.changes.append(busier)
    return Situation(
        name, _grown.__doc__ or "", s,
        must=(Say("aliases are short of the load", "0010|PA00", (), more_aliases=True, severity="act"),),
        must_not=(
            Say("the load is more", "0010|PA00", (), verdict="wont_help"),
            Say("the load is more", "0010|PA00", (), verdict="enough"),
        ),
    )  # fmt: skip


@situation
def grown_pool() -> Situation:
    """The pool's own load rises each day."""
    return _grown("grown_pool", POOL, slow_neighbour=False)


@situation
def grown_pool_next_to_slow_array() -> Situation:
    """The same, while the array of another LCU is slow."""
    return _grown("grown_pool_next_to_slow_array", POOL, slow_neighbour=True)


@situation
def grown_static() -> Situation:
    """Volumes with exposures of their own."""
    return _grown("grown_static", STATIC, slow_neighbour=True)


def _busy_until(cut: dt.datetime) -> Callable[[Moment, System, Volume, Work], None]:
    def busier(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and _window(m) and m.start < cut:
            w.rate *= 2.8

    return busier


@situation
def pool_moved_then_quick() -> Situation:
    """Four days. The pool runs dry on two; on the third the LCU is moved to box XK9P2, and no I/O waits."""
    cut = MONDAY + dt.timedelta(days=2)
    s = shop(replace(POOL, aliases=8), 4)
    s.boxes = [Box("0000000XK9P1", miss_ms=8.0), Box("0000000XK9P2", miss_ms=0.4)]
    s.box_of = lambda m, c: 1 if c.number == "0010" and m.start >= cut else c.box

    def busier(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and _window(m):
            w.rate *= 1.5

    s.changes.append(busier)
    return Situation(
        "pool_moved_then_quick", pool_moved_then_quick.__doc__ or "", s,
        must=(Say("it moved, and when", ".", ("XK9P2", "moved|since", r"2026-03-04")),),
        must_not=(
            Say("no I/O waits any more", "0010|PA00", (), more_aliases=True),
            Say("it is over", "0010|PA00|XK9P1", (), severity="act"),
        ),
    )  # fmt: skip


def _relocated(old: Lcu, new: Lcu, hour: float) -> Shop:
    """Volumes of one LCU appear at noon under the other's addresses, with the same serials."""
    s = shop(old, 4)
    s.lcus.append(new)
    cut = MONDAY + dt.timedelta(hours=hour)

    def moved(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu not in (0, 3):
            return
        is_here = (m.start < cut) == (v.lcu == 0)
        w.volser, w.online = f"PA{v.volser[2:]}", is_here
        if not is_here:
            w.rate = 0.0
        elif _window(m):
            w.rate *= 2.8

    s.changes.append(moved)
    return s


@situation
def lcu_emptied() -> Situation:
    """Four days. At noon of the second all volumes of LCU 0010 are moved to LCU 0013, which has 60 aliases.

    Migration software moved them, serials and all, with the same load. LCU 0010 has no volumes any more.
    """
    new = replace(POOL, number="0013", first=0x1300, prefix="PD", aliases=60, box=1)
    return Situation(
        "lcu_emptied", lcu_emptied.__doc__ or "", _relocated(POOL, new, 36),
        must=(Say("they moved, and when", ".", ("0013|XK9P2", "moved", r"12:\d\d.*2026-03-03|2026-03-03 12:\d\d")),),
        must_not=(
            Say("it has no volumes any more", "0010", (), more_aliases=True),
            Say("it has no volumes any more", "0010", (), severity="act"),
            Say("it has 60", "0013", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def static_became_hyperpav() -> Situation:
    """Four days. At noon of the second the volumes get HyperPAV, with 40 aliases, in LCU 0013 of the same box."""
    new = replace(POOL, number="0013", first=0x1300, prefix="PD", aliases=40, rate=900.0, volumes=3)
    return Situation(
        "static_became_hyperpav", static_became_hyperpav.__doc__ or "", _relocated(STATIC, new, 36),
        must_not=(
            Say("they have HyperPAV", "PA00|0010", (), more_aliases=True),
            Say("they have HyperPAV", "PA00|0010", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def renumbered_lcu() -> Situation:
    """Four days. The partition is moved to another machine at noon of the second, where LCU 0010 is LCU 0110.

    It is one pool with one trouble, in want of aliases as before.
    """
    new = replace(POOL, number="0110", first=0x1300, prefix="PD")
    return Situation(
        "renumbered_lcu", renumbered_lcu.__doc__ or "", _relocated(POOL, new, 36),
        must=(Say("eight are too few where it is now", "0110", (), more_aliases=True),),
        must_not=(Say("it is LCU 0110 now", "^LCU 0010", (), severity="act"),),
    )  # fmt: skip


def _once(name: str, doc: str, plant: Callable[[Work], None], lcu: Lcu, minutes: int, days: int = 7) -> Situation:
    s, start = shop(lcu, days), MONDAY + dt.timedelta(days=3, hours=11)
    if days > 10:
        s.systems = [System("PRD1", interval_s=3600), System("PRD2", share=0.02, interval_s=3600)]

    def planted(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and start <= m.start < start + dt.timedelta(minutes=minutes):
            plant(w)

    s.changes.append(planted)
    return Situation(
        name, doc, s,
        must_not=(Say("once in a week", ".", (), severity="act"), OTHERS),
    )  # fmt: skip


@situation
def frozen_once() -> Situation:
    """A week; in one quarter of an hour a HyperSwap holds every I/O up for 60 ms."""

    def freeze(w: Work) -> None:
        w.cmr_ms += 60.0

    return _once("frozen_once", frozen_once.__doc__ or "", freeze, POOL, 15)


@situation
def burst_once() -> Situation:
    """A week; in one quarter of an hour the pool gets three times its load."""

    def burst(w: Work) -> None:
        w.rate *= 3.0

    return _once("burst_once", burst_once.__doc__ or "", burst, POOL, 15)


@situation
def burst_of_static_once() -> Situation:
    """The same of volumes with exposures of their own."""

    def burst(w: Work) -> None:
        w.rate *= 3.0

    return _once("burst_of_static_once", burst_of_static_once.__doc__ or "", burst, STATIC, 15)


@situation
def one_day_of_thirty() -> Situation:
    """Thirty days; on one of them PA002 does sixty times its usual I/Os for two hours, and the pool runs dry."""
    s = _once("one_day_of_thirty", one_day_of_thirty.__doc__ or "", lambda _: None, replace(POOL, rate=500.0), 120, 30)
    start = MONDAY + dt.timedelta(days=3, hours=11)

    def planted(m: Moment, x: System, v: Volume, w: Work) -> None:
        if v.volser == "PA002" and x.sid == "PRD1" and start <= m.start < start + dt.timedelta(minutes=120):
            w.rate *= 60.0

    s.shop.changes = [planted]  # type: ignore[union-attr]
    return replace(s, must=(Say("PA002 is who, on one day", "0010|PA00", ("PA002", "2026-03-05", "1 of 30 days")),))


@situation
def unexplained_all_day() -> Situation:
    """Two days. Three of five volumes of LCU 0010 have 4 ms of disconnect at 98 % hits at all hours; others none."""
    s = shop(replace(POOL, rate=150.0), 2)

    def slow(_m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser in ("PA001", "PA002", "PA003"):
            w.hit, w.disc_extra_ms = 0.985, 4.0

    s.changes.append(slow)
    return Situation(
        "unexplained_all_day", unexplained_all_day.__doc__ or "", s,
        must=(Say("4 ms that nothing explains", "PA001|PA002|0010", ("disconnect", "PA001|3 volumes")),),
        must_not=(OTHERS, Say("nothing waits", ".", (), more_aliases=True)),
    )  # fmt: skip


@situation
def reserve_of_other_clock() -> Situation:
    """A day and a half. PRD2, whose intervals begin seven minutes later, holds PB002 45 % of the time from 10 to 12."""
    s = shop(replace(POOL, rate=150.0), 2)
    s.systems = [System("PRD1"), System("PRD2", share=0.4)]
    late = dt.timedelta(minutes=7)
    s.moments_of = lambda system: [
        m for m in (Moment(MONDAY + n * dt.timedelta(minutes=15) + late * (system.sid == "PRD2"), 900)
                    for n in range(2 * 96)) if s.kept(m)
    ]  # fmt: skip

    def held(m: Moment, x: System, v: Volume, w: Work) -> None:
        if v.volser == "PB002" and _window(m):
            w.rate, w.reserved, w.held_ms = (30.0, 0.45, 0.0) if x.sid == "PRD2" else (100.0, 0.0, 14.0)

    s.changes.append(held)
    return Situation(
        "reserve_of_other_clock", reserve_of_other_clock.__doc__ or "", s,
        must=(Say("PRD2 holds it", "PB002", ("System PRD2 has volume PB002 reserved",)),),
        must_not=(Say("nothing lacks aliases", ".", (), more_aliases=True),),
    )  # fmt: skip


@situation
def nvs_pinned() -> Situation:
    """Two days. A rank failed at 9 of the second day; what it should get stays in NVS, pinned, and writes wait."""
    s = shop(replace(POOL, rate=400.0), 2)
    since = MONDAY + dt.timedelta(days=1, hours=9)
    s.pinned_share = lambda m, lcu: 0.7 if lcu.box == 0 and m.start >= since else 0.0

    def waiting(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu in (0, 1) and m.start >= since:
            w.nvs_ratio = 0.15

    s.changes.append(waiting)
    return Situation(
        "nvs_pinned", nvs_pinned.__doc__ or "", s,
        must=(Say("NVS is pinned", "XK9P1|2010|2011|0010", ("pinned",)),),
        must_not=(
            Say("more NVS is not the cure", ".", (r"(?<!not )(?<!neither )\b(add|buy|order)\b[^.;:]{0,20}\bNVS",)),
            Say("more NVS is not the cure", ".", ("more NVS would (absorb|help)",)),
        ),
    )  # fmt: skip


@situation
def slow_mirror_of_whole_box() -> Situation:
    """Two days. From 10 to 12 each write takes 8 ms for the second box, at an unchanged rate: no box is full."""
    s = shop(replace(POOL, mirrored=True, aliases=40), 2)
    s.lcus[1] = replace(s.lcus[1], mirrored=True)

    def slow(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu in (0, 1) and _window(m):
            w.copy_ms = 8.0

    s.changes.append(slow)
    return Situation(
        "slow_mirror_of_whole_box", slow_mirror_of_whole_box.__doc__ or "", s,
        must=(Say("writes wait for the second box", "XK9P1|0010|0011", ("second box|mirror|remote copy",)),),
        must_not=(NO_BOX, Say("no volume lacks aliases", ".", (), more_aliases=True, severity="act")),
    )  # fmt: skip


@situation
def slow_half_of_rank() -> Situation:
    """Two days. Three of six volumes of a pool miss four times as long from 10 to 13, at an unchanged rate and hits."""
    s = shop(replace(POOL, rate=300.0, volumes=6, aliases=24), 2)

    def slow(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.hit, w.miss_ms = 0.82, 8.0
        if v.volser in ("PA000", "PA002", "PA004") and m.within(10, 13):
            w.miss_ms *= 4

    s.changes.append(slow)
    return Situation(
        "slow_half_of_rank", slow_half_of_rank.__doc__ or "", s,
        must=(Say("these three", "PA00|0010|XK9P1|0000", ("PA00[024]", "10:")),),
        must_not=(OTHERS, Say("nothing waits", ".", (), more_aliases=True)),
    )  # fmt: skip


__all__ = ["CAUSES", "SYMPTOMS", "pair", "shop"]
