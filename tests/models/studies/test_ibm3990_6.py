"""3990-6: the machine file is the fit, the fit sees its rows only, and every published check is answered or refused."""

import math
from dataclasses import replace
from statistics import fmean

import fit_ibm3990_6 as fits
import numpy as np
import pytest
from interval_coverage import rate_errors

from iosq.models import machine, nvs
from iosq.models.studies import ibm3990_6 as study
from iosq.models.studies.check import Check
from iosq.models.studies.ibm3990_6 import is_calibration
from iosq.toolkit.errors import RequestError

BOX = machine.load("ibm3990-6")
CHECKS = study.checks()


def _check(subject: str) -> Check:
    found = [c for c in CHECKS if subject in c.subject]
    assert len(found) == 1, [c.subject for c in found]
    return found[0]


def test_the_machine_file_is_the_fit() -> None:
    for name, value in fits.fit(study.rows(), BOX).items():
        assert BOX.value(name) == pytest.approx(value, rel=1e-3), name


def test_the_misfit_is_what_the_model_missed_at_rates_that_the_fit_left_out() -> None:
    assert BOX.value("rate_misfit_ratio") == pytest.approx(math.sqrt(fmean(rate_errors() ** 2)), rel=1e-2)


def test_the_fit_looks_at_nothing_else() -> None:
    spoiled = tuple(r if is_calibration(r) else replace(r, value=r.value * 3) for r in study.rows())
    assert fits.fit(spoiled, BOX) == fits.fit(study.rows(), BOX)


def test_twelve_rows_are_marked_calibration_and_all_of_them_used() -> None:
    marked = [r for r in study.rows() if is_calibration(r)]
    assert len(marked) == sum(c.role == "calibration" for c in CHECKS) == 12
    for row in marked:
        others = tuple(r for r in study.rows() if r is not row)
        with pytest.raises(LookupError):
            fits.fit(others, BOX)


def test_every_stated_number_has_its_row() -> None:
    stated = [r for r in study.rows() if r.test != "configuration"]
    assert len([c for c in CHECKS if c.role != "direction"]) == len(stated) == 79
    assert all(c.note for c in CHECKS if c.role == "unpredicted")
    assert all(c.predicted is None for c in CHECKS if c.role == "unpredicted")
    assert all(c.predicted == 1 for c in CHECKS if c.role == "direction")


@pytest.mark.parametrize(
    ("subject", "within"),
    [
        ("max throughput cached read", 0.02),
        ("max throughput cached write", 0.03),
        ("front end 4096 B 0% writes all hit min response, exact", 0.01),
        ("front end 27998 B 0% writes all hit min response, exact", 0.01),
        ("uniform 4096 B 50% writes mixed rate at 10ms", 0.03),
        ("skewed 4096 B 50% writes mixed rate at 10ms", 0.05),
        ("uniform 27998 B 0% writes mixed max throughput", 0.01),
        ("skewed 4096 B 0% writes mixed max throughput", 0.05),
        ("uniform 27998 B mixed rate at 20ms", 0.10),
        ("skewed 27998 B mixed rate at 20ms", 0.10),
        ("uniform 27998 B mixed access density at 20ms", 0.08),
        ("front end rate", 0.01),
    ],
)
def test_scored_numbers_stay_within_what_was_reached(subject: str, within: float) -> None:
    check = _check(subject)
    assert check.role == "scored"
    assert abs(check.error_ratio or 0) <= within


def test_the_large_errors_are_shown() -> None:
    assert 0.04 < fmean(abs(c.error_ratio) for c in CHECKS if c.role == "scored" and c.error_ratio is not None) < 0.06
    bad = {c.subject for c in CHECKS if c.role == "scored" and abs(c.error_ratio or 0) > 0.15}
    assert len(bad) == 3


def test_the_rate_falls_when_nvs_is_full() -> None:
    time_s, rate = fits.rate_over_time(BOX, 1600, 600)
    assert rate[time_s < 60].mean() == pytest.approx(1600, rel=0.01)
    assert rate[time_s > 400].mean() == pytest.approx(1050, rel=0.01)
    below = fits.rate_over_time(BOX, 1480, 600)[1]
    assert np.allclose(below, 1480)


def test_write_misses_saturate_at_380() -> None:
    bucket = nvs.from_machine(BOX, write_bytes=4096)
    assert nvs.sustained_rate(bucket) == pytest.approx(380, rel=1e-3)
    assert nvs.bytes_needed(bucket, 379.9, float("inf")) == 0


def test_no_rows_no_fit() -> None:
    with pytest.raises(LookupError):
        fits.fit((), BOX)
    with pytest.raises(RequestError):
        fits.fit(study.rows(), replace(BOX, parameters={}))
