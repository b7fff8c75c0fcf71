"""Situations of z/OS within half a day: one matter each, as an analyst sees it on the morning after."""

import datetime as dt
from collections.abc import Callable

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MORNING = dt.datetime(2026, 3, 3, 8)
Change = Callable[[Moment, System, Volume, Work], None]
# statements that are wrong wherever nothing of the kind happens
NO_ALIASES = Say("no volume waits for an exposure", ".", more_aliases=True)
NO_RESERVE = Say("nothing is reserved", ".", ("reserve",), severity="act")


def shift(
    name: str, story: str | None, change: Change | None, *must: Say, never: tuple[Say, ...] = (), lcus: list[Lcu]
) -> Situation:
    """Six hours of one system on one box."""
    shop = Shop(MORNING, 6, [System("PRD1")], [Box("0000000SH001")], lcus)
    shop.changes.extend([change] if change else [])
    return Situation(name, story or "", shop, must=must, must_not=never)


def hyper(number: str = "0010", first: int = 0x1000, prefix: str = "SH", aliases: int = 16) -> Lcu:
    """Six volumes on a pool."""
    return Lcu(number, first, prefix, aliases=aliases)


def bare(prefix: str = "SN", exposures: int = 1) -> Lcu:
    """Six volumes with exposures of their own."""
    return Lcu("0011", 0x1100, prefix, pav="static" if exposures > 1 else "none", exposures=exposures, rate=30)


@situation
def shift_nothing() -> Situation:
    """Two LCUs, one with a pool, one with four exposures each: half a millisecond, hardly a wait."""
    return shift(
        "shift_nothing", shift_nothing.__doc__, None, lcus=[hyper(), bare(exposures=4)],
        never=(Say("there is nothing to act on", ".", severity="act"),),
    )  # fmt: skip


@situation
def shift_slow_but_hanging() -> Situation:
    """One volume does half an I/O a second, and each waits five seconds: two and a half I/Os hang all morning."""

    def hang(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "SN002" and m.within(9, 12):
            w.rate, w.iosq_ms = 0.5, 5000.0

    return shift(
        "shift_slow_but_hanging", shift_slow_but_hanging.__doc__, hang,
        Say("a wait counts by length times rate", "SN002", ("wait|queue",)), lcus=[hyper(), bare()],
        never=(Say("2.5 I/Os hang", "SN002", verdict="enough"),),
    )  # fmt: skip


@situation
def shift_pool_exhausted() -> Situation:
    """Four aliases for six volumes; from 9 to 12 four tasks work on each: bases and aliases are all in use."""

    def tasks(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(9, 12):
            w.requesters = 4

    return shift(
        "shift_pool_exhausted", shift_pool_exhausted.__doc__, tasks,
        Say("the pool of the LCU has no alias left", "0010", ("alias",), more_aliases=True),
        lcus=[hyper(aliases=4), bare(exposures=4)],
        never=(Say("the volumes of the other LCU are well", "^SN", more_aliases=True),),
    )  # fmt: skip


@situation
def shift_base_busy() -> Situation:
    """One volume without aliases; eight tasks keep its base busy from 9 to 12."""

    def tasks(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "SN001" and m.within(9, 12):
            w.requesters = 8

    return shift(
        "shift_base_busy", shift_base_busy.__doc__, tasks,
        Say("seven wait for one exposure", "SN001", ("alias|HyperPAV|exposure",)), lcus=[hyper(), bare()],
        never=(Say("seven I/Os wait", "SN001", verdict="enough"), NO_RESERVE),
    )  # fmt: skip


@situation
def shift_hits_fall() -> Situation:
    """From 11 on every volume of an LCU finds 55 % of its reads in cache, 95 % before: a reorganised table."""

    def scattered(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(11, 14):
            w.hit = 0.55

    return shift(
        "shift_hits_fall", shift_hits_fall.__doc__, scattered,
        Say("read hits fell", ".", ("hit",)), lcus=[hyper(), bare(exposures=4)], never=(NO_RESERVE,),
    )  # fmt: skip


@situation
def shift_commands_answer_late() -> Situation:
    """From 11 on commands to one LCU are answered after 3 ms, 0.1 before; the other LCU is as ever."""

    def late(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(11, 14):
            w.cmr_ms = 3.0

    return shift(
        "shift_commands_answer_late", shift_commands_answer_late.__doc__, late,
        Say("command response time rose", "0010", ("command response|CMR",)), lcus=[hyper(), bare(exposures=4)],
        never=(NO_ALIASES, NO_RESERVE),
    )  # fmt: skip


@situation
def shift_writes_wait_for_nvs() -> Situation:
    """From 11 to 13 four of ten writes of an LCU wait 30 ms for room in NVS."""

    def full(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(11, 13):
            w.read, w.nvs_ratio, w.nvs_ms = 0.4, 0.4, 30.0

    return shift(
        "shift_writes_wait_for_nvs", shift_writes_wait_for_nvs.__doc__, full,
        Say("writes wait for NVS", ".", ("NVS",), severity="act"), lcus=[hyper(), bare(exposures=4)],
        never=(Say("no alias makes room in NVS", "^SH", more_aliases=True),),
    )  # fmt: skip


@situation
def shift_large_blocks() -> Situation:
    """A dump reads two volumes in blocks of 256 KB from 9 to 12: connect time is long, and that is its work."""

    def dump(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser in ("SH001", "SH002") and m.within(9, 12):
            w.block, w.sequential, w.rate = 256_000.0, 0.95, 60.0

    return shift(
        "shift_large_blocks", shift_large_blocks.__doc__, dump, lcus=[hyper(), bare(exposures=4)],
        never=(NO_ALIASES, NO_RESERVE, Say("sequential reads are hits", "SH00[12]", ("hit",), severity="act")),
    )  # fmt: skip


@situation
def shift_held_by_unknown() -> Situation:
    """From 9 to 11 a system that is not read reserves a volume: each I/O waits 12 ms for the device."""

    def held(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "SN004" and m.within(9, 11):
            w.held_ms = 12.0

    return shift(
        "shift_held_by_unknown", shift_held_by_unknown.__doc__, held,
        Say("another system holds it", "SN004", ("held|reserve",)), lcus=[hyper(), bare(exposures=2)],
        never=(Say("an alias waits for the same", "SN004", more_aliases=True),),
    )  # fmt: skip


@situation
def shift_two_matters() -> Situation:
    """Eight tasks on a volume without aliases, and late commands of the other LCU, both from 11 on: two causes."""

    def both(m: Moment, _: System, v: Volume, w: Work) -> None:
        if m.within(11, 14):
            if v.volser == "SN001":
                w.requesters = 8
            if v.lcu == 0:
                w.cmr_ms = 3.0

    return shift(
        "shift_two_matters", shift_two_matters.__doc__, both,
        Say("the queue is one matter", "SN001", ("alias|exposure",)),
        Say("late commands are the other", "0010", ("command response|CMR",)), lcus=[hyper(), bare()],
        never=(Say("SH volumes wait on the way", "^SH", more_aliases=True),),
    )  # fmt: skip
