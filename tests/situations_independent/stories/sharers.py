"""What only one of several sharing systems sees."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
END = dt.date(2026, 3, 31)
IDLE = ("idle|unused|not used|no I/O",)


@situation
def one_system_waits() -> Situation:
    """Two systems share a volume with three exposures. On PRD2 nine programs ask from 9 to 12; PRD1 reads 10 a second.

    PRD1 never waits, and its 74.1 alone has nothing to show. Six of PRD2's wait all morning.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2")], [Box("0000000XK931")],
        [Lcu("0010", 0x1000, "OA", pav="static", exposures=3, rate=50), Lcu("0011", 0x1100, "OB")],
    )  # fmt: skip

    def morning(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "OA002":
            w.rate = 10.0
            if s.sid == "PRD2" and m.within(9, 12):
                w.requesters, w.hit = 9, 0.75

    shop.changes.append(morning)
    return Situation(
        "one_system_waits", one_system_waits.__doc__ or "", shop,
        must=(
            Say("six of nine wait", "OA002", (), more_aliases=True),
            Say("it is PRD2 that waits", "OA002.*PRD2", ("wait|queue",)),
        ),
        must_not=(
            Say("six wait", "OA002", (), verdict="enough"),
            Say("six wait", "OA002", (), verdict="too_many"),
            Say("PRD1 waits for nothing", "OA002.*PRD1|PRD1.*OA002", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def one_systems_pool() -> Situation:
    """The LCU has 24 HyperPAV aliases, but the I/O configuration of PRD2 defines four of them; PRD1 has all 24.

    From 9 to 12 fourteen programs of PRD2 find four. PRD1 never has more than three in use. The aliases are there:
    they are to be defined to PRD2 too.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2")], [Box("0000000XK932")],
        [Lcu("0010", 0x1000, "PO", aliases=24, rate=60), Lcu("0011", 0x1100, "PP", aliases=16)],
        aliases_of=lambda _, s, c: 4 if s.sid == "PRD2" and c.number == "0010" else c.aliases,
    )  # fmt: skip

    def programs(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD2" and v.volser in ("PO001", "PO003") and m.within(9, 12):
            w.requesters, w.hit = 7, 0.75

    shop.changes.append(programs)
    return Situation(
        "one_systems_pool", one_systems_pool.__doc__ or "", shop,
        must=(Say("twelve asked, four there on PRD2", "0010|PO00", ("PRD2",), more_aliases=True),),
        must_not=(
            Say("PRD2's pool is dry", "0010|PO00", (), verdict="enough"),
            Say("the LCU's aliases are needed on PRD2", "0010|PO00", (), verdict="too_many"),
            Say("PRD1 has enough", "PRD1.*(0010|PO00)|(0010|PO00).*PRD1", (), more_aliases=True),
            Say("they are used as soon as they are there", "0010|PO00", (), verdict="wont_help"),
        ),
        later=(
            Say("the LCU has 24, which PRD1 knows and PRD2 doesn't", "0010|PO00", (), more_aliases=True,
                lacking=r"PRD1|\b24\b|other systems?"),
        ),
    )  # fmt: skip


@situation
def used_once_a_month() -> Situation:
    """Thirty-five days. OM002 is written in one evening, on PRD2; OM003 each night, on PRD2 only; OM004 never.

    To PRD1 all three look the same. Only OM004 may be given away.
    """
    shop = Shop(
        MONDAY, 35 * 24, [System("PRD1", interval_s=1800), System("PRD2", 0.5, 1800)], [Box("0000000XK933")],
        [Lcu("0010", 0x1000, "OL", volumes=4), Lcu("0011", 0x1100, "OM", volumes=5)],
        kept=lambda m: m.start.hour in (3, 10, 20) and m.start.minute == 0,
    )  # fmt: skip

    def seldom(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser not in ("OM002", "OM003", "OM004"):
            return
        evening = v.volser == "OM002" and m.start.date() == END and m.start.hour == 20
        night = v.volser == "OM003" and m.start.hour == 3
        w.rate = 40.0 if s.sid == "PRD2" and (evening or night) else 0.0

    shop.changes.append(seldom)
    return Situation(
        "used_once_a_month", used_once_a_month.__doc__ or "", shop,
        must=(Say("no I/O by anybody in 35 days", "OM004", IDLE),),
        must_not=(
            Say("the month's end needs it", "OM002", IDLE, "once|except|2026-03-31|31 Mar"),
            Say("PRD2 uses it each night", "OM003", IDLE),
            Say("they are in use", "OM00[01]", IDLE),
            Say("no I/O waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def no_aliases_defined() -> Situation:
    """HyperPAV is on, but LCU 0012 has no alias at all; its volumes work one I/O at a time. Other LCUs have 16.

    From 10 to 12 six programs ask for NO001 and five wait. The pool isn't small: it's absent.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK934")],
        [Lcu("0010", 0x1000, "NN"), Lcu("0012", 0x1200, "NO", aliases=0, rate=30)],
    )  # fmt: skip

    def six(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "NO001" and s.sid == "PRD1" and m.within(10, 12):
            w.requesters, w.hit = 6, 0.8

    shop.changes.append(six)
    return Situation(
        "no_aliases_defined", no_aliases_defined.__doc__ or "", shop,
        must=(Say("five of six wait for want of any alias", "0012|NO001", ("alias",), more_aliases=True),),
        must_not=(
            Say("five wait", "NO001|0012", (), verdict="enough"),
            Say("there is none to take away", "0012|NO00", (), verdict="too_many"),
            Say("five wait", "NO001|0012", (), verdict="wont_help"),
            Say("LCU 0010 has enough", "0010|NN00", (), more_aliases=True),
        ),
        later=(Say("it never had one to run out of", "0012", ("ran out",), "no alias|none|now 0|has 0|without"),),
    )  # fmt: skip


@situation
def pool_of_both_at_once() -> Situation:
    """Healthy. From 9 to 12 PRD1 and PRD2 each have 16 I/Os beyond the bases in progress; the LCU has 20 aliases.

    Thirty-two of twenty is no contradiction: an alias serves one I/O of each system at a time. No I/O is refused one.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2")], [Box("0000000XK935")],
        [Lcu("0010", 0x1000, "PT", aliases=20, rate=10), Lcu("0011", 0x1100, "PU", aliases=8)],
    )  # fmt: skip

    def programs(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser in ("PT001", "PT003") and m.within(9, 12):
            w.requesters = 9

    shop.changes.append(programs)
    return Situation(
        "pool_of_both_at_once", pool_of_both_at_once.__doc__ or "", shop,
        must_not=(
            Say("16 of 20 for each of them", "0010|PT00", (), verdict="too_many"),
            Say("no I/O is refused one", ".", (), more_aliases=True),
            Say("nothing is wrong", ".", (), severity="act"),
        ),
    )  # fmt: skip
