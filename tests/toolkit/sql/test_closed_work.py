"""Which intervals of a volume are closed work, and which may be of the same requesters."""

import duckdb

from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.sql.macros import expanded

COLUMNS = (
    "platform VARCHAR, system VARCHAR, volume VARCHAR, interval_start INTEGER, is_hyperpav BOOLEAN, "
    "queue_length DOUBLE, in_service DOUBLE, exposures DOUBLE, is_held BOOLEAN, is_overfull BOOLEAN, wait_ms DOUBLE, "
    "service_ms DOUBLE"
)
ASKED = (
    "WITH worked AS ({{ closed_work() }}) SELECT interval_start, is_closed FROM worked "
    "WHERE (is_closed OR is_rest) AND queue_length >= $queue_length ORDER BY interval_start"
)


def worked(*intervals: tuple[float, float], is_held: bool = False) -> dict[int, bool]:
    """Number of each interval with closed work or its rest, and whether it is closed; given how busy and the queue."""
    con = duckdb.connect(config={"threads": 1})
    con.execute(f"CREATE TABLE box_volume_interval ({COLUMNS})")
    con.execute("CREATE VIEW volume_interval AS SELECT * FROM box_volume_interval")
    for at, (busy, queue) in enumerate(intervals):
        row = ["z/OS", "SYSA", "VOL001", at, False, queue, busy, 1.0, is_held, False, queue / busy * 2.5, 2.5]
        con.execute(f"INSERT INTO box_volume_interval VALUES ({', '.join('?' * len(row))})", row)
    limits = {name: CLOSED[name] for name in ("queue_length", "busy", "evenness")}
    return dict(con.execute(expanded(ASKED, "here"), limits).fetchall())


def test_a_service_time_cut_to_a_tenth_does_not_make_arrivals_of_requesters() -> None:
    """Twenty requesters on one exposure: at 98 % busy an interval could be of random arrivals, at 100 % it can't."""
    assert worked((0.98, 19.0), (1.0, 19.0), (0.98, 19.0), (0.98, 19.0)) == {0: False, 1: True, 2: False, 3: False}
    assert worked((0.98, 19.0), (0.98, 19.0)) == {}
    assert worked((0.98, 19.0), (1.0, 0.1)) == {}, "too short a queue"
    assert worked((1.0, 19.0), is_held=True) == {}


def test_random_arrivals_with_a_queue_of_their_own_are_no_rest_of_requesters() -> None:
    """Four requesters on one exposure, 10 ms each; then M/M/1 at 60 %, or a part of the interval that they run in."""
    idle = (0.1, 0.0)
    assert worked((1.0, 3.0), (1.0, 3.0), idle, (0.6, 0.9), idle, (0.6, 1.8)) == {0: True, 1: True, 5: False}


def test_an_interval_of_a_shorter_queue_does_not_make_requesters_of_random_arrivals() -> None:
    """A third to a half of what random arrivals would make, and in one interval of five by chance less."""
    usual = (0.9, 3.4)
    assert worked((0.95, 3.4)) == {0: True}
    assert worked(usual, usual, (0.95, 3.4), usual, usual) == {}
