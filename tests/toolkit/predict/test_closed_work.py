"""The what-if and the SQL of advice have the same definition of closed work."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pytest

from iosq.toolkit.predict import closed_load
from iosq.toolkit.predict.closed_work import Work, is_closed, of_requesters
from iosq.toolkit.predict.lake import Reading
from iosq.toolkit.sql.macros import expanded

START = dt.datetime(2026, 3, 2)
ONE = Reading(
    system="SYSA", volume="VOL001", lcu="0012", box="B", start=START, utc_offset_s=0, rate=400.0, wait_ms=0.0,
    pend_ms=0.0, disc_ms=0.0, conn_ms=0.0, service_ms=2.5, exposures=1, measured_exposures=1.0,
    is_hyperpav=False, pool=None, read_ratio=0.5, read_hit_ratio=None, device_type="3390", cylinders=None,
    began=START, interval_s=60.0,
)  # fmt: skip


def reading(volume: str, at: int, busy: float, queue: float, exposures: int = 1, **unfit: bool) -> Reading:
    began = START + dt.timedelta(minutes=at)
    rate = busy * exposures / 2.5e-3
    seen = replace(ONE, volume=volume, start=began, began=began, rate=rate, wait_ms=queue / rate * 1e3)
    return replace(seen, exposures=exposures, measured_exposures=float(exposures), **unfit)


def test_a_service_time_cut_to_a_tenth_does_not_make_arrivals_of_requesters() -> None:
    """Twenty requesters on one exposure: at 98 % busy an interval could be of random arrivals, at 100 % it can't."""
    minutes = [reading("V", at, busy, 19.0) for at, busy in enumerate((0.98, 1.0, 0.98, 0.98, 0.98))]
    assert [is_closed(r) for r in minutes] == [False, True, False, False, False]
    work = Work.of(minutes)
    assert all(work.queues(r) for r in minutes[:3])  # next to it, or no more outstanding
    assert Work.of(minutes[3:]).keys == frozenset()
    assert not work.queues(reading("V", 1, 1.0, 0.1))


def test_random_arrivals_with_a_queue_of_their_own_are_no_rest_of_requesters() -> None:
    """Four requesters on one exposure, 10 ms each; then M/M/1 at 60 %, or a part of the interval that they run in."""
    closed = [reading("V", at, 1.0, 3.0) for at in range(2)]
    arrivals, partly = reading("V", 9, 0.6, 0.9), reading("V", 20, 0.6, 1.8)
    work = Work.of([*closed, reading("V", 2, 0.1, 0.0), arrivals, reading("V", 15, 0.1, 0.0), partly])
    assert all(work.queues(r) for r in closed)
    assert (work.queues(arrivals), work.queues(partly)) == (False, True)


def test_by_hand() -> None:
    assert of_requesters([False, True, False, False, False], [9, 20, 30, 19, 21]) == [True, True, True, True, False]
    assert of_requesters([False, False], [1, 2]) == [False, False]


@pytest.mark.parametrize("seed", range(3))
def test_advice_and_what_if_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    readings = [
        reading(
            volume,
            at,
            rng.choice([rng.uniform(0.4, 0.85), rng.uniform(0.85, 1.02)]),
            rng.choice([0.0, rng.uniform(0, 30)]),
            int(rng.integers(1, 4)),
            is_held=bool(rng.random() < 0.1),
            is_overfull=bool(rng.random() < 0.1),
        )
        for volume in ("A", "B", "C")
        for at in range(30)
    ]
    work = Work.of(readings)
    assert {(r.volume, r.began) for r in readings if work.queues(r)} == _by_sql(readings)


def _by_sql(readings: list[Reading]) -> set[Any]:
    con = duckdb.connect()
    con.execute(
        "CREATE TABLE box_volume_interval (platform VARCHAR, system VARCHAR, volume VARCHAR, interval_start TIMESTAMP, "
        "is_hyperpav BOOLEAN, queue_length DOUBLE, in_service DOUBLE, exposures DOUBLE, is_held BOOLEAN, "
        "is_overfull BOOLEAN, wait_ms DOUBLE, service_ms DOUBLE)"
    )
    con.executemany(
        "INSERT INTO box_volume_interval VALUES ('zos', ?, ?, ?, FALSE, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                r.system,
                r.volume,
                r.began,
                r.queue,
                r.in_service,
                r.measured_exposures,
                r.is_held,
                r.is_overfull,
                r.wait_ms,
                r.service_ms,
            )
            for r in readings
        ],
    )
    text = expanded("WITH worked AS ({{ closed_work() }}) SELECT volume, interval_start FROM worked "
                 "WHERE (is_closed OR is_rest) AND queue_length >= $queue_length", "here")  # fmt: skip
    limits = {"queue_length": closed_load.QUEUE, "busy": closed_load.BUSY, "evenness": closed_load.EVENNESS}
    return set(con.execute(text, limits).fetchall())
