"""Where disconnect comes from: parts that add up to what was measured, within their bounds."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.toolkit.advise.data_quality import notice, question
from tests.scoring.measured import tables
from tests.scoring.site import Site
from tests.scoring.tables import lake
from tests.scoring.troubles import KINDS, span

PARTS = ("miss", "nvs", "replication")
NOTICE = "double_counted_volumes"
ASKED = ["SELECT * FROM disconnect_interval"]


def rows(con: Any, view: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = con.execute(f"SELECT * FROM {view}").to_arrow_table().to_pylist()
    return found


def site(seed: int, intervals: int = 6) -> Site:
    return Site(900, intervals, np.random.default_rng(seed))


@given(seed=st.integers(0, 2**31), missing=st.sampled_from(["", "74.5"]), late=st.floats(0, 3))
@settings(max_examples=3, deadline=None)
def test_parts_add_up_to_what_was_measured_within_their_bounds(seed: int, missing: str, late: float) -> None:
    made = site(seed)
    for kind in KINDS:
        if kind.name in ("nvs_full", "random_reader"):
            kind.plant(made, span(made, 0.5, 0.5, daily=False))
    made.late_ms += late
    with lake(tables(made, {missing}), ASKED) as con:
        found = rows(con, "disconnect_interval")
    assert found
    for r in found:
        assert r["disc_ms"] == pytest.approx(sum(r[f"{p}_ms"] for p in PARTS) + r["unexplained_ms"], abs=1e-9)
        assert r["unexplained_ms"] >= -1e-9
        for p in (*PARTS, "unexplained"):
            low, high = r[f"{p}_low_ms"], r[f"{p}_high_ms"]
            assert -1e-9 <= low <= r[f"{p}_ms"] + 1e-9 <= high + 2e-9 <= r["disc_ms"] + 3e-9


def test_each_cause_gets_its_part() -> None:
    """Reads that miss 5 % of the time cost 4 ms each; writes, 4 of 10, wait 2 ms for another box when they do."""
    made = site(1)
    made.read_ratio[:], made.hit_ratio[:], made.miss_ms[:] = 0.6, 0.95, 4.0
    made.late_ms[3] = 2.0
    known = tables(made)
    state = np.where(np.array(known["cache_interval"]["volser"]) == "V00003", "full duplex", None)
    known["cache_interval"] = (
        known["cache_interval"].drop_columns("mirror_state").append_column("mirror_state", [state.tolist()])
    )
    with lake(known, ASKED) as con:
        found = {r["volume"]: r for r in rows(con, "disconnect_interval")}
    other, mirrored = found["V00002"], found["V00003"]
    assert (other["miss_ms"], other["unexplained_ms"], other["back_end_source"]) == (
        pytest.approx(0.12), pytest.approx(0, abs=1e-9), "volume",
    )  # fmt: skip
    assert mirrored["replication_ms"] == pytest.approx(0.8)
    assert (mirrored["is_mirrored"], mirrored["replication_low_ms"]) == (True, 0.0)
    assert not other["is_mirrored"]


@pytest.mark.parametrize("fast", [1.0, 0.25, 0.0])
def test_only_fast_writes_wait_for_a_second_box(fast: float) -> None:
    """4 of 10 I/Os write and wait 2 ms: 0.8 ms; what is no fast write waits for the disks, how long is unknown."""
    made = site(1)
    made.read_ratio[:], made.hit_ratio[:], made.late_ms[:], made.is_mirrored[:] = 0.6, 1.0, 2.0, True
    known = tables(made)
    rate = known["cache_interval"]["write_count"].to_numpy() / 900
    slow = known["cache_interval"].drop_columns("fast_write_inhibit_rate")
    known["cache_interval"] = slow.append_column("write_rate", [rate]).append_column(
        "fast_write_inhibit_rate", [rate * (1 - fast)]
    )
    with lake(known, ASKED) as con:
        found = rows(con, "disconnect_interval")
    assert found
    for r in found:
        assert r["fast_write_ratio"] == pytest.approx(fast)
        assert (r["replication_ms"], r["unexplained_ms"]) == (
            pytest.approx(0.8 * fast, abs=1e-9), pytest.approx(0.8 * (1 - fast), abs=1e-9),
        )  # fmt: skip


def test_without_cache_statistics_nothing_is_explained() -> None:
    with lake(tables(site(1), {"74.5"}), ASKED) as con:
        found = rows(con, "disconnect_interval")
    assert all(r["unexplained_ms"] == r["disc_ms"] == r["miss_high_ms"] for r in found)
    assert all(r["unexplained_low_ms"] == 0 and r["unexplained_high_ms"] == r["disc_ms"] for r in found)
    assert {r["back_end_source"] for r in found} == {None}


def with_pools(made: Site) -> dict[str, pa.Table]:
    """A site whose pools have a rank each."""
    known = tables(made)
    names = ("platform", "system", "box", "extent_pool", "interval_start", "interval_s", "utc_offset_s", "read_rate")
    return known | {"extent_pool_interval": known["rank_interval"].select([*names, "read_ms"])}


@pytest.mark.parametrize(
    ("own_ms", "pool_ms", "contradict"), [(4.0, 4.0, False), (4.0, 11.0, False), (4.0, 40.0, True), (40.0, 4.0, True)]
)
def test_of_two_sources_that_contradict_each_other_the_longer_covers_the_disconnect(
    own_ms: float, pool_ms: float, contradict: bool
) -> None:
    """3 % of I/Os miss; of 1.2 ms disconnect reads of 40 ms explain all, those of 4 ms explain 0.12."""
    made = site(1)
    made.read_ratio[:], made.hit_ratio[:], made.miss_ms[:], made.rank_ms[:] = 0.6, 0.95, own_ms, pool_ms
    with lake(with_pools(made), [*ASKED, question(NOTICE).sql]) as con:
        found = [r for r in rows(con, "disconnect_interval") if r["volume"] == "V00002"]
        text = notice(con, NOTICE)
    assert found and bool(text) == contradict
    for r in found:
        longer = max(own_ms, pool_ms) if contradict else own_ms
        assert r["back_end_ms"] == pytest.approx(longer)
        assert r["other_back_end_ms"] == (pytest.approx(4.0) if contradict else None)
        assert r["miss_ms"] == pytest.approx(min(0.03 * longer, r["disc_ms"]))
        assert r["miss_low_ms"] == pytest.approx(min(0.12, r["disc_ms"]))
        assert r["back_end_source"] == ("extent pool" if contradict and pool_ms > own_ms else "volume")
    if contradict:
        assert f"A read takes {pool_ms:g} ms by the pool's own record, {own_ms:g} ms by its volumes'" in text


def test_one_volume_may_differ_from_its_pool() -> None:
    """What it reports of itself is believed: all its neighbours agree with the pool."""
    made = site(1)
    made.read_ratio[:], made.hit_ratio[:], made.miss_ms[:], made.rank_ms[:] = 0.6, 0.95, 4.0, 4.0
    made.miss_ms[2] = 40.0
    with lake(with_pools(made), [*ASKED, question(NOTICE).sql]) as con:
        found = {r["back_end_ms"] for r in rows(con, "disconnect_interval") if r["volume"] == "V00002"}
        assert not notice(con, NOTICE)
    assert found == {40.0}
