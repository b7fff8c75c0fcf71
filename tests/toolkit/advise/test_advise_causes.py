"""Causes before symptoms, the present before the past, severity from recurrence."""

import datetime as dt
import math
from dataclasses import replace
from typing import Any

import pytest
from advise_rows import database, pool, volume
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.advise.catalog import all_rules, explains
from iosq.toolkit.advise.causes import LIMITS, Load, Loads, explained
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Aliases, Effect, Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.present import present
from iosq.toolkit.advise.severity import Recurrence
from iosq.toolkit.advise.subject import Subject, lcus
from iosq.toolkit.advise.subject import volume as volume_named
from iosq.toolkit.advise.text import as_text
from iosq.toolkit.advise.window import Episode

DAY = dt.datetime(2026, 3, 2)
WHEN = Episode(DAY.replace(hour=10), DAY.replace(hour=12), 8, 1)
LIMIT = LIMITS.limits()
SEEN = {("SYSA", f"V{n}") for n in range(4)}


def load(service: float, rate: float, **more: float | None) -> dict[str, Any]:
    """A volume that usually does 100 I/Os per s of 1 ms, without a wait."""
    usual = {"usual_rate": 100.0, "usual_service_ms": 1.0, "comparable_ms": 1.0 if rate <= 100 else None}
    row = {"system": "SYSA", "volume": "V0", "io_rate": rate, "service_ms": service, "wait_ms": 5.0,
           "median_service_ms": service, "median_rate": 100.0}  # fmt: skip
    return row | usual | {"comparable_wait_ms": 0.0, "comparable_before_s": None, "comparable_then_s": 1e9} | more


