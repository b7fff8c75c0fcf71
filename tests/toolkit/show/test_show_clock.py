"""One clock: local time with its offset for people, UTC named so for programs."""

import datetime as dt

import pytest

from iosq.toolkit.show.clock import PRINTED, Clock, in_file, span, spoken

NOON = dt.datetime(2025, 11, 18, 12, 0)
INSTANTS = frozenset({"interval_start"})
ONE = Clock(INSTANTS, {"SYSA": frozenset({3600})})
TWO = Clock(INSTANTS, {"SYSA": frozenset({3600}), "SYSB": frozenset({-18000})})


def test_local_time_with_its_offset_in_the_heading() -> None:
    heads, rows = ONE.read(["volume", "interval_start"], [["A", NOON]])
    assert heads == ["volume", "interval_start, local (+01:00)"]
    assert rows == [["A", NOON.replace(hour=13)]]


def test_utc_where_it_is_asked_for() -> None:
    asked = Clock(INSTANTS, ONE.offsets, utc=True)
    assert asked.read(["interval_start"], [[NOON]]) == (["interval_start, UTC"], [[NOON]])


def test_systems_in_two_zones_use_the_offset_of_their_row_or_stay_utc() -> None:
    heads, rows = TWO.read(["system", "interval_start"], [["SYSA", NOON], ["SYSB", NOON]])
    assert heads[1] == "interval_start, local"
    assert [row[1] for row in rows] == ["2025-11-18 13:00 +01:00", "2025-11-18 07:00 -05:00"]
    assert TWO.read(["interval_start"], [[NOON]]) == (["interval_start, UTC"], [[NOON]])


EITHER = "UTC or local as printed"


@pytest.mark.parametrize("name", ["system", "utc_offset_s", "path"])
@pytest.mark.parametrize("utc", [False, True], ids=["local", "UTC"])
def test_times_of_listings_alone_are_local_as_printed(name: str, utc: bool) -> None:
    printed, rows = Clock(INSTANTS, utc=utc, without_offset=PRINTED), [[None, NOON]]  # their UTC is unknown
    assert printed.read([name, "interval_start"], rows) == ([name, "interval_start, local as printed"], rows)
    assert printed.read([name, "interval_start"], [])[0][1] == "interval_start, local as printed"
    assert printed.in_file("interval_start") == "interval_start_local"
    assert span(NOON, NOON, None, printed=True) == "2025-11-18 12:00 to 2025-11-18 12:00, local as printed"


def test_with_listings_a_time_without_its_offset_is_not_moved() -> None:
    near = Clock(INSTANTS, ONE.offsets, without_offset=EITHER)
    assert near.read(["system", "interval_start"], [["SYSA", NOON]]) == (
        ["system", f"interval_start, {EITHER}"],
        [["SYSA", NOON]],
    )
    names = ["interval_start", "utc_offset_s"]
    assert near.read(names, [[NOON, 3600]])[0][0] == "interval_start, local (+01:00)"
    for clock in (near, Clock(INSTANTS, ONE.offsets, without_offset=PRINTED)):
        assert clock.read(names, [[NOON, 3600], [NOON, None]]) == (
            [f"interval_start, {EITHER}", "utc_offset_s"],
            [[NOON, 3600], [NOON, None]],
        )
    assert Clock(INSTANTS, utc=True, without_offset=PRINTED).read(names, [[NOON, 3600]])[0][0] == "interval_start, UTC"
    assert near.in_file("interval_start") == "interval_start"


def test_the_offset_of_a_row_wins_over_what_is_known_of_its_system() -> None:
    changed = Clock(INSTANTS, {"SYSA": frozenset({3600, 7200})})
    _, rows = changed.read(["system", "interval_start", "utc_offset_s"], [["SYSA", NOON, 7200]])
    assert rows[0][1] == NOON.replace(hour=14)
    assert changed.read(["system", "interval_start"], [["SYSA", NOON]])[0][1] == "interval_start, UTC"


@pytest.mark.parametrize(
    ("name", "known"),
    [("interval_start", True), ("max(interval_start)", True), ('min("interval_start")', True), ("local_start", False),
     ("interval_start + 1", False)],
)  # fmt: skip
def test_which_columns_are_instants(name: str, known: bool) -> None:
    assert ONE.is_instant(name) is known


def test_files_stay_utc_and_say_so() -> None:
    assert in_file("start", 0) == "start" and in_file("start", None) == "start_local"
    assert [ONE.in_file(n) for n in ("interval_start", "volume")] == ["interval_start", "volume"]


def test_nothing_is_local_where_there_is_no_instant() -> None:
    assert ONE.read(["volume"], [["A"]]) == (["volume"], [["A"]])


def test_offsets_in_words() -> None:
    assert [spoken(s) for s in (0, 3600, -12600)] == ["+00:00", "+01:00", "-03:30"]
