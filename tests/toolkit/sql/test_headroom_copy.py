"""What a write waits for a second box at little load is the way to it; what comes on top with load is a queue."""

import datetime as dt
import math
from typing import Any

import numpy as np
import pytest
from sql_lake import START, all_rows
from view_rows import over

READS, HITS, MISS_MS = 0.6, 0.95, 4.0


def copied(rates: list[float], each_ms: list[float], state: str | None = "full duplex") -> list[float | None]:
    """copy_ms by interval of a volume that is all of its box, with these rates and waits of a write."""
    volume, box, pool, pairs = [], [], [], []
    for n, (rate, wait) in enumerate(zip(rates, each_ms, strict=True)):
        at: dict[str, Any] = {"interval_start": START + dt.timedelta(minutes=15 * n), "interval_s": 900.0}
        disc = None if math.isnan(wait) else READS * (1 - HITS) * MISS_MS + (1 - READS) * wait
        shown = at | {"volume": "VOL001", "io_rate": rate, "read_ratio": READS}
        volume.append(shown | {"disc_ms": disc, "read_hit_ratio": HITS, "subsystem": "2010", "extent_pool": "0000"})
        box.append(shown | {"box": "AB121"})
        pool.append(at | {"box": "AB121", "extent_pool": "0000", "read_ms": MISS_MS, "read_rate": 50.0})
        pairs.append(at | {"volser": "VOL001", "mirror_state": state})
    con = over(
        ("_mirrored", "_back_end_best", "_back_end_then", "_copied", "_copy_time", "volume_headroom"),
        volume_interval=volume, cache_interval=pairs, extent_pool_interval=pool,
        measured_interval=[{k: r[k] for k in ("interval_start", "interval_s")} for r in volume],
        box_subsystem=[{"subsystem": "2010", "box": "AB121"}],
        _box_summed=[{k: r[k] for k in r if k != "volume"} for r in box],
        _box_volume=[r | {"box_interval_start": r["interval_start"]} for r in box],
    )  # fmt: skip
    return [r["copy_ms"] for r in all_rows(con, "SELECT copy_ms FROM volume_headroom ORDER BY interval_start")]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_only_what_a_write_waits_at_little_load_is_the_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    quiet, busy = rng.uniform(20, 40, 6).tolist(), rng.uniform(100, 900, 3).tolist()
    way, line = float(rng.uniform(0.3, 5)), float(rng.uniform(0, 9))
    found = copied(quiet + busy, [way] * 6 + [way + line] * 3)
    assert found[-1] == pytest.approx((1 - READS) * way), "the line at the busy hours is no part of it"
    assert found[:6] == [None] * 6, "nothing lesser to compare with"


def test_without_a_pair_or_less_load_nothing_is_reported() -> None:
    assert copied([20.0, 500.0], [3.0, 3.0], state=None) == [None, None]
    assert copied([300.0, 310.0, 290.0], [3.0, 3.0, 3.0]) == [None] * 3


def test_an_interval_of_unknown_disconnect_is_no_quiet_one() -> None:
    """With 0 in its place a write would wait less at little load than it does."""
    assert copied([20.0, 30.0, 500.0], [3.0, math.nan, 3.0])[-1] == pytest.approx((1 - READS) * 3.0)
