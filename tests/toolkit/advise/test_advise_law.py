"""A law: what is found in a window is found without it, whatever else the lake holds."""

import pytest
from advise_rows import database, pool, volume
from hypothesis import example, given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply
from iosq.toolkit.advise.verdicts import verdicts
from tests.scoring.law import LASTING, Example, lost, stated

PAV_ADD_ALIAS = next(r for r in all_rules() if r.code == "pav_add_alias")


@given(
    kind=st.sampled_from([k.name for k in LASTING]),
    other=st.sampled_from([k.name for k in LASTING]),
    days=st.sampled_from([1, 2, 3, 11, 30]),
    hour=st.floats(0, 21),
    hours=st.floats(2, 3),
    pad=st.integers(0, 12),
    seed=st.integers(0, 2**31),
)
@example(kind="rank_full", other="few_exposures", days=11, hour=0.0, hours=2.0, pad=0, seed=0)
@example(kind="flood", other="few_exposures", days=1, hour=0.0, hours=2.0, pad=0, seed=0)
@settings(max_examples=3, deadline=None)
def test_a_finding_of_a_window_is_found_without_it(
    kind: str, other: str, days: int, hour: float, hours: float, pad: int, seed: int
) -> None:
    """Long runs: `python -m tests.scoring.law --runs 1000`."""
    least = next(k.least_days for k in LASTING if k.name == kind)
    days = max(days, int(least) + 1)
    day = seed % days if days > least + 1 else days - 1
    begin_h = 24 * max(day, int(least)) + hour
    window, whole = stated(Example(kind, other, days, begin_h, hours, pad, seed))
    # what is judged by the hours around it may find none that count
    assert window or next(k.by_contrast for k in LASTING if k.name == kind), "the window has its trouble"
    assert not lost(window, whole)


@pytest.mark.parametrize("intervals", [10, 60])
def test_one_bad_hour_is_not_averaged_away(intervals: int) -> None:
    hours = range(4, intervals)
    rows = [volume(n, wait=60.0 if n < 4 else 0.0, exposures=1.0) for n in [0, 1, 2, 3, *hours]]
    con = database(("pav_candidate",), volume_interval=rows)
    (f,) = apply(con, PAV_ADD_ALIAS)
    assert {n.name: n.value for n in f.numbers}["queue, peak interval"] == 6.0 and "09:00-10:00 on 2026-03-02" in f.text
    (row,) = verdicts(con, [f])
    assert f.aliases and (row["verdict"], row["queue_length_peak"]) == (f.aliases.verdict, pytest.approx(6.0))


def test_a_row_of_verdicts_is_about_one_interval() -> None:
    """3 ms of wait and 1 ms of service in the worst of six intervals; an LCU's 5 of 10 ms in the worst of two."""
    rows = [volume(n, wait=3.0 if n == 2 else 0.0, is_hyperpav=False) for n in range(6)]
    pools = [pool(n, denied=100.0 * n, wait_ms=5.0 * n, response_ms=10.0) for n in range(2)]
    con = database(("pav_candidate",), volume_interval=rows, lcu_interval=pools)
    for row in verdicts(con, []):
        stated = row["peak"][:11], row["response_ms"], row["wait_share_percent"]
        assert stated == (("09:30-09:45", 4.0, 75.0) if row["kind"] == "volume" else ("09:15-09:30", 10.0, 50.0))


def test_enough_never_stands_next_to_a_queue() -> None:
    rows = [volume(0, "FAST", rate=20_000.0, wait=0.05, disc=0.0, conn=0.0, pend=0.3), volume(0, "SLOW", disc=900.0)]
    con = database(("pav_candidate",), volume_interval=[*rows, volume(0, "IDLE", wait=0.2, rate=1.0)])
    # six in progress, and one that waits: how many exposures there are is not known, so only a finding says more
    for found in ([], apply(con, PAV_ADD_ALIAS)):
        of = {r["names"][0]: r["verdict"] for r in verdicts(con, found)}
        assert of == {"FAST": "add" if found else "cant_tell", "SLOW": "enough", "IDLE": "enough"}


@pytest.mark.parametrize(("denied", "verdict"), [(0.0, "wont_help"), (100.0, "cant_tell")])
def test_an_lcu_with_a_queue_is_not_enough(denied: float, verdict: str) -> None:
    con = database(lcu_interval=[pool(0, denied=denied, queue_length=6.0)])
    (row,) = verdicts(con, [])
    assert (row["kind"], row["verdict"], row["queue_length_peak"]) == ("lcu", verdict, 6.0)