class Fixed(Loads):
    """Loads of one kind for every time."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        """The rows of every answer."""
        self._rows = rows

    def during(self, when: Episode, seen: object) -> Load:  # noqa: ARG002
        """The rows."""
        return Load(self._rows)


def placed(*where: tuple[str, str, str, str, int, int]) -> Places:
    """Places by volume, LCU, box, kind of PAV (behind it, whether it is mirrored), first and last hour of the span.

    Behind a volume may be @ and a system.
    """
    return Places(
        [
            {"system": v.partition("@")[2] or "SYSA", "volume": v.partition("@")[0], "platform": "z/OS",
             "lcu": lcu, "device": None, "box": box,
             "pav": pav.removesuffix(", mirrored"), "is_mirrored": pav.endswith(", mirrored"), "is_named": True,
             "seen_start": DAY + dt.timedelta(hours=a), "seen_end": DAY + dt.timedelta(hours=b)}
            for v, lcu, box, pav, a, b in where
        ]
    )  # fmt: skip


STAYING = placed(*((f"V{n}", "0010", "AB1", "HyperPAV", 0, 48) for n in range(4)))


def weighed(f: Finding, days: int, loads: Loads) -> Finding:
    """A finding after the look at what comes back; faults of ranks end."""
    return Recurrence(days, STAYING, loads, {"rank_saturated"}, LIMIT).weighed(f)


def finding(code: str, subject: Subject, **more: Any) -> Finding:
    """One to act on."""
    given = {"when": WHEN, "code": code, "lost_s": 60.0} | more
    return Finding("act", subject, "It waits", "Define 4 more aliases", (), "", **given)  # type: ignore[arg-type]


GONE = Fixed(load(1.0, 100.0, comparable_after_s=0.0))
DRY = finding("alias_pool_dry", lcus(["0010"], "SYSA"), aliases=Aliases("add", 4, 8, 8))
SLOW = replace(finding("rank_saturated", Subject("rank", ("AB1", "0000"))), severity="watch", advice="Look at the rank")


def test_a_symptom_becomes_a_part_of_its_cause() -> None:
    """The cause is as serious as the symptom, names it, and loses what both lose."""
    (one,) = explained([DRY, SLOW], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)
    assert (one.code, one.severity, one.lost_s) == ("rank_saturated", "act", 120.0)
    assert "That is why LCU 0010 on SYSA queues in the host: " in one.whole_text
    assert "4 ms, 1 ms at a comparable rate" in one.whole_text and "Aliases will not help" in one.advice
    assert ("alias_pool_dry", DRY.subject) in one.covers


def test_a_queue_at_several_times_the_usual_rate_says_both() -> None:
    low, high = (weighed(replace(DRY, lost_s=6e4), 1, Fixed(load(1.0, rate))).details for rate in (250.0, 350.0))
    assert "rate is 350 per s then, 100 per s at other times" in high and "rate is" not in low


@pytest.mark.parametrize(("until", "intervals", "reported"), [(12, 8, False), (18, 20, True), (18, 8, False)])
def test_a_symptom_that_lasts_longer_than_its_cause_is_reported(until: int, intervals: int, reported: bool) -> None:
    dry = replace(DRY, when=replace(WHEN, intervals=intervals, until=DAY.replace(hour=until)))
    (one,) = explained([dry, SLOW], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)
    assert ("LCU 0010 on SYSA did so at other times too" in one.whole_text) is reported


@pytest.mark.parametrize(
    ("why", "dry", "slow", "row"),
    [
        ("the rate rose, not the service time", DRY, SLOW, load(1.0, 400.0)),
        ("most of the growth is the rate's", DRY, SLOW, load(1.5, 400.0)),
        ("it queues at a comparable rate too", DRY, SLOW, load(4.0, 90.0, comparable_wait_ms=4.0)),
        ("nothing to compare with", DRY, SLOW, load(4.0, 90.0, comparable_ms=None, usual_service_ms=None)),
        ("another box is slow", DRY, replace(SLOW, subject=Subject("rank", ("ZZ9", "0000"))), load(4.0, 90.0)),
        ("it was slow at other hours", DRY,
         replace(SLOW, when=Episode(WHEN.start.replace(hour=1), WHEN.start.replace(hour=3), 8, 1)), load(4.0, 90.0)),
        ("a rule that explains no queue", DRY, replace(SLOW, code="idle_volume"), load(4.0, 90.0)),
    ],
)  # fmt: skip
def test_what_is_no_symptom_stays(why: str, dry: Finding, slow: Finding, row: dict[str, Any]) -> None:
    assert explained([dry, slow], explains(), STAYING, Fixed(row), LIMIT) == [dry, slow], why


@pytest.mark.parametrize("usual", [1.0, None])
@pytest.mark.parametrize("codes", [("paging_volumes", "disc_unexplained"), ("slow_path", "connect_unexplained")])
def test_a_longer_service_is_a_symptom_whatever_the_rate(usual: float | None, codes: tuple[str, str]) -> None:
    """Volumes whose I/Os take longer while they do four times as much, or have nothing to compare with."""
    own = frozenset(codes[1:] if codes[0] == "paging_volumes" else ())  # some of its outcomes explain it
    cause = finding(codes[0], Subject("volumes", ("V0", "V1", "V2", "V3"), systems=("SYSA",)), explains=own)
    symptom = finding(codes[1], lcus(["0010"], "SYSA"))
    row = load(1.5, 400.0, usual_service_ms=usual)
    (one,) = explained([symptom, cause], explains(), STAYING, Fixed(row), LIMIT)
    assert one.code == codes[0]
    assert ("1.5 ms, 1 ms at other times" in one.whole_text) == bool(one.numbers) == (usual is not None)


def test_the_same_trouble_at_other_times_is_no_comparison() -> None:
    """It comes back daily: then the other hours show what an I/O usually takes."""
    again = load(4.0, 90.0, comparable_ms=4.0, comparable_wait_ms=5.0)
    (one,) = explained([DRY, SLOW], explains(), STAYING, Fixed(again), LIMIT)
    assert "4 ms, 1 ms at other times" in one.whole_text


def test_daily_trouble_is_compared_by_the_hour() -> None:
    """The worst run of the cause may be another day's."""
    dry = replace(DRY, when=replace(WHEN, days=3))
    later = Episode(WHEN.start + dt.timedelta(days=2), WHEN.end + dt.timedelta(days=2), 16, 2)
    assert len(explained([dry, replace(SLOW, when=later)], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)) == 1


