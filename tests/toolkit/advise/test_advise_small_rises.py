"""A rise of a fraction of a millisecond counts by what it costs: where I/Os are as quick as that, it doubles them."""

import pytest
from advise_rows import Row, applied, pool, volume

from iosq.toolkit.advise.catalog import all_rules

RULES = {r.code: r for r in all_rules()}
QUARTERS, BAD = range(24), range(16, 24)
RISE, BAD_S = 0.22, 8 * 900
# half an hour of I/O time
DEAR = 1800 / (RISE / 1000 * BAD_S)


def tables(part: str, rate: float, rise: float) -> dict[str, list[Row]]:
    """Eight volumes of an LCU, a part of whose I/Os takes longer for two hours, at the same rate."""
    volumes, lcus = [], []
    for n in QUARTERS:
        more = {name: rise if n in BAD and name == part else 0.0 for name in ("cmr", "rest", "conn")}
        parts = {"cmr_ms": 0.06 + more["cmr"], "device_busy_ms": 0.0, "pend_ms": 0.08 + more["cmr"] + more["rest"]}
        conn = 0.2 + more["conn"]
        mine = [
            volume(n, f"VOL{v:03}", rate=rate / 8, pend=parts["pend_ms"], disc=0.05, conn=conn,
                   cmr_ms=parts["cmr_ms"], device_busy_ms=0.0)
            for v in range(8)
        ]  # fmt: skip
        whole = {"response_ms": parts["pend_ms"] + 0.05 + conn, "conn_ms": conn, "wait_ms": 0.0, "io_rate": rate}
        lcus.append(pool(n, lcu="0010") | parts | whole | {"service_ms": whole["response_ms"]})
        volumes += mine
    return {"volume_interval": volumes, "lcu_interval": lcus}


@pytest.mark.parametrize(
    ("part", "code"), [("cmr", "slow_path"), ("rest", "pend_unexplained"), ("conn", "connect_unexplained")]
)
def test_a_small_rise_is_found_from_half_an_hour_of_io_time_a_day_on(part: str, code: str) -> None:
    """A law: it costs more at a higher rate, and nothing else about it differs; a larger rise needs no such cost."""
    for rate in (0.9 * DEAR, 1.1 * DEAR, 10 * DEAR):
        found = applied(RULES[code], tables(part, rate, RISE))
        assert bool(found) == (rate > DEAR), rate
        assert not found or found[0].lost_s == pytest.approx(rate * RISE / 1000 * BAD_S)
    assert applied(RULES[code], tables(part, 0.5 * DEAR, 1.0))
    assert not applied(RULES[code], tables(part, 100 * DEAR, 0.14))
