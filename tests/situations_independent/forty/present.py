"""What the configuration was is past: volumes moved, swapped, renumbered, relabelled, with other aliases."""

from dataclasses import replace

from tests.situations_independent.expected import Say, Situation, situation
from tests.situations_independent.forty.common import MONDAY, TUESDAY, aliases, heavy, no_act, no_aliases
from tests.situations_independent.phases import Phases
from tests.situations_independent.shop import Box, Lcu, Moment, Shop, System, Volume, Work

ONE = [System("PRD1")]
NOON = TUESDAY.replace(hour=12)
MOVED = r"(?i)\bmoved?\b|migrat|swap|\bnow in\b|no longer|went to|are in box|is in box"


def _offline(m: Moment, s: System, v: Volume, w: Work) -> None:
    if v.volser.startswith("OLD"):
        w.online, w.rate, w.volser = False, 0.0, ""
    heavy(m, s, v, w)


@situation
def lcu_emptied_at_noon_on_wednesday() -> Situation:
    """LCU 0040 queued for its 3 aliases on Monday and Tuesday; Wednesday 12:00 its 8 volumes move to box KC302.

    Their new LCU 0043 has 24 aliases, and nothing waits. LCU 0040 has addresses without volumes.
    """
    boxes = [Box("KC301", ranks=2), Box("KC302", ranks=2)]
    old = Lcu("0040", 0x4000, "MOV", volumes=8, aliases=3, rate=880)
    before = Shop(MONDAY, 60, ONE, boxes, [old], changes=[heavy])
    empty, new = replace(old, prefix="OLD"), Lcu("0043", 0x4300, "MOV", volumes=8, box=1, aliases=24, rate=880)
    after = Shop(MONDAY.replace(day=4, hour=12), 60, ONE, boxes, [empty, new], changes=[_offline])
    return Situation(
        "lcu_emptied_at_noon_on_wednesday",
        "All volumes of an LCU short of aliases move to another box on Wednesday at noon",
        Phases((before, after)),
        (Say("the move is stated", r"KC302|0040|0043", (MOVED, "KC302")),),
        (
            no_aliases(r"0040|0043|MOV0", "the old LCU is empty, the new one has enough"),
            no_act("0040", "it has no volumes any more"),
        ),
    )


@situation
def hyperswap_at_noon() -> Situation:
    """HyperSwap at 12:00 from box KC303 with slow disks and 4 aliases to KC304: no wait there, and no mirror since."""

    def slow(m: Moment, _: System, __: Volume, w: Work) -> None:
        w.copy_ms = 0.6
        if m.within(8, 12):
            w.block, w.hit = 90000.0, 0.9

    boxes = [Box("KC303", ranks=2, miss_ms=9.0), Box("KC304", ranks=2, miss_ms=3.0)]
    first = Lcu("0040", 0x4000, "SWP", volumes=8, aliases=3, rate=760, mirrored=True)
    before = Shop(TUESDAY, 12, ONE, boxes, [first], changes=[slow])
    second = replace(first, number="0044", first=0x8000, box=1, aliases=24, mirrored=False)
    after = Shop(NOON, 12, ONE, boxes, [replace(first, prefix="OLD"), second], changes=[_offline])
    return Situation(
        "hyperswap_at_noon",
        "HyperSwap to the secondary box, which is faster, has more aliases and is not mirrored",
        Phases((before, after)),
        (
            Say("the swap or move is stated", r"KC304|0044|SWP0", (MOVED, "KC304")),
            Say("they have no mirror any more", r"KC304|0044|SWP0", (r"(?i)(not|no longer) mirrored|no mirror",)),
        ),
        (no_aliases(r"0040|0044|SWP0", "where they are now, there are enough"), no_act("0040|KC303", "it is empty")),
    )


@situation
def devices_renumbered_at_noon() -> Situation:
    """A new IODF at 12:00 gives all devices of LCU 0040 other numbers; the pool is short before and after, one problem.

    Volsers, LCU, subsystem and box stay: nothing moved.
    """
    lcu = Lcu("0040", 0x4000, "NUM", volumes=8, aliases=3, rate=760)
    shop = Shop(TUESDAY, 24, ONE, [Box("KC305", ranks=2)], [lcu], changes=[heavy])
    shop.device_of = lambda m, v: v.device if m.hour < 12 else v.device + 0x1000
    return Situation(
        "devices_renumbered_at_noon",
        "Devices have other numbers from noon on; the pool is too small all day",
        shop,
        (aliases("0040"),),
        (Say("nothing moved to another box", "", (r"(?i)\bmoved? to (another )?box",)),),
        once=(Say("one shortage, one finding", "0040", more_aliases=True),),
    )