@pytest.mark.parametrize(
    ("begins", "code", "lost_s", "left"),
    [(10, "cache_off", 60, 1), (8, "cache_off", 60, 2), (10, "tape_mounts_slow", 60, 2), (10, "cache_off", 50, 2)],
)
def test_findings_about_one_event_are_one(begins: int, code: str, lost_s: float, left: int) -> None:
    """A box whose cache fails answers late: it begins and ends with that, and loses no more."""
    box = finding(code, Subject("box", ("AB1",)), when=replace(WHEN, start=DAY.replace(hour=begins)), lost_s=lost_s)
    late = finding("slow_path", DRY.subject, part_of=frozenset({"cache_off"}), does="wait longer for the control unit")
    found = explained([late, box], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)
    assert len(found) == left
    assert (left == 2) or "That is why LCU 0010 on SYSA waits longer for the control unit" in found[0].details


@given(st.none() | st.floats(1, 8), st.none() | st.floats(1, 8), st.integers(0, 2))
def test_what_had_room_before_a_loss_is_a_part_of_it(before: float | None, enough: float | None, days: int) -> None:
    """However long its I/Os take, and on whichever day of the loss the channels are fullest."""
    lost = finding("path_share", Subject("channel", ("52",)), capacity=before, about=frozenset({DRY.subject}),
                   when=Episode(WHEN.start, WHEN.end + dt.timedelta(days=2), 300, 3))  # fmt: skip
    when = Episode(*(at + dt.timedelta(days=days) for at in (WHEN.start, WHEN.end)), 8, 2)
    full = finding("channel_busy", Subject("channel", ("50",)), capacity=enough, about=lost.about, when=when)
    found = explained([lost, full], explains(), STAYING, Fixed(load(1.0, 100.0)), LIMIT)
    assert (found == [lost, full]) == (before is not None and enough is not None and before <= enough)


def test_a_symptom_of_a_symptom_is_a_part_of_the_first_cause() -> None:
    """Lost paths of a system without LCUs fill the channel that is left, behind which volumes queue."""
    full = finding(
        "channel_busy", Subject("channel", ("40",)), capacity=1.3, about=frozenset({DRY.subject}), lost_s=300.0
    )
    slow = finding("slow_path", lcus(["0010"], "SYSA"), capacity=4.0)
    lost = replace(slow, explains=frozenset({"channel_busy"}))
    (one,) = explained([DRY, full, lost], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)
    assert (one.code, one.lost_s) == ("slow_path", 420.0) and full.stands_for | DRY.stands_for <= one.covers
    assert len(explained([full, slow], explains(), STAYING, Fixed(load(4.0, 90.0)), LIMIT)) == 2


@given(st.floats(0.1, 20), st.floats(1, 1000), st.floats(1.0, 10))
def test_more_service_time_never_ends_an_explanation(service: float, rate: float, times: float) -> None:
    first, more = Load([load(service, rate)]), Load([load(service * times, rate)])
    assert more.is_longer_service(LIMIT, closed=False) or not first.is_longer_service(LIMIT, closed=False)


def test_an_lcu_whose_volumes_left_is_a_note() -> None:
    moved = placed(*((f"V{n}", "0010", "AB1", "HyperPAV", 0, 24) for n in range(4)),
                   *((f"V{n}", "0020", "CD2", "HyperPAV", 24, 48) for n in range(4)))  # fmt: skip
    (now,) = present([DRY], moved, GONE)
    assert (now.severity, now.aliases) == ("note", Aliases("enough"))
    moves = "4 volumes moved from LCU 0010 to LCU 0020, from box AB1 to box CD2 at 00:00 on 2026-03-03"
    assert moves in now.advice and "about LCU 0020" in now.advice
    assert list(present([DRY], STAYING, GONE)) == [DRY]


