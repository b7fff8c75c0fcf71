"""More load in the same box."""

import datetime as dt
import math
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import pytest

from iosq.models.pav.answers import Interval
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import Answer, site
from iosq.toolkit.predict.changes import Change
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.grown_load import lake_answer
from iosq.toolkit.predict.site import Accuracy
from iosq.toolkit.sql.filter import Filter, Instant
from tests import sites
from tests.length import tried

GROWTHS = (1.0, 1.05, 1.2, 1.5, 2.0, 4.0)
WHOLE = Filter()
Rows = Mapping[str, Sequence[dict[str, Any]]]


def asked(
    rows: Rows, growth: float, chosen: Filter = WHOLE, until: dt.datetime | None = None, at: Instant | None = None,
    *, utc: bool = False,
) -> Answer:  # fmt: skip
    with closing(sites.database_of(rows, until)) as con:
        return lake_answer(con, Change("growth", growth=growth), chosen, CLOSED, at, utc=utc)


def row(rows: Rows, growth: float, chosen: Filter = WHOLE, until: dt.datetime | None = None) -> dict[str, Any]:
    (found,) = asked(rows, growth, chosen, until).rows
    return dict(found)


def on(rows: Rows, **more: object) -> Rows:
    return {"volume_interval": [{**r, **more} for r in rows["volume_interval"]]}


@pytest.mark.parametrize(("by", "is_number"), [(1.08, True), (1.25, False)])
def test_it_is_the_prediction_that_validate_tests(by: float, is_number: bool) -> None:
    rows = sites.grown(1, growth=by)
    trials = sites.trials(rows)
    assert [t.change.kind for t in trials] == ["load", "load"]
    assert trials[-1].is_identifiable == is_number
    midnight = min(t.change.start for t in trials).replace(hour=0, minute=0) - dt.timedelta(
        hours=1
    )  # local time, in UTC
    now = row(rows, 1.0, until=midnight)["io_rate"]
    for trial in trials:
        assert trial.io_rate is not None and trial.predicted is not None
        found = row(rows, trial.io_rate / now, until=midnight)
        assert (trial.io_rate, trial.is_identifiable) == (pytest.approx(found["after_io_rate"]), found["identifiable"])
        assert found["after_ms"] == (pytest.approx(trial.predicted.value) if trial.is_identifiable else None)
        then = Interval(trial.predicted.value, found["after_low_ms"], found["after_high_ms"])
        ends = wider(then, math.log1p(found["scatter_percent"] / 100))
        assert ends == pytest.approx([trial.predicted.low, trial.predicted.high]), "chance of another day comes on top"


def wider(of: Interval, chance: float) -> list[float]:
    """The ends with a further part of the interval, half of it as a logarithm; both are independent."""
    return [
        of.value * math.exp(s * math.hypot(math.log(e / of.value), chance)) for s, e in ((-1, of.low), (1, of.high))
    ]


@pytest.mark.parametrize("wait", [0.0, 0.2, 5.0])
def test_the_same_load_gives_the_measured_response(wait: float) -> None:
    """Also where the wait has another cause than arrivals. Another day differs by chance."""
    found = row(on(sites.grown(2), wait_ms=wait), 1.0)
    ends = [found[f"after_{end}ms"] for end in ("low_", "", "high_")]
    assert ends == pytest.approx([found["response_ms"]] * 3)
    assert 1 < found["scatter_percent"] < 10


@pytest.mark.parametrize("seed", tried([1], [1, 2, 3]))
@pytest.mark.parametrize("growth", [1.01, 1.1, 1.5])
def test_by_law_more_load_makes_no_response_shorter_than_measured(seed: int, growth: float) -> None:
    """Whatever the site's predictions missed before."""
    answer = asked(sites.grown(seed), growth)
    missed = site.with_accuracy(answer, lambda: Accuracy(8, 4, 0.1, 1.5), "after")
    for found in (*answer.rows, *missed.rows):
        assert found["response_ms"] * (1 - 1e-9) <= found["after_low_ms"] <= found["after_high_ms"]


def test_more_load_never_gives_a_lower_response() -> None:
    found = [row(sites.grown(3), growth) for growth in GROWTHS]
    for name in ("after_low_ms", "after_high_ms"):
        ends = [r[name] for r in found if r[name] is not None]
        assert len(ends) > 3 and ends == sorted(ends)
    known = [r["after_ms"] for r in found if r["identifiable"]]
    assert len(known) > 1 and known == sorted(known) and known[-1] > known[0]


def test_more_than_the_box_ever_held_is_bounds() -> None:
    found = row(sites.grown(1), 1.5)
    assert (found["identifiable"], found["after_ms"]) == (False, None)
    assert found["after_low_ms"] > found["response_ms"]
    assert "its curve is known up to" in found["note"]


