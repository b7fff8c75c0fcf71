"""What an expert sees at once and a rule may not: the culprit isn't the victim, or there is none."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

MONDAY = dt.datetime(2026, 3, 2)
CACHE = ("more cache|larger cache|cache (is )?too small",)
HOURLY = [System("PRD1", interval_s=3600), System("PRD2", share=0.4, interval_s=3600)]


def _kept(m: Moment) -> bool:
    return m.start.hour in (3, 9, 10, 11, 15)


@situation
def hog_in_pool() -> Situation:
    """From 9 to 11 a reorganisation on HG003 keeps forty I/Os outstanding; the pool of 12 serves it and no other.

    The five other volumes of the LCU do their usual work and wait with it. Whose I/Os fill the pool is to be reported:
    fewer tasks, or another hour, cost nothing.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.3)], [Box("0000000XK9A1")],
        [Lcu("0010", 0x1000, "HG", aliases=12, rate=80), Lcu("0011", 0x1100, "HH", volumes=3, aliases=12)],
        jobs=[Job("REORGX", "PRD1", "HG003", "PROD.DB2.TS0003", lambda m: 0.97 if m.within(9, 11) else 0.0)],
    )  # fmt: skip

    def reorganised(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "HG003" and s.sid == "PRD1" and m.within(9, 11):
            w.requesters, w.hit = 40, 0.8

    shop.changes.append(reorganised)
    return Situation(
        "hog_in_pool", hog_in_pool.__doc__ or "", shop,
        must=(
            Say("the pool is full from 9 to 11", "0010|HG00", ("alias", "0?9:|10:")),
            Say("it is HG003's I/Os, job REORGX", "0010|HG00", ("HG003", "REORGX")),
        ),
        must_not=(
            Say("28 of 40 wait", "0010|HG003", (), verdict="enough"),
            Say("LCU 0011 is well", "0011|HH00", (), severity="act"),
            Say("the other volumes' own work needs none", "^HG00[01245]", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def aliases_lost_by_one() -> Situation:
    """Three weeks. On the 16th PRD2 is started with an old I/O configuration, which has four of the 24 aliases.

    Each morning fourteen programs of PRD2 use the LCU; until then all were served. The control unit has the aliases,
    and PRD1 has them too: it is a line in PRD2's configuration.
    """
    shop = Shop(
        MONDAY, 19 * 24, HOURLY, [Box("0000000XK9A2")],
        [Lcu("0010", 0x1000, "AL", volumes=4, aliases=24), Lcu("0011", 0x1100, "AM", volumes=3, aliases=24)],
        kept=_kept,
        aliases_of=lambda m, s, c: 4 if s.sid == "PRD2" and c.number == "0010" and m.start.day >= 16 else 24,
    )  # fmt: skip

    def fourteen(m: Moment, s: System, v: Volume, w: Work) -> None:
        if s.sid == "PRD2" and v.volser in ("AL001", "AL002") and m.within(9, 12):
            w.requesters, w.hit = 7, 0.8

    shop.changes.append(fourteen)
    return Situation(
        "aliases_lost_by_one", aliases_lost_by_one.__doc__ or "", shop,
        must=(
            Say("PRD2 has four since", "0010|AL00", ("PRD2", r"\b4\b")),
            Say("PRD1 has 24 of the same LCU", "0010|AL00", ("PRD1", r"\b24\b")),
        ),
        must_not=(
            Say("eight wait", "0010.*PRD2|AL00", (), verdict="enough"),
            Say("PRD1 lacks none", "PRD1", (), more_aliases=True),
            Say("the other LCU is well", "0011|AM00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def flash_and_misses() -> Situation:
    """Healthy. A box of flash: 55 % of the reads hit, what misses takes 0.35 ms, the response is 0.3 ms at any hour.

    On disks such a ratio would be a trouble. Here a miss costs hardly more than a hit, and cache buys nothing.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK9A3", model="985", miss_ms=0.35)],
        [Lcu("0010", 0x1000, "FM", rate=400, aliases=24), Lcu("0011", 0x1100, "FN", rate=150, aliases=24)],
    )  # fmt: skip

    def missing(_m: Moment, _s: System, _v: Volume, w: Work) -> None:
        w.hit, w.sequential = 0.55, 0.05

    shop.changes.append(missing)
    return Situation(
        "flash_and_misses", flash_and_misses.__doc__ or "", shop,
        must_not=(
            Say("0.3 ms at any hour", ".", (), severity="act"),
            Say("a miss costs 0.35 ms", ".", CACHE, severity="watch"),
            Say("a miss costs 0.35 ms", ".", CACHE, severity="act"),
            Say("no I/O waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def quarter_hour_of_a_month() -> Situation:
    """Thirty days of quarter hours; on the 19th from 14:00 to 14:15 twenty programs want a volume with two exposures.

    Eighteen wait in that one quarter of an hour, then never again. A month's mean does not show it; who was there does.
    """
    shop = Shop(
        MONDAY, 30 * 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK9A4")],
        [Lcu("0010", 0x1000, "QU", volumes=3, pav="static", exposures=2, rate=40)],
        kept=lambda m: m.start.hour in (3, 14) and m.start.minute in (0, 15),
    )  # fmt: skip

    def once(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "QU001" and s.sid == "PRD1" and m.start == dt.datetime(2026, 3, 19, 14):
            w.requesters, w.hit = 20, 0.8

    shop.changes.append(once)
    return Situation(
        "quarter_hour_of_a_month", quarter_hour_of_a_month.__doc__ or "", shop,
        must=(Say("eighteen waited, and when", "QU001", ("wait|queue", "2026-03-19")),),
        must_not=(
            Say("eighteen waited", "QU001", (), verdict="enough"),
            Say("eighteen waited", "QU001", (), verdict="too_many"),
            Say("the others are well", "QU00[02]", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def writer_not_read() -> Situation:
    """From 20 to 22 a system whose SMF is not at hand writes 2500 a second to NW000; NVS of the box is full then.

    PRD1 and PRD2 do as little as ever and their writes wait. Only 74.5 knows who writes: the volume, not the system.
    """
    systems = [System("PRD1"), System("PRD2", share=0.5), System("TST9", read=False)]
    shop = Shop(
        MONDAY, 24, systems, [Box("0000000XK9A5", nvs_gb=4)],
        [Lcu("0010", 0x1000, "NV", volumes=5, rate=60, read=0.6), Lcu("0011", 0x1100, "NW", volumes=2, rate=5)],
    )  # fmt: skip

    def written(m: Moment, s: System, v: Volume, w: Work) -> None:
        if m.within(20, 22):
            w.nvs_ratio = 0.12
            if v.volser == "NW000" and s.sid == "TST9":
                w.rate, w.read = 2500.0, 0.05

    shop.changes.append(written)
    return Situation(
        "writer_not_read", writer_not_read.__doc__ or "", shop,
        must=(
            Say("NVS is full from 20 to 22", "XK9A5|20[01]0", ("NVS", "20:")),
            Say("NW000 is what is written then", "XK9A5|20[01]0|NW000", ("NW000",)),
        ),
        must_not=(
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
            Say("it has 2,400 writes a second of somebody", "NW000", ("idle|unused",)),
            Say("hits are as ever", ".", CACHE),
        ),
    )  # fmt: skip


@situation
def grown_and_well() -> Situation:
    """Healthy. Four weeks; work grows by a half, and nothing waits: pools at a third, hits, CMR and disks as ever.

    Growth alone is no trouble, and a month's history is no reason to take anything away in a hurry.
    """
    shop = Shop(
        MONDAY, 28 * 24, HOURLY, [Box("0000000XK9A6")],
        [Lcu("0010", 0x1000, "GW", volumes=4, rate=300, aliases=12), Lcu("0011", 0x1100, "GX", volumes=3)], kept=_kept,
    )  # fmt: skip

    def grown(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        w.rate *= 1 + 0.5 * (m.start - MONDAY).days / 28

    shop.changes.append(grown)
    return Situation(
        "grown_and_well", grown_and_well.__doc__ or "", shop,
        must_not=(
            Say("nothing is to be done", ".", (), severity="act"),
            Say("nothing waits", ".", (), severity="watch"),
            Say("nothing waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def striped_job() -> Situation:
    """A data set lies in stripes on SP001, SP002 and SP004; from 1 to 3 five buffers each read it, with two exposures.

    Three wait on each of the three. It is one job and one cure for all three, not three troubles.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.3)], [Box("0000000XK9A7")],
        [Lcu("0010", 0x1000, "SP", pav="static", exposures=2, rate=40), Lcu("0011", 0x1100, "SQ", volumes=3)],
        jobs=[Job("STRIPED", "PRD1", v, "PROD.SAM.STRIPED", lambda m: 0.98 if m.within(1, 3) else 0.0)
              for v in ("SP001", "SP002", "SP004")],
    )  # fmt: skip

    def stripes(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser in ("SP001", "SP002", "SP004") and s.sid == "PRD1" and m.within(1, 3):
            w.requesters, w.hit = 5, 0.85

    shop.changes.append(stripes)
    return Situation(
        "striped_job", striped_job.__doc__ or "", shop,
        must=(
            *(Say("three of five wait", name, ("wait",), more_aliases=True) for name in ("SP001", "SP002", "SP004")),
            Say("whose I/Os wait", "SP00", ("STRIPED",)),
        ),
        must_not=(
            Say("the others are well", "SP00[035]|SQ00", (), more_aliases=True),
            *(Say("three wait", "SP00[124]", (), verdict=v) for v in ("enough", "too_many", "wont_help")),
        ),
    )  # fmt: skip


@situation
def both_reserve() -> Situation:
    """A catalog volume that PRD1 and PRD2 reserve in turn, each a fifth of the time from 9 to 15, and wait for in turn.

    Each sees 6 ms of device busy delay at 80 I/Os a second. Neither is the culprit: the reserve is.
    """
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.8)], [Box("0000000XK9A8")],
        [Lcu("0010", 0x1000, "CA", aliases=24), Lcu("0011", 0x1100, "CB", volumes=3)],
    )  # fmt: skip

    def catalog(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser == "CA002" and m.within(9, 15):
            w.rate, w.reserved, w.held_ms = 80.0, 0.2, 6.0

    shop.changes.append(catalog)
    return Situation(
        "both_reserve", both_reserve.__doc__ or "", shop,
        must=(
            Say("a reserve is what PRD1 waits for", "CA002", ("reserve", "PRD1")),
            Say("a reserve is what PRD2 waits for", "CA002", ("reserve", "PRD2")),
        ),
        must_not=(
            Say("the pool lends a tenth", ".", (), more_aliases=True),
            Say("only one volume is held", "CA00[0134]|CB00", ("reserve",), severity="act"),
            Say("disks, cache and control unit are well", ".", ("(?<!not )(control unit (is|was) busy)",)),
        ),
    )  # fmt: skip


@situation
def path_of_one_system() -> Situation:
    """From 8 to 18 command response is 2.2 ms on PRD2, to both boxes; on PRD1, by other channels, it is 0.11 ms.

    Both boxes answer PRD1 at once, so neither is busy nor far: it is what PRD2's channels 60 to 63 have in common.
    """
    far = ("60", "61", "62", "63")
    shop = Shop(
        MONDAY, 24, [System("PRD1"), System("PRD2", share=0.9, channels=far)],
        [Box("0000000XK9A9"), Box("0000000XK9B0")],
        [Lcu("0010", 0x1000, "PQ", volumes=4, aliases=32), Lcu("0011", 0x1100, "PR", volumes=4, box=1, aliases=32)],
    )  # fmt: skip

    def slow(m: Moment, s: System, _v: Volume, w: Work) -> None:
        if s.sid == "PRD2" and m.within(8, 18):
            w.cmr_ms = 2.2

    shop.changes.append(slow)
    return Situation(
        "path_of_one_system", path_of_one_system.__doc__ or "", shop,
        must=(
            Say("it is PRD2's way", "PRD2|001[01]|P[QR]00", ("PRD2", "command response|CMR")),
            Say("it is what its channels share", "PRD2|001[01]|P[QR]00", (r"\b6[0-3]\b|channels?|director",)),
        ),
        must_not=(
            Say("both boxes answer PRD1 at once", ".", ("control unit (is|was) busy|busy control unit",)),
            Say("PRD1 is well", r"^(?!.*PRD2).*PRD1", (), severity="act"),
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
            Say("hits and disks are as ever", ".", CACHE),
        ),
    )  # fmt: skip


@situation
def varied_offline() -> Situation:
    """Two weeks. On the 9th OF002 is varied offline everywhere and given back; OF001 stays online and does no I/O.

    What is offline is not idle, it is gone. OF001 is idle as far as two weeks show.
    """
    shop = Shop(
        MONDAY, 14 * 24, HOURLY, [Box("0000000XK9B1")],
        [Lcu("0010", 0x1000, "OF", volumes=4, rate=60), Lcu("0011", 0x1100, "OG", volumes=3)], kept=_kept,
    )  # fmt: skip

    def offline(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.volser == "OF002" and m.start.day >= 9:
            w.online, w.rate = False, 0.0
        if v.volser == "OF001":
            w.rate = 0.0

    shop.changes.append(offline)
    return Situation(
        "varied_offline", varied_offline.__doc__ or "", shop,
        must=(Say("no system uses it", "OF001", ("idle|no I/O|unused",)),),
        must_not=(
            Say("it is gone", "OF002", ("idle|unused",), at_least="medium"),
            Say("two weeks without a month's end", "OF001", ("idle|unused",), at_least="high"),
            Say("nothing waits", ".", (), severity="act"),
            Say("nothing waits", ".", (), more_aliases=True),
        ),
    )  # fmt: skip
