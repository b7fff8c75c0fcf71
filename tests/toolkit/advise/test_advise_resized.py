"""Pools whose size changed: one size is judged, and what another was measured to do comes before what is expected."""

import dataclasses
from typing import Any

import pytest
from advise_rows import Row, applied, database, pool, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Aliases, Known
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_pools import pool_answer
from iosq.toolkit.report.chart import charts, rows_of
from tests.length import tried

RULES = {r.code: r for r in all_rules()}
CHART = next(c for c in charts() if c.name == "alias_use")
VOLUMES, RATE, SERVICE = 6, 400.0, 3.0
WAIT = 3.0


@dataclasses.dataclass(frozen=True)
class Spell:
    """Intervals one after the other: size of the pool, whether it ran dry, and how much work there was."""

    size: int
    is_dry: bool
    intervals: int = 4
    share: float = 1.0


def hours(*spells: Spell, lcus: tuple[str, ...] = ("0011",), **more: Any) -> dict[str, list[Row]]:
    """A day of these, in each LCU; a pool that ran dry had all its aliases in use."""
    every = [(spell, lcu) for spell in spells for _ in range(spell.intervals) for lcu in lcus]
    rows: dict[str, list[Row]] = {"volume_interval": [], "lcu_interval": []}
    for n, (spell, lcu) in enumerate(every):
        at, wait, rate = n // len(lcus), WAIT * spell.is_dry, RATE * spell.share
        queue = VOLUMES * rate * wait / 1e3
        rows["volume_interval"] += [
            volume(at, f"V{lcu[-1]}{k:03}", rate=rate, wait=wait, pend=0.3, disc=1.2, conn=1.5, lcu=lcu,
                   is_hyperpav=True, read_ratio=0.7)
            for k in range(VOLUMES)
        ]  # fmt: skip
        used = spell.size if spell.is_dry else min(spell.size, 6)
        rows["lcu_interval"].append(
            pool(at, denied=9000 * spell.is_dry, lcu=lcu, hyperpav_aliases=spell.size, alias_high_water=used,
                 queue_length=queue, wait_ms=wait, waiting_devices=VOLUMES * spell.is_dry, io_rate=VOLUMES * rate)
            | more
        )  # fmt: skip
    return rows


def found(*spells: Spell, **more: Any) -> Finding:
    (finding,) = applied(RULES["alias_pool_dry"], hours(*spells, **more))
    return finding


def numbers(finding: Finding) -> dict[str, Any]:
    return {n.name: n.value for n in finding.numbers}


def test_a_pool_that_was_enlarged_is_settled() -> None:
    finding = found(Spell(2, True), Spell(16, False))
    assert (finding.severity, finding.aliases.verdict, finding.aliases.now) == ("note", "enough", 16)
    assert "it has 16 aliases, the I/O rate was comparable" in finding.advice
    assert finding.advice.startswith("Do nothing")


