"""Closed workloads: Little's law on every count, the box's curve, and what others judge."""

import datetime as dt
from typing import Any

import pytest
from advise_rows import Row, applied, box, candidate, database, volume

from iosq.models.pav.answers import FALL
from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Known
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import pav_lake
from iosq.toolkit.predict.given import CLOSED, Given
from iosq.toolkit.predict.pav_box import Asked

RULE = next(r for r in all_rules() if r.code == "closed_load")
OPEN = next(r for r in all_rules() if r.code == "pav_add_alias")
VOLUMES, REQUESTERS, RATE = 4, 5, 400.0


def served(interval: int, exposures: int, elasticity: float, **more: Any) -> list[Row]:
    """Four volumes, five requesters each, on a box whose rate grows with the given elasticity."""
    rate = RATE * exposures**elasticity / VOLUMES
    service_ms, wait_ms = (count / rate * 1e3 for count in (exposures, REQUESTERS - exposures))
    return [
        volume(interval, f"VOL00{n}", rate=rate, wait=wait_ms, pend=0.0, disc=0.0, conn=service_ms,
               exposures=float(exposures), **more)
        for n in range(VOLUMES)
    ]  # fmt: skip


def day(elasticity: float, **more: Any) -> list[Row]:
    """An hour with four to one exposures each, then one with one: the box has held up to sixteen I/Os."""
    first = [row for n in range(4) for row in served(n, 4 - n, elasticity, **more)]
    return first + [row for n in range(4, 8) for row in served(n, 1, elasticity, **more)]


def found(rows: list[Row], known: Known | None = None, **settings: float) -> list[Finding]:
    return applied(RULE, {"volume_interval": rows}, settings or None, known)


def numbers(finding: Finding) -> dict[str, Any]:
    return {n.name: n.value for n in finding.numbers}


@pytest.mark.parametrize("elasticity", [0.0, 0.5, 1.0])
def test_the_curve_is_the_boxs_and_every_count_obeys_littles_law(elasticity: float) -> None:
    (finding,) = found(day(elasticity), most=4)
    assert finding.curve is not None
    assert [s.count for s in finding.curve.steps] == [0, 1, 2, 3, 4]
    for step in finding.curve.steps:
        assert step.io_rate.value == pytest.approx(RATE * (step.count + 1) ** elasticity, rel=0.02)
        assert step.io_rate.value * step.response_ms.value / 1e3 == pytest.approx(VOLUMES * REQUESTERS)
        inside = VOLUMES * (step.count + 1)
        assert step.io_rate.value * step.wait_ms.value / 1e3 == pytest.approx(VOLUMES * REQUESTERS - inside)


def test_a_service_time_cut_to_a_tenth_leaves_no_volume_out() -> None:
    """In each interval another volume seems 92 % busy: by itself its queue could be of random arrivals."""
    rows = [row for n in range(8) for row in served(n, 1, 0.0)]
    cut = [_cut(row) if row["volume"] == f"VOL00{at // VOLUMES % VOLUMES}" else row for at, row in enumerate(rows)]
    whole, short = (numbers(f) for made in (rows, cut) for f in found(made))
    assert whole["volumes"] == short["volumes"] == VOLUMES


def _cut(row: Row) -> Row:
    service_ms = 0.92 * row["service_ms"]
    reported = {"conn_ms": service_ms, "service_ms": service_ms, "in_service": row["io_rate"] * service_ms / 1e3}
    return row | reported | {"response_ms": row["wait_ms"] + service_ms}


def test_a_box_that_keeps_pace_gets_all_aliases_that_find_a_requester() -> None:
    (finding,) = found(day(1.0))
    assert finding.severity == "act"
    assert finding.advice.startswith("Give them 4 more aliases each (now 0): the rate rises by 400 %")
    assert numbers(finding)["fewest aliases within 2 % of the highest rate"] == 4


def test_a_box_that_stands_still_gets_none_however_long_the_queue() -> None:
    (finding,) = found(day(0.0))
    assert finding.severity == "watch"
    assert "Aliases will not help (now 0)" in finding.advice
    assert finding.effect is not None
    assert finding.effect.value == pytest.approx(finding.effect.now, rel=0.02)


@pytest.mark.parametrize(("used", "verdict"), [(0.45, "add"), (0.8, "cant_tell")])
def test_no_count_is_named_where_channels_are_full(used: float, verdict: str) -> None:
    seen = day(1.0)
    carried = [
        {k: r[k] for k in ("interval_start", "volume", "service_ms")} | {"channel_used_ratio": used} for r in seen
    ]
    (finding,) = applied(RULE, {"volume_interval": seen, "volume_headroom": carried})
    assert finding.aliases is not None and finding.aliases.verdict == verdict
    assert ("at most 25 % more go through" in finding.advice) == (verdict == "cant_tell")
    assert (finding.curve is None) == (verdict == "cant_tell")


