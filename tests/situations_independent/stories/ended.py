"""What ended with a change that the same lake shows, or began in it: that is named, and not asked for."""

import datetime as dt
from dataclasses import replace

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.phases import Phases
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

NOON = dt.datetime(2026, 3, 4, 12)
ONE = [System("PRD1")]


def _calm(why: str, about: str = ".") -> tuple[Say, ...]:
    """Nothing is urgent, or to be watched."""
    return tuple(Say(why, about, severity=severity) for severity in ("act", "watch"))


@situation
def missing_box_left_at_noon() -> Situation:
    """30 % of an LCU's reads miss until noon, those of another do not; then its volumes are in another box and hit."""

    def misses(m: Moment, _: System, v: Volume, w: Work) -> None:
        w.rate = 140.0
        if v.volser.startswith("GON") and m.start < NOON:
            w.hit = 0.7

    boxes = [Box("0000000XN101"), Box("0000000XN102")]
    stays = Lcu("0051", 0x5100, "STY", volumes=6)
    old = Lcu("0050", 0x5000, "GON", volumes=6)
    new = replace(old, number="0052", first=0x5200, box=1)
    before = Shop(NOON - dt.timedelta(hours=2), 2, ONE, boxes, [old, stays], changes=[misses])
    after = Shop(NOON, 2, ONE, boxes, [stays, new], changes=[misses])
    return Situation(
        "missing_box_left_at_noon", missing_box_left_at_noon.__doc__ or "", Phases((before, after)),
        must=(Say("what ended it is named", "XN101|2050", ("hit", "moved", "XN102")),),
        must_not=_calm("they are elsewhere and well", "XN10|0050|2050|GON"),
    )  # fmt: skip


@situation
def mirror_slow_since_noon() -> Situation:
    """A write to the mirror costs 0.4 ms until noon and 8 ms since, at the same load: it is no distance."""

    def slower(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser.startswith("MIR"):
            w.copy_ms = 0.4 if m.start < NOON else 8.0

    mirrored, plain = Lcu("0050", 0x5000, "MIR", volumes=6, mirrored=True), Lcu("0051", 0x5100, "STY", volumes=6)
    start = NOON - dt.timedelta(hours=2)
    shop = Shop(start, 4, ONE, [Box("0000000XN104")], [mirrored, plain], changes=[slower])
    return Situation(
        "mirror_slow_since_noon", mirror_slow_since_noon.__doc__ or "", shop,
        must=(Say("it began at noon", "XN104", ("second box", "began at 12:00")),),
        must_not=(Say("the lake shows it", ".", ("always been so",)),),
    )  # fmt: skip


@situation
def distant_mirror_slow_for_two_hours() -> Situation:
    """A write to the mirror costs 0.9 ms all day, which is its distance, and 6 ms for two hours."""

    def slower(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser.startswith("MIR"):
            is_slow = NOON <= m.start < NOON + dt.timedelta(hours=2)
            w.rate, w.read, w.copy_ms = 120.0, 0.5, 6.0 if is_slow else 0.9

    mirrored, plain = Lcu("0050", 0x5000, "MIR", volumes=6, mirrored=True), Lcu("0051", 0x5100, "STY", volumes=6)
    start = NOON - dt.timedelta(hours=36)
    shop = Shop(start, 42, ONE, [Box("0000000XN105")], [mirrored, plain], changes=[slower])
    return Situation(
        "distant_mirror_slow_for_two_hours", distant_mirror_slow_for_two_hours.__doc__ or "", shop,
        must=(Say("these two hours", "XN105", ("second box", "12:00-14:00", "began at 12:00")),),
        must_not=(Say("the lake shows it", ".", ("always been so",)),),
    )  # fmt: skip


@situation
def swapped_and_back() -> Situation:
    """Volumes are in another box, whose LCU has 2 aliases, for two hours, and then back in theirs with 24."""
    boxes = [Box("0000000XN106"), Box("0000000XN107")]
    home = Lcu("0050", 0x5000, "SWP", volumes=6, aliases=24, rate=1400.0)
    away = replace(home, number="0052", first=0x5200, box=1, aliases=2)
    stays = Lcu("0051", 0x5100, "STY", volumes=6)
    two = dt.timedelta(hours=2)
    phases = [Shop(NOON + n * two, 2, ONE, boxes, [lcu, stays]) for n, lcu in enumerate((home, away, home))]
    return Situation(
        "swapped_and_back", swapped_and_back.__doc__ or "", Phases(tuple(phases)),
        must=(
            Say("its pool ran dry, and it has no volumes any more", "0052", ("moved", "LCU 0050"), severity="note"),
            Say("they went", "SWP", ("moved", "12:00|14:00")),
        ),
        must_not=_calm("they are back and well", "005|XN10|SWP"),
    )  # fmt: skip


@situation
def mirror_suspended_twice() -> Situation:
    """A mirror of 0.9 ms a write is suspended for the first two hours, and for one more at noon, as its status says."""

    def is_suspended(m: Moment) -> bool:
        return m.start < NOON - dt.timedelta(hours=2) or NOON <= m.start < NOON + dt.timedelta(hours=1)

    def copied(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser.startswith("MIR"):
            w.rate, w.read, w.copy_ms = 120.0, 0.5, 0.0 if is_suspended(m) else 0.9

    mirrored, plain = Lcu("0050", 0x5000, "MIR", volumes=6, mirrored=True), Lcu("0051", 0x5100, "STY", volumes=6)
    shop = Shop(
        NOON - dt.timedelta(hours=4), 7, ONE, [Box("0000000XN108")], [mirrored, plain], changes=[copied],
        mirrors=lambda m, c: c.mirrored and not is_suspended(m),
    )  # fmt: skip
    return Situation(
        "mirror_suspended_twice", mirror_suspended_twice.__doc__ or "", shop,
        must=(
            Say("it begins and ends", "MIR", ("lost their mirror at 12:00", "again since 13:00")),
            Say("0.9 ms is its distance", "XN108", ("always been so",)),
        ),
        must_not=(
            Say("no write waits while it is suspended: those are no better hours", "XN108", ("second box", "began at")),
            Say("nothing is urgent", ".", (), severity="act"),
        ),
    )  # fmt: skip
