"""Predictions against what a site measured after its own changes."""

import datetime as dt
import math
import statistics
from collections.abc import Sequence

import pytest

from iosq.models.pav.answers import Interval
from iosq.toolkit.predict.site import Trial, accuracy
from iosq.toolkit.predict.site.experiments import Change
from tests import sites
from tests.figures.kept import number
from tests.figures.sites import judged as judged_site

START = dt.datetime(2026, 3, 2)


def judged(*pairs: tuple[float, float, float, float]) -> list[Trial]:
    """Trials of a predicted value with its ends, and what was measured."""
    return [
        Trial(changed("exposures", f"VOL{n}", "1", "2"), 100.0, Interval(*ends), measured)
        for n, (*ends, measured) in enumerate(pairs)
    ]


def changed(kind: str, subject: str, before: str, after: str) -> Change:
    return Change(kind, "z/OS", "SYSA", (subject,), before, after, START, None, 0)


def test_an_interval_that_holds_nine_in_ten_stays_as_it_is() -> None:
    known = accuracy(judged(*[(1.0, 0.9, 1.1, 1.05)] * 9, (1.0, 0.9, 1.1, 1.5)))
    assert known is not None
    assert (known.tried, known.inside, known.widening) == (10, 9, 1.0)
    assert known.widened(0.9, 1.1) == (0.9, 1.1)
    assert known.text == "on this site: median error 5 %, 9 of 10 inside the stated interval"


def test_an_interval_that_holds_fewer_grows_by_the_excess_that_nine_in_ten_stay_within() -> None:
    """Twenty of them: rank ceil(21 * 0.9) = 19 of the excesses 1.01, 1.02, ... 1.20."""
    known = accuracy(judged(*[(1.0, 0.9, 1.0, 1 + n / 100) for n in range(1, 21)]))
    assert known is not None
    assert (known.inside, known.widening) == (0, pytest.approx(1.19))
    assert known.widened(0.9, 1.0) == (pytest.approx(0.9 / 1.19), pytest.approx(1.19))
    assert "0 of 20 inside the interval as computed; intervals are widened by 19 % to each side" in known.text


def test_of_few_predictions_chance_counts_too() -> None:
    """Ratios of 1.1 and 1.2: their mean, and Student's t with one degree of freedom times their spread; of one alone
    the interval says how much such means scatter."""
    two, one = (accuracy(judged(*[(1.0, 0.9, 1.0, ratio) for ratio in of])) for of in ((1.1, 1.2), (1.2,)))
    assert two is not None and one is not None
    logs = [math.log(1.1), math.log(1.2)]
    assert math.log(two.widening) == pytest.approx(statistics.mean(logs) + 3.078 * statistics.stdev(logs) * 1.5**0.5)
    assert math.log(one.widening) == pytest.approx(logs[1] - math.log(0.9) / 2 * 1.2816 / 1.645 * 2**0.5, rel=1e-3)


def test_bounds_and_changes_without_a_measurement_are_not_counted() -> None:
    one, other = judged((1.0, 0.5, 2.0, 1.0), (1.0, 0.5, 2.0, 1.0))
    lacking = Trial(changed("pool", "0011", "4", "8"), note="such work did not come after the change")
    bounds = Trial(changed("pool", "0012", "4", "8"), 1.0, Interval(1, 0, 9), 8.0, is_identifiable=False)
    assert accuracy([lacking, bounds]) is None
    known = accuracy([one, lacking, bounds, other])
    assert known is not None and known.tried == 2
    assert (bounds.is_inside, bounds.error_ratio, lacking.is_inside) == (True, None, None)


def errors(found: Sequence[Trial]) -> list[float]:
    return [t.error_ratio for t in found if t.error_ratio is not None]


def test_aliases_are_predicted_where_the_model_is_right_and_seen_to_be_wrong_where_it_is_not() -> None:
    right, wrong = (sites.trials(sites.with_aliases(1, hidden=hidden)) for hidden in (0.0, 0.3))
    assert len(errors(right)) == len(errors(wrong)) == 12
    assert max(map(abs, errors(right))) < 0.06
    assert max(errors(wrong)) < -0.15, "the box is slower with more I/Os, and nothing before the change shows it"


def test_only_the_time_before_a_change_makes_its_prediction() -> None:
    """What comes after it may be anything: the prediction stays."""
    right, wrong = (sites.trials(sites.with_aliases(2, hidden=hidden, volumes=3)) for hidden in (0.0, 0.3))
    assert [t.predicted for t in right] == [t.predicted for t in wrong]
    assert all(t.measured_ms != other.measured_ms for t, other in zip(right, wrong, strict=True))


