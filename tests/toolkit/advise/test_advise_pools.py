"""Pools: by the hour, on a machine the user names, and from listings, which print shares and no counts."""

import datetime as dt
from typing import Any

import pytest
from advise_rows import Row, applied, at, box, candidate, database, pool, volume
from pool_arrivals import arrivals

from iosq.models.pav.answers import FALL
from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.aliases import pool_need
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Aliases, Known, Step
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_pools import pool_answer

RULES = {r.code: r for r in all_rules()}
VOLUMES = 8


def found(code: str, known: Known | None = None, settings: dict[str, float] | None = None, **tables: Any) -> Any:
    return applied(RULES[code], tables, settings, known)


def numbers(finding: Finding) -> dict[str, Any]:
    return {n.name: n.value for n in finding.numbers}


def served(interval: int, rate: float, wait: float, **more: Any) -> list[Row]:
    """Eight HyperPAV volumes of LCU 0011, 1 ms of service each."""
    row = {"lcu": "0011", "is_hyperpav": True, "exposures": None, "read_ratio": 0.7} | more
    return [volume(interval, f"VOL{n:03}", rate=rate, wait=wait, **row) for n in range(VOLUMES)]


def dry(interval: int, rate: float, wait: float) -> Row:
    queue = VOLUMES * rate * wait / 1e3
    return pool(interval, denied=1000, queue_length=queue, wait_ms=wait, alias_high_water_per_base=3)


def test_each_hour_is_reported_by_its_worst_interval_and_hours_without_a_queue_are_not() -> None:
    busy = {0: 900.0, 1: 1000.0, 8: 950.0, 12: 300.0}
    waits = {0: 0.2, 1: 1.0, 8: 0.6, 12: 0.01}
    rows = [r for n, rate in busy.items() for r in served(n, rate, waits[n])]
    (finding,) = found(
        "alias_pool_dry", volume_interval=rows, lcu_interval=[dry(n, r, waits[n]) for n, r in busy.items()]
    )
    assert [round(h.queue_length, 2) for h in finding.hours] == [8.0, 4.56]
    # 09:15 and 11:00 local time
    assert [60 * h.start.hour + h.start.minute for h in finding.hours] == [555, 660]
    assert (finding.hours[0].fewest, finding.hours[0].most) == (finding.aliases.fewest, finding.aliases.most)
    assert finding.hours[1].fewest <= finding.hours[0].fewest
    assert numbers(finding)["aliases in use by one base, high water"] == 3


def test_an_lcu_without_aliases_did_not_run_out_of_them() -> None:
    none = pool(0, denied=10_000.0, hyperpav_aliases=0, alias_high_water=0)
    (finding,) = found("alias_pool_dry", volume_interval=served(0, 900.0, 1.0), lcu_interval=[none])
    assert finding.text.startswith("LCU 0011 has no HyperPAV aliases on SYSA") and "(now 0)" in finding.advice
    assert numbers(finding)["refusals per I/O, worst interval and LCU"] == 1
    (some,) = found("alias_pool_dry", volume_interval=served(0, 900.0, 1.0), lcu_interval=[dry(0, 900.0, 1.0)])
    assert "ran out of HyperPAV aliases" in some.text


@pytest.mark.parametrize(
    ("aliases", "serial", "stated"), [(24, "0000000AB1", True), (24, None, False), (4, "AB1", False)]
)
def test_aliases_that_another_system_has_of_the_lcu_are_defined_first(
    aliases: int, serial: str | None, stated: bool
) -> None:
    mine = served(0, 900.0, 1.0, subsystem="2010")
    theirs = [r | {"system": "SYSB", "wait_ms": 0.0, "queue_length": 0.0} for r in mine]
    there = pool(0, hyperpav_aliases=aliases, alias_high_water=1) | {"system": "SYSB"}
    (finding,) = found(
        "alias_pool_dry", volume_interval=mine + theirs, lcu_interval=[dry(0, 900.0, 1.0), there],
        cache_subsystem_interval=[box("2010", serial)],
    )  # fmt: skip
    hint = (
        ". SYSB has 24 aliases in this LCU, at most 1 of them in use at once: define the same addresses to SYSA first"
    )
    assert (hint in finding.advice, "the same addresses" in finding.advice) == (stated, stated)


