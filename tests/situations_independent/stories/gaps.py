"""Troubles whose record was not collected: what is unknown has to be called so, with the record's name."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.shop import Box, Carried, Lcu, Moment, Shop, System, Volume, Work

TUESDAY = dt.datetime(2026, 3, 3)
PRIME = (10.0, 12.0)


@situation
def disc_without_74_5() -> Situation:
    """From 10 to 12 disconnect rises from 0.1 to 1.6 ms on all volumes of LCU 0010; there is no 74.5 and no 74.8.

    It is a remote copy whose link is full, but in 74.1 it looks like read misses or NVS. An expert asks for
    74.5 and names no cause.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK951")],
        [Lcu("0010", 0x1000, "GA", read=0.6, mirrored=True, aliases=48), Lcu("0011", 0x1100, "GB")],
        lacks=frozenset({"74.5", "74.8"}),
    )  # fmt: skip

    def link(m: Moment, _s: System, v: Volume, w: Work) -> None:
        if v.lcu == 0 and m.within(*PRIME):
            w.copy_ms = 4.0

    shop.changes.append(link)
    return Situation(
        "disc_without_74_5", disc_without_74_5.__doc__ or "", shop,
        must=(Say("disconnect rose, and only 74.5 says why", "0010|GA00|XK951",
                  ("disc", r"74[-. ]?5|subtype 5|74 subtype|type 74"), at_most="medium"),),
        must_not=(
            Say("nothing says what it is", ".", ("because of|caused by", "NVS|remote copy|mirror|cache"),
                at_least="high"),
            Say("the hit ratio is unknown", ".", ("more cache|cache (is )?too small",)),
            Say("no I/O waits for exposures", ".", (), more_aliases=True),
            Say("LCU 0011 is well", "0011|GB00", (), severity="act"),
        ),
    )  # fmt: skip


@situation
def channels_without_73() -> Situation:
    """Channels are full from 10 to 12: command response 0.9, initial queue 1.1, connect 0.6 ms more, on all LCUs.

    Type 73 was not collected. Delay on the way to every LCU at once points at channels; how busy they were and by whom
    only type 73 says.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.4)], [Box("0000000XK952"), Box("0000000XK953")],
        [Lcu("0010", 0x1000, "IA", aliases=40), Lcu("0011", 0x1100, "IC", aliases=40, box=1),
         Lcu("0012", 0x1200, "ID", pav="static", exposures=2, rate=180)],
        channel=lambda m, _: Carried(0.92, 1.2e9) if m.within(*PRIME) else Carried(0.05, 5e7),
        lacks=frozenset({"73"}),
    )  # fmt: skip

    def full(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        if m.within(*PRIME):
            w.cmr_ms, w.css_ms, w.conn_extra_ms = 0.9, 1.1, 0.6

    shop.changes.append(full)
    return Situation(
        "channels_without_73", channels_without_73.__doc__ or "", shop,
        must=(Say("type 73 would show", ".", ("channel", r"\b73\b"), at_most="medium"),),
        must_not=(
            Say("the way is full", "001[0-2]|I[ACD]00", (), more_aliases=True, at_least="medium"),
            Say("two boxes at once are not one busy control unit", ".", ("control unit|host adapter",),
                "channel", severity="act", at_least="high"),
        ),
        later=(
            Say("both boxes answer equally late, so it is the way to them", "XK95[23]",
                ("is full|saturated|faster box|more arms",), at_least="medium"),
        ),
    )  # fmt: skip


@situation
def hot_without_42() -> Situation:
    """A volume with two exposures, asked by ten programs from 10 to 11:30, and no type 42 subtype 6 at hand.

    Exposures are short whoever it is. Which data set and which job only 42.6 says; so it is to be asked for.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.5)], [Box("0000000XK954")],
        [Lcu("0010", 0x1000, "JA"), Lcu("0011", 0x1100, "JD", pav="static", exposures=2, rate=40)],
        lacks=frozenset({"42.6"}),
    )  # fmt: skip

    def ten(m: Moment, s: System, v: Volume, w: Work) -> None:
        if v.volser == "JD001" and s.sid == "PRD1" and m.within(10, 11.5):
            w.requesters, w.hit = 10, 0.75

    shop.changes.append(ten)
    return Situation(
        "hot_without_42", hot_without_42.__doc__ or "", shop,
        must=(
            Say("eight of ten wait", "JD001", (), more_aliases=True),
            Say("42.6 would say whose I/Os they are", "JD001", (r"\b42\b",)),
        ),
        must_not=(Say("eight wait", "JD001", (), verdict="enough"), Say("eight wait", "JD001", (), verdict="too_many")),
    )  # fmt: skip


@situation
def switch_without_74_7() -> Situation:
    """From 10 to 12 command response is 1.8 and connect 0.7 ms longer, to both boxes, on all channels.

    Channels are 10 % busy, hits and disks as ever; no 74.7. What all I/Os pass is the director; static volumes queue
    behind it. Two boxes do not fill up in the same minute by the same tenths of a millisecond.
    """
    shop = Shop(
        TUESDAY, 24, [System("PRD1"), System("PRD2", share=0.4)], [Box("0000000XK956"), Box("0000000XK957")],
        [Lcu("0010", 0x1000, "SW", aliases=40), Lcu("0011", 0x1100, "SX", aliases=40, box=1),
         Lcu("0012", 0x1200, "SY", pav="static", exposures=2, rate=300)],
        channel=lambda *_: Carried(0.05, 5e7), lacks=frozenset({"74.7"}),
    )  # fmt: skip

    def director(m: Moment, _s: System, _v: Volume, w: Work) -> None:
        if m.within(*PRIME):
            w.cmr_ms, w.conn_extra_ms = w.cmr_ms + 1.8, 0.7

    shop.changes.append(director)
    return Situation(
        "switch_without_74_7", switch_without_74_7.__doc__ or "", shop,
        must=(Say("the way to both boxes is slow", "001[0-2]|S[WXY]00|XK95[67]|5[0-3]",
                  ("director|switch|path|link",)),),
        must_not=(
            Say("two boxes at once, to the tenth of a millisecond", "XK95[67]",
                ("is full|saturated|faster box|more arms",), at_least="medium"),
            Say("channels are 10 % busy", "5[0-3]", ("busy|full",), severity="act"),
            Say("the way is slow", ".", (), more_aliases=True, at_least="high"),
        ),
    )  # fmt: skip