def test_a_box_never_seen_fuller_is_not_reported_about() -> None:
    (finding,) = found(served(0, 1, 1.0) + served(1, 1, 1.0))
    assert (finding.severity, finding.confidence) == ("watch", "low")
    assert "Unknown yet: more aliases (now 0) may lower the rate by 20 % or raise" in finding.advice
    assert numbers(finding)["fewest aliases within 2 % of the highest rate"] is None
    assert finding.effect is not None
    assert not finding.effect.identifiable
    # between the largest known fall and all requesters served at once
    now = finding.effect.now
    assert (finding.effect.low, finding.effect.high) == pytest.approx((now / 5, now / FALL))


def test_a_curve_of_mixed_work_claims_nothing() -> None:
    """The same number in the box at very different rates: other work, not the box."""
    rows = day(1.0) + [row | {"interval_start": row["interval_start"].replace(hour=20)} for row in day(0.0)]
    (finding,) = found(rows)
    assert "Unknown yet: more aliases" in finding.advice


def test_queues_as_long_as_random_arrivals_make_them_are_left_to_the_open_reading() -> None:
    """M/M/1 at 95 %: 18 wait; constant service halves it. Both are arrivals, not requesters."""
    for queue in (18.0, 9.0):
        assert found([volume(0, rate=950.0, wait=queue / 0.95, exposures=1.0)]) == []
    assert len(found([volume(0, rate=950.0, wait=3.0 / 0.95, exposures=1.0)])) == 1


def test_hyperpav_volumes_and_short_queues_are_left_alone() -> None:
    assert found(served(0, 1, 1.0, is_hyperpav=True)) == []
    assert found([volume(0, rate=950.0, wait=0.4 / 0.95, exposures=1.0)]) == []


def test_it_replaces_what_the_open_reading_says_of_the_same_volumes() -> None:
    names = [f"VOL00{n}" for n in range(VOLUMES)]
    con = database(volume_interval=day(0.0), pav_candidate=[candidate(n, queue_length_peak=4.0) for n in names])
    assert {"pav_add_alias", "box_saturated", "closed_load"} <= {f.code for r in all_rules() for f in apply(con, r)}
    assert [f.code for f in run(con, topic="pav")] == ["closed_load"]


def part(rows: list[Row], later: int, share: float) -> list[Row]:
    """The same work in a part of each interval, some intervals later: its means shrink, an I/O takes as long."""
    smaller = ("io_rate", "in_service", "queue_length")
    return [
        row | {name: share * row[name] for name in smaller}
        | {"interval_start": row["interval_start"] + later * dt.timedelta(minutes=15)}
        for row in rows
    ]  # fmt: skip


@pytest.mark.parametrize("share", [0.3, 0.65, 0.85])
def test_requesters_that_work_in_a_part_of_the_interval_are_no_open_load(share: float) -> None:
    """As the z/VM study measured: the edges of a run, and runs that stood still now and then."""
    rows = [*day(0.5), *part(served(0, 1, 0.5), 20, share), *part(served(0, 3, 0.5), 24, share)]
    con = database(("pav_candidate",), volume_interval=rows)
    alone = apply(con, OPEN)
    assert {f.subject.names[0] for f in alone} == {f"VOL00{n}" for n in range(VOLUMES)}
    assert all(f.curve is None and f.effect is None and f.advice.startswith("Run iosq simulate pav") for f in alone)
    assert {f.code for f in run(con, topic="pav")} == {"closed_load"}


def test_an_open_load_at_another_time_is_reported_of_that_time_alone() -> None:
    """Five requesters and one exposure, then six I/Os outstanding at once while half of eight exposures are free."""
    closed = [*(row for n in range(4) for row in served(n, 1, 1.0)), volume(39, "VOL000")]
    later = [volume(n, "VOL000", rate=1000.0, wait=2.0, pend=0.0, disc=0.0, conn=4.0, exposures=8.0) for n in (40, 41)]
    waiting = {f.subject.names[0]: f for f in apply(database(("pav_candidate",), volume_interval=closed + later), OPEN)}
    finding = waiting.pop("VOL000")
    assert finding.aliases is not None and (finding.aliases.verdict, finding.aliases.now) == ("add", 7)
    assert "(19:00-19:30 on 2026-03-02)" in finding.text and numbers(finding)["queue, peak interval"] == 2.0
    assert finding.lost_s == pytest.approx(2 * 2 * 900)
    assert all(f.curve is None for f in waiting.values())


