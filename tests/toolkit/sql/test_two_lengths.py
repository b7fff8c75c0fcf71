"""One system measured at two lengths at once, as by two monitors: every second counts once, and none is lost."""

import datetime as dt
import random
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sql_lake import START, Lake, all_rows
from test_dumped_twice import LENGTHS, VIEWS, answers, everything

from tests.length import tried

WHOLE = (0, 900)
THIRDS = ((0, 300), (300, 300), (600, 300))
OFFLINE = {"SMF74CNF": 0, "SMF73FG2": 0, "R745CSC": 4, "R748CSC": 4, "R783GFLG": 0x86}


def measured(*spans: tuple[int, int], bad: tuple[int, int] | None = None) -> Lake:
    """All kinds of records for each span, given as the second it begins and its length."""
    lake = Lake()
    for place, (begin, length) in enumerate(spans):
        for table, rows in everything().rows.items():
            for row in rows:
                known = row | {"record_id": row["record_id"] + 5000 * place, "interval_s": float(length)}
                known |= {"interval_start": START + dt.timedelta(seconds=begin)}
                known |= dict.fromkeys(LENGTHS & row.keys() - {"interval_s"}, length)
                known |= {k: v for k, v in OFFLINE.items() if (begin, length) == bad and k in row}
                lake.rows.setdefault(table, []).append(known)
    return lake


@cache
def counted(*spans: tuple[int, int], bad: tuple[int, int] | None = None) -> dict[str, list[tuple[Any, ...]]]:
    return answers(measured(*spans, bad=bad))


def test_a_second_length_that_makes_up_the_whole_counts_in_its_place() -> None:
    found = counted(WHOLE, *THIRDS)
    assert found == counted(*THIRDS)
    assert all(found[view] for view in VIEWS)


@pytest.mark.parametrize("missing", THIRDS)
def test_a_second_length_with_a_gap_counts_for_nothing(missing: tuple[int, int]) -> None:
    some = [t for t in THIRDS if t != missing]
    assert counted(*some, WHOLE) == counted(WHOLE)


def test_the_shorter_ones_alone_are_all_counted() -> None:
    some = counted(*THIRDS[:2])
    assert {view: 2 * len(rows) for view, rows in counted(WHOLE).items()} == {
        view: len(rows) for view, rows in some.items()
    }


@pytest.mark.parametrize(
    "view", ["device_interval", "channel_interval", "lcu_queue", "cache_interval", "rank_interval"]
)
@pytest.mark.parametrize("bad", [WHOLE, THIRDS[1]])
def test_what_gives_no_numbers_stands_in_for_nothing(view: str, bad: tuple[int, int]) -> None:
    spans = [WHOLE, *THIRDS] if bad in THIRDS else [WHOLE, *THIRDS[:2]]
    good = [WHOLE] if bad in THIRDS else list(THIRDS[:2])
    assert counted(*spans, bad=bad)[view] == counted(*good)[view]


def test_a_device_that_only_one_of_the_two_measures_counts_there() -> None:
    lake = measured(WHOLE)
    for place, (begin, length) in enumerate(THIRDS, 1):
        common: dict[str, Any] = {"interval_start": START + dt.timedelta(seconds=begin), "interval_s": float(length)}
        lake.add("smf74_1_record", record_id=100 + place, **common)
        lake.device("2208", record=100 + place, **common)
    rows = all_rows(lake.connect(), "SELECT device, interval_s FROM device_interval ORDER BY ALL")
    assert [(r["device"], r["interval_s"]) for r in rows] == [
        ("02208", 300), ("02208", 300), ("02208", 300), ("02209", 900), ("02300", 900)
    ]  # fmt: skip


def test_intervals_of_one_length_never_replace_each_other() -> None:
    """A clock was set back by five minutes: both quarters of an hour were measured."""
    lake = Lake()
    for begin in (0, 600):
        start = START + dt.timedelta(seconds=begin)
        lake.add("smf74_1_record", record_id=begin, interval_start=start)
        lake.device("2208", record=begin, interval_start=start)
    assert len(all_rows(lake.connect(), "SELECT device FROM device_interval")) == 2


SPANS = st.sets(
    st.sampled_from([(900 * n, 900) for n in range(2)])
    | st.sampled_from([(300 * n, 300) for n in range(6)])
    | st.sampled_from([(60 * n, 60) for n in range(30)]),
    min_size=1,
)


@settings(deadline=None, max_examples=tried(40, 2000))
@given(SPANS, st.randoms(use_true_random=False))
@example({(60 * n, 60) for n in range(15)} | {(0, 300), (900, 900), (1200, 300)}, random.Random(1))
def test_each_second_that_was_measured_counts_once(spans: set[tuple[int, int]], shuffled: Any) -> None:
    lake, order = Lake(), sorted(spans)
    shuffled.shuffle(order)
    for place, (begin, length) in enumerate(order):
        common: dict[str, Any] = {"interval_start": START + dt.timedelta(seconds=begin), "interval_s": float(length)}
        lake.add("smf74_1_record", record_id=place, **common)
        lake.device("2208", record=place, SMF74SSC=10 * length, **common)
    seconds = {s for begin, length in spans for s in range(begin, begin + length)}
    (found,) = all_rows(
        lake.connect(), "SELECT sum(interval_s) AS s, sum(io_rate * interval_s) AS ios FROM device_interval"
    )
    assert found == {"s": len(seconds), "ios": pytest.approx(10 * len(seconds))}


OTHERS = {
    "cpu_interval": (("smf70_1_cpu_data", {"SMF70CID": 1, "SMF70CNF": 1, "SMF70WAT": 0}),),
    "service_class_interval": (
        ("smf72_3_control", {"R723MCNM": "DB2", "R723MWNM": "DB", "R723MSCF": 0}),
        ("smf72_3_period", {"R723CPER": 1}),
    ),
    "director_port_interval": (
        ("smf74_7_switch", {"R747SDEV": "0061"}),
        ("smf74_7_port", {"R747PADR": "1A", "R747PPFL": 0x88, "R747PSFL": 0x10, "R747PNFR": 10.0}),
    ),
}


@pytest.mark.parametrize("view", OTHERS)
@pytest.mark.parametrize(("spans", "counting"), [([WHOLE, *THIRDS], THIRDS), ([*THIRDS[:2], WHOLE], [WHOLE])])
def test_processors_service_classes_and_ports_count_once(view: str, spans: Any, counting: Any) -> None:
    lake = Lake()
    for place, (begin, length) in enumerate(spans):
        common: dict[str, Any] = {"interval_start": START + dt.timedelta(seconds=begin), "interval_s": float(length)}
        head = {"cpu": "smf70_1", "service": "smf72_3", "director": "smf74_7"}[view.split("_")[0]]
        lake.add(f"{head}_record", record_id=place, **common)
        for table, fields in OTHERS[view]:
            lake.add(table, record_id=place, **common, **fields)
    rows = all_rows(lake.connect(), f"SELECT interval_start, interval_s FROM {view} ORDER BY ALL")
    assert [((r["interval_start"] - START).seconds, r["interval_s"]) for r in rows] == sorted(counting)