@pytest.mark.parametrize(("used", "since"), [(9, 4), (9, 0), (4, 4)])
def test_a_pool_that_borrows_no_more_is_reported(used: int, since: int) -> None:
    """It has 4 aliases, and had up to `used` in use before it ran dry, and `since` in the last interval."""
    mine = [row for n in range(3) for row in served(n, 900.0, 1.0 * (n == 1), subsystem="2010")]
    well: Row = {"lcu": "0012", "device": "0B100", "wait_ms": 0.0, "queue_length": 0.0}
    idle = [r | well | {"volume": f"I{r['volume']}"} for r in mine]
    borrowed = [pool(n, hyperpav_aliases=4, alias_high_water=h) for n, h in ((0, used), (2, since or used))]
    lender = [pool(n, lcu="0012", hyperpav_aliases=12, alias_high_water=2) for n in range(3)]
    (f,) = found(
        "alias_pool_dry", volume_interval=mine + idle, lcu_interval=[dry(1, 900.0, 1.0), *borrowed, *lender],
        cache_subsystem_interval=[box("2010", "0000000AB1")],
    )  # fmt: skip
    is_off = used > 4 and since == 4
    assert (
        f.advice.startswith(f"Find out why LCU 0011 borrows no more aliases on SYSA: up to {used} were in use")
        == is_off
    )


def test_a_pool_that_was_cut_is_compared_as_it_is_now() -> None:
    """It had as many as the other system once: that is no reason not to name the addresses."""
    mine = served(1, 900.0, 1.0, subsystem="2010")
    theirs = [r | {"system": "SYSB", "wait_ms": 0.0, "queue_length": 0.0} for r in mine]
    before = pool(0, hyperpav_aliases=24, alias_high_water=10)
    there = [pool(n, hyperpav_aliases=24, alias_high_water=1) | {"system": "SYSB"} for n in range(2)]
    (finding,) = found(
        "alias_pool_dry", volume_interval=mine + theirs, lcu_interval=[before, dry(1, 900.0, 1.0), *there],
        cache_subsystem_interval=[box("2010", "0000000AB1")],
    )  # fmt: skip
    assert ". SYSB has 24 aliases in this LCU, at most 1 of them in use at once: define" in finding.advice


def test_hours_are_worked_out_for_the_driest_pools_only() -> None:
    from iosq.toolkit.advise.rules.alias_pool_dry.model import WITH_HOURS

    names = [f"{n:04X}" for n in range(WITH_HOURS + 1)]
    rows = [r | {"lcu": lcu, "volume": f"{lcu}{r['volume']}"} for lcu in names for r in served(0, 900.0, 1.0)]
    pools = [dry(0, 900.0, 1.0) | {"lcu": lcu, "alias_denied_count": 1000.0 + n} for n, lcu in enumerate(names)]
    findings = found("alias_pool_dry", volume_interval=rows, lcu_interval=pools)
    assert [len(f.hours) for f in findings] == [1] * WITH_HOURS + [0]
    assert "LCU 0000" in str(findings[-1].subject)


def test_the_rest_of_the_box_weakens_what_a_pool_does_to_it() -> None:
    """A box that serves no more at all: a pool alone in it slows itself down, one among many the less."""
    loads = [Load(900.0, 1.5, 1.5)] * 4

    def last(others: float, ends: float) -> Step:
        return pool_need(loads, 4, BoxState(5.4 + others, 8, None, (ends, ends)), Known()).curve.steps[-1]

    alone, next_to = (last(others, 0.0) for others in (0.0, 1e6))
    half, free = (last(20.0, e) for e in (0.0, 1.0))
    assert 1.03 * free.response_ms.value < half.response_ms.value < alone.response_ms.value
    assert next_to.response_ms.value == pytest.approx(free.response_ms.value, rel=1e-3)
    assert alone.response_ms.value > 1.3 * next_to.response_ms.value