def test_load_that_grew_is_predicted_from_the_days_before() -> None:
    right, wrong = (sites.trials(sites.grown(1, hidden=hidden)) for hidden in (0.0, 0.5))
    assert [t.change.kind for t in right] == ["load", "load"]
    assert len({t.change.before for t in right}) == 1, "of the days that are not held out"
    assert max(map(abs, errors(right))) < 0.06
    assert errors(wrong) == pytest.approx([1 / 1.5 - 1] * len(errors(wrong)), abs=0.06)


def test_load_of_each_platform_is_judged() -> None:
    zos, zvm = (sites.grown(seed)["volume_interval"] for seed in (1, 2))
    other = [{**r, "platform": "z/VM", "system": "VMA", "lcu": "0012", "subsystem": "3010"} for r in zvm]
    both = {
        "volume_interval": [*zos, *other],
        "cache_subsystem_interval": sites.grown(1, boxes=2)["cache_subsystem_interval"],
    }
    alone = [sites.trials({**both, "volume_interval": rows}) for rows in (zos, other)]
    assert [(t.change.subject, t.predicted) for t in sites.trials(both)] == [
        (t.change.subject, t.predicted) for of in alone for t in of
    ]
    assert all(alone)


def test_a_resized_pool_is_compared_at_the_same_load() -> None:
    (right,), (wrong,) = (sites.trials(sites.resized(1, hidden=hidden)) for hidden in (0.0, 0.3))
    assert (right.change.kind, right.change.subject, right.is_inside, wrong.is_inside) == ("pool", "0000", True, False)
    assert int(right.change.after) > int(right.change.before)
    assert errors([right, wrong]) == pytest.approx([0.0, 1 / 1.3 - 1], abs=0.05)


def test_volumes_that_move_to_a_known_box_are_one_change() -> None:
    right, wrong = ({t.change.kind: t for t in sites.trials(sites.moved(1, hidden=hidden))} for hidden in (0.0, 0.5))
    assert right["box"].change.subject == "V1000, V1001, V1002, V1003"
    assert (right["box"].is_inside, wrong["box"].is_inside) == (True, False)
    assert right["box"].predicted == wrong["box"].predicted
    assert abs(errors([right["box"]])[0]) < 0.12
    assert right["load"].note.startswith("other volumes did part")


def test_more_than_the_new_box_ever_held_is_bounds() -> None:
    found = next(t for t in sites.trials(sites.moved(1, size=1.5)) if t.change.kind == "box")
    assert not found.is_identifiable and "its curve is known up to" in found.note
    assert accuracy([found]) is None


def test_a_box_without_a_past_is_not_predicted() -> None:
    (found,) = sites.trials(sites.moved(1, known=False))
    assert found.predicted is None
    assert found.note.startswith("no interval of box AB001 came before the change")


def test_other_work_after_a_change_is_no_measurement() -> None:
    rows = sites.with_aliases(1, volumes=1)["volume_interval"]
    quiet = [{**r, "io_rate": r["io_rate"] / 3} if r["interval_start"] > START + dt.timedelta(1) else r for r in rows]
    (found,) = sites.trials({"volume_interval": quiet})
    assert (found.measured_ms, found.note) == (None, "such work did not come after the change")


@pytest.mark.parametrize("kind", ["exposures", "pool", "box", "load"])
def test_coverage_holds_for_changes_that_were_not_used(kind: str) -> None:
    """A short form of the figure: two sites where the model is right, and two with a hidden limit."""
    for seeds in ((2, 4), (3, 5)):
        sites = [judged_site(kind, seed) for seed in seeds]
        tried, inside, widened = (sum(number(s, what) for s in sites) for what in ("tried", "inside", "widened"))
        assert widened >= 0.7 * tried > 0
        assert inside >= 0.7 * tried if seeds == (2, 4) else inside < 0.3 * tried


def test_volumes_of_one_closed_workload_are_one_change() -> None:
    """Four requesters on each of three volumes: one exposure in the first hour, two in the second.

    The box has room for them, so that the service time stays.
    """
    rows = [
        sites.volume(at, f"VOL{n}", rate=1e3 * (1 + at // 4), wait=4.0 / (1 + at // 4) - 1.0, pend=0.1, disc=0.6,
                     conn=0.3, exposures=1.0 + at // 4)
        for at in range(8) for n in range(3)
    ]  # fmt: skip
    found = sites.trials({"volume_interval": rows})
    assert [(t.change.subject, t.is_closed, t.is_inside) for t in found] == [("VOL0", True, True)]
    assert found[0].measured_ms == pytest.approx(2.0)
