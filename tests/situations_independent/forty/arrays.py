"""Disks, caches and NVS that become slow, and what follows from it in the hosts."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import DISKS, MIRROR, MONDAY, TUESDAY, no_act, no_aliases
from tests.situations_independent.shop import Box, Job, Lcu, Moment, Shop, System, Volume, Work

ONE = [System("PRD1")]


def _two_lcus(aliases: int, rate: float) -> list[Lcu]:
    return [
        Lcu("0020", 0x2000, "PRA", volumes=8, aliases=aliases, rate=rate),
        Lcu("0021", 0x2100, "PRB", volumes=8, aliases=aliases, rate=rate),
    ]


@situation
def array_rebuilds_and_pool_runs_dry() -> Situation:
    """A drive fails at 09:00; its array rebuilds until 15:00, and misses of one LCU take nine times as long.

    The I/O rate does not change. I/Os in progress rise with the service time until the pool of 3 aliases is used up.
    """

    def rebuild(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.hit = 0.9
            w.miss_ms *= 9 if m.within(9, 15) else 1

    shop = Shop(TUESDAY, 24, ONE, [Box("KA101", ranks=2)], _two_lcus(3, 300), changes=[rebuild])
    cause = Say("the array of LCU 0020 is slow, not because of its load", r"0020|2020|PRA0|KA101", (DISKS,))
    return Situation(
        "array_rebuilds_and_pool_runs_dry",
        "An array rebuilds from 09:00 to 15:00; the pool of its LCU runs dry in consequence",
        shop,
        (cause,),
        (
            no_aliases(r"0020|PRA0", "more aliases only queue in front of the broken array"),
            Say("the load is as ever", "KA101|0020", (r"(?i)spread|less work|reduce the load",), severity="act"),
            no_act(r"0021|PRB0", "the other LCU is well"),
        ),
        pav_first=cause,
    )


@situation
def half_of_a_rank_slow_for_three_hours() -> Situation:
    """Four of eight volumes of a pool lie on a rank that is four times slower from 13:00 to 16:00.

    The mean of the pool is not even doubled over the day; each of the four has a disconnect time of 4 times its usual.
    """

    def slow(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.hit = min(w.hit, 0.86)
            if m.within(13, 16) and v.device % 2:
                w.miss_ms *= 6

    shop = Shop(TUESDAY, 24, ONE, [Box("KA102", ranks=2)], _two_lcus(16, 150), changes=[slow])
    return Situation(
        "half_of_a_rank_slow_for_three_hours",
        "Half of the volumes of an LCU wait six times as long for their disks, from 13:00 to 16:00",
        shop,
        (Say("the group or its rank is slow in these hours", r"PRA00[1357]|0020|2020|KA102", (DISKS, r"1[3-5]:")),),
        (no_aliases(r"0020|PRA0"), no_act(r"PRA00[0246] ?$", "these are as ever"), no_act(r"0021|PRB0", "is well")),
    )


@situation
def disconnect_without_reason_all_day() -> Situation:
    """Four volumes have 5 ms of disconnect at every hour though 99 % of their reads are hits; their neighbours none.

    Nothing changes, so no comparison with an earlier hour finds it: neither misses, nor NVS, nor a mirror explain it.
    Mended after the first run: "more cache will not help" is no advice to add cache.
    """

    def slow(_: Moment, __: System, v: Volume, w: Work) -> None:
        if v.lcu == 0:
            w.hit = 0.99
            w.disc_extra_ms = 5.0 if v.device < 0x2004 else 0.0

    shop = Shop(TUESDAY, 24, ONE, [Box("KA103", ranks=2)], _two_lcus(16, 90), changes=[slow])
    return Situation(
        "disconnect_without_reason_all_day",
        "A group of volumes disconnects for 5 ms all day long at a hit ratio of 99 %",
        shop,
        (
            Say(
                "their disconnect is not explained",
                r"PRA00[0-3]|0020|2020",
                (r"(?i)disconnect|disc\b", r"(?i)not explain|unexplain|not account|\bno (misses|reason)|beyond|other"),
            ),
            Say("it is 5 ms", r"PRA00[0-3]|0020|2020", (r"(?i)disc",), figure=(r"(\d+\.?\d*) ms", 4.2, 5.6)),
        ),
        (
            no_aliases(r"0020|PRA0"),
            Say(
                "cache can't bring more than 99 %",
                r"0020|2020|PRA0",
                (r"(?i)more cache|hit ratio is low",),
                lacking=r"(?i)will not help",
            ),
        ),
    )


@situation
def whole_box_slow_for_one_hour() -> Situation:
    """Wednesday 11:00-12:00 of five days every I/O of the box takes 6 ms longer, at the rate of every other day."""

    def slow(m: Moment, _: System, __: Volume, w: Work) -> None:
        if m.within(11, 12, dt.date(2026, 3, 4)):
            w.disc_extra_ms = 6.0

    lcus = [
        Lcu("0020", 0x2000, "PRA", volumes=4, aliases=12, rate=260),
        Lcu("0021", 0x2100, "PRB", volumes=4, aliases=12, rate=260),
    ]
    shop = Shop(MONDAY, 120, ONE, [Box("KA104", ranks=2)], lcus, changes=[slow])
    return Situation(
        "whole_box_slow_for_one_hour",
        "The box answers late on one of five days for an hour, though it had no more to do",
        shop,
        (Say("the hour is found", r"KA104|002[01]|202[01]|PR[AB]0", (r"(?i)disconnect|disc\b|slow", r"11:")),),
        (
            Say("the box is not full: same rate on other days", "", (r"(?i)saturat|box .*\bfull\b",), severity="act"),
            Say("no box is bought for this", "", (r"(?i)\b(buy|replace|bigger|second box|migrate)",), severity="act"),
            no_aliases(r"002[01]|PR[AB]0"),
        ),
    )


@situation
def cache_switched_off() -> Situation:
    """After a service action at 10:00 caching of subsystem 2020 stays deactivated: all reads go to the disks.

    Mended after the first run: "nor will more cache help" is no advice to buy cache.
    """

    def changed(m: Moment) -> bool:
        return m.hour >= 10

    def off(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and changed(m):
            w.hit, w.sequential = 0.0, 0.0

    shop = Shop(TUESDAY.replace(hour=9), 2, ONE, [Box("KA105", ranks=2)], _two_lcus(3, 250), changes=[off])
    shop.uncached = lambda m, c: c.number == "0020" and changed(m)
    cause = Say("caching is off", r"0020|2020|PRA0", (r"(?i)cach", r"(?i)\boff\b|deactiv|inactive|disabled"))
    return Situation(
        "cache_switched_off",
        "Caching of a subsystem is off from 10:00 on; its volumes queue for aliases then",
        shop,
        (cause,),
        (
            no_aliases(r"0020|PRA0", "aliases don't bring the cache back"),
            Say("no more cache: it is off", r"KA105|2020", (r"(?i)(buy|more) cache",), lacking="(?i)nor more cache"),
        ),
        pav_first=cause,
    )


@situation
def failed_rank_pins_nvs() -> Situation:
    """A rank fails at 13:00: 70 % of NVS are pinned data that can't be destaged; a third of the writes wait 8 ms."""

    def pinned(m: Moment, _: System, __: Volume, w: Work) -> None:
        if m.within(13, 18):
            w.nvs_ratio, w.nvs_ms = 0.3, 8.0

    shop = Shop(TUESDAY, 24, ONE, [Box("KA106", ranks=2)], _two_lcus(16, 160), changes=[pinned])
    shop.pinned_share = lambda m, _: 0.35 if m.within(13, 18) else 0.0
    cause = Say("NVS is pinned by what failed", r"KA106|202[01]|002[01]", ("NVS", r"(?i)pinned"))
    return Situation(
        "failed_rank_pins_nvs",
        "Pinned data fill NVS from 13:00 on, and writes wait",
        shop,
        (cause,),
        (
            Say(
                "more NVS is not the cure",
                "",
                (r"(?i)(buy|add|more|larger|bigger|double) (of )?(the )?NVS",),
                lacking=r"(?i)more NVS (would|will|does|is) (not|only)|(not|no) more NVS|do not buy",
            ),
            no_aliases(r"002[01]|PR[AB]0"),
        ),
    )