def test_a_machine_takes_the_place_of_the_lakes_own_curve() -> None:
    loads, box = [Load(900.0, 1.0, 1.0)] * 8, BoxState(10.2, 16, 0.9)
    own, known = (pool_need(loads, 4, box, known) for known in (Known(), Known("ds8100", footprint_gb=0.5)))
    assert not own.effect.identifiable and known.effect.identifiable
    assert "DS8100" in known.curve.basis
    assert known.effect.now == pytest.approx(own.effect.now)


def test_a_machine_that_never_saw_so_much_data_is_left_out_where_the_lake_knows_its_box() -> None:
    """More evidence is never a worse answer: the lake's own curve counts, and the answer says why."""
    loads = [Load(900.0, 1.0, 1.0)] * 8
    for curve in (None, (0.4, 0.6)):
        box = BoxState(10.2, 16, 0.9, curve)
        own, named = (pool_need(loads, 4, box, known) for known in (Known(), Known("ds8100", footprint_gb=2.0)))
        assert own.effect.identifiable == named.effect.identifiable == (curve is not None)
        assert curve is None or "left out ds8100: not identifiable: the machine was not fitted" in named.curve.basis


def test_a_machine_that_cannot_carry_the_load_is_left_out_and_stated_so() -> None:
    rows = served(0, 9000.0, 1.0, pend=0.05, disc=0.05, conn=0.05) + served(1, 100.0, 0.0)
    tables = {"volume_interval": rows, "lcu_interval": [dry(0, 9000.0, 1.0)]}
    (own,), (named,) = found("alias_pool_dry", **tables), found("alias_pool_dry", Known("ess-f20"), **tables)
    assert "it seems to be another one" in named.effect.basis
    assert (named.aliases, named.effect.high) == (own.aliases, own.effect.high)


def listed(interval: int, ratio: float, **more: Any) -> Row:
    """What the I/O queuing listing gives next to the device listing."""
    counts = {"alias_io_count": None, "alias_denied_count": None, "hyperpav_aliases": None}
    return pool(interval, alias_denied_ratio=ratio, alias_high_water=4, queue_high_water=None, **counts, **more)


def test_a_listing_gives_a_dry_pool_and_its_size_by_the_most_in_use() -> None:
    full = {"queue_length": 8.0, "wait_ms": 1.0, "waiting_devices": 8}
    rows = [listed(0, 0.0), listed(1, 0.25, **full), listed(2, 0.0)]
    (finding,) = found("alias_pool_dry", volume_interval=served(1, 1000.0, 1.0), lcu_interval=rows)
    assert numbers(finding)["refusals per I/O, worst interval and LCU"] == 0.25
    assert numbers(finding)["volumes that waited at once, most"] == 8
    assert "(now 4)" in finding.advice
    assert finding.aliases.now == 4 and finding.aliases.fewest > 4
    assert (finding.confidence, numbers(finding)["I/Os without an alias, whole span"]) == ("medium", None)
    assert numbers(finding)["aliases configured"] is None
    assert found("alias_pool_dry", lcu_interval=[listed(0, 0.02)]) == []


@pytest.mark.parametrize("ratio", [0.06, 2.0])
def test_simulate_knows_the_pool_of_a_listing_as_advise_does(ratio: float) -> None:
    full = {"queue_length": 8.0, "wait_ms": 1.0, "waiting_devices": 8}
    rows = [listed(0, 0.0), listed(1, ratio, **full)]
    con = database(volume_interval=served(1, 1000.0, 1.0), lcu_interval=rows)
    (finding,) = apply(con, RULES["alias_pool_dry"])
    answer = pool_answer(con, ["0011"], "SYSA", Asked())
    assert answer.common["pools"] == {"0011": finding.aliases.now} == {"0011": 4}
    assert answer.common["clears_at_best"] == finding.aliases.fewest


