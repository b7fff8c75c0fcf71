"""A count that is called the best carries the load, and is better than what is known of others."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.models.pav.answers import Measured, WhatIf
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import open_load, pav_numbers, pav_rows
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.measured import with_measured
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.predict.pav_numbers import Numbers
from iosq.toolkit.predict.work import Work
from tests.length import tried

START = dt.datetime(2026, 1, 1)
QUESTION = pav_rows.Question("the LCU", "aliases", 2)


def pool_of_four(in_service: float) -> Answer:
    """Eight volumes with this number of I/Os in progress each, which wait for 3 ms."""
    return pav_numbers.answer(
        Numbers(rate=in_service / 3 * 1e3, wait_ms=3, service_ms=3, read_ratio=1.0, volumes=8, pool=4),
        aliases=40,
        machine="ds8100",
    )


@pytest.mark.parametrize("in_service", [1.5, 2.0])
def test_a_pool_with_more_in_progress_than_exposures_is_refused(in_service: float) -> None:
    with pytest.raises(RequestError, match=r"12 exposures \(8 bases\).*its demand"):
        pool_of_four(in_service)


@pytest.mark.parametrize("in_service", [1.3, 1.48, 1.4999])
def test_a_pool_that_is_full_is_helped_by_more_aliases(in_service: float) -> None:
    """Its four aliases were called the best of forty, with the wait of today at each."""
    found = pool_of_four(in_service)
    (best,) = [row["pool_aliases"] for row in found.rows if row["best"]]
    assert 6 <= best <= 16 and found.common["clears_at_worst"] <= 16


def stuck(wait_ms: float) -> WhatIf:
    now = Measured(100.0, wait_ms, 10.0)
    return WhatIf(tuple(now.prediction(count, known=True) for count in range(6)), None, 0, False, "", "a box")


def test_where_no_count_shortens_the_wait_none_is_the_best() -> None:
    found = pav_rows.answer(QUESTION, stuck(5.0))
    assert not any(row["best"] for row in found.rows) and "best" not in " ".join(row["remark"] for row in found.rows)
    assert any("no count of aliases carries this load any better" in text for text in found.conclusions)
    calm = pav_rows.answer(QUESTION, stuck(0.0))
    assert [row["aliases"] for row in calm.rows if row["best"]] == [0]


@pytest.mark.parametrize(("most", "named"), [(2, False), (12, True)])
def test_todays_count_is_not_the_best_of_counts_outside_the_query(most: int, named: bool) -> None:
    numbers = Numbers(rate=1800, wait_ms=20, service_ms=1, volumes=4, exposures=3)
    found = pav_numbers.answer(numbers, aliases=most, machine="ds8100")
    assert any(row["best"] for row in found.rows) == named
    assert any("of the best" in text for text in found.conclusions) == named


def test_todays_count_is_not_the_best_where_no_other_is_known() -> None:
    found = pav_numbers.answer(Numbers(rate=90, service_ms=10, requesters=20, volumes=4, exposures=1))
    assert not any(row["best"] for row in found.rows)


WORKS = st.lists(
    st.builds(
        Work,
        st.integers(0, 9),
        st.sampled_from([90.0, 100.0, 140.0]),
        st.sampled_from([0.0, 0.5, 30.0]),
        st.sampled_from([6.0, 9.5, 10.0, 20.0]),
        st.just(0.7),
        st.integers(1, 20).map(lambda hour: START + dt.timedelta(hours=hour)),
    ),
    max_size=5,
)


@settings(max_examples=tried(15, 400), deadline=None)
@given(
    st.integers(1, 6),
    st.sampled_from([0.3, 0.9, 0.99, 1.0]),
    st.sampled_from([0.05, 3.0, 40.0]),
    st.sampled_from([None, (0.0, 0.0), (0.0, 0.2), (0.8, 1.0)]),
    WORKS,
)
def test_what_carries_less_is_never_the_best(
    exposures: int, full: float, wait: float, elasticity: tuple[float, float] | None, works: list[Work]
) -> None:
    """Where a count carries the load every larger one does; so it is with counts that were measured, too."""
    load = Load(100.0, wait, full * exposures * 10.0, exposures)
    box = BoxState(load.in_service, 2, 0.7, elasticity)
    now = exposures - 1
    found = open_load.volume(load, box, Given(), open_load.alias_counts(now))
    peak = Work(now, load.rate, wait, load.service_ms, 0.7, START)
    found, _ = with_measured(found, works, peak, closed=False)
    rows = pav_rows.answer(pav_rows.Question("VOL001", current=now), found).rows
    stable = [row["stable"] for row in rows]
    assert stable == sorted(stable)
    assert all(row["stable"] and row["identifiable"] for row in rows if row["best"])


@pytest.mark.parametrize(
    ("room", "shared_by", "most"), [(0, 1, 2), (2, 1, 4), (3, 1, None), (3, 2, 3), (None, 1, None)]
)
def test_what_the_addresses_of_the_lcu_do_not_allow_is_stated(
    room: int | None, shared_by: int, most: int | None
) -> None:
    """The advice asks for no more either."""
    question = replace(QUESTION, room=room, shared_by=shared_by)
    found = [text for text in pav_rows.answer(question, stuck(5.0)).conclusions if "of 256" in text]
    assert found == (
        [] if most is None else [text for text in found if text.endswith(f"{most} aliases can be defined")]
    )
    assert bool(found) == (most is not None)