@situation
def nvs_overflows_in_mirrored_box() -> Situation:
    """A steady mirror costs each write 0.9 ms; from 02:00 to 03:30 NVS of the box is full too: 8 % wait 25 ms."""

    def burst(m: Moment, _: System, __: Volume, w: Work) -> None:
        w.copy_ms = 0.9
        if m.within(2, 3.5):
            w.nvs_ratio, w.nvs_ms = 0.08, 25.0

    lcus = [
        Lcu("0020", 0x2000, "PRA", volumes=8, rate=200, read=0.5, mirrored=True),
        Lcu("0021", 0x2100, "PRB", volumes=8, rate=200, read=0.5, mirrored=True),
    ]
    shop = Shop(TUESDAY, 24, ONE, [Box("KA107", ranks=2)], lcus, changes=[burst])
    return Situation(
        "nvs_overflows_in_mirrored_box",
        "NVS is full from 02:00 to 03:30 in a box whose mirror costs 0.9 ms per write at all times",
        shop,
        (
            Say("NVS is full at night", r"KA107|202[01]|002[01]", ("NVS", r"0[23]:")),
            Say("it costs 2 ms a write, the mirror left out", "", ("NVS", "0[23]:"), figure=("effect now", 1.4, 2.6)),
        ),
        (Say("the mirror is as ever", "", (MIRROR,), lacking="NVS", severity="act"), no_aliases(r"002[01]|PR[AB]0")),
    )


@situation
def hit_ratio_falls_with_a_new_job() -> Situation:
    """From Wednesday on job REPORT7 reads at random through volume PRA002: its reads hit no more than 60 %, before 95.

    Rates of the volume double from 08:00 to 18:00 because of that job.
    """

    def fell(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "PRA002" and m.start.date() >= dt.date(2026, 3, 4) and m.within(8, 18):
            w.rate, w.hit = w.rate * 2, 0.6

    def share(m: Moment) -> float:
        return 0.5 if m.start.date() >= dt.date(2026, 3, 4) and m.within(8, 18) else 0.0

    jobs = [
        Job("REPORT7", "PRD1", "PRA002", "PROD.REPORT.KEYS", share, hit=0.25),
        Job("CICSP1", "PRD1", "PRA002", "PROD.CICS.MASTER", lambda m: 0.9 if share(m) == 0 else 0.5),
    ]
    lcus = [Lcu("0020", 0x2000, "PRA", volumes=5, aliases=16, rate=110)]
    shop = Shop(MONDAY, 120, ONE, [Box("KA108", ranks=2)], lcus, changes=[fell], jobs=jobs)
    return Situation(
        "hit_ratio_falls_with_a_new_job",
        "A new job reads through a volume from Wednesday on, and its hit ratio falls from 95 to 60 %",
        shop,
        (
            Say("its reads miss", "PRA002", (r"(?i)hit|miss|cache",)),
            Say("the job or its data set is named", "PRA002", (r"REPORT7|PROD\.REPORT\.KEYS",)),
        ),
        (no_aliases(r"0020|PRA0"), no_act(r"PRA00[0134] ?$", "other volumes are as ever")),
    )