@pytest.mark.parametrize(("stays", "severity"), [(0.0, "note"), (2.0, "act")])
def test_an_lcu_whose_waiting_volumes_left_is_a_note(stays: float, severity: str) -> None:
    """One of four volumes moved: it did all of the waiting, or another one waits as well."""
    moved = placed(("V0", "0010", "AB1", "HyperPAV", 0, 24), ("V0", "0020", "CD2", "HyperPAV", 24, 48),
                   *((f"V{n}", "0010", "AB1", "HyperPAV", 0, 48) for n in range(1, 4)))  # fmt: skip
    loads = Fixed(load(1.0, 100.0, comparable_after_s=0.0), load(1.0, 50.0) | {"volume": "V1", "wait_ms": stays})
    assert [f.severity for f in present([DRY], moved, loads)] == [severity]


def test_a_finding_about_the_place_where_it_is_now_names_what_it_began_after() -> None:
    """Volumes that came from another LCU within a day before; days before is no reason."""
    came = placed(("V0", "0020", "AB1", "HyperPAV", 0, 8), ("V0", "0010", "AB1", "HyperPAV", 8, 48))
    (now,) = present([DRY], came, GONE)
    assert (now.severity, now.aliases) == (DRY.severity, DRY.aliases)
    assert "Look first at the change it began after: 1 volume moved from LCU 0020 to LCU 0010 at 08:00" in now.advice
    (worse,) = present([DRY], came, Fixed(load(1.0, 100.0, comparable_before_s=3600.0)))
    assert worse.advice.startswith("Move it back: 1 volume moved from LCU 0020 to LCU 0010 at 08:00")
    late = replace(DRY, when=Episode(*(t + dt.timedelta(days=1) for t in (WHEN.start, WHEN.end)), 8, 1))
    assert list(present([late], came, GONE)) == [late]


@pytest.mark.parametrize(
    ("other", "until", "is_kept"), [("HyperPAV", 48, True), ("HyperPAV", 8, False), ("no PAV", 48, False)]
)
def test_a_system_that_kept_hyperpav_shows_whose_setting_changed(other: str, until: int, is_kept: bool) -> None:
    waits = finding("pav_add_alias", volume_named("V0", "SYSA"), aliases=Aliases("add", 1, 2, 2))
    here = ("V0", "0010", "AB1", "HyperPAV", 0, 8), ("V0", "0010", "AB1", "no PAV", 8, 48)
    (now,) = present([waits], placed(*here, ("V0@SYSB", "0010", "AB1", other, 0, until)), GONE)
    assert ("; SYSB kept HyperPAV, so see HYPERPAV in IECIOSxx and SETIOS of SYSA" in now.advice) == is_kept


@given(st.integers(0, 30), st.integers(0, 30))
def test_a_change_is_that_of_all_volumes_it_happened_to(same: int, others: int) -> None:
    """Whichever of them waits; not of those that changed at another time, or stayed."""
    names = [f"V{n}" for n in range(same + 1)]
    then = [(name, "0010", "AB1", "HyperPAV", 0, 8) for name in names]
    since = [(name, "0010", "AB1", "no PAV", 8, 48) for name in names]
    late = [(f"W{n}", "0010", "AB1", kind, *at) for n in range(others)
            for kind, at in (("HyperPAV", (0, 24)), ("no PAV", (24, 48)))]  # fmt: skip
    waits = finding("pav_add_alias", volume_named(names[-1], "SYSA"), aliases=Aliases("add", 1, 2, 2))
    (now,) = present([waits], placed(*then, *since, *late), GONE)
    count = "1 volume" if same == 0 else f"{same + 1} volumes"
    assert f"{count} changed from HyperPAV to no PAV at 08:00" in now.advice
    assert now.advice.endswith(f"If that is to stay: {waits.advice[0].lower()}{waits.advice[1:]}")


