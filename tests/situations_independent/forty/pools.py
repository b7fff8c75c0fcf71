"""Pools of aliases: too small, small because of something else, small on one day only."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import DISKS, MIRROR, MONDAY, TUESDAY, aliases, heavy, no_act, no_aliases
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

ONE = [System("PRD1")]


@situation
def mirror_slow_and_pool_too_small() -> Situation:
    """Two causes. Writes of LCU 0030 wait 9 ms for the secondary from 20:00 to 22:00, and its pool runs dry then.

    LCU 0031 of another box is short of aliases in the peak of every morning, at its usual service time.
    """

    def batch(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.copy_ms = 9.0 if m.within(20, 22) else 0.5
            w.rate = 260 * v.weight
        if v.lcu == 1 and m.within(9, 12):
            heavy(m, _, v, w)

    boxes = [Box("KB201", ranks=2), Box("KB202", ranks=2)]
    lcus = [
        Lcu("0030", 0x3000, "MIR", volumes=8, aliases=4, read=0.6, mirrored=True),
        Lcu("0031", 0x3100, "SHO", volumes=8, aliases=4, rate=900, box=1),
    ]
    cause = Say("the mirror is slow", r"0030|2030|MIR0|KB201", (MIRROR, r"2[01]:"))
    return Situation(
        "mirror_slow_and_pool_too_small",
        "A slow mirror dries one pool in the evening; another pool is too small in the morning",
        Shop(TUESDAY, 24, ONE, boxes, lcus, changes=[batch]),
        (cause, aliases("0031")),
        (no_aliases(r"0030|MIR0", "it waits for the secondary"),),
    )


@situation
def neighbour_of_sixty_times_its_rate() -> Situation:
    """Tuesday 10:00-14:00 volume PRA003 does 60 times its usual rate, a loop in a program; the pool runs dry.

    On the four other days no I/O waits. More aliases would be bought for a fault of one program.
    Mended after the first run: both rates say as much as "60 times".
    """

    def loop(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "PRA003":
            w.rate = 80.0 * (60 if m.within(10, 14, dt.date(2026, 3, 3)) else 1)
            w.block = 60000.0

    lcus = [Lcu("0030", 0x3000, "PRA", volumes=6, aliases=2, rate=240)]
    return Situation(
        "neighbour_of_sixty_times_its_rate",
        "One volume does 60 times its usual rate for four hours of one of five days",
        Shop(MONDAY, 120, ONE, [Box("KB203", ranks=2)], lcus, changes=[loop]),
        (
            Say("PRA003 is what changed", r"PRA003", (r"(?i)usual|times (its|as)|rate",)),
            Say("by how much", "PRA003", (), figure=(r"([\d,]+) I/Os per s", 3500, 6000)),
        ),
        (Say("aliases are not the thing to do", r"0030|PRA0", more_aliases=True, severity="act"),),
    )


@situation
def one_interval_of_a_freeze() -> Situation:
    """Thursday 14:00 a freeze of some seconds: one interval of 480 has 12 ms of IOSQ on all volumes.

    A freeze holds I/Os back in the host whether aliases are free or not.
    """

    def frozen(m: Moment, _: System, __: Volume, w: Work) -> None:
        if m.within(14, 14.25, dt.date(2026, 3, 5)):
            w.iosq_ms = 12.0

    lcus = [Lcu("0030", 0x3000, "PRA", volumes=6, aliases=8, rate=150)]
    return Situation(
        "one_interval_of_a_freeze",
        "One interval of five days is bad",
        Shop(MONDAY, 120, ONE, [Box("KB204", ranks=2)], lcus, changes=[frozen]),
        (),
        (Say("one interval is never an act", "", severity="act"), no_aliases(r"0030|PRA0", "it has enough of them")),
    )


@situation
def pool_cut_by_mistake() -> Situation:
    """A new IODF is activated Thursday 00:00: LCU 0030 has 3 aliases instead of 16, and its peak queues since.

    Rates do not change. Up to 8 were in use until Wednesday, so that the old number is plenty.
    """

    lcus = [Lcu("0030", 0x3000, "PRA", volumes=8, aliases=16, rate=1050)]
    shop = Shop(MONDAY, 120, ONE, [Box("KB205", ranks=2)], lcus, changes=[heavy])
    shop.aliases_of = lambda m, _, c: 3 if m.start.date() >= dt.date(2026, 3, 5) else c.aliases
    return Situation(
        "pool_cut_by_mistake",
        "The pool of an LCU shrinks from 16 to 3 aliases on Thursday",
        shop,
        (
            aliases("0030", "it lacks aliases now"),
            Say("it had more before", "0030", (r"\b16\b",)),
        ),
        (Say("16 are not too many of 3", "0030", (r"(?i)take .* away|too large",)),),
    )


@situation
def pool_doubled_at_noon() -> Situation:
    """LCU 0030 queues in the morning peak with 3 aliases; at noon it gets 16, and the same peak at 15:00 is smooth."""
    lcus = [Lcu("0030", 0x3000, "PRA", volumes=8, aliases=16, rate=1000)]
    shop = Shop(TUESDAY, 24, ONE, [Box("KB206", ranks=2)], lcus, changes=[heavy])
    shop.aliases_of = lambda m, _, c: 3 if m.hour < 12 else c.aliases
    return Situation(
        "pool_doubled_at_noon",
        "A pool is enlarged at noon; the afternoon's peak doesn't wait",
        shop,
        (),
        (no_aliases(r"0030|PRA0", "they were given at noon"), no_act(r"0030|PRA0", "it is settled")),
    )


@situation
def small_shortage_and_broken_array() -> Situation:
    """Two causes: LCU 0030 waits a little for aliases for an hour; disks of LCU 0031 are six times slower since 06:00.

    The array costs many times more, so that it comes first.
    """

    def both(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(10, 11):
            heavy(m, _, v, w)
        if v.lcu == 1:
            w.hit = min(w.hit, 0.9)
            w.miss_ms *= 6 if m.hour >= 6 else 1

    lcus = [
        Lcu("0030", 0x3000, "PRA", volumes=6, aliases=3, rate=1150),
        Lcu("0031", 0x3100, "PRB", volumes=6, aliases=24, rate=300, box=1),
    ]
    array = Say("the disks of LCU 0031 are slow", r"0031|2131|PRB0|KB208", (DISKS,))
    return Situation(
        "small_shortage_and_broken_array",
        "An hour of a small shortage of aliases, and a box whose disks are six times slower since 06:00",
        Shop(TUESDAY, 24, ONE, [Box("KB207", ranks=2), Box("KB208", ranks=2)], lcus, changes=[both]),
        (array, Say("LCU 0030 wants aliases", r"0030|PRA0", more_aliases=True)),
        (no_aliases(r"0031|PRB0"),),
        order=((array, Say("LCU 0030 wants aliases", r"0030", more_aliases=True)),),
    )


@situation
def copy_job_with_ten_tasks() -> Situation:
    """Ten tasks of job UNLOAD01 share volume STA001, static PAV of 2 exposures, from 01:00 to 04:00: eight wait.

    By Little's law the wait is 4 times the service time; with more exposures they get more work done, not less wait
    for the same work. Mended after the first run: the pattern of the other volumes included STA001.
    """

    def tasks(m: Moment, _: System, v: Volume, w: Work) -> None:
        w.rate *= 0.3
        if v.volser == "STA001" and m.within(1, 4):
            w.requesters, w.block = 10, 27000.0

    jobs = [Job("UNLOAD01", "PRD1", "STA001", "PROD.DB.UNLOAD", lambda m: 0.95 if m.within(1, 4) else 0.0)]
    lcus = [Lcu("0030", 0x3000, "STA", volumes=6, pav="static", exposures=2, rate=100)]
    return Situation(
        "copy_job_with_ten_tasks",
        "Ten tasks work on one volume of two exposures at night",
        Shop(TUESDAY, 24, ONE, [Box("KB209", ranks=2)], lcus, changes=[tasks], jobs=jobs),
        (
            Say("STA001 waits for exposures", "STA001", ("(?i)IOSQ|queue|alias|exposure",)),
            Say("who waits", "STA001", (r"UNLOAD01|PROD\.DB\.UNLOAD",)),
        ),
        (no_act(r"STA00[02345] ?$", "the others don't wait"),),
    )


@situation
def static_volume_short_in_batch_and_reserve() -> Situation:
    """Two causes on one LCU: STA000 has one exposure too few by day; STA004 is kept by a reserve of PRD2 at night."""

    def both(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "STA000":
            w.rate = (2400 if m.within(9, 17) else 150) * s.share
            w.block = 90000.0
        if v.volser == "STA004":
            w.rate = 30.0
            if m.within(2, 5):
                w.held_ms = 9.0 if s.sid == "PRD1" else 0.0
                w.reserved = 0.0 if s.sid == "PRD1" else 0.4

    lcus = [Lcu("0030", 0x3000, "STA", volumes=6, pav="static", exposures=2, rate=60)]
    systems = [System("PRD1"), System("PRD2", share=0.3)]
    return Situation(
        "static_volume_short_in_batch_and_reserve",
        "A volume lacks an exposure by day, another is reserved by PRD2 at night",
        Shop(TUESDAY, 24, systems, [Box("KB210", ranks=2)], lcus, changes=[both]),
        (
            Say("STA000 lacks aliases", "STA000", more_aliases=True),
            Say("STA004 is reserved by PRD2", "STA004", (r"(?i)reserv", "PRD2")),
        ),
        (no_aliases("STA004", "it waits for a reserve"),),
    )