def test_nothing_is_stated_against_refusals_that_were_measured() -> None:
    """The mean of the interval needs next to no alias, and yet I/Os found none free."""
    rate, wait = 100.0, 10.0
    full = {"queue_length": 8.0, "wait_ms": wait, "waiting_devices": 8, "alias_high_water": 12}
    rows = served(1, rate, wait, pend=0.1, disc=0.1, conn=0.2)
    con = database(volume_interval=rows, lcu_interval=[listed(1, 0.9) | full])
    (finding,) = apply(con, RULES["alias_pool_dry"])
    assert "at least 8 more aliases" in finding.advice
    with pytest.raises(RequestError, match=r"0\.9 refusals per I/O.*at least 8 more for the mean queue"):
        pool_answer(con, ["0011"], "SYSA", Asked())


def queuing(interval: int, lcu: str, ratio: float, **more: Any) -> Row:
    """A row of an I/O queuing listing without any device measurement."""
    return {"interval_start": at(interval), "lcu": lcu, "alias_denied_ratio": ratio, "source": "rmf.ioq"} | more


def test_a_queuing_listing_alone_names_the_group_and_no_count() -> None:
    rows = [queuing(0, lcu, 1.9, alias_group="00000002") for lcu in ("0041", "0043")]
    (finding,) = found("alias_pool_dry", lcu_extra=rows)
    assert str(finding.subject) == "LCUs 0041, 0043 on SYSA"
    assert numbers(finding)["refusals per I/O, worst interval and LCU"] == 1.9
    assert "Ingest device activity of the same period" in finding.advice
    assert finding.aliases.now is finding.aliases.fewest is None
    assert "FROM lcu_extra" in finding.sql
    lines = verdicts(database(lcu_extra=rows), [finding])
    assert {(r["subject"], r["verdict"]) for r in lines} == {
        ("LCU 0041 on SYSA", "add"), ("LCU 0043 on SYSA", "add"), ("LCUs 0041, 0043 on SYSA", "add")
    }  # fmt: skip


def test_a_listing_that_gives_the_refusals_leaves_no_cause_unknown() -> None:
    tables = {"volume_interval": [volume(1, wait=20.0, is_hyperpav=True, lcu="0010")]}
    assert len(found("hyperpav_wait", **tables)) == 1
    assert found("hyperpav_wait", lcu_extra=[queuing(1, "0010", 0.2)], **tables) == []
    assert len(found("hyperpav_wait", lcu_extra=[queuing(1, "0011", 0.2)], **tables)) == 1


def test_volumes_of_a_group_are_decided_by_the_group() -> None:
    group = {"alias_need_count": 90.0, "alias_group": "7"}
    pools = [pool(n, denied=1000, lcu=lcu, **group) for n in (4, 5) for lcu in ("0011", "0012")]
    table = [candidate("VOL001", lcu="0012", is_hyperpav=True)]
    con = database(lcu_interval=pools, pav_candidate=table, cache_subsystem_interval=[box("2010", None)])
    (finding,) = apply(con, RULES["alias_pool_dry"])
    why = {r["subject"]: r["why"] for r in verdicts(con, [finding])}
    assert why == dict.fromkeys(why, "alias_pool_dry") and "VOL001 on SYSA" in why and "LCU 0012 on SYSA" in why


def closed(interval: int, aliases: int, elasticity: float, requesters: int = 5) -> tuple[list[Row], Row]:
    """Eight volumes with five requesters each and a pool, on a box whose rate grows with the given elasticity."""
    inside, outstanding = VOLUMES + aliases, VOLUMES * requesters
    rate = 4000.0 * (inside / VOLUMES) ** elasticity / VOLUMES
    service, wait = inside / VOLUMES / rate * 1e3, (outstanding - inside) / VOLUMES / rate * 1e3
    rows = [
        volume(interval, f"VOL{n:03}", rate=rate, wait=wait, pend=0.0, disc=0.0, conn=service, lcu="0011",
               is_hyperpav=True, read_ratio=1.0)
        for n in range(VOLUMES)
    ]  # fmt: skip
    queue = {"queue_length": float(outstanding - inside), "wait_ms": wait, "waiting_devices": VOLUMES}
    return rows, pool(interval, denied=9000, hyperpav_aliases=aliases, alias_high_water=aliases, **queue)