@pytest.mark.parametrize(
    ("kind", "later", "says"),
    [
        ("HyperPAV", 100.0, "same load has run without the problem"),
        ("HyperPAV", 0.0, "no such load came"),
        ("static PAV", 100.0, ""),
    ],
)
def test_volumes_with_another_kind_of_pav_since(kind: str, later: float, says: str) -> None:
    waits = finding("pav_add_alias", volume_named("V0", "SYSA"), aliases=Aliases("add", 1, 2, 2))
    places = placed(("V0", "0010", "AB1", "static PAV", 0, 20), ("V0", "0010", "AB1", kind, 20, 48))
    (now,) = present([waits], places, Fixed(load(1.0, 100.0, comparable_after_s=later)))
    assert (now == waits) is not bool(says)
    assert says in now.advice and (not says or "1 volume changed from static PAV to HyperPAV" in now.advice)


@pytest.mark.parametrize(("until", "severity"), [(24, "note"), (30, "act")])
def test_volumes_that_moved_are_a_note_unless_the_trouble_moved_with_them(until: int, severity: str) -> None:
    slow = finding("low_hit_ratio", volume_named("V0"), when=replace(WHEN, until=DAY + dt.timedelta(hours=until)))
    places = placed(("V0", "0010", "AB1", "HyperPAV", 0, 24), ("V0", "0020", "CD2", "HyperPAV", 24, 48))
    assert [f.severity for f in present([slow], places, GONE)] == [severity]


@pytest.mark.parametrize(
    ("system", "from_hour", "severity"), [("SYSB", 12, "note"), ("SYSB", 18, "act"), ("SYSA", 12, "act")]
)
def test_a_wait_that_a_guest_takes_to_another_system_is_reported_there(
    system: str, from_hour: int, severity: str
) -> None:
    here, there = (finding("pav_add_alias", volume_named("V9", name)) for name in ("SYSA", system))
    when = Episode(DAY.replace(hour=from_hour), DAY.replace(hour=from_hour + 2), 8, 1)
    found = list(present([here, replace(there, when=when)], placed(), GONE))
    assert [f.severity for f in found] == [severity, "act"]
    assert (found[0] == here) is (severity == "act") or f"this work is on {system} since 12:00" in found[0].advice


def moved() -> list[Finding]:
    """Rows of the view, four volumes of two LCUs; one stays."""
    rows = [
        volume(n, f"V{v}", rate=10.0, lcu="0010" if n < 4 or v == 3 else "0020", is_hyperpav=True)
        for n in range(8) for v in range(4)
    ]  # fmt: skip
    rule = next(r for r in all_rules() if r.code == "volumes_moved")
    return apply(database(volume_interval=rows), rule)


def test_superpav_is_a_kind_of_pav() -> None:
    """From the first interval on that shows it; LCU 0020 always had it."""
    rows = [volume(n, f"V{lcu}", lcu=lcu, is_hyperpav=True) for n in range(8) for lcu in ("0010", "0020")]
    lcus_seen = [{"interval_start": r["interval_start"], "lcu": r["lcu"], "is_superpav": n >= 8 or r["lcu"] == "0020"}
                 for n, r in enumerate(rows)]  # fmt: skip
    rule = next(r for r in all_rules() if r.code == "volumes_moved")
    (finding,) = apply(database(volume_interval=rows, lcu_extra=lcus_seen), rule)
    assert finding.subject.names == ("V0010",)
    assert "from HyperPAV to SuperPAV on SYSA at 10:00" in finding.whole_text


def test_a_change_that_may_have_ended_a_fault_is_named() -> None:
    places = placed(("V0", "0010", "AB1", "HyperPAV", 0, 12), ("V0", "0020", "AB1", "HyperPAV", 12, 48))
    back = Fixed(load(1.0, 100.0, comparable_before_s=0.0, comparable_after_s=9 * 3600.0))
    slow = replace(SLOW, severity="act", code="rank_saturated")
    found = Recurrence(1, places, back, {"rank_saturated"}, LIMIT).weighed(slow)
    assert found.severity == "note"
    assert "1 volume moved from LCU 0010 to LCU 0020 at 12:00 on 2026-03-02" in found.advice
    begun = placed(("V0", "0010", "AB1", "HyperPAV", 0, 10), ("V0", "0010", "AB1", "HyperPAV, mirrored", 10, 48))
    resumed = Recurrence(1, begun, back, {"rank_saturated"}, LIMIT).weighed(slow)
    assert resumed.severity == "watch"
    assert "See whether this began it: 1 volume changed from not mirrored to mirrored at 10:00" in resumed.advice
    known = replace(slow, advice="Look at this: 1 volume changed from not mirrored to mirrored at 10:00 on 2026-03-02")
    assert Recurrence(1, begun, back, {"rank_saturated"}, LIMIT).weighed(known).advice == known.advice, "once is enough"


