"""Pend that neither command response time nor device busy explains, of an LCU and of single volumes."""

from collections.abc import Container
from itertools import product
from typing import Any

import pytest
from advise_rows import Row, applied, at, channel, pool, taken, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules

RULES = {r.code: r for r in all_rules()}
HOURS, LATE = range(10), range(6, 10)


def day(
    late: int, ms: float = 3.0, *, cmr: float = 0.0, busy: float = 0.0, queue: float = 0.0, when: Container[int] = LATE
) -> dict[str, list[Row]]:
    """Four volumes of 50 I/Os a second; `late` of them pend for so much more in the last hour, parts of it included."""
    rows = []
    for n, v in product(HOURS, range(4)):
        on = n in when and v < late
        rows.append(
            volume(n, f"VOL{v:03}", rate=50.0, pend=0.2 + ms * on, cmr_ms=0.1 + cmr * on, device_busy_ms=busy * on,
                   cu_queue_ms=queue * on)
        )  # fmt: skip
    own = []
    for n in HOURS:
        mine = rows[4 * n : 4 * n + 4]
        mean = {
            c: sum(r[c] for r in mine) / 4 for c in ("pend_ms", "cmr_ms", "device_busy_ms", "response_ms", "service_ms")
        }
        own.append(pool(n, lcu="0010", **mean) | {"io_rate": 200.0, "wait_ms": 0.0})
    return {"volume_interval": rows, "lcu_interval": own}


def found(tables: dict[str, Any]) -> list[Finding]:
    return applied(RULES["pend_unexplained"], tables)


def test_an_lcu_whose_volumes_all_start_late() -> None:
    """200 I/Os a second that pend for 3 ms more for an hour lose 2,160 s; 4 ms response were 1."""
    (f,) = found(day(4))
    assert (f.subject.kind, f.subject.names, f.severity) == ("lcu", ("0010",), "act")
    assert "Pend before the command's answer is 3.10 ms in place of 0.10 ms" in f.whole_text
    assert f.lost_s == pytest.approx(200 * 3e-3 * 3600)
    assert f.effect and (f.effect.now, f.effect.value) == (pytest.approx(4.0), pytest.approx(1.0))
    assert (
        "ingest types 73 and 78.3" in f.advice
        and "Neither command response nor device busy nor the control unit's queue" in f.whole_text
    )


def test_volumes_speak_where_their_lcu_does_not_and_together() -> None:
    (f,) = found(day(1, 8.0))
    assert f.subject.names == ("VOL000",) and "volume VOL000 alone in LCU 0010" in f.whole_text
    assert f.lost_s == pytest.approx(50 * 8e-3 * 3600)


@pytest.mark.parametrize("queue, is_named", [(2.5, True), (0.5, False)])
def test_queuing_at_the_control_unit_is_named_where_it_is_most_of_it(queue: float, is_named: bool) -> None:
    (f,) = found(day(4, queue=queue))
    assert ("Control unit queuing (SMF74CUQ) rises with it, to 2.50 ms" in f.whole_text) == is_named
    assert ("they lengthen the queue in the control unit" in f.advice) == is_named


@pytest.mark.parametrize(("busy_ms", "is_named"), [(2.5, True), (0.5, False)])
def test_a_busy_control_unit_is_named_where_it_is_most_of_it(busy_ms: float, is_named: bool) -> None:
    tables = day(4)
    for n, row in enumerate(tables["lcu_interval"]):
        row["cu_busy_delay_ms"] = busy_ms * (n in LATE)
    (f,) = found(tables)
    assert ("Of it 2.50 ms are control unit busy delay (78.3)" in f.whole_text) == is_named
    assert f.advice.startswith("See what fills the control unit") == is_named


@pytest.mark.parametrize("part", ["cmr", "busy"])
def test_what_other_rules_give_is_left_to_them(part: str) -> None:
    assert found(day(4, **{part: 2.9})) == []
    assert found(day(1, 8.0, **{part: 7.9})) == []


@pytest.mark.parametrize("cmr", [0.0, 7.9])
@pytest.mark.parametrize("late", [1, 2, 4])
def test_where_no_record_names_lcus_volumes_are_compared_with_the_others(late: int, cmr: float) -> None:
    """A part of pend that is recorded takes no finding away: alone they are named, most of them by slow_path."""
    rows = [r | {"lcu": None, "platform": "z/VM"} for r in day(late, 8.0, cmr=cmr)["volume_interval"]]
    tables = {"volume_interval": rows}
    own = {f.subject.names for f in found(tables)}
    assert own == ({tuple(f"VOL{v:03}" for v in range(late))} if late < 3 else set())
    assert bool(applied(RULES["slow_path"], tables)) == (not own)


def test_full_channels_are_left_to_their_rule() -> None:
    tables = day(4)
    tables["lcu_path_interval"] = [taken(n, "0010", "55", 200.0) for n in HOURS]
    tables["measured_interval"] = [{"interval_start": at(n)} for n in HOURS]
    with_room = [channel(n, "55", 0.2) for n in HOURS]
    (f,) = found(tables | {"channel_interval": with_room})
    assert "ingest" not in f.advice
    assert found(tables | {"channel_interval": [r | {"busy_ratio": 0.97} for r in with_room]}) == []


@pytest.mark.parametrize("intervals, is_reported", [(1, False), (2, True)])
def test_it_has_to_last(intervals: int, is_reported: bool) -> None:
    """A quarter hour of 0.6 ms is neither long nor deep."""
    tables = day(4, 0.6)
    usual = day(0)
    for name in tables:
        size = len(tables[name]) // len(HOURS)
        tables[name] = usual[name][: (10 - intervals) * size] + tables[name][(10 - intervals) * size :]
    assert bool(found(tables)) == is_reported
