"""Pools whose LCUs are in another box since: what they waited for in the old one asks for no aliases."""

from typing import Any

import pytest
from advise_rows import Row, applied, box, database, pool, volume
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_pools import pool_answer
from tests.length import tried

RULES = {r.code: r for r in all_rules()}
MOVE, VOLUMES, RATE = 4, 6, 400.0
BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]
SINCE = "since 10:00 on 2026-03-02 it is in box CD472"
GROUP = {"lcus": ("0011", "0012"), "alias_need_count": 90.0, "alias_group": "7"}


def spell(
    subsystem: str, intervals: range, *, disc: float = 6.0, wait: float = 0.0, rate: float = RATE, size: int = 4,
    lcus: tuple[str, ...] = ("0011",), **more: Any,
) -> dict[str, list[Row]]:  # fmt: skip
    """Volumes of a pool in one box: with a wait they ran out of aliases."""
    mine = [(n, lcu) for n in intervals for lcu in lcus]
    volumes = [
        volume(n, f"V{lcu}{k}", rate=rate, wait=wait, pend=0.2, disc=disc, conn=0.4, lcu=lcu, is_hyperpav=True,
               subsystem=subsystem, read_ratio=0.7)
        for n, lcu in mine for k in range(VOLUMES)
    ]  # fmt: skip
    usual: Row = {"hyperpav_aliases": size, "alias_high_water": size if wait else 1, "wait_ms": wait}
    usual |= {"queue_length": VOLUMES * rate * wait / 1e3, "io_rate": VOLUMES * rate, "response_ms": wait + disc + 0.6}
    pools = [pool(n, denied=9000.0 * (wait > 0), lcu=lcu, **usual) | more for n, lcu in mine]
    return {"volume_interval": volumes, "lcu_interval": pools}


def together(*spells: dict[str, list[Row]]) -> dict[str, list[Row]]:
    names = ("volume_interval", "lcu_interval")
    return {n: [r for s in spells for r in s[n]] for n in names} | {"cache_subsystem_interval": BOXES}


def found(*spells: dict[str, list[Row]], code: str = "alias_pool_dry") -> Finding:
    (finding,) = applied(RULES[code], together(*spells))
    return finding


@pytest.mark.parametrize("more", [{}, GROUP, {"hyperpav_aliases": None}], ids=["an LCU", "a group", "size unknown"])
@pytest.mark.parametrize(
    ("since", "severity", "verdict", "words"),
    [
        ({"disc": 0.3}, "note", "enough", "Do nothing: the move ended the wait"),
        ({"disc": 8.9}, "watch", "enough", "the wait only moved there"),
        ({"disc": 0.3, "rate": 40.0}, "watch", "cant_tell", "no such work came"),
        ({"disc": 0.3, "wait": 2.0}, "act", "add", "Define "),
    ],
    ids=["settled", "moved into the box", "unseen", "dry there"],
)
def test_what_a_pool_waited_for_in_another_box_is_reported_of_the_one_it_is_in(
    since: Row, severity: str, verdict: str, words: str, more: Row
) -> None:
    """Long misses and four aliases before, which ran out; it was reported to get aliases for that, wherever it is."""
    before = spell("2010", range(MOVE), wait=3.0, **more)
    finding = found(before, spell("3010", range(MOVE, 2 * MOVE), **since, **more))
    assert (finding.severity, finding.aliases and finding.aliases.verdict) == (severity, verdict)
    assert words in finding.advice
    stated = f"{finding.whole_text} {finding.advice}"
    assert (SINCE in stated.replace("Since", "since")) == (verdict != "add")
    if verdict == "add":
        assert {n.name: n.value for n in finding.numbers}["IOSQ of an LCU, worst interval"] == 2.0
        assert finding.effect is None or finding.effect.now == pytest.approx(2.9), "the box it is in"


def test_aliases_that_came_with_the_move_share_what_they_did() -> None:
    after = spell("3010", range(MOVE, 2 * MOVE), disc=0.3, size=16)
    finding = found(spell("2010", range(MOVE), wait=3.0), after)
    assert finding.advice.startswith("Do nothing: the added aliases or the move ended the wait. Since")
    assert finding.aliases.now == 16


def test_another_size_in_another_box_is_no_measurement() -> None:
    """With 16 in the fast box nothing waited; the slow one answers four times as late."""
    fast = spell("2010", range(MOVE), disc=0.3, size=16)
    finding = found(fast, spell("3010", range(MOVE, 2 * MOVE), wait=3.0))
    assert finding.aliases.verdict == "add" and "as was measured" not in finding.advice
    assert "it had 16 until 10:00" in finding.advice
    answer = pool_answer(database(**together(fast, spell("3010", range(MOVE, 2 * MOVE), wait=3.0))), ["0011"], None,
                         Asked())  # fmt: skip
    assert answer.common["box"] == "CD472" and "measured, not predicted" not in str(answer)