def lake_of(*intervals: tuple[list[Row], Row]) -> dict[str, list[Row]]:
    pools = [p for _, p in intervals]
    return {"volume_interval": [r for rows, _ in intervals for r in rows], "lcu_interval": pools}


def grown(elasticity: float) -> dict[str, list[Row]]:
    """A pool of four, and, so that the box's curve is known, intervals in which it had more: up to all it can use."""
    day = [closed(n, 4, elasticity) for n in range(4)]
    return lake_of(*day, *(closed(4 + n, more, elasticity) for n, more in enumerate((8, 16, 24, 32))))


def of_pool(tables: dict[str, list[Row]], known: Known | None = None) -> Finding:
    """What is found where the pool had four."""
    four = [r for r in tables["lcu_interval"] if r["hyperpav_aliases"] == 4]
    (finding,) = found("closed_load", known, volume_interval=tables["volume_interval"], lcu_interval=four)
    return finding  # type: ignore[no-any-return]


@pytest.mark.parametrize("elasticity", [0.0, 0.5, 1.0])
def test_a_pools_curve_is_the_boxs_and_every_size_obeys_littles_law(elasticity: float) -> None:
    finding = of_pool(grown(elasticity))
    assert finding.curve is not None and finding.curve.counted == "aliases in the pool"
    for step in finding.curve.steps:
        inside = VOLUMES + min(step.count, 32)
        assert step.io_rate.value == pytest.approx(4000 * (inside / VOLUMES) ** elasticity, rel=0.03)
        assert step.io_rate.value * step.response_ms.value / 1e3 == pytest.approx(40)
        assert step.io_rate.value * step.wait_ms.value / 1e3 == pytest.approx(40 - inside, abs=0.1)


def test_a_closed_pool_gets_what_finds_a_requester_and_none_where_the_box_stands_still() -> None:
    pace, still = of_pool(grown(1.0)), of_pool(grown(0.0))
    assert pace.advice.startswith("Define 28 more aliases (now 4): the rate rises by 233 %")
    assert (pace.severity, pace.aliases.verdict, pace.aliases.fewest) == ("act", "add", 32)
    assert "Aliases will not help (now 4)" in still.advice
    assert (still.severity, still.aliases.verdict) == ("watch", "wont_help")


def nights(elasticity: float, *counts: int) -> dict[str, list[Row]]:
    """The same work at the same four quarter hours of days one after the other, each with its own pool."""
    return lake_of(*(closed(96 * day + n, count, elasticity) for day, count in enumerate(counts) for n in range(4)))


def test_a_count_that_was_tried_no_gain_is_reported_as_measured() -> None:
    (still,) = found("closed_load", **nights(0.0, 4, 8))
    assert still.aliases is not None and (still.aliases.verdict, still.aliases.now) == ("wont_help", 8)
    assert "as was measured. With 8 in place of 4" in still.advice and "100 % of that with 4" in still.advice
    (fewer,) = found("closed_load", **nights(0.0, 8, 4))
    assert fewer.aliases is not None and fewer.aliases.now == 4 and "With 8 in place of 4" in fewer.advice


def test_what_was_tried_no_gain_at_one_hour_says_nothing_of_another() -> None:
    """At midnight eight gave what four give; at three other work ran three times as fast with sixteen."""
    days = [(4, 4), (8, 16), (4, 4)]
    midnight = [closed(96 * day + n, counts[0], 0.0) for day, counts in enumerate(days) for n in range(4)]
    three = [closed(96 * day + 12 + n, counts[1], 1.0, 3) for day, counts in enumerate(days) for n in range(4)]
    (finding,) = found("closed_load", **lake_of(*midnight, *three))
    assert finding.aliases is not None and (finding.aliases.verdict, finding.aliases.now) == ("add", 4)
    assert "It helps in 1 of 2 hours" in finding.advice and "in place of" not in finding.advice


