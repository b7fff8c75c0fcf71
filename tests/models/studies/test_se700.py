"""SE700: the machine file is the fit, the fit sees its twelve rows only, the scored errors are what the docs say."""

from dataclasses import replace
from statistics import fmean

import fit_se700
import pytest

from iosq.models import channel, machine
from iosq.models.studies import bs2000, se700

CHECKS = se700.checks()


def test_the_machine_file_is_the_fit() -> None:
    box = machine.load("se700")
    for name, value in fit_se700.fit(se700.cells()).items():
        assert box.value(name) == pytest.approx(value, rel=1e-4)


def test_host_and_misfit_of_the_machine_file_are_the_fit() -> None:
    box = machine.load("se700")
    link = channel.from_machine(box)
    for name, value in fit_se700.host(link, bs2000.cells()).items():
        assert box.value(name) == pytest.approx(value, rel=1e-3)
    assert box.value("rate_misfit_ratio") == pytest.approx(fit_se700.misfit(link, se700.cells()), rel=1e-2)


def test_four_channels_are_held_back_by_the_host_and_two_are_not() -> None:
    box = channel.from_machine(machine.load("se700"))
    limits = {c.channels: channel.predict(box, c.load, channels=c.channels).limit for c in bs2000.cells()}
    assert limits[4] == "host I/O system" != limits[2]
    mixed = [c for c in bs2000.checks() if "random25, 4 channels" in c.subject]
    assert [abs(c.error_ratio or 1) < 0.02 for c in mixed] == [True, True], "fitted to reads and writes alone"


def test_the_fit_looks_at_nothing_else() -> None:
    honest = fit_se700.fit(se700.cells())
    spoiled = [row if row.is_calibration else replace(row, value=row.value * 3) for row in se700.cells()]
    assert fit_se700.fit(spoiled) == honest


def test_ninety_cells_twelve_of_them_for_calibration() -> None:
    cells = [c for c in CHECKS if "text" not in c.note and c.role != "direction"]
    assert len(cells) == len(se700.cells()) == 90
    assert sum(row.is_calibration for row in se700.cells()) == 12
    assert {c.role for c in cells} == {"calibration", "scored"}


def test_scored_cells_stay_within_what_was_reached() -> None:
    checks = CHECKS
    worst = max(abs(c.error_ratio or 0) for c in checks if c.role == "scored")
    assert fmean(abs(c.error_ratio) for c in checks if c.role == "scored" and c.error_ratio is not None) < 0.035
    assert worst < 0.16
    assert all(c.predicted == 1 for c in checks if c.role == "direction")


def test_pav_beyond_the_port_gains_little_and_below_it_much() -> None:
    rate = {(c.subject): c.predicted for c in CHECKS}
    none, three = (f"write 4 KB, 12 tasks on 6 volumes, {pav}" for pav in ("no PAV", "3 aliases"))
    full = "read 480 KB, 12 tasks on 6 volumes, {}"
    assert rate[three] / rate[none] > 1.15  # type: ignore[operator]
    assert rate[full.format("3 aliases")] / rate[full.format("no PAV")] < 1.01  # type: ignore[operator]
