"""Aliases of its own that stand free while a volume queues are no exposures: advice and what-if say so the same."""

import duckdb
import pytest
from advise_rows import Row, database, volume

from iosq.toolkit.advise.against import against, asked_about, is_doubtful
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.verdicts import verdicts
from iosq.toolkit.predict.pav_box import Asked
from iosq.toolkit.predict.pav_lake import volume_answer


def waiting(*idle: int | None, exposures: float = 2.0) -> duckdb.DuckDBPyConnection:
    """A volume with an alias that queues 4.75 I/Os in as many intervals, with this many idle aliases in each."""
    busy: Row = {"rate": 190.0, "wait": 25.0, "disc": 3.5, "conn": 0.8, "device": "0A120", "is_hyperpav": False}
    rows = [volume(n, **busy, exposures=exposures, idle_aliases=many) for n, many in enumerate(idle)]
    quiet = [volume(9 + n, rate=30.0, exposures=exposures, idle_aliases=exposures - 1) for n in range(4)]
    return database(("pav_candidate",), volume_interval=rows + quiet)


def test_an_idle_alias_is_the_finding_and_no_count_is_named() -> None:
    con = waiting(1, 1, 1)
    (finding,) = (f for f in run(con, topic="pav") if f.subject.names == ("VOL001",))
    assert finding.code == "alias_unused" and "1 of its 1 alias unused" in finding.text
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help" and finding.aliases.fewest is None
    # 4.75 I/Os queued for three quarter hours
    assert finding.lost_s == pytest.approx(4.75 * 3 * 900)
    (row,) = (r for r in verdicts(con, [finding]) if r["kind"] == "volume")
    assert (row["verdict"], row["aliases_needed"], row["why"]) == ("wont_help", None, "alias_unused")


def test_the_what_if_says_what_advice_says() -> None:
    con = waiting(1, 1, 1)
    answer = volume_answer(con, "VOL001", None, Asked())
    assert [(r["aliases"], r["response_ms"], r["stable"], r["now"]) for r in answer.rows] == [
        (0, pytest.approx(29.5), True, False),
        (1, pytest.approx(29.5), True, True),
    ]
    assert not any(r["clears_wait"] for r in answer.rows) and answer.common["clears_at_best"] is None
    assert is_doubtful(answer.rows, answer.common)
    stated = against(con, asked_about(answer.common))
    assert stated is not None and (stated["verdict"], stated["why"]) == ("wont_help", "alias_unused")


# none shows; all are used; one of three queues finds it free; one of two aliases is free at all times
@pytest.mark.parametrize(("idle", "exposures", "is_reported"), [
    ((None, None), 2.0, False), ((0, 0), 2.0, False), ((1, 0, 0), 2.0, False), ((1, 1), 3.0, True),
])  # fmt: skip
def test_aliases_that_are_used_most_of_the_time_are_exposures(
    idle: tuple[int | None, ...], exposures: float, is_reported: bool
) -> None:
    con = waiting(*idle, exposures=exposures)
    codes = {f.code for f in run(con, topic="pav")}
    assert ("alias_unused" in codes, "pav_add_alias" in codes) == (is_reported, not is_reported)
    assert bool(volume_answer(con, "VOL001", None, Asked()).common.get("unused_aliases")) == is_reported


def test_what_is_reported_weighs_intervals_by_their_length_and_their_rate() -> None:
    """A minute in which all aliases work, however long its queue, is less than two quarter hours."""
    common: Row = {"exposures": 4.0, "is_hyperpav": False, "device": "0A120"}
    few = volume(0, rate=100.0, wait=10.0, idle_aliases=1, **common)
    many = volume(1, rate=300.0, wait=30.0, idle_aliases=2, **common)
    moment = volume(2, rate=400.0, wait=50.0, idle_aliases=0, interval_s=60.0, **common)
    (finding,) = run(database(("pav_candidate",), volume_interval=[few, many, moment]), topic="pav")
    assert finding.code == "alias_unused" and "2 of its 3 aliases unused" in finding.text
    numbers = {n.name: n.value for n in finding.numbers}
    # of 100 I/Os 11 ms each, of 300 I/Os 31 ms each
    assert numbers["response, these intervals"] == pytest.approx(26)
    assert numbers["aliases without I/O"] == 2