@pytest.mark.parametrize(("wait", "codes"), [(2.25, {"pav_add_alias", "closed_load"}), (0.7, {"closed_load"})])
def test_random_arrivals_by_day_are_reported_though_more_requesters_come_by_night(wait: float, codes: set[str]) -> None:
    """Four requesters of 8 ms each; then 400 I/Os a second of 1.5 ms, whose queue is that of M/M/1 or a third of it."""
    night = [volume(n, rate=500.0, wait=6.0, pend=0.0, disc=0.0, conn=2.0, exposures=1.0) for n in range(4)]
    idle = [volume(n, rate=1.0, pend=0.0, disc=0.0, conn=1.5, exposures=1.0) for n in range(4, 30)]
    by_day = [volume(n, rate=400.0, wait=wait, pend=0.0, disc=0.0, conn=1.5, exposures=1.0) for n in range(30, 34)]
    con = database(("pav_candidate",), volume_interval=night + idle + by_day)
    found = {f.code: f for f in run(con, topic="pav")}
    assert found.keys() == codes
    if "pav_add_alias" in codes:
        reported = found["pav_add_alias"]
        assert reported.severity == "act" and reported.aliases is not None and reported.aliases.verdict == "add"
        assert reported.lost_s == pytest.approx(4 * 900 * 0.9)


def reads_of_a_ds8100() -> list[Row]:
    """As the z/VM study measured them: eight volumes, five requesters each, no aliases, reads only."""
    return [
        volume(0, f"VOL00{n}", rate=2044.0, wait=1.94, pend=0.1, disc=0.0, conn=0.39, exposures=1.0, read_ratio=1.0)
        for n in range(8)
    ]


def test_a_machine_settles_what_the_lake_does_not_give() -> None:
    (finding,) = found(reads_of_a_ds8100(), Known("ds8100", footprint_gb=0.3))
    assert finding.curve is not None
    assert finding.curve.identifiable
    assert "DS8100" in finding.curve.basis
    # the study's fifth exposure gave 2.2 times the rate of the first
    assert finding.curve.steps[4].io_rate.value == pytest.approx(2.2 * 8 * 2044, rel=0.1)


def test_a_machine_that_cannot_be_this_box_settles_nothing() -> None:
    """Reads of 10 ms: no DS8100."""
    (finding,) = found(served(0, 1, 1.0, read_ratio=1.0), Known("ds8100"))
    assert finding.aliases is not None
    assert finding.aliases.verdict == "cant_tell"
    assert finding.effect is not None
    assert finding.effect.basis.startswith("the machine named delivers another rate")


def test_a_machine_needs_the_read_share() -> None:
    rows = served(0, 1, 1.0)
    with pytest.raises(RequestError, match="--read-ratio"):
        found(rows, Known("ds8100"))
    assert found(rows, Known("ds8100", read_ratio=0.5))


def test_volumes_that_do_not_wait_are_in_the_box_all_the_same() -> None:
    """Their I/Os take part of what the box gives: the waiting volume gains less than if it were alone."""
    alone = [r for n in range(5) for r in served(n, max(4 - n, 1), 0.5) if r["volume"] == "VOL000"]
    crowd = alone + [volume(n, "CALM01", rate=3000.0, conn=2.0, exposures=16.0) for n in range(5)]
    gains = [numbers(found(rows, most=4)[0])["best rate over now"] for rows in (alone, crowd)]
    assert str(found(crowd)[0].subject) == "VOL000 on SYSA"
    assert gains[0] == pytest.approx(5**0.5, rel=0.1)
    assert gains[1] != pytest.approx(gains[0], rel=0.1)


def test_volumes_of_unlike_counts_are_asked_about_apart() -> None:
    """One with two exposures and one with ten, on a box that keeps pace: what one needs says nothing of the other."""
    rows = [
        volume(n, name, rate=700.0 * used, wait=queue / 0.7 / used, pend=0.0, disc=0.0, conn=1 / 0.7, exposures=used)
        for n, two in enumerate([6.0] * 4 + [2.0] * 4)
        for name, used, queue in (("TWO", two, 6 - two), ("TEN", 10.0, 1.0))
    ]
    stated = {f.subject.names: f for f in found(rows, most=12)}
    assert set(stated) == {("TWO",), ("TEN",)}
    aliases = stated["TWO",].aliases
    assert aliases is not None and (aliases.verdict, aliases.now, aliases.fewest) == ("add", 1, 5)
    assert numbers(stated["TWO",])["I/Os outstanding"] == pytest.approx(6)