def slowed(tables: dict[str, list[Row]], ms: float, wait: float = 0.0) -> dict[str, list[Row]]:
    """From the fifth interval on the control unit answers so much later; and I/Os wait in the host all the same."""
    tables["volume_interval"] = [
        volume(at, row["volume"], rate=RATE, wait=wait, pend=0.3 + ms, disc=1.2, conn=1.5, cmr_ms=0.1 + ms,
               lcu="0011", is_hyperpav=True, read_ratio=0.7)
        if at >= 4 else row
        for n, row in enumerate(tables["volume_interval"]) for at in [n // VOLUMES]
    ]  # fmt: skip
    tables["lcu_interval"] = [
        row | {"queue_length": VOLUMES * RATE * wait / 1e3, "wait_ms": wait} if at >= 4 else row
        for at, row in enumerate(tables["lcu_interval"])
    ]
    return tables


@pytest.mark.parametrize(
    ("later", "severity", "share"),
    [(0.0, "note", ""), (1.4, "note", ""), (1.6, "watch", "most of the wait"), (2.9, "watch", "the wait")],
)
def test_a_wait_for_a_pool_that_only_moved_to_the_way_is_not_settled(later: float, severity: str, share: str) -> None:
    """3 ms in the host before; none since, and that much more of command response time."""
    (finding,) = applied(RULES["alias_pool_dry"], slowed(hours(Spell(4, True), Spell(12, False)), later))
    assert (finding.severity, finding.aliases.verdict, finding.aliases.now) == (severity, "enough", 12)
    assert finding.advice.startswith("Do nothing") == (severity == "note")
    assert f": {share} only moved there" in finding.advice or not share
    assert "no I/O waits" in finding.advice


def test_a_pool_that_ended_refusals_and_no_wait_has_settled_nothing() -> None:
    (finding,) = applied(RULES["alias_pool_dry"], slowed(hours(Spell(4, True), Spell(12, False)), 0.0, wait=2.0))
    assert (finding.severity, finding.aliases.verdict) == ("watch", "wont_help")
    assert "I/Os find one since and wait all the same" in finding.advice and "no I/O waits" not in finding.advice


def test_a_pool_that_was_cut_gets_back_what_was_measured_to_do() -> None:
    finding = found(Spell(16, False), Spell(2, True))
    assert (finding.severity, finding.aliases.verdict, finding.aliases.now) == ("act", "add", 2)
    assert finding.aliases.most == 16 and numbers(finding)["aliases in use, high water"] == 2
    assert finding.advice.startswith("First find out why aliases are gone: it had 16 until")
    assert "With 16 the same I/O rate hardly waited, as measured" in finding.advice
    assert finding.effect is not None and finding.effect.value == pytest.approx(SERVICE)
    assert finding.effect.basis.startswith("measured, not predicted: 16 aliases for 60 minutes")


def test_a_pool_dry_with_both_sizes_is_reported_as_it_is_now() -> None:
    finding = found(Spell(2, True), Spell(4, True))
    assert finding.aliases.now == numbers(finding)["aliases configured"] == 4
    assert numbers(finding)["bad intervals"] == 4


@pytest.mark.parametrize(("now", "verdict", "severity"), [(3, "cant_tell", "watch"), (200, "enough", "note")])
def test_a_larger_pool_without_such_work_since_is_not_measured(now: int, verdict: str, severity: str) -> None:
    tables = hours(Spell(2, True), Spell(now, False, share=0.1))
    # named, so that the model shows a count
    (finding,) = applied(RULES["alias_pool_dry"], tables, None, Known("ds8100", footprint_gb=0.5))
    assert (finding.aliases.verdict, finding.severity, finding.aliases.now) == (verdict, severity, now)
    assert f"it has {now} aliases in place of 2" in finding.advice and "no such work came" in finding.advice.lower()


def test_a_smaller_pool_without_such_work_since_lacks_more() -> None:
    bigger = found(Spell(4, True))
    finding = found(Spell(4, True), Spell(2, False, share=0.1))
    assert (finding.aliases.verdict, finding.aliases.now) == ("add", 2)
    assert finding.aliases.fewest == bigger.aliases.fewest
    assert "(now 2)" in finding.advice and "it had 4 until" in finding.advice


def test_a_group_counts_the_aliases_of_all_its_lcus() -> None:
    group = {"lcus": ("0011", "0012"), "alias_need_count": 90.0, "alias_group": "7"}
    grown, cut = found(Spell(1, True), Spell(12, False), **group), found(Spell(12, False), Spell(1, True), **group)
    assert "Since" in grown.advice and "it has 24 aliases" in grown.advice
    assert numbers(grown)["I/O rate, before"] == 2 * VOLUMES * RATE
    assert cut.aliases.now == 2 and "With 24 the same I/O rate hardly waited" in cut.advice


def test_an_interval_without_one_of_the_lcus_is_no_smaller_group() -> None:
    tables = hours(Spell(2, True), lcus=("0011", "0012"), alias_need_count=90.0, alias_group="7")
    tables["lcu_interval"].pop()
    (finding,) = applied(RULES["alias_pool_dry"], tables)
    assert finding.aliases.now == 4 and "since" not in finding.whole_text.lower()


def test_a_closed_wait_that_is_settled_costs_all_that_waited_for_the_pool() -> None:
    """Intervals next to closed ones hold the rest of the same work."""
    tables = hours(Spell(2, True), Spell(16, False))
    for n, row in enumerate(r for r in tables["volume_interval"] if r["wait_ms"]):
        # six always busy bases and two aliases in the first interval: closed; the others leave room
        if n < VOLUMES:
            row |= {"service_ms": 3.4, "conn_ms": 1.9, "in_service": RATE * 3.4 / 1e3, "response_ms": 6.4}
    (finding,) = applied(RULES["closed_load"], tables)
    assert finding.severity == "note" and {code for code, _ in finding.covers} == {"alias_pool_dry"}
    assert finding.lost_s == pytest.approx(4 * 900 * VOLUMES * RATE * WAIT / 1e3)
    (moved,) = applied(RULES["closed_load"], slowed(tables, 2.9))
    assert moved.severity == "watch" and "only moved there" in moved.advice


LCUS = {"lcus": ("0011", "0012"), "alias_need_count": 90.0, "alias_group": "7"}
UNKNOWN = {"hyperpav_aliases": None, "alias_denied_count": None}  # as a listing has it


@pytest.mark.parametrize("more", [{}, LCUS, UNKNOWN], ids=["an LCU", "a group", "a listing"])
@pytest.mark.parametrize(
    "spells", [[Spell(4, True)], [Spell(2, True), Spell(4, True)], [Spell(16, False), Spell(2, True)]]
)
def test_the_chart_of_pools_draws_the_limits_that_the_finding_names(more: dict[str, Any], spells: list[Spell]) -> None:
    finding = found(*spells, **more)
    named = {n.name: n.value for n in finding.numbers}
    rows = rows_of(database(asks=CHART.sql, **hours(*spells, **more)), CHART)
    size, most = finding.aliases.now, named["aliases in use, high water"]
    (row,) = [r for r in rows if r["aliases"] == size]
    assert (row["high_water"], row["denied_ratio"]) == (most, named["refusals per I/O, worst interval and LCU"])
    assert row["dry_intervals"] > 0 and rows[0]["denied_ratio"] > 0
    assert len(rows) == (1 if more is UNKNOWN else len({s.size for s in spells}))
    assert named["aliases configured"] in (size, None)


SPELLS = st.lists(
    st.builds(Spell, st.sampled_from([1, 2, 4, 8, 16]), st.booleans(), st.integers(1, 4), st.sampled_from([0.2, 1.0])),
    min_size=1,
    max_size=4,
).filter(lambda spells: any(s.is_dry for s in spells))


@settings(max_examples=tried(6, 300), deadline=None)
@given(SPELLS)
def test_answers_hold_whatever_the_sizes_were(spells: list[Spell]) -> None:
    """Now is the last size, reported if it runs dry; the size that settled it was measured; the short answer agrees."""
    now, tables = spells[-1].size, hours(*spells)
    con = database(asks=f"{RULES['alias_pool_dry'].sql} pav_candidate lcu_alias_interval", **tables)
    (finding,) = apply(con, RULES["alias_pool_dry"])
    assert finding.aliases is not None and finding.aliases.now == now
    free = max((s.share for s in spells if s.size == now), default=0.0)
    dry_now = any(s.is_dry and s.size == now for s in spells)
    assert dry_now <= (finding.severity == "act"), "it runs dry with what there is"
    if finding.severity == "note" and "was comparable" in finding.advice:
        dry = max(s.share for s in spells if s.is_dry)
        assert not dry_now and free >= 0.9 * dry
    if finding.aliases.verdict == "add" and finding.aliases.fewest is not None:
        assert finding.aliases.fewest > now
    (line,) = [r for r in verdicts(con, [finding]) if r["kind"] == "lcu"]
    assert (line["verdict"], line["aliases_now"]) == (finding.aliases.verdict, now)


def test_a_what_if_knows_the_same_measurement() -> None:
    con = database(**hours(Spell(16, False), Spell(2, True)))
    (finding,) = apply(con, RULES["alias_pool_dry"])
    answer = pool_answer(con, ["0011"], None, Asked())
    assert answer.common["clears_at_worst"] == finding.aliases.most == 16
    assert answer.common["clears_at_best"] == finding.aliases.fewest


@pytest.mark.parametrize(
    ("spells", "size"),
    [
        ([Spell(4, True), Spell(12, False)], 12),  # as many I/Os came since
        ([Spell(4, True), Spell(12, False, share=0.2)], 4),  # no such work came: what waited is asked about
        ([Spell(2, True), Spell(4, True, share=0.5)], 4),  # it runs dry with what there is
        ([Spell(16, False), Spell(2, True)], 2),
    ],
)
def test_a_what_if_and_advice_ask_about_one_size(spells: list[Spell], size: int) -> None:
    con = database(**hours(*spells))
    answer = pool_answer(con, ["0011"], None, Asked())
    assert [row["pool_aliases"] for row in answer.rows if row["now"]] == [size]
    (finding,) = apply(con, RULES["alias_pool_dry"])
    if finding.aliases.now == size:
        most = answer.common["clears_at_worst"]
        assert (most is not None and most <= size) == (finding.aliases.verdict == "enough")


def test_a_volume_that_got_its_aliases_is_reported_with_what_it_had_waited() -> None:
    """As with a pool: that nothing is to be done is an answer too."""
    rows = [
        volume(n, "STA001", rate=750.0, wait=3.0 * (n < 4), pend=0.2, disc=0.3, conn=0.5,
               exposures=1.0 if n < 4 else 4.0, lcu="0010", read_ratio=0.7)
        for n in range(8)
    ]  # fmt: skip
    con = database(derived=["pav_candidate"], volume_interval=rows)
    (finding,) = apply(con, RULES["pav_add_alias"])
    assert (finding.severity, finding.aliases) == ("note", Aliases("enough", 3))
    assert "it has 4 exposures, the I/O rate was comparable" in finding.advice
    assert finding.lost_s == pytest.approx(2.25 * 3600)
