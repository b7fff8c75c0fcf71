"""The data each volume touches decides what writes do: an answer without it holds the answers for all that fit."""

import datetime as dt

import pytest

from iosq.models.pav.answers import WhatIf
from iosq.toolkit.predict import closed_load, headroom, pav_numbers
from iosq.toolkit.predict.closed_load import Crowd
from iosq.toolkit.predict.footprint import TRIED_GB
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.pav_numbers import Numbers

COUNTS = range(5)
NO_CURVE = {"box": "the box", "elasticity_ratio": None, "interval_start": dt.datetime(2026, 1, 1)}


def volumes(number: int, rate: float, reads: float) -> Crowd:
    """Volumes of one box with four requesters each, one exposure; nothing is known of the box."""
    inside = rate * 1.4e-3
    row = {**headroom.NOTHING, **NO_CURVE, "io_rate": rate, "in_service": inside, "queue_length": 4 - inside}
    row |= {"wait_ms": 1e3 * (4 - inside) / rate, "service_ms": 1.4, "exposures": 1.0, "own_read_ratio": reads}
    return Crowd([{**row, "volume": f"VOL{n}"} for n in range(number)], [True] * number)


def answer(rate: float, reads: float, **given: float) -> WhatIf:
    """Eight volumes on a DS8100 with four requesters each, one exposure."""
    return closed_load.solved(volumes(8, rate, reads), COUNTS, Given("ds8100", **given))


@pytest.mark.parametrize("rate", [500.0, 600.0])
def test_it_holds_the_answer_of_each_footprint_that_fits(rate: float) -> None:
    every = answer(rate, 0.33)
    fit = [found for gb in TRIED_GB if (found := answer(rate, 0.33, footprint_gb=gb)).identifiable]
    assert fit
    for found in fit:
        for p, whole in zip(found.predictions, every.predictions, strict=True):
            assert whole.rate.low <= p.rate.low <= p.rate.high <= whole.rate.high
            assert whole.response_ms.low <= p.response_ms.low <= p.response_ms.high <= whole.response_ms.high


def test_where_footprints_disagree_no_value_is_likely_and_it_is_asked_for() -> None:
    found = answer(600.0, 0.33)
    now, *more = found.predictions
    assert now.identifiable and not any(p.identifiable for p in more)
    assert found.settle.endswith("give --footprint-gb") and "assumed" in found.calibrated_on


def test_reads_of_data_in_cache_need_no_footprint() -> None:
    found = answer(1500.0, 1.0)
    assert found == answer(1500.0, 1.0, footprint_gb=1.0) and found.identifiable


def test_a_refusal_says_what_was_assumed() -> None:
    found = answer(20_000.0, 0.33)
    assert "0.1 to 10 GB of data for each volume were assumed, as none was given" in found.settle
    assert "assumed" not in answer(20_000.0, 0.33, footprint_gb=1.0).settle


def test_without_a_machine_file_nothing_is_assumed() -> None:
    one, other = (closed_load.solved(volumes(1, 600.0, 0.33), COUNTS, Given(footprint_gb=gb)) for gb in (None, 7.0))
    assert one == other


@pytest.mark.parametrize(
    ("machine", "given", "noted"), [("ds8100", {}, 1), ("ds8100", {"footprint_gb": 1.0}, 0), (None, {}, 0)]
)
def test_a_footprint_assumed_for_numbers_is_named(machine: str | None, given: dict[str, float], noted: int) -> None:
    asked = Numbers(rate=120.0, wait_ms=4.0, service_ms=5.0, read_ratio=0.7, **given)
    texts = pav_numbers.answer(asked, machine=machine).conclusions
    assert sum("1 GB of data for each volume is assumed" in text for text in texts) == noted
