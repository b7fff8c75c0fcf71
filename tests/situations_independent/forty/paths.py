"""Channels, links and adapters."""

import datetime as dt

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import TUESDAY, no_act, no_aliases
from tests.situations_independent.shop import Box, Carried, Lcu, Moment, Shop, System, Volume, Work

ONE = [System("PRD1")]
LCUS = [
    Lcu("0060", 0x6000, "PTA", volumes=6, aliases=6, rate=150),
    Lcu("0061", 0x6100, "PTB", volumes=6, aliases=6, rate=150),
]


def _slow_path(channel: str, added: float, first: float, last: float) -> Shop:
    def slower(m: Moment, _: System, __: Volume, w: Work) -> None:
        if m.within(first, last):
            w.cmr_ms += added / 4

    shop = Shop(TUESDAY, 24, ONE, [Box("KE501", ranks=2)], LCUS, changes=[slower])
    shop.path_ms = lambda m, c: added if c == channel and m.within(first, last) else 0.0
    return shop


@situation
def one_path_slow_since_ten() -> Situation:
    """Commands over CHPID 52 are answered 3 ms later since 10:00, a dirty link; the three others are as ever.

    Mended after the first run: iosq writes a channel with its channel subsystem, 1.52 for CHPID 52 of subsystem 1.
    """
    return Situation(
        "one_path_slow_since_ten",
        "One of four channels answers 3 ms later from 10:00 on",
        _slow_path("52", 3.0, 10, 24),
        (
            Say("path 52 is slow", r"\b1.52\b", (r"(?i)path|channel|chpid",)),
            Say("by 3 ms", r"\b1.52\b", (), figure=(r"(\d+\.?\d*) ms", 2.5, 3.5)),
        ),
        (
            no_aliases(r"006[01]|PT[AB]0"),
            Say("the other paths are well", r"(channel|path|chpid)s? 1?(50|51|53)\b", (r"(?i)slow|late",)),
        ),
    )


@situation
def path_repaired_at_eight() -> Situation:
    """CHPID 51 was slow from midnight to 08:00, when the cable was replaced; it is as quick as the others since.

    Mended after the first run: a channel has its channel subsystem before it, 1.51.
    """
    return Situation(
        "path_repaired_at_eight",
        "One channel was slow until 08:00; its cable was replaced",
        _slow_path("51", 3.0, 0, 8),
        (Say("it was slow", r"\b1.51\b", (r"(?i)path|channel|chpid",)),),
        (
            Say("it is past", r"51|006[01]|KE501", (r"\b1.51\b",), severity="act"),
            no_aliases(r"006[01]|PT[AB]0"),
        ),
    )


@situation
def channels_shared_with_a_backup() -> Situation:
    """From 10:00 another system's backup drives all four channels to 85 %: connect of each I/O is 1.2 ms longer."""

    def longer(m: Moment, _: System, __: Volume, w: Work) -> None:
        if m.hour >= 10:
            w.conn_extra_ms, w.cmr_ms = 1.2, w.cmr_ms + 0.3

    shop = Shop(TUESDAY.replace(hour=9), 2, ONE, [Box("KE502", ranks=2)], LCUS, changes=[longer])
    shop.channel = lambda m, _: Carried(0.82, 1_150_000_000.0) if m.hour >= 10 else Carried()
    return Situation(
        "channels_shared_with_a_backup",
        "Another system's backup fills the channels from 10:00 on",
        shop,
        (Say("the channels are busy", r"5[0-3]\b", (r"(?i)channel|chpid|path", r"(?i)busy|8\d ?%|full|utili")),),
        (no_aliases(r"006[01]|PT[AB]0"),),
    )


@situation
def one_box_answers_late_on_all_paths() -> Situation:
    """From 13:00 to 17:00 all host adapters of box KE504 answer 1.5 ms later; box KE503 on the same channels doesn't.

    So it is no channel, and it is no device: each volume of the box has it.
    """

    def late(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.lcu == 1 and m.within(13, 17):
            w.cmr_ms += 1.5

    lcus = [LCUS[0], Lcu("0061", 0x6100, "PTB", volumes=6, aliases=6, rate=150, box=1)]
    shop = Shop(TUESDAY, 24, ONE, [Box("KE503", ranks=2), Box("KE504", ranks=2)], lcus, changes=[late])
    shop.start = TUESDAY + dt.timedelta(days=1)
    return Situation(
        "one_box_answers_late_on_all_paths",
        "A box answers commands 1.5 ms later in the afternoon, over all paths",
        shop,
        (
            Say("the box answers late", r"KE504|0061|2161", (r"(?i)command response|CMR|answer", r"1[3-6]:")),
            Say("by 1.5 ms", r"KE504|0061|2161", (r"(?i)response|CMR",), figure=(r"(\d+\.?\d*) ms", 1.4, 1.75)),
        ),
        (no_aliases(r"006[01]|PT[AB]0"), no_act(r"0060|KE503|PTA0", "the other box is well")),
    )