def test_a_count_that_helped_is_where_the_next_ones_begin() -> None:
    (pace,) = found("closed_load", **nights(1.0, 4, 32, 8))
    assert pace.aliases is not None and (pace.aliases.verdict, pace.aliases.now) == ("add", 8)
    assert "(now 8)" in pace.advice and numbers(pace)["aliases in the pool"] == 8
    # one more is no trial: a rate that keeps pace gains little either
    (one,) = found("closed_load", **nights(0.0, 24, 25))
    assert "measured: with" not in one.advice


@pytest.mark.parametrize("elasticity", [0.5, 1.0])
def test_a_size_that_was_measured_is_not_predicted(elasticity: float) -> None:
    """Of the same work with 32: the rate is the one that was measured, whatever a curve of the box would have it."""
    (finding,) = found("closed_load", **nights(elasticity, 4, 32, 8))
    assert finding.curve is not None
    assert finding.curve.basis.startswith("measured, not predicted: 32 aliases for 60 minutes of the same work")
    (most,) = [step for step in finding.curve.steps if step.count == 32]
    assert most.io_rate.value == pytest.approx(4000 * (40 / 8) ** elasticity)
    assert most.response_ms.value * most.io_rate.value / 1e3 == pytest.approx(40)
    assert f"the rate rises by {100 * (40 / 16) ** elasticity - 100:.0f} %" in finding.advice
    assert ("as was measured" in finding.advice) is (finding.aliases.fewest == 32), "else a smaller one does as well"
    (other,) = found("closed_load", **nights(elasticity, 4, 8))
    assert other.curve is not None and "measured, not predicted" not in other.curve.basis, "none above today's"


def test_a_what_if_of_that_pool_says_the_same() -> None:
    """Both ask about the pool with four aliases, as it is now, and know of the day on which it had 32."""
    con = database(**nights(1.0, 32, 4))
    (finding,) = apply(con, RULES["closed_load"])
    answer = pool_answer(con, ["0011"], None, Asked(most=32))
    reported = "measured, not predicted: 32 aliases for 60 minutes of the same work"
    assert finding.curve is not None and finding.curve.basis.startswith(reported)
    assert any(text.startswith(reported) for text in answer.conclusions)
    steps = {step.count: step for step in finding.curve.steps}
    for row in answer.rows:
        if row["pool_aliases"] in steps and row["io_rate"] is not None:
            step = steps[row["pool_aliases"]]
            assert [row["io_rate"], row["wait_ms"]] == pytest.approx([step.io_rate.value, step.wait_ms.value], abs=1e-9)
    assert [row["measured"] for row in answer.rows if row["pool_aliases"] == 32] == [True]


def test_a_what_if_asks_about_the_hour_that_aliases_help_as_advice_does() -> None:
    """The hour with the longest queue gains nothing from 24, as was measured; the other one keeps pace."""
    days = [
        closed(96 * day + hour * 4 + n, count, pace, requesters)
        for day, count in enumerate((24, 4))
        for hour, pace, requesters in ((9, 0.0, 6), (12, 1.0, 5))
        for n in range(4)
    ]
    con = database(**lake_of(*days))
    (finding,) = apply(con, RULES["closed_load"])
    answer = pool_answer(con, ["0011"], None, Asked())
    assert finding.curve is not None and finding.aliases.verdict == "add"
    assert any("the hour that loses most of those that aliases help" in text for text in answer.conclusions)
    steps = {step.count: step for step in finding.curve.steps}
    both = [row for row in answer.rows if row["pool_aliases"] in steps]
    assert {row["pool_aliases"] for row in both} >= {4, 24}
    for row in both:
        span = steps[row["pool_aliases"]].io_rate
        assert [row["io_rate_low"], row["io_rate_high"]] == pytest.approx([span.low, span.high])