def test_a_wait_for_the_second_box_that_ended_with_the_mirror_is_a_note_about_that() -> None:
    slow = finding("remote_copy_wait", Subject("box", ("AB1",)))
    places = placed(("V0", "0010", "AB1", "HyperPAV, mirrored", 0, 24), ("V0", "0010", "AB1", "HyperPAV", 24, 48))
    (noted,) = present([slow], places, GONE)
    assert noted.severity == "note" and noted.advice.startswith(
        "First see whether the remote copy should run: 1 volume"
    )
    assert "mirrored to not mirrored at 00:00 on 2026-03-03" in noted.advice and "comes back" in noted.advice


def test_a_queue_belongs_to_the_cause_on_its_own_system() -> None:
    """Of two systems with the same slow volume, however much the other one loses by it."""
    places = placed(*((f"V0@{system}", "0010", "AB1", "HyperPAV", 0, 48) for system in ("SYSA", "SYSB")))
    slow = [finding("disc_unexplained", lcus(["0010"], system), lost_s=lost) for system, lost in
            (("SYSA", 600.0), ("SYSB", 60.0))]  # fmt: skip
    queues = finding("pav_add_alias", Subject("volume", ("V0",), ("SYSB",)), lost_s=30.0)
    longer = Fixed(load(9.0, 100.0) | {"system": "SYSB"})
    found = explained([*slow, queues], {"disc_unexplained": {"pav_add_alias"}}, places, longer, LIMIT)
    assert [(f.subject.systems, f.lost_s) for f in found] == [(("SYSA",), 600.0), (("SYSB",), 90.0)]


@pytest.mark.parametrize("low", [0.8, 6.3])
def test_the_response_without_a_fault_is_without_the_queue_that_it_makes(low: float) -> None:
    """Whether or not the bound keeps the queue of 5.5 ms, which is longer than the service is without it."""
    slow = finding("rank_saturated", lcus(["0010"]), effect=Effect("response", "ms", 13.0, 9.0, low, 13.0, ""))
    then = Fixed(load(7.5, 100.0, wait_ms=5.5, comparable_ms=0.8, comparable_before_s=0.0, comparable_after_s=0.0))
    measured = Recurrence(1, STAYING, then, {"rank_saturated"}, LIMIT).weighed(slow).effect
    assert measured and measured.value == pytest.approx(0.8)


def test_records_of_a_time_that_is_over_are_read_now() -> None:
    back = Fixed(load(1.0, 100.0, comparable_before_s=0.0, comparable_after_s=9 * 3600.0))
    slow = replace(SLOW, severity="act", code="rank_saturated", advice="Ingest type 74.5")
    found = Recurrence(1, STAYING, back, {"rank_saturated"}, LIMIT).weighed(slow)
    assert found.advice == "Ingest type 74.5. Find out what changed at 12:00 on 2026-03-02, when it ended"


def test_moves_are_a_finding() -> None:
    (finding,) = moved()
    assert finding.subject.names == ("V0", "V1", "V2") and finding.severity == "note"
    assert "3 volumes moved from LCU 0010 to LCU 0020 at 10:00 on 2026-03-02" in finding.whole_text


def test_one_interval_is_none_to_act_on() -> None:
    once = replace(DRY, when=replace(WHEN, intervals=1))
    quiet = Fixed(load(1.0, 100.0))
    assert weighed(DRY, 1, quiet) == DRY
    assert weighed(once, 0, quiet) == once  # the only interval that was measured
    watched = weighed(once, 1, quiet)
    assert watched.severity == "watch" and watched.advice.startswith("Do nothing now. If it comes back: define")
    assert "Do nothing now. If it comes back: define" in as_text([watched], brief=True)


