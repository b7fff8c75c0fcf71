"""A law: the table of verdicts asks for aliases only where a finding does, whatever volumes, pools and boxes do."""

from dataclasses import replace

import pytest
from advise_rows import Row, box, database, pool, volume
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Aliases
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.verdicts import as_table, verdicts
from iosq.toolkit.sql.engine import Connection
from tests.length import tried

BOXES = [box("2010", "00000AB121"), box("3010", "00000CD472")]
LCUS = {"0010": False, "0011": True, "0012": True}
HOURS = 6
COUNTED = ("interval_start", "lcu", "alias_io_count", "alias_denied_count", "alias_denied_ratio")
# a queue from next to none to long, however few the I/Os are
VOLUME = st.fixed_dictionaries(
    {
        "rate": st.sampled_from([2.0, 20.0, 200.0, 800.0]),
        "wait": st.sampled_from([0.0, 0.05, 0.3, 1.0, 5.0, 40.0, 400.0]),
        "conn": st.sampled_from([0.3, 2.0]),
        "exposures": st.sampled_from([1.0, 2.0, 8.0]),
        "busy": st.sets(st.integers(0, HOURS - 1)),
        "moves": st.booleans(),
        "grows": st.booleans(),
    }
)
LCU = st.fixed_dictionaries({"denied": st.sampled_from([0.0, 0.5, 50.0, 3000.0]), "size": st.sampled_from([1, 8])})


def at_hour(n: int, name: str, lcu: str, drawn: Row) -> Row:
    more = 4.0 if drawn["grows"] and n >= HOURS // 2 else 0.0
    kept = {"exposures": None if LCUS[lcu] else drawn["exposures"] + more, "is_hyperpav": LCUS[lcu]}
    subsystem = "3010" if drawn["moves"] and n >= HOURS // 2 else "2010"
    wait = drawn["wait"] if n in drawn["busy"] else 0.0
    return volume(n, name, rate=drawn["rate"], wait=wait, conn=drawn["conn"], lcu=lcu, subsystem=subsystem,
                  read_ratio=0.7, **kept)  # fmt: skip


def lake(volumes: dict[str, list[Row]], pools: dict[str, Row]) -> Connection:
    rows = [
        at_hour(n, f"V{lcu}{k}", lcu, one) for n in range(HOURS) for lcu in LCUS for k, one in enumerate(volumes[lcu])
    ]
    used = []
    for n in range(HOURS):
        for lcu in (name for name, hyperpav in LCUS.items() if hyperpav):
            mine = [r for r in rows if r["lcu"] == lcu and r["interval_start"] == volume(n)["interval_start"]]
            queue, rate = (sum(r[name] for r in mine) for name in ("queue_length", "io_rate"))
            own = {"queue_length": queue, "io_rate": rate, "wait_ms": 1e3 * queue / rate if rate else None}
            denied = pools[lcu]["denied"] if queue else 0.0
            used.append(
                pool(
                    n,
                    denied=denied,
                    lcu=lcu,
                    hyperpav_aliases=pools[lcu]["size"],
                    response_ms=5.0,
                    alias_high_water=pools[lcu]["size"],
                    **own,
                )
            )
    reported = [{name: r[name] for name in COUNTED} for r in used]
    return database(
        ("pav_candidate",), volume_interval=rows, lcu_interval=used, lcu_extra=reported, cache_subsystem_interval=BOXES
    )


def asked_for(found: list[Finding]) -> set[Subject]:
    """What findings ask for aliases for: volumes, pools, all systems' pools."""
    return {s for f in found if f.aliases and f.aliases.verdict == "add" for s in (f.subject, *f.subject.each)}


def asks(row: Row, subjects: set[Subject], lcu: str) -> bool:
    own, its = (Subject(kind, names, row["systems"]) for kind, names in ((row["kind"], row["names"]), ("lcu", (lcu,))))
    return bool(subjects & {own, its, its.on_all_systems()})


def same(wait: float, denied: float, size: int) -> tuple[dict[str, list[Row]], dict[str, Row]]:
    """A volume in each LCU that waits in one interval."""
    one = {"rate": 200.0, "wait": wait, "conn": 0.3, "exposures": 2.0, "busy": {1}, "moves": False, "grows": False}
    return {lcu: [one] for lcu in LCUS}, {lcu: {"denied": denied, "size": size} for lcu in LCUS}


@settings(max_examples=tried(5, 200), deadline=None)
@given(
    st.fixed_dictionaries({lcu: st.lists(VOLUME, min_size=1, max_size=3) for lcu in LCUS}),
    st.fixed_dictionaries(dict.fromkeys(LCUS, LCU)),
)
@example(*same(0.3, 0.5, 8))
def test_no_row_asks_for_aliases_that_no_finding_asks_for(volumes: dict[str, list[Row]], pools: dict[str, Row]) -> None:
    con = lake(volumes, pools)
    found = run(con, topic="pav")
    subjects = asked_for(found)
    for row in verdicts(con, found):
        lcu = row["names"][0][1:5] if row["kind"] == "volume" else row["names"][0]
        assert row["verdict"] != "add" or asks(row, subjects, lcu), row
        assert row["verdict"] != "enough" or row["kind"] != "volume" or row["aliases_needed"] is None, row
        own = Subject(row["kind"], row["names"], row["systems"])
        assert own not in subjects or row["verdict"] == "add", row


@pytest.mark.parametrize(
    ("wait", "verdict", "why"),
    [
        (0.3, "enough", "0.06 I/Os queued at the peak, 23.1 % of the response: below 0.5 no action is needed"),
        (5.0, "cant_tell", "1 I/Os queued at the peak, 83.3 % of the response: no finding asks for aliases"),
    ],
)
def test_why_no_one_acts_is_stated(wait: float, verdict: str, why: str) -> None:
    """A queue that is short; and one that the limits which somebody set leave out."""
    con = lake(*same(wait, 0.0, 8))
    assert con.sql("SELECT verdict FROM pav_candidate WHERE volume = 'V00100'").fetchall() == [("add",)]
    rule = next(r for r in all_rules() if r.code == "pav_add_alias")
    (row,) = [r for r in verdicts(con, apply(con, rule, {"queue_length": 3.0})) if r["names"] == ("V00100",)]
    assert (row["verdict"], row["why"]) == (verdict, why)
    assert as_table([row]) == "enough: 1 volume" if verdict == "enough" else "unknown" in as_table([row])


def test_of_two_findings_about_a_pool_the_more_urgent_decides() -> None:
    """Refused in one interval, and not reported of another: it was what could not be reported."""
    con = lake(*same(40.0, 3000.0, 1))
    found = run(con, topic="pav")
    dry = next(f for f in apart(found) if f.code == "alias_pool_dry" and f.subject.names == ("0011",))
    unknown = replace(dry, code="hyperpav_wait", severity="watch", aliases=Aliases("cant_tell"))
    rows = verdicts(con, [dry, unknown])
    assert {r["verdict"] for r in rows if r["names"] in {("0011",), ("V00110",)}} == {"add"}