def test_more_than_the_exposures_let_in_has_no_response() -> None:
    found = row(sites.grown(1), 40.0)
    assert (found["after_ms"], found["after_high_ms"]) == (None, None)
    assert found["note"].startswith("no steady response")


def test_a_box_without_a_curve_says_why() -> None:
    rows = {"volume_interval": sites.grown(1)["volume_interval"][:8]}  # one interval
    answer = asked(rows, 1.1)
    (found,) = answer.rows
    assert found["after_ms"] is None and found["after_low_ms"] is not None
    assert found["note"].startswith("bounds only: no measured interval shows response times with more I/Os at once")
    assert answer.conclusions[0] == "no single number for 1 box of 1: see the note"
    assert " or more" in answer.text()


def test_chosen_volumes_grow_and_the_others_stay() -> None:
    rows, one = sites.grown(1), Filter(volumes=("V0000",))
    whole, own = row(rows, 1.2), row(rows, 1.2, one)
    assert (whole["volumes"], own["volumes"]) == (8, 1)
    assert own["after_io_rate"] == pytest.approx(1.2 * own["io_rate"])
    assert own["response_ms"] < own["after_ms"] < row(rows, 1.2, Filter(lcus=("0000",)))["after_high_ms"]
    assert own["after_ms"] / own["response_ms"] < 1 + (whole["after_low_ms"] / whole["response_ms"]) / 2
    slow = [{**r, "wait_ms": 9.0} if r["volume"] == "V0000" else r for r in rows["volume_interval"]]
    same = row({"volume_interval": slow}, 1.0, one)
    assert same["after_ms"] == pytest.approx(same["response_ms"]) and same["response_ms"] > 9.0
    with pytest.raises(RequestError, match="no chosen volume"):
        asked(rows, 1.2, Filter(volumes=("OTHER",)))


def test_the_interval_is_the_one_asked_for() -> None:
    """09:00 local time is the first interval of a site's day; its clock is an hour ahead of UTC."""
    rows, nine = sites.grown(1), dt.datetime(2026, 3, 2, 9)
    (local,) = asked(rows, 1.1, at=Instant(nine, is_utc=False)).rows
    (utc,) = asked(rows, 1.1, at=Instant(nine - dt.timedelta(hours=1), is_utc=True), utc=True).rows
    assert local["io_rate"] == utc["io_rate"] == pytest.approx(sum(r["io_rate"] for r in rows["volume_interval"][:8]))
    assert "09:00" in local["when"] and "08:00" in utc["when"]
    assert local["io_rate"] < row(rows, 1.1)["io_rate"] / 2
    with pytest.raises(RequestError, match="no interval starts at"):
        asked(rows, 1.1, at=Instant(dt.datetime(2027, 1, 1), is_utc=True))


def test_the_chart_has_each_box() -> None:
    answer = asked(sites.grown(1, boxes=2), 1.05)
    assert answer.draw is not None
    drawn = str(answer.draw().to_dict())
    assert all(str(r["box"]) in drawn for r in answer.rows)


def test_closed_work_is_named() -> None:
    rows = [
        sites.volume(at, f"VOL{n}", rate=1e3, wait=3.0, pend=0.1, disc=0.6, conn=0.3, exposures=1.0)
        for at in range(8) for n in range(3)
    ]  # fmt: skip
    assert "closed work on 3 volumes" in row({"volume_interval": rows}, 1.1)["note"]
    assert "closed" not in row(sites.grown(1), 1.1)["note"]


def test_both_platforms_of_a_lake_grow() -> None:
    zos, zvm = sites.grown(1), on(sites.grown(1), platform="z/VM", system="VMA", lcu="0012", subsystem="3010")
    assert row(zvm, 1.1)["after_ms"] == row(zos, 1.1)["after_ms"]
    both = {
        "volume_interval": [*on(zos, subsystem="2010")["volume_interval"], *zvm["volume_interval"]],
        "cache_subsystem_interval": sites.BOXES,
    }
    assert [r["after_ms"] for r in asked(both, 1.1).rows] == [row(zos, 1.1)["after_ms"]] * 2


def test_volumes_without_usable_times_leave_it_unknown() -> None:
    found = row(on(sites.grown(1), throttle_delay_rate=5.0), 1.1)
    assert (found["after_ms"], found["after_low_ms"], found["after_high_ms"]) == (None, None, None)
    assert found["note"] == "unknown: volumes with usable times did only 0 % of its I/Os"


def test_the_accuracy_of_the_site_widens_it() -> None:
    answer = asked(sites.grown(1), 1.05)
    wide = site.with_accuracy(answer, lambda: Accuracy(8, 4, 0.1, 1.5), "after")
    assert wide.rows[0]["after_high_ms"] == pytest.approx(1.5 * answer.rows[0]["after_high_ms"])
    assert "4 of 8 inside the interval as computed" in wide.conclusions[-1]