def test_a_queue_of_slow_ios_in_one_interval_asks_for_no_aliases() -> None:
    """No rule has named why they are slow."""
    once = replace(DRY, when=replace(WHEN, intervals=1))
    slowed = weighed(once, 1, Fixed(load(8.0, 100.0)))
    assert (slowed.severity, slowed.aliases) == ("watch", Aliases("wont_help", 4))
    assert "look for what makes its I/Os slow" in slowed.advice and "8 ms of service, 1 ms at" in slowed.whole_text


def test_one_day_of_many_names_the_volume_that_grew() -> None:
    grown = Fixed(load(1.0, 6000.0), load(1.0, 100.0) | {"volume": "V1"})
    assert weighed(DRY, 2, grown).severity == "act"
    assert "on 1 of 3 days. Volume V0" in weighed(DRY, 3, grown).details
    costly = replace(DRY, lost_s=600.0)
    assert weighed(costly, 4, Fixed(load(1.0, 100.0))) == costly  # no volume did more than usual
    assert "on 1 of 30 days. Volume V0 did 6,000 I/Os per s" in weighed(DRY, 30, grown).whole_text
    daily = replace(costly, when=replace(WHEN, days=5))
    assert weighed(daily, 30, grown).severity == daily.severity


@pytest.mark.parametrize(
    ("days", "lost", "severity"), [(3, 350.0, "watch"), (3, 370.0, "act"), (4, 350.0, "act"), (3, 0.0, "act")]
)
def test_what_is_there_on_few_days_and_costs_little_is_none_to_act_on(days: int, lost: float, severity: str) -> None:
    """What costs no time at all is about something else."""
    seldom = replace(DRY, when=replace(WHEN, days=days), lost_s=lost)
    watched = weighed(seldom, 7, Fixed(load(1.0, 100.0)))
    assert watched.severity == severity and ("That was on 3 of 7 days" in watched.details) == (severity == "watch")
    several = Recurrence(7, STAYING, GONE, set(), LIMIT, {"alias_pool_dry": 2 * lost})
    assert several.weighed(seldom).severity == "act", "those of the rule may become one"


ADDS = Aliases("add", 4)


@pytest.mark.parametrize(
    ("days", "before_h", "after_h", "aliases", "severity"),
    [
        (1, 0.0, 2.0, None, "watch"),
        (1, 9.0, 2.0, None, "watch"),  # whatever was before it
        (2, 0.0, 1.9, None, "act"),  # not well for as long
        (1, 0.5, 9.0, ADDS, "watch"),
        (2, 0.6, 9.0, ADDS, "act"),  # it was well before: work that lacks aliases comes and goes
        (3, 0.6, 9.0, ADDS, "watch"),  # not on the other days
    ],
)
def test_a_fault_that_is_over_is_none_to_act_on(
    days: int, before_h: float, after_h: float, aliases: Aliases | None, severity: str
) -> None:
    back = load(1.0, 100.0, comparable_before_s=before_h * 3600, comparable_after_s=after_h * 3600)
    slow = replace(SLOW, severity="act", aliases=aliases)
    found = weighed(slow, days, Fixed(back))
    assert found.severity == severity
    assert ("It ended at 12:00 on 2026-03-02" in found.details) == (severity == "watch")


def test_a_queue_that_is_over_may_come_back() -> None:
    """It is no fault that somebody repairs."""
    back = Fixed(load(1.0, 100.0, comparable_before_s=0.0, comparable_after_s=36000.0))
    assert weighed(replace(SLOW, severity="act", code="box_saturated"), 1, back).severity == "act"


