"""One question, one answer: what `advise` says, `simulate` says too, over the sample and the clinic."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lakes import filled, opened

from iosq.toolkit.advise import migrate as advise_migrate
from iosq.toolkit.advise.against import DOUBTS, against, is_doubtful, spoken
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.data_quality import missing_records
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Curve, Finding
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.verdicts import deciding, verdicts
from iosq.toolkit.predict import migrate, pav_lake, pav_pools
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.nvs_box import lake_answer
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.sample.day import make_day
from iosq.toolkit.sql.guard import query
from iosq.toolkit.units import human_bytes
from tests.days import CLINIC
from tests.length import tried
from tests.materialised import materialised
from tests.planted import TEXTS, Planted
from tests.scoring.memory import lake as in_memory

RULES = {rule.code: rule for rule in all_rules()}
MOST = tried(2, 6)  # findings of a rule: each is solved once more
# the numbers of a volume without I/O are zeros; those of an LCU with too many aliases leave some intervals out
Found = dict[str, list[Finding]]
BY_PARTS = ("idle_volume", "pav_too_many")
MACHINES = ("ds8100", "ess-f20")


@pytest.fixture(scope="module", params=["sysplex", "clinic"])
def con(request: pytest.FixtureRequest, planted: Planted) -> duckdb.DuckDBPyConnection:
    """A day as a lake: the sample's, and one with every trouble the rules know."""
    return planted.day(1, request.param)[1]


@pytest.fixture(scope="module")
def closed_con() -> Iterator[duckdb.DuckDBPyConnection]:
    """A day with two volumes of a closed workload, and a pool that another fills, as a lake."""
    with materialised(in_memory(make_day(1, names=("closed_batch", "pool_closed"), plan=CLINIC)), TEXTS) as con:
        yield con


