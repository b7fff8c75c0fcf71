"""Channels, directors, distance and busy control units."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Carried, Lcu, Moment, Port, Shop, System, Volume, Work

WEDNESDAY = dt.datetime(2026, 3, 4)
OTHERS = "other (system|partition|LPAR)|another|partition|shared"
COPY_HOURS = (10.0, 12.0)


@situation
def channel_of_others() -> Situation:
    """Another partition's data copy fills all four channels from 10 to 12: 94 % busy, hardly any of it PRD1's own.

    Command response and connect times of PRD1 triple, starts wait in the channel subsystem, static volumes queue for
    exposures. The channels are the bottleneck, and not PRD1's I/O on them.
    """
    shop = Shop(
        WEDNESDAY, 24, [System("PRD1"), System("PRD2", share=0.4)], [Box("0000000XK906")],
        [Lcu("0010", 0x1000, "UA", aliases=40), Lcu("0011", 0x1100, "UB", pav="static", exposures=2, rate=180)],
        channel=lambda m, _: Carried(0.92, 1.2e9) if m.within(*COPY_HOURS) else Carried(0.05, 5e7),
    )  # fmt: skip

    def full(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        if m.within(*COPY_HOURS):
            w.cmr_ms, w.css_ms, w.conn_extra_ms = 0.9, 1.1, 0.6

    shop.changes.append(full)
    return Situation(
        "channel_of_others", channel_of_others.__doc__ or "", shop,
        must=(
            Say("channels are 94 % busy", "5[0-3]|0010|0011|U[AB]00", ("channel",)),
            Say("others fill them", "5[0-3]|0010|0011|U[AB]00", (OTHERS,)),
        ),
        must_not=(Say("the path is full", "UB00|0011|UA00|0010", (), more_aliases=True, at_least="medium"),),
        later=(
            Say("the channels are full, no adapter is ill", "0010|0011", ("host adapter",), severity="act"),
            Say("PRD1 has 1 of 94 %", "5[0-3]", ("have programs move more",), OTHERS),
        ),
    )  # fmt: skip


@situation
def director_port() -> Situation:
    """A failing optic: from 14 to 17 the director port of channel 52 counts 400 errors per interval and paces frames.

    Command response on that path is 3 ms, on the three others 0.1; the LCUs' mean rises to 0.8. No queue worth
    mentioning. Replace the optic or vary the path offline.
    """
    shop = Shop(
        WEDNESDAY, 24, [System("PRD1"), System("PRD2", share=0.4)], [Box("0000000XK907")],
        [Lcu("0010", 0x1000, "VA", aliases=40), Lcu("0011", 0x1100, "VB", rate=90)], director=True,
        port=lambda m, p: Port(400, 1.6) if p == "06" and m.within(14, 17) else Port(0, 0.002),
        path_ms=lambda m, c: 2.9 if c == "52" and m.within(14, 17) else 0.0,
    )  # fmt: skip

    def optic(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        if m.within(14, 17):
            w.cmr_ms += 2.9 / 4

    shop.changes.append(optic)
    return Situation(
        "director_port", director_port.__doc__ or "", shop,
        must=(Say("port 06, or the path of channel 52, is ill", "06|52|0010|0011",
                  (r"port|\b1?52\b", r"\b06\b|\b1?52\b")),),
        must_not=(Say("no I/O waits for exposures", ".", (), more_aliases=True),),
    )  # fmt: skip


@situation
def distance_cmr() -> Situation:
    """LCU 0014 stands in a box 45 km away: command response is 0.62 ms at any hour, also at weekends; near, it is 0.11.

    Five days. It does not move with load, so neither port nor control unit is busy. Light is that slow.
    """
    shop = Shop(
        dt.datetime(2026, 3, 5), 120, [System("PRD1"), System("PRD2", share=0.5)],
        [Box("0000000XNEAR"), Box("0000000XFAR1")], [Lcu("0010", 0x1000, "WA"), Lcu("0014", 0x1400, "WB", box=1)],
        kept=lambda m: m.start.hour % 3 == 0,
    )  # fmt: skip

    def far(_m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 1:
            w.cmr_ms = 0.62 * (w.cmr_ms / 0.11)
            w.conn_extra_ms = 0.2

    shop.changes.append(far)
    return Situation(
        "distance_cmr", distance_cmr.__doc__ or "", shop,
        must_not=(
            Say("it is constant", "0014|WB00|XFAR1", ("port|adapter|control unit|path",), "distance|km|fibre|far",
                severity="act"),
            Say("it is constant", "0014|WB00|XFAR1", ("busy",), "distance|km|fibre|far", at_least="high"),
            Say("no I/O queues", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def busy_control_unit() -> Situation:
    """Host adapters of box XK908 are full from 10 to 12 and from 14 to 16 on both days: command response 2.4 ms.

    One start of six meets a busy control unit; at other hours it is 0.12 ms, so it is no distance. Sixty aliases
    on the way do not run out, and more of them would only lengthen the queue in the adapter.
    """

    def busy(m: Moment) -> bool:
        return m.within(10, 12) or m.within(14, 16)

    shop = Shop(
        WEDNESDAY, 48, [System("PRD1"), System("PRD2", share=0.6)], [Box("0000000XK908"), Box("0000000XK909")],
        [Lcu("0010", 0x1000, "XA", aliases=60, rate=500), Lcu("0011", 0x1100, "XB", box=1)],
        cu_busy=lambda m, n: (0.2, 3.0) if n == "0010" and busy(m) else (0.0, 0.0),
    )  # fmt: skip

    def adapters(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and busy(m):
            w.cmr_ms, w.css_ms = 2.4, 0.3

    shop.changes.append(adapters)
    return Situation(
        "busy_control_unit", busy_control_unit.__doc__ or "", shop,
        must=(Say("the control unit is busy", "0010|XA00|XK908",
                  ("control unit|adapter|port", "busy|command response|CMR")),),
        must_not=(
            Say("aliases do not run out", "0010|XA00", (), more_aliases=True),
            Say("the other box is well", "0011|XB00|XK909", (), severity="act"),
        ),
        later=(
            Say("78.3 has a sixth of the starts meet a busy control unit", "0010", (), severity="act",
                lacking="control unit (is |was )?busy|busy control unit|CU busy|1[67] %"),
        ),
    )  # fmt: skip


@situation
def channels_always_full() -> Situation:
    """All four channels are 94 % busy at all hours. Pend is 1.8 ms, the control unit answers after 0.15 ms of it.

    No hour shows what pend is with room on the channels; that it was never shorter makes it no better.
    """
    shop = Shop(
        WEDNESDAY, 3, [System("PRD1")], [Box("0000000XK961")],
        [Lcu("0010", 0x1000, "ZA", aliases=40), Lcu("0011", 0x1100, "ZB", aliases=40)],
        channel=lambda *_: Carried(0.9, 1.2e9),
    )  # fmt: skip

    def full(_: Moment, __: System, ___: Volume, w: Work) -> None:
        w.cmr_ms, w.css_ms = 0.15, 1.65

    shop.changes.append(full)
    return Situation(
        "channels_always_full", channels_always_full.__doc__ or "", shop,
        must=(Say("the channels are full and cost 1.65 ms an I/O", "5[0-3]", ("channel",), severity="act"),),
        must_not=(
            Say("aliases queue for the same channels", ".", (), more_aliases=True),
            Say("they wait all the time", "5[0-3]", ("no longer than usual",)),
        ),
    )  # fmt: skip


@situation
def two_paths_lost() -> Situation:
    """From 10:00 channel paths 52 and 53 are offline; 50 and 51 carry all I/Os and are 90 % busy, pend is 1.6 ms.

    To bring them back is the cure. The channels left are full because of it.
    """
    shop = Shop(
        WEDNESDAY.replace(hour=8), 4, [System("PRD1")], [Box("0000000XK962")],
        [Lcu("0010", 0x1000, "ZC", aliases=40)],
        channel=lambda m, c: Carried(0.88 if c in ("50", "51") else 0.0, 1e9) if m.hour >= 10 else Carried(0.4, 5e8),
        lost=lambda m, c: m.hour >= 10 and c in ("52", "53"),
    )  # fmt: skip

    def crowded(m: Moment, _: System, __: Volume, w: Work) -> None:
        w.css_ms = 1.5 if m.hour >= 10 else 0.01

    shop.changes.append(crowded)
    return Situation(
        "two_paths_lost", two_paths_lost.__doc__ or "", shop,
        must=(Say("bring them back", r"1.52.*1.53", ("offline", "bring them back", "fill up"), severity="act"),),
        must_not=(
            Say("the cause comes first", r"15[01]\b", (), severity="act", lacking="offline"),
            Say("no paths over those that are lost", ".", ("paths over",)),
            Say("aliases queue for the same channels", ".", (), more_aliases=True),
        ),
    )  # fmt: skip


@situation
def one_system_is_answered_late() -> Situation:
    """From 11:00 command response is 1.5 ms for PRD1 and 0.1 ms for PRD2, on the same LCUs: it is PRD1's own way.

    The records of PRD2 say so. No user has to find out whether other systems are as fast as ever.
    """
    shop = Shop(
        WEDNESDAY.replace(hour=10), 2, [System("PRD1"), System("PRD2", share=0.6, channels=("60", "61", "62", "63"))],
        [Box("0000000XK963")], [Lcu("0010", 0x1000, "ZD"), Lcu("0011", 0x1100, "ZE")],
    )  # fmt: skip

    def late(m: Moment, s: System, _: Volume, w: Work) -> None:
        if m.hour >= 11 and s.sid == "PRD1":
            w.cmr_ms = 1.5

    shop.changes.append(late)
    return Situation(
        "one_system_is_answered_late", one_system_is_answered_late.__doc__ or "", shop,
        must=(
            Say("PRD2 is as fast as ever", "0010|0011", ("PRD2 reaches this control unit", "channels"), severity="act"),
        ),
        must_not=(
            Say("the lake shows it", ".", ("if other systems",)),
            Say("the way is slow", ".", (), more_aliases=True),
        ),
    )  # fmt: skip
