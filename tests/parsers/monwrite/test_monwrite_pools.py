"""HyperPAV pools of z/VM: their searches for an alias reach the views and decide what is advised."""

import duckdb
import mon_support as mon

from iosq.toolkit.advise import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import shipped
from tests.materialised import materialised

MINUTES = 30
RATE, ON_ALIASES = 200, 100  # I/Os a second on the base and on aliases


def _samples(i: int, vain: int | None, aliases: int) -> list[bytes]:
    """A minute of a base that queues 3 I/Os, and of its pool: 200 searches a second, a percentage of them failed."""
    n, when = 60 * i, mon.minute(i)
    hot = mon.encode(
        "D6R3", when, RDEVSID=1, RDEVDEV="A100", RDEVSER="VMPAG1", RDEVHPPL=7, SCGSSCH=RATE * n, SCGCOUNT=RATE * n,
        SCMFPTIM=RATE * n, SCMDDTIM=12 * RATE * n, SCMCNTIM=3 * RATE * n, HFCTIO=30 * i, HFRDEVCT=90 * i,
        PAVSSCH=ON_ALIASES * n, PAVCOUNT=ON_ALIASES * n, PAVFPTIM=ON_ALIASES * n, PAVDDTIM=12 * ON_ALIASES * n,
        PAVCNTIM=3 * ON_ALIASES * n,
    )  # fmt: skip
    if vain is None:
        return [hot]
    searched = {"HPPTRIES": 200 * n, "HPPFAILS": 2 * vain * n, "HPPMINCT": 0 if vain else 1}
    return [hot, mon.encode("D6R28", when, HPPOOLNM=7, HPPTOKEN="0A00", HPPNBASE=1, HPPNALIS=aliases, **searched)]


def _pool(i: int, number: int, **searched: int) -> bytes:
    """A sample of a pool, known by its own searches only."""
    return mon.encode("D6R28", mon.minute(i), HPPOOLNM=number, HPPTOKEN="0A00", HPPNALIS=4, **searched)


def _lake(vain: int | None, aliases: int = 4) -> duckdb.DuckDBPyConnection:
    items = [s for i in range(MINUTES + 1) for s in _samples(i, vain, aliases)]
    return mon.database(mon.file([mon.system(), mon.device(1, "A100", "VMPAG1", pool=7), *items]))


def _advised(vain: int | None) -> tuple[list[Finding], list[Row]]:
    """What is found about aliases, and the verdicts about volumes."""
    with materialised(_lake(vain), [q.sql for q in shipped()]) as con:
        found = run(con, topic="pav")
        return [f for f in found if f.aliases], [r for r in verdicts(con, found) if r["kind"] == "volume"]


def test_searches_of_a_pool_are_those_of_its_control_unit() -> None:
    con = _lake(vain=30)
    asked = """SELECT lcu, count(*), min(alias_io_count), max(alias_denied_count), max(alias_denied_ratio),
        max(alias_high_water) FROM lcu_extra GROUP BY lcu"""
    assert con.execute(asked).fetchall() == [("0A00", MINUTES, 12000, 3600, 0.3, 4)]
    assert con.execute("SELECT DISTINCT lcu, volume, is_hyperpav FROM volume_interval").fetchall() == [
        ("0A00", "VMPAG1", True)
    ]


def test_counters_that_start_anew_count_nothing() -> None:
    early = [s for i in range(5, 8) for s in _samples(i, 30, 4)]
    late = [
        mon.encode("D6R28", mon.minute(8 + i), HPPOOLNM=7, HPPTOKEN="0A00", HPPNALIS=4, HPPTRIES=9000 * i, HPPFAILS=0)
        for i in range(3)
    ]
    con = mon.database(mon.file([mon.system(), *early, *late]))
    counted = con.execute("SELECT alias_io_count FROM lcu_extra ORDER BY interval_start").fetchall()
    assert counted == [(12000,), (12000,), (9000,), (9000,)]


def test_pools_of_a_control_unit_are_added_and_one_may_have_failed_searches_alone() -> None:
    samples = [
        s for i in range(3) for s in (_pool(i, 7, HPPTRIES=90 * i, HPPFAILS=90 * i), _pool(i, 8, HPPTRIES=30 * i))
    ]
    con = mon.database(mon.file([mon.system(), *samples]))
    asked = "SELECT alias_io_count, alias_denied_count, alias_denied_ratio, alias_high_water FROM lcu_extra"
    assert con.execute(asked).fetchall() == [(120, 90, 0.75, 8)] * 2


def test_a_pool_with_failed_searches_gets_aliases() -> None:
    (found,), volumes = _advised(vain=30)
    assert (found.code, found.severity, found.aliases and found.aliases.verdict) == ("alias_pool_dry", "act", "add")
    numbers = {n.name.split(",")[0]: n.value for n in found.numbers}
    assert (numbers["searches without a free alias"], numbers["aliases in use"]) == (0.3, 4)
    assert "SuperPAV" not in found.advice
    assert [r["why"] for r in volumes] == ["alias_pool_dry"]


def test_a_pool_without_failed_searches_is_not_the_cause() -> None:
    (found,), volumes = _advised(vain=0)
    assert (found.code, found.severity, [r["verdict"] for r in volumes]) == ("same_extent", "watch", ["wont_help"])


def test_without_its_samples_the_cause_is_unknown() -> None:
    (found,), volumes = _advised(vain=None)
    assert (found.code, found.aliases and found.aliases.verdict) == ("hyperpav_wait", "cant_tell")
    assert "D6R28" in found.advice
    assert [r["verdict"] for r in volumes] == ["cant_tell"]