@pytest.fixture(scope="module")
def zvm_con(
    tmp_path_factory: pytest.TempPathFactory, study_listings: list[Path]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """One box of the z/VM study as a lake: a closed workload with none to four aliases, one after the other."""
    place = tmp_path_factory.mktemp("study")
    ((name, path), *_) = ((p.name, p) for p in study_listings if "ds8100" in p.name)
    made, _ = filled(place / "lake", {name: path})
    with materialised(opened(made), TEXTS) as con:
        yield con


@cache
def _all_found(con: duckdb.DuckDBPyConnection) -> Found:
    return {rule.code: apply(con, rule) for rule in all_rules()}


def _found(con: duckdb.DuckDBPyConnection, code: str) -> list[Finding]:
    return [f for f in _all_found(con)[code] if f.curve is not None]


def _closed(con: duckdb.DuckDBPyConnection, kind: str) -> list[Finding]:
    """Findings about closed work of pools, or of volumes."""
    return [f for f in _found(con, "closed_load") if f.subject.kind == kind]


def _same(curve: Curve, rows: Sequence[Any], counted: str) -> None:
    """Every count both speak of has the same wait, response and rate, bounds and all."""
    steps = {step.count: step for step in curve.steps}
    both = [(steps[row[counted]], row) for row in rows if row[counted] in steps]
    assert len(both) > 2
    for step, row in both:
        for name in ("wait", "response"):
            span = getattr(step, f"{name}_ms")
            message = [row[f"{name}_low_ms"], row[f"{name}_high_ms"]]
            assert message == pytest.approx([span.low, span.high], rel=1e-6, abs=1e-9)
            if row[f"{name}_ms"] is not None:  # else bounds are all that is known
                assert row[f"{name}_ms"] == pytest.approx(span.value, rel=1e-6, abs=1e-9)


def _same_counts(finding: Finding, answer: Answer) -> None:
    """At best, likely and at worst: the counts of advice, among those of a what-if without a given count."""
    assert finding.aliases is not None
    if any(text.startswith("measured, not predicted") for text in answer.conclusions):
        return
    counted = "aliases" if "aliases" in answer.rows[0] else "pool_aliases"
    now, common = finding.aliases.now or 0, answer.common
    is_known = all(row["identifiable"] for row in answer.rows)  # between bounds no count is likely
    likely = next((row[counted] for row in answer.rows if row["clears_wait"] and is_known), None)
    message = [finding.aliases.fewest, finding.aliases.likely, finding.aliases.most]
    asked = [common["clears_at_best"], likely, common["clears_at_worst"]]
    assert message == [count if count is None else max(count, now) for count in asked]
    if finding.aliases.most is None and finding.aliases.likely is not None:
        assert f", {finding.aliases.likely - now} likely" in finding.advice


def test_a_volume_has_one_answer(con: duckdb.DuckDBPyConnection) -> None:
    compared = 0
    for finding in _found(con, "pav_add_alias")[:MOST]:
        ((volume,), (system,)) = finding.subject.names, finding.subject.systems
        answer = pav_lake.volume_answer(con, volume, system, Asked())
        assert not answer.common["is_closed_workload"], "closed_load reports that, below"
        assert finding.curve is not None and finding.aliases is not None
        _same(finding.curve, answer.rows, "aliases")
        now = next(row for row in answer.rows if row["now"])
        assert now["aliases"] == finding.aliases.now
        _same_counts(finding, answer)
        compared += 1
    assert compared


def test_a_pool_has_one_answer(con: duckdb.DuckDBPyConnection) -> None:
    found = _found(con, "alias_pool_dry")[:MOST]
    closed = [f.subject for f in _found(con, "closed_load")]
    assert any(f.subject not in closed for f in found)
    for finding in found:
        (system,) = finding.subject.systems
        assert finding.curve is not None and finding.aliases is not None
        answer = pav_pools.pool_answer(con, finding.subject.names, system, Asked())
        assert answer.common["is_closed_workload"] is (finding.subject in closed)
        if finding.subject not in closed:  # else closed_load reports it, below
            _same(finding.curve, answer.rows, "pool_aliases")
            _same_counts(finding, answer)
        assert next(row for row in answer.rows if row["now"])["pool_aliases"] == finding.aliases.now


def test_a_volume_of_closed_workload_has_no_open_answer(closed_con: duckdb.DuckDBPyConnection) -> None:
    closed = {part for f in _found(closed_con, "closed_load") for part in f.subject.each}
    assert closed and not closed & {f.subject for f in _found(closed_con, "pav_add_alias")}
    assert "pav_add_alias" not in {f.code for f in run(closed_con) if f.subject in closed}


def test_a_closed_workload_has_one_answer(closed_con: duckdb.DuckDBPyConnection) -> None:
    found = [*_closed(closed_con, "volume"), *_closed(closed_con, "volumes")]
    assert found
    for finding in found:
        assert finding.curve is not None
        for volume, system in zip(finding.subject.names, finding.subject.systems * 9, strict=False):
            answer = pav_lake.volume_answer(closed_con, volume, system, Asked())
            assert answer.common["is_closed_workload"]
            _same(finding.curve, answer.rows, "aliases")


def test_a_pool_filled_by_a_closed_workload_has_one_answer(closed_con: duckdb.DuckDBPyConnection) -> None:
    (finding,) = _closed(closed_con, "lcu")
    assert finding.curve is not None and finding.aliases is not None
    most, systems = finding.curve.steps[-1].count, finding.subject.systems
    answer = pav_pools.pool_answer(closed_con, finding.subject.names, systems[0], Asked(most=most))
    assert answer.common["is_closed_workload"]
    _same(finding.curve, answer.rows, "pool_aliases")
    assert next(row for row in answer.rows if row["now"])["pool_aliases"] == finding.aliases.now


def test_no_count_stands_alone_where_findings_speak_against_it(
    con: duckdb.DuckDBPyConnection, planted: Planted
) -> None:
    """What `advise pav --every` says won't help, or is unknown, a what-if says too; where it says add, nothing."""
    found = planted.found(con)
    every = verdicts(con, found)
    seen: set[tuple[str, str | None]] = set()
    for row in every:
        subject = Subject(row["kind"], row["names"], row["systems"])
        finding = deciding(found, subject)
        if (row["verdict"], finding and finding.code) in seen or row["kind"] not in ("volume", "lcu"):
            continue
        seen.add((row["verdict"], finding and finding.code))
        message = spoken(found, every, [subject])
        assert (message is not None) is (row["verdict"] in DOUBTS)
        if message and finding:
            assert finding.code in message["conclusion"] and finding.advice in message["conclusion"]
    assert {"add", "wont_help"} <= {verdict for verdict, _ in seen}


def test_a_volume_of_a_pool_is_judged_by_it_where_no_finding_is_about_the_volume(
    con: duckdb.DuckDBPyConnection,
) -> None:
    finding = next(f for f in _found(con, "alias_pool_dry") if f.aliases and f.aliases.verdict == "add")
    ((lcu, *_), systems) = finding.subject.names, finding.subject.systems
    idle = Subject("volume", ("NOVOL",), systems)
    assert against(con, [idle, Subject("lcu", (lcu,), systems)]) is None  # and more aliases are what it says


def test_the_query_of_a_finding_begins_with_its_numbers(con: duckdb.DuckDBPyConnection, planted: Planted) -> None:
    asked = 0
    for finding in planted.found(con):
        if finding.code in BY_PARTS:
            continue
        (first, *_) = query(con, finding.sql).to_pylist()
        shown = [float(v) for v in first.values() if isinstance(v, int | float) and not isinstance(v, bool)]
        given = [float(n.value) for n in finding.numbers if n.value and not isinstance(n.value, str)]
        both = [v for v in given for s in shown if s and (v == pytest.approx(s) or v == pytest.approx(100 * s))]
        assert both, (finding.text, first)
        asked += 1
    assert asked > 5


def test_only_a_larger_count_has_to_be_spoken_against() -> None:
    def rows(now: int, best: int) -> list[dict[str, bool]]:
        return [{"now": count == now, "best": count == best, "clears_wait": False} for count in range(5)]

    assert is_doubtful(rows(1, 3), {})
    assert not is_doubtful(rows(3, 3), {}) and not is_doubtful(rows(3, 1), {})


def test_requesters_of_a_volume_fill_its_pool(closed_con: duckdb.DuckDBPyConnection) -> None:
    """More of them wait longer for the same pool, and as many aliases as requesters leave none waiting."""
    (finding,) = _closed(closed_con, "lcu")
    (system,), (lcu,) = finding.subject.systems, finding.subject.names
    sql = f"SELECT max(volume) FROM volume_interval WHERE lcu = '{lcu}' AND system = '{system}' AND queue_length > 1"
    ((volume,),) = closed_con.execute(sql).fetchall()
    answers = [pav_lake.volume_answer(closed_con, volume, system, Asked(most=80, requesters=n)) for n in (20.0, 60.0)]
    few, many = ([row["wait_high_ms"] for row in answer.rows] for answer in answers)
    assert all(less < more for less, more in zip(few[:20], many, strict=False))
    assert many[-1] < 0.05 * many[0]
    assert any("60" in text and volume in text for text in answers[1].conclusions)


def test_work_needs_one_number_of_boxes(con: duckdb.DuckDBPyConnection) -> None:
    for finding in advise_migrate.rank(con, MACHINES):
        (machine,) = finding.subject.names
        counts = {n.name: n.value for n in finding.numbers}
        for growth, name in ((1.0, "boxes for today's peak"), (2.0, "boxes for 2 times today's peak")):
            if name in counts:
                answer = migrate.lake_answer(con, migrate.Wish(machine, growth=growth))
                assert answer.common["boxes"] == counts[name]


def test_the_solver_and_the_rule_mean_the_same_by_closed() -> None:
    limits = RULES["closed_load"].thresholds
    assert {name: limits[name].value for name in CLOSED} == CLOSED


def test_a_box_whose_writes_wait_is_reported_for_each_of_its_subsystems(con: duckdb.DuckDBPyConnection) -> None:
    """What was measured is the first row; more NVS is full as soon, or as large, as the rules say."""
    limits = RULES["nvs_delay"].limits()
    measured = (
        "SELECT subsystem, sum(nvs_delay_count) AS late FROM cache_subsystem_interval GROUP BY subsystem "
        "HAVING sum(write_count) > 0"
    )
    filled, bursts = (
        {f.subject.names: value for f in apply(con, RULES["nvs_delay"]) if (value := _number(f, name)) is not None}
        for name in ("twice the NVS full after", "room for the worst burst, at most")
    )
    given: dict[tuple[str, ...], set[float]] = {}
    for row in query(con, measured).to_pylist():
        answer = lake_answer(con, row["subsystem"], Burst(), limits=limits)
        (now,), box = answer.rows, (answer.common["box"],)
        assert (now["verdict"] == "absorbed") == (now["delayed_writes"] == 0)
        assert now["delayed_writes"] > 0 or not row["late"]
        grown = lake_answer(con, row["subsystem"], Burst(growth=1.5), limits=limits)
        (same, more) = grown.rows
        assert same == now and more["delayed_ratio"] > now["delayed_ratio"]
        if now["verdict"].startswith("more NVS only"):
            given.setdefault(box, set()).add(now["full_after_with_more_s"])
            assert more["carried_write_rate"] == now["write_rate"]
            assert any("requesters are held back to" in text for text in grown.conclusions)
        else:
            assert box not in bursts or human_bytes(bursts[box]) in grown.conclusions[0]
    assert filled
    assert {box: {f} for box, f in filled.items()} == given


def _number(finding: Finding, name: str) -> float:
    return next(n.value for n in finding.numbers if n.name == name)


@pytest.fixture(scope="module")
def found(con: duckdb.DuckDBPyConnection) -> Found:
    return _all_found(con)


@pytest.fixture(scope="module")
def zvm_found(zvm_con: duckdb.DuckDBPyConnection) -> Found:
    return _all_found(zvm_con)


def _claimed_once(con: duckdb.DuckDBPyConnection, every: Found) -> None:
    for code, found in every.items():
        times = "wait_ms" if RULES[code].queue else "response_ms"
        sql = f"SELECT system, sum(io_rate * {times} / 1e3 * interval_s) FROM volume_interval GROUP BY system"
        lost = dict(con.execute(sql).fetchall())
        assert sum(f.lost_s for f in found) <= sum(lost.values()) * (1 + 1e-9), code
        for system, most in lost.items():
            own = [f.lost_s for f in found if f.subject.systems == (system,)]
            assert sum(own) <= most * (1 + 1e-9), (code, system)


def test_findings_of_a_rule_claim_no_time_twice(
    con: duckdb.DuckDBPyConnection, found: Found, zvm_con: duckdb.DuckDBPyConnection, zvm_found: Found
) -> None:
    """Together they claim no more than their systems lost: in the host's queue, where the rule is about that."""
    _claimed_once(con, found)
    _claimed_once(zvm_con, zvm_found)


def _queries_are_their_own(con: duckdb.DuckDBPyConnection, every: Found) -> None:
    for code, found in every.items():
        assert len({f.sql for f in found}) == len(found), code
        for f in found if RULES[code].queue else ():
            rows = query(con, f.sql).to_pylist()
            assert rows
            assert {row.get("volume") for row in rows} <= {*f.subject.names, None}, (code, f.subject)
            assert {row.get("system") for row in rows} <= {*f.subject.systems, None}, (code, f.subject)


def test_the_query_of_a_finding_shows_its_own_rows(
    con: duckdb.DuckDBPyConnection, found: Found, zvm_con: duckdb.DuckDBPyConnection, zvm_found: Found
) -> None:
    _queries_are_their_own(con, found)
    _queries_are_their_own(zvm_con, zvm_found)


SMF = re.compile(r"SMF|types? \d|\(7[0-9]\)|42\.6 records")


@contextmanager
def _as_zvm(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """The same measurements as if z/VM had made them."""
    known = "SELECT table_name FROM duckdb_tables()"  # views compute their rows from these
    sql = f"SELECT table_name FROM duckdb_columns() WHERE column_name = 'platform' AND table_name IN ({known})"
    tables = [table for (table,) in con.execute(sql).fetchall()]
    try:
        for table in tables:
            con.execute(f"UPDATE {table} SET platform = 'z/VM'")
        yield
    finally:  # others ask the same day
        for table in tables:
            con.execute(f"UPDATE {table} SET platform = 'z/OS'")


def _sentences(found: Sequence[Finding]) -> Iterator[tuple[str, str]]:
    for f in found:
        basis = "" if f.effect is None else f.effect.basis
        yield from ((f.code, text) for text in (f.whole_text, f.advice, basis, *(n.name for n in f.numbers)))


def test_zvm_users_get_the_sources_of_zvm(
    con: duckdb.DuckDBPyConnection, zvm_con: duckdb.DuckDBPyConnection, zvm_found: Found
) -> None:
    with _as_zvm(con):
        found = _all_found.__wrapped__(con)
    for of_rule in (*found.values(), *zvm_found.values()):
        assert not [message for message in _sentences(of_rule) if SMF.search(message[1])]
    assert "MONWRITE (D6R4) or the cache report (FCX111)" in missing_records(zvm_con, "nvs")
    assert not SMF.search(missing_records(zvm_con, "all"))


def test_a_closed_workload_measured_with_several_counts_is_one_finding(zvm_con: duckdb.DuckDBPyConnection) -> None:
    """The same eight volumes with none to four aliases: one problem, reported for the interval that simulate uses.

    The longest queue is that of another hour, in which aliases give nothing.
    """
    (finding,) = _found(zvm_con, "closed_load")
    assert len(finding.subject.names) == 8
    assert finding.curve is not None and finding.aliases is not None
    answer = pav_lake.volume_answer(zvm_con, "DS8000", "DS8100", Asked())
    _same(finding.curve, answer.rows, "aliases")
    assert next(row for row in answer.rows if row["now"])["aliases"] == finding.aliases.now
    lines = answer.text().splitlines()
    assert (
        lines[5].endswith("measured, best")
        and lines[6].endswith("only bounds are known")
        and "3,577 to 6,120" in lines[6]
    )
    assert "Give them 4 more aliases each (now 0): the rate rises by 124 % (120 % to 129 %), as was" in finding.advice
    assert [row["aliases"] for row in answer.rows if row["measured"]] == [1, 2, 3, 4]
    assert "by the clock of DS8100" in " ".join(answer.conclusions)
    assert not any("+00:00" in text or "rate rises" in text for text in answer.conclusions)
    (at_the_top, *_) = query(zvm_con, finding.sql).to_pylist()
    assert at_the_top["exposures"] == finding.aliases.now + 1


def test_both_name_the_addresses_that_the_lcu_has_left(planted: Planted) -> None:
    """Advice gives no more aliases than can be defined, and the what-if says how many can."""
    con = planted.day(1, "clinic")[1]
    stated = " ".join(pav_lake.volume_answer(con, "FUL003", "SYSA", Asked()).conclusions)
    assert "the LCU has 0 addresses left of 256: no more than 1 alias can be defined" in stated
    found = [f for f in run(con) if f.code == "pav_add_alias" and f.text.startswith("Volume FUL003")]
    assert {(f.aliases.verdict, f.aliases.most) for f in found if f.aliases} == {("no_address", None)}
    opposed = against(con, [Subject("volume", ("FUL003",), ("SYSA",))])
    assert opposed and opposed["verdict"] == "no_address"
    assert "aliases would help, but its LCU has no address left for them (pav_add_alias)" in opposed["conclusion"]