def test_other_work_with_another_size_is_no_measurement() -> None:
    """Half as many requesters at the same hours of another day, with 32 aliases."""
    less = lake_of(*(closed(96 + n, 32, 1.0, requesters=3) for n in range(4)))
    same = nights(1.0, 8)
    tables = {name: [*less[name], *_later(same[name], days=2)] for name in same}
    (finding,) = found("closed_load", **tables)
    assert finding.curve is not None and "measured, not predicted" not in finding.curve.basis


def _later(rows: list[Row], days: int) -> list[Row]:
    return [r | {"interval_start": r["interval_start"] + dt.timedelta(days=days)} for r in rows]


@pytest.mark.parametrize(("now", "verdict"), [(16, "cant_tell"), (31, "cant_tell"), (32, "enough"), (64, "enough")])
def test_a_pool_that_was_enlarged_since_is_measured_before_it_is_enlarged_again(now: int, verdict: str) -> None:
    """Unless the 28 that waited for its four would find one each."""
    tables = grown(1.0)
    tables["lcu_interval"] = tables["lcu_interval"][:4] + [pool(n, hyperpav_aliases=now) for n in range(4, 8)]
    none = {"io_rate": 1.0, "wait_ms": 0.0, "queue_length": 0.0, "in_service": 0.0}
    quiet = [r | none for r in tables["volume_interval"] if r["interval_start"] >= at(4)]
    tables["volume_interval"] = [r for r in tables["volume_interval"] if r["interval_start"] < at(4)] + quiet
    finding = found("closed_load", **tables)[0]
    assert (finding.aliases.verdict, finding.aliases.now) == (verdict, now)
    assert finding.severity == ("note" if verdict == "enough" else "watch")
    assert f"has {now} aliases in place of 4" in finding.advice


def test_a_pool_that_had_more_says_until_when() -> None:
    (cut,) = found("closed_load", **nights(1.0, 32, 8))
    assert cut.aliases is not None and (cut.aliases.verdict, cut.aliases.now) == ("add", 8)
    assert "First find out why aliases are gone: it had 32 until 10:00 on" in cut.advice


def test_a_pool_that_was_enlarged_and_no_longer_waits_asks_for_nothing() -> None:
    tables = grown(1.0)
    tables["lcu_interval"] = tables["lcu_interval"][:4] + [pool(n, hyperpav_aliases=64) for n in range(4, 8)]
    (finding,) = found("closed_load", **tables)
    assert (finding.severity, finding.aliases) == ("note", Aliases("enough", 64))
    assert "it has 64 aliases, the I/O rate was comparable" in finding.advice


@pytest.mark.parametrize(("used", "verdict"), [(0.45, "add"), (0.8, "cant_tell")])
def test_aliases_are_not_named_where_channels_are_full(used: float, verdict: str) -> None:
    tables = grown(1.0)
    tables["lcu_interval"] = [r for r in tables["lcu_interval"] if r["hyperpav_aliases"] == 4]
    seen = [{k: r[k] for k in ("interval_start", "volume", "service_ms")} for r in tables["volume_interval"]]
    carried = [r | {"channel_used_ratio": used} for r in seen]
    (finding,) = found("closed_load", volume_headroom=carried, **tables)
    assert finding.aliases is not None and finding.aliases.verdict == verdict
    assert ("at most 25 % more go through" in finding.advice) == (verdict == "cant_tell")


def test_a_closed_pool_takes_the_place_of_the_open_reading() -> None:
    con = database(
        **lake_of(*(closed(n, 4, 1.0) for n in range(4))), lcu_extra=[queuing(n, "0011", 0.9) for n in range(4)]
    )
    assert [f.code for f in run(con, topic="pav")] == ["closed_load"]
    assert apply(con, RULES["alias_pool_dry"])
    (finding,) = apply(con, RULES["closed_load"])
    assert (finding.severity, finding.aliases.verdict) == ("watch", "cant_tell")


