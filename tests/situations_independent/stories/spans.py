"""Intervals cut short, moves in the middle of the span, damaged rows."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work


def _with_restarts(system: System) -> list[Moment]:
    """A day of quarter hours; RMF is stopped at 6:40:20 and 13:10:12, and started at the next quarter hour."""
    found, start = [], dt.datetime(2026, 3, 3)
    for n in range(96):
        m = Moment(start + dt.timedelta(minutes=15 * n), 900)
        short = {26: 20, 52: 12}.get(n)
        found.append(Moment(m.start, short) if short else m)
    return found


@situation
def cut_short() -> Situation:
    """Healthy. RMF was stopped twice; two intervals last 20 and 12 seconds.

    In the one of 12 seconds a volume did 40 I/Os, and a few waited long behind a format write: IOSQ 55 ms on
    average, two I/Os waiting at best. no one would rebuild a configuration for 12 seconds of a day.
    """
    shop = Shop(
        dt.datetime(2026, 3, 3), 24, [System("PRD1"), System("PRD2", share=0.6)], [Box("0000000XK915")],
        [Lcu("0010", 0x1000, "MA"), Lcu("0011", 0x1100, "MB", pav="static", exposures=3, rate=60)],
        moments_of=_with_restarts,
    )  # fmt: skip

    def stopped(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "MB002" and s.sid == "PRD1" and m.seconds == 12:
            w.rate, w.iosq_ms = 3.3, 55.0

    shop.changes.append(stopped)
    return Situation(
        "cut_short", cut_short.__doc__ or "", shop,
        must_not=(
            Say("0.2 I/Os wait for 12 seconds", "MB002", (), severity="act"),
            Say("0.2 I/Os wait for 12 seconds", "MB002", (), more_aliases=True, at_least="medium"),
        ),
    )  # fmt: skip


@situation
def box_replaced() -> Situation:
    """Five days; on Thursday at noon LCUs 0010 and 0011 move from old box XO21 to a flash box XN22, addresses kept.

    On the old one reads waited 26 ms for an overloaded rank from 9 to 12, on the new one 0.4 ms. What is found belongs
    to the old box and to the time before; the new one has no fault.
    """
    cut = dt.datetime(2026, 3, 5, 12)
    shop = Shop(
        dt.datetime(2026, 3, 3), 5 * 24, [System("PRD1"), System("PRD2", share=0.6)],
        [Box("0000000XO21", miss_ms=6.0), Box("0000000XN22", model="996", miss_ms=0.4)],
        [Lcu("0010", 0x1000, "RX", rate=110, aliases=64), Lcu("0011", 0x1100, "RY", aliases=32)],
        kept=lambda m: 8 <= m.start.hour < 18, box_of=lambda m, _: 0 if m.start < cut else 1,
        rank_share=lambda _, p, n: 1.0 if n == 0 or p else 0.004,
    )  # fmt: skip

    def old(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.start < cut and m.within(9, 12):
            w.miss_ms, w.hit, w.read, w.rate = 26.0, 0.7, 0.85, 220 * v.weight * s.share

    shop.changes.append(old)
    return Situation(
        "box_replaced", box_replaced.__doc__ or "", shop,
        must=(Say("the old box's rank was full", "XO21|0010|RX00|0000", ("rank|extent pool|back.?end|array|miss",)),),
        must_not=(
            Say("the new box has no fault", "XN22", (), severity="act"),
            Say("the new box has no fault", "XN22", ("rank|extent pool|back.?end|saturat|miss",)),
            Say("the aliases suffice", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def volser_moved() -> Situation:
    """Two days; at noon of the first day volume LL001 moves from 1001 (two exposures) to 1103 in a HyperPAV LCU.

    Before, from 9 to 11, eight tasks queued for two exposures; since the move, the same load has no queue. It is one
    volume, neither idle nor new, and LCU 0011 lacks nothing.
    """
    cut = dt.datetime(2026, 3, 4, 12)
    shop = Shop(
        dt.datetime(2026, 3, 4), 48, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK916")],
        [Lcu("0010", 0x1000, "LL", volumes=4, pav="static", exposures=2, rate=60),
         Lcu("0011", 0x1100, "LM", volumes=4, aliases=32)],
    )  # fmt: skip

    def move(m: Moment, s: System, v: Volume, w: Work) -> None:
        before = m.start < cut
        if (v.volser == "LL001" and not before) or (v.volser == "LM003" and before):
            w.online, w.rate, w.volser = False, 0.0, ""
        elif v.volser in ("LL001", "LM003"):
            w.volser = "LL001"
            if s.sid == "PRD1" and m.within(9, 11):
                w.requesters, w.hit = 8, 0.75

    shop.changes.append(move)
    return Situation(
        "volser_moved", volser_moved.__doc__ or "", shop,
        must=(Say("six waited on Wednesday morning", "LL001", ("wait|queue|IOSQ",)),),
        must_not=(
            Say("it moved", "LL001|LM003", ("idle|unused",)),
            Say("the HyperPAV LCU lacks nothing", "0011", (), more_aliases=True),
            Say("six waited", "LL001", (), verdict="enough"),
            Say("six waited", "LL001", (), verdict="too_many"),
        ),
        later=(
            Say("it has eight exposures in its new place, and no queue", "LL001", (), more_aliases=True,
                lacking="moved|since|HyperPAV|until"),
        ),
    )  # fmt: skip


@situation
def damaged_rows() -> Situation:
    """A pool of 8 aliases is dry from 10 to 12; every seventh device and every ninth queuing record is overwritten.

    The trouble is to be found in what is whole, and no number may come out of the rubble.
    """
    shop = Shop(
        dt.datetime(2026, 3, 4), 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK917")],
        [Lcu("0010", 0x1000, "DX", volumes=8, aliases=8), Lcu("0011", 0x1100, "DY", volumes=6)],
    )  # fmt: skip

    def rush(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD1" and v.volser in ("DX001", "DX004") and m.within(10, 12):
            w.requesters, w.hit = 12, 0.75

    shop.changes.append(rush)
    return Situation(
        "damaged_rows", damaged_rows.__doc__ or "", shop,
        must=(Say("22 asked, 8 there", "0010|DX00", (), more_aliases=True),),
        must_not=(
            Say("numbers from rubble", ".", (r"\b\d{1,3}(,\d{3}){2,}|\b\d{7,}",)),
            Say("the other LCU is well", "0011|DY00", (), severity="act"),
            Say("no volume has such a name", "[^ -~]", ()),
        ),
        later=(
            Say("no share of I/Os is above 100 %", ".", (r"\b\d{4,} % of",)),
            Say("eight of nine 78.3 records are whole", "0010", ("without type 78",)),
        ),
        damage={"74.1": 7, "78.3": 9},
    )  # fmt: skip