@situation
def slow_volume_relabelled() -> Situation:
    """OLDDB1 is relabelled NEWDB1 at noon by a job that renames volumes: it misses half of its reads before and after.

    Everybody who reads the advice in the evening knows the volume as NEWDB1.
    """

    def named(m: Moment, _: System, v: Volume, w: Work) -> None:
        if v.volser == "PRA002":
            w.rate, w.hit = 250.0, 0.5
            w.volser = "OLDDB1" if m.hour < 12 else "NEWDB1"

    lcus = [Lcu("0040", 0x4000, "PRA", volumes=6, aliases=24, rate=120)]
    return Situation(
        "slow_volume_relabelled",
        "A volume that misses half of its reads is relabelled at noon",
        Shop(TUESDAY, 24, ONE, [Box("KC306", ranks=2)], lcus, changes=[named]),
        (Say("the volume by its present name misses", "NEWDB1", (r"(?i)hit|miss|cache|disconnect",)),),
        (no_act(r"volume OLDDB1", "no volume has that name"), no_aliases(r"0040|OLDDB1|NEWDB1")),
    )


@situation
def static_aliases_until_wednesday() -> Situation:
    """Volumes with 2 exposures each queue on Monday to Wednesday; HyperPAV with 12 aliases from Thursday: no wait."""
    old = Lcu("0040", 0x4000, "STA", volumes=5, pav="static", exposures=2, rate=700)
    box = [Box("KC307", ranks=2)]
    before = Shop(MONDAY, 72, ONE, box, [old], changes=[heavy])
    new = replace(old, pav="hyper", aliases=12)
    after = Shop(MONDAY.replace(day=5), 48, ONE, box, [new], changes=[heavy])
    return Situation(
        "static_aliases_until_wednesday",
        "Static PAV gives way to HyperPAV on Thursday, and the queues are gone",
        Phases((before, after)),
        (),
        (no_aliases(r"0040|STA0", "a pool serves them now"), no_act(r"0040|STA0", "it is settled")),
    )


@situation
def system_moves_to_another_cpc() -> Situation:
    """On Thursday PRD1 starts on another CPC, where the same subsystem 2040 is LCU 0440 over channels A0-A3.

    Its pool of 3 aliases is too small on either; it is one pool.
    """
    old = Lcu("0040", 0x4000, "CPC", volumes=6, aliases=3, rate=900, subsystem="2040")
    box = [Box("KC308", ranks=2)]
    before = Shop(MONDAY, 72, ONE, box, [old], changes=[heavy])
    there = [System("PRD1", channels=("A0", "A1", "A2", "A3"))]
    after = Shop(MONDAY.replace(day=5), 48, there, box, [replace(old, number="0440")], changes=[heavy])
    return Situation(
        "system_moves_to_another_cpc",
        "The same pool has another LCU number after the system moved to another CPC",
        Phases((before, after)),
        (aliases("0440", "the pool is too small, and this is its number now"),),
        (no_act(r"LCU 0040\b", "that number is not known to the system any more"),),
        once=(Say("one pool, one finding", "0[04]40", more_aliases=True),),
    )


@situation
def superpav_since_noon() -> Situation:
    """LCU 0040 is short of aliases until noon; then SuperPAV with 12 aliases of the group, and no I/O waits."""
    old = Lcu("0040", 0x4000, "SUP", volumes=8, aliases=3, rate=960)
    box = [Box("KC309", ranks=2)]
    before = Shop(TUESDAY, 12, ONE, box, [old], changes=[heavy])
    after = Shop(NOON, 12, ONE, box, [replace(old, pav="super", aliases=16)], changes=[heavy])
    return Situation(
        "superpav_since_noon",
        "HyperPAV becomes SuperPAV with more aliases at noon",
        Phases((before, after)),
        (),
        (no_aliases(r"0040|SUP0", "there are enough now"), no_act(r"0040|SUP0", "it is settled")),
    )