def test_queries_of_loads_from_rows() -> None:
    """Two volumes: one is slower at an equal rate from 10 to 12, the other has more to do."""
    rows = [
        volume(n, name, rate=300.0 if name == "V1" and 4 <= n < 8 else 100.0, wait=1.0 if 4 <= n < 8 else 0.0,
               disc=3.0 if name == "V0" and 4 <= n < 8 else 0.3, conn=0.2)
        for n in range(16) for name in ("V0", "V1")
    ]  # fmt: skip
    start = rows[8]["interval_start"] + dt.timedelta(hours=1)
    when = Episode(start, start + dt.timedelta(hours=1), 4, 1)
    loads = Loads(database(volume_interval=rows))
    slow, busy = (loads.during(when, {("SYSA", name)}) for name in ("V0", "V1"))
    assert slow.is_longer_service(LIMIT, closed=False) and not busy.is_longer_service(LIMIT, closed=False)
    assert slow.rows[0]["comparable_before_s"] == 3600 and slow.rows[0]["comparable_after_s"] == 7200
    assert slow.rows[0]["comparable_then_s"] == 3600
    assert busy.rows[0]["usual_rate"] == pytest.approx(100) and busy.rows[0]["comparable_ms"] is None


def test_run_needs_no_pool_to_be_right() -> None:
    """All of it together on rows without a trouble: no finding to act on."""
    rows = [volume(n, "V0", rate=100.0, lcu="0011", is_hyperpav=True) for n in range(8)]
    found = run(
        database(("pav_candidate",), volume_interval=rows, lcu_interval=[pool(n, denied=0.0) for n in range(8)])
    )
    assert not [f for f in found if f.severity == "act"]


@pytest.mark.parametrize(
    ("low", "severity"), [(0.2, "watch"), (0.86, "note"), (math.nan, "watch"), (-math.inf, "watch")]
)
def test_what_shortens_no_io_noticeably_is_a_note(low: float, severity: str) -> None:
    """A saving that is unknown is none that is known to be small."""
    effect = Effect(
        "disconnect", "ms", now=1.0, value=0.86 if math.isnan(low) else max(low, 0.86), low=low, high=1.0, basis=""
    )
    small = replace(DRY, severity="watch", aliases=None, effect=effect, lost_s=600.0)
    assert weighed(small, 1, Fixed(load(1.0, 100.0))).severity == severity
    other = replace(small, effect=replace(effect, unit="%"))
    assert weighed(other, 1, Fixed(load(1.0, 100.0))).severity == "watch"


def lasting(hours: int) -> Episode:
    start = DAY + dt.timedelta(hours=9)
    return Episode(start, start + dt.timedelta(hours=hours), 4, 1)


@pytest.mark.parametrize(
    ("lost", "days", "severity"), [(0.0, 1, "watch"), (179.0, 1, "note"), (181.0, 1, "watch"), (61.0, 3, "watch")]
)
def test_what_costs_next_to_nothing_on_a_bad_day_is_a_note(lost: float, days: int, severity: str) -> None:
    """However many good days there are; what costs no time at all is about something else."""
    cheap = replace(DRY, severity="watch", aliases=None, lost_s=lost, when=lasting(1))
    assert weighed(cheap, days, Fixed(load(1.0, 100.0))).severity == severity


@pytest.mark.parametrize(("hours", "severity"), [(1, "watch"), (5, "watch"), (6, "note")])
def test_what_costs_next_to_nothing_of_its_time_is_a_note(hours: int, severity: str) -> None:
    """Ten minutes of I/O time: 3.3 % of five hours, 2.8 % of six."""
    cheap = replace(DRY, severity="watch", aliases=None, lost_s=600.0, when=lasting(hours))
    assert weighed(cheap, 1, Fixed(load(1.0, 100.0))).severity == severity


def test_findings_that_explain_each_other_end_in_one() -> None:
    cause = replace(DRY, explains=frozenset({"other"}))
    other = replace(DRY, code="other", lost_s=DRY.lost_s + 1, explains=frozenset({DRY.code}))
    kept = explained([cause, other], {}, STAYING, Fixed(load(4.0, 90.0)), LIMIT)
    assert len(kept) == 1