def test_other_volumes_of_the_box_keep_what_they_have() -> None:
    """They are in the box, they draw on no pool, and their shorter I/Os don't set the level of the pool's.

    They hold 24 I/Os of 0.2 ms. Where the box completes no more in sum, those of the pool, 12 to 40 of them, leave the
    others less: not all of what they take is gained.
    """
    rows, dry_pool = closed(0, 4, 1.0)
    other = [volume(0, f"OTH{n:03}", rate=20_000.0, pend=0.0, disc=0.0, conn=0.2) for n in range(6)]
    (finding,) = found(
        "closed_load",
        volume_interval=[r | {"subsystem": "2010"} for r in rows + other],
        lcu_interval=[dry_pool],
        cache_subsystem_interval=[box("2010", "AB1")],
    )
    assert numbers(finding)["volumes"] == VOLUMES
    assert numbers(finding)["I/Os outstanding"] == pytest.approx(40)
    assert numbers(finding)["best rate over now, high"] == pytest.approx(40 / 12, rel=0.03)
    four = finding.curve.steps[4]
    # four aliases more are 16 I/Os of 40 in the box, not 12 of 36
    assert four.io_rate.high / finding.curve.steps[0].io_rate.value == pytest.approx(16 / 12, rel=0.01)
    assert finding.effect.high <= finding.effect.now / FALL * 1.001


@pytest.mark.parametrize(("aliases", "rate"), [(4, 11.7), (16, 22.7)])
@pytest.mark.parametrize("constant", [False, True])
def test_random_arrivals_never_look_like_requesters(aliases: int, rate: float, constant: bool) -> None:
    """Where they keep a pool this busy, they queue longer than the criterion asks: by more than three times."""
    used, queue = arrivals(1, VOLUMES, aliases, rate, constant=constant)
    busy = used / aliases
    assert 0.89 < busy < 1
    expected = busy ** (2 * (aliases + 1)) ** 0.5 / (1 - busy)
    assert queue > expected
    inside = {"rate": 1000 * (1 + used / VOLUMES), "wait": queue / rate, "conn": 1.0, "pend": 0.0, "disc": 0.0}
    rows = [volume(0, f"VOL{n}", lcu="0011", is_hyperpav=True, **inside) for n in range(VOLUMES)]
    full = pool(0, denied=5000, hyperpav_aliases=aliases, queue_length=queue, wait_ms=queue / rate)
    assert found("closed_load", volume_interval=rows, lcu_interval=[full], settings={"busy": 0.8}) == []
    short = full | {"queue_length": 0.3 * expected}
    assert found("closed_load", volume_interval=rows, lcu_interval=[short], settings={"busy": 0.8})


@pytest.mark.parametrize(("reported", "whole"), [(1158.1, True), (775.2, False)])
def test_a_group_is_whole_only_where_its_lcus_do_all_of_its_io(reported: float, whole: bool) -> None:
    """A listing that was cut off holds some LCUs of a group, and the group's own row."""
    group = {"platform": "z/OS", "system": "SYSA", "interval_start": at(0), "alias_group": "00000003", "lcus": 2}
    (finding,) = found(
        "alias_pool_dry",
        lcu_interval=[pool(0, lcu=lcu, denied=1000.0, alias_group="00000003") for lcu in ("004A", "004E")],
        alias_group_interval=[{**group, "io_rate": 1158.1, "lcu_rate": reported}],
    )
    assert finding.text.startswith("Alias management group 00000003 ran out")
    found_numbers = numbers(finding)
    assert found_numbers["LCUs without an alias at once, most"] == found_numbers["LCUs of the pool"] == 2
    rates = [found_numbers[f"I/O rate of the {what}"] for what in ("LCUs in the listing", "group")]
    assert rates == ([None, None] if whole else [775.2, 1158.1])
