"""Volumes whose I/Os are started again after errors, and what these errors make longer."""

from collections.abc import Callable

import pytest
from advise_rows import Row, database, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.engine import run

ZVM = {"platform": "z/VM", "system": "VMSYS", "lcu": None, "cmr_ms": None, "device_busy_ms": None}


def day(errors: Callable[[int], float], *, on: int = 1, **late: float) -> list[Row]:
    """Six volumes and 24 intervals; `on` of them have errors, and in their last eight intervals are as `late` says."""
    parts = {"rate": 60.0, "pend": 0.2, "disc": 0.3, "conn": 0.5}
    return [
        volume(n, f"VOL{v:03}", **{**parts, **(late if n >= 16 and v < on else {})})
        | ZVM | {"device": f"0A20{v}", "recovery_count": errors(n) if v < on else 0.0}
        for n in range(24) for v in range(6)
    ]  # fmt: skip


def made(rows: list[Row]) -> list[Finding]:
    return [f for f in run(database(volume_interval=rows)) if f.severity != "note"]


def late(count: float) -> Callable[[int], float]:
    return lambda n: count if n >= 16 else 0.0


def test_errors_that_delay_nothing_yet_are_watched() -> None:
    (f,) = made(day(late(5.0)))
    assert (f.code, f.subject.names, f.severity) == ("error_recovery", ("VOL000",), "watch")
    assert "40 starts were for recovery from errors" in f.whole_text and "EREP" in f.advice


def test_errors_that_grow_say_from_what_to_what() -> None:
    (f,) = made(day(lambda n: float(max(n - 15, 0))))
    assert "errors: 1 in the first of these intervals, 8 in the last" in f.whole_text


@pytest.mark.parametrize("part", [{"pend": 4.0}, {"disc": 9.0}])
def test_what_they_make_longer_is_theirs(part: dict[str, float]) -> None:
    (f,) = made(day(late(5.0), **part))
    assert f.code == "error_recovery" and f.lost_s > 0


@pytest.mark.parametrize(("count", "on"), [(2.0, 1), (5.0, 6)], ids=["few", "of all volumes"])
def test_a_few_and_those_of_all_volumes_are_none(count: float, on: int) -> None:
    assert made(day(late(count), on=on)) == []