def test_as_many_aliases_in_another_box_have_settled_nothing() -> None:
    """Dry with 12 in the old box; in the new one with 4, and not with 12: what those did before counts for nothing."""
    old = spell("2010", range(MOVE), wait=9.0, size=12)
    less, more = spell("3010", range(4, 8), wait=3.0), spell("3010", range(8, 12), disc=0.3, size=12)
    finding = found(old, less, more)
    assert (finding.severity, finding.aliases.verdict, finding.aliases.now) == ("note", "enough", 12)
    assert {n.name: n.value for n in finding.numbers}["longest queue since"] == 0.0
    assert "the added aliases ended the wait" in finding.advice


@pytest.mark.parametrize(("rate", "verdict"), [(RATE, "enough"), (40.0, "cant_tell")])
def test_a_closed_workload_of_another_box_asks_for_no_aliases(rate: float, verdict: str) -> None:
    before = spell("2010", range(MOVE), wait=3.0, disc=3.8)
    finding = found(before, spell("3010", range(MOVE, 8), disc=0.3, rate=rate), code="closed_load")
    assert finding.aliases.verdict == verdict and SINCE in f"{finding.whole_text} {finding.advice}".replace(
        "Since", "since"
    )
    assert {code for code, _ in finding.covers} == {"alias_pool_dry"}
    dry_there = together(before, spell("3010", range(MOVE, 8), disc=0.3, wait=2.0))
    assert applied(RULES["closed_load"], dry_there) == [], "the open model is about the box it is in"


def test_a_group_that_stays_in_two_boxes_moved_nowhere() -> None:
    """One of its LCUs does nothing in the last interval."""
    one = spell("2010", range(MOVE), wait=3.0, **GROUP | {"lcus": ("0011",)})
    two = spell("3010", range(MOVE - 1), wait=3.0, **GROUP | {"lcus": ("0012",)})
    assert found(one, two).aliases.verdict == "add"


SPELL = st.fixed_dictionaries(
    {
        "subsystem": st.sampled_from(["2010", "3010"]),
        "wait": st.sampled_from([0.0, 3.0]),
        "rate": st.sampled_from([40.0, RATE]),
        "size": st.sampled_from([4, 12]),
    }
)


def parts(spells: list[Row]) -> list[dict[str, list[Row]]]:
    """Two intervals each, one after the other."""
    return [spell(intervals=range(2 * n, 2 * n + 2), **s) for n, s in enumerate(spells)]


@settings(max_examples=tried(6, 300), deadline=None)
@given(st.lists(SPELL, min_size=1, max_size=4).filter(lambda spells: any(s["wait"] for s in spells)))
def test_only_what_runs_dry_in_the_box_it_is_in_asks_for_aliases(spells: list[Row]) -> None:
    asks = f"{RULES['alias_pool_dry'].sql} pav_candidate lcu_alias_interval"
    con = database(asks=asks, **together(*parts(spells)))
    (finding,) = apply(con, RULES["alias_pool_dry"])
    last = spells[-1]["subsystem"]
    first = max((n + 1 for n, s in enumerate(spells) if s["subsystem"] != last), default=0)
    dry_there = any(s["wait"] for s in spells[first:])
    assert finding.aliases is not None and finding.aliases.now == spells[-1]["size"]
    assert dry_there or finding.severity != "act", "what another box did asks for nothing"
    assert ("it is in box" in f"{finding.whole_text} {finding.advice}") != dry_there
    (line,) = [r for r in verdicts(con, [finding]) if r["kind"] == "lcu"]
    assert line["verdict"] == finding.aliases.verdict


@pytest.mark.parametrize(
    ("since", "box_asked", "wait"),
    [
        ({"disc": 0.3}, "CD472", 0.0),  # as many I/Os came there
        ({"disc": 0.3, "rate": 40.0}, "AB121", 3.0),  # no such work came: what waited is asked about
        ({"disc": 0.3, "rate": 300.0, "wait": 2.0}, "CD472", 2.0),  # it runs dry where it is
    ],
)
@pytest.mark.parametrize("lcus", [("0011",), ("0011", "0012")])
def test_a_what_if_asks_about_the_box_that_advice_asks_about(
    since: Row, box_asked: str, wait: float, lcus: tuple[str, ...]
) -> None:
    more = GROUP if len(lcus) > 1 else {}
    rows = together(spell("2010", range(MOVE), wait=3.0, **more), spell("3010", range(MOVE, 8), **since, **more))
    answer = pool_answer(database(**rows), lcus, None, Asked())
    assert answer.common["box"] == box_asked
    assert [r["wait_ms"] for r in answer.rows if r["now"]] == [pytest.approx(wait)]
    assert ("the pool is in CD472 in its last interval" in str(answer)) == (box_asked == "AB121")