def test_a_queue_that_a_move_has_ended_asks_for_nothing() -> None:
    before = [row for n in range(4) for row in served(n, 1, 1.0)]
    there = [
        row | {"wait_ms": 0.0, "queue_length": 0.0, "lcu": "0011"} for n in range(4, 8) for row in served(n, 4, 1.0)
    ]
    (finding, *others) = found(before + there)
    assert len(others) == VOLUMES - 1
    assert (finding.severity, finding.aliases and finding.aliases.verdict) == ("note", "wont_help")
    assert numbers(finding)["queued in the host, before"] == 4
    assert (
        "Since 10:00 on 2026-03-02 it is in LCU 0011, the I/O rate was comparable, and no I/O waits" in finding.advice
    )
    assert finding.advice.startswith("Do nothing: the move ended the wait")
    back = [row | {"interval_start": row["interval_start"].replace(hour=20)} for row in before]
    assert all(f.severity != "note" for f in found(before + there + back))


BOXES = {"cache_subsystem_interval": [box("2010", "00000AB121"), box("3010", "00000CD472")]}


@pytest.mark.parametrize(
    ("rate", "wait", "verdict", "words"),
    [
        (1.0, 0.0, "wont_help", "the move ended the wait"),
        (0.1, 0.0, "cant_tell", "it is in LCU 0010 of box CD472, and no such work came"),
        (1.0, 40.0, None, ""),  # it waits there: what is open there is not for this rule
    ],
)
def test_a_closed_workload_in_another_box_asks_for_nothing(
    rate: float, wait: float, verdict: str | None, words: str
) -> None:
    """The LCU and the number of exposures are the same; it was reported to get the aliases that the old box took."""
    before = [row | {"subsystem": "2010"} for row in day(1.0)]
    there = [
        volume(n, f"VOL00{k}", rate=100.0 * rate, wait=wait, pend=0.0, disc=0.0, conn=2.0, subsystem="3010",
               exposures=1.0)
        for n in range(8, 12) for k in range(VOLUMES)
    ]  # fmt: skip
    stated = applied(RULE, {"volume_interval": before + there, **BOXES})
    assert [f.aliases and f.aliases.verdict for f in stated] == ([verdict] * VOLUMES if verdict else [])
    assert all(words in f.advice for f in stated)
    for f in stated:
        assert f.subject.names[0] in {s.names[0] for _, s in f.covers}


@pytest.mark.parametrize(
    ("elasticity", "then", "words"),
    [
        (1.0, 5, "Do nothing: the added aliases ended the wait"),
        (0.0, 3, "Aliases will not help (now 2), as was measured. With 3 exposures in place of 1"),
        (1.0, 3, "Unknown yet: more aliases (now 2)"),  # they helped, and the box was never seen fuller
    ],
)
def test_what_was_measured_since_it_got_exposures_speaks_first(elasticity: float, then: int, words: str) -> None:
    before = [row for n in range(4) for row in served(n, 1, elasticity)]
    seen = found(before + [row for n in range(96, 104) for row in served(n, then, elasticity)])
    assert seen
    assert all(words in f.advice for f in seen)


def test_exposures_that_such_work_never_met_are_measured_first() -> None:
    quiet = [volume(n, f"VOL00{k}", rate=5.0, wait=0.0, exposures=3.0) for n in range(96, 100) for k in range(VOLUMES)]
    (finding,) = found([row for n in range(4) for row in served(n, 1, 1.0)] + quiet)
    assert finding.aliases is not None and (finding.aliases.verdict, finding.severity) == ("cant_tell", "watch")
    assert "it has 3 exposures in place of 1, and no such work came" in finding.advice


@pytest.mark.parametrize(("queue", "is_closed"), [(0.5, True), (50.0, False)])
def test_the_thresholds_of_a_site_hold_for_what_ifs_too(queue: float, is_closed: bool) -> None:
    limits = {name: value for name, value in RULE.limits({"queue_length": queue}).items() if name in CLOSED}
    con = database(("pav_candidate",), volume_interval=day(1.0))
    answer = pav_lake.volume_answer(con, "VOL001", "SYSA", Asked(Given(closed=limits)))
    assert bool(apply(con, RULE, {"queue_length": queue})) is answer.common["is_closed_workload"] is is_closed
