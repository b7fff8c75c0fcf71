"""Volumes that move to a box of the lake."""

import datetime as dt
from contextlib import closing
from typing import Any

import pytest

from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import Answer, site
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.migrate import Wish
from iosq.toolkit.predict.moved import lake_answer
from iosq.toolkit.predict.site import Accuracy
from iosq.toolkit.sql.filter import Filter, Instant
from tests import sites

MOVED = Filter(volumes=("V1000", "V1001", "V1002", "V1003"))
START = dt.datetime(2026, 3, 2)
SECOND_DAY = START + dt.timedelta(days=1)


def asked(seed: int, wish: Wish, chosen: Filter = MOVED, at: Instant | None = None, **of: Any) -> Answer:
    """Before the move, on the first day of a site."""
    until = max(r["interval_start"] for r in sites.moved(seed)["volume_interval"]).replace(hour=0)
    with closing(sites.database_of(sites.moved(seed, **of), until)) as con:
        return lake_answer(con, wish, chosen, CLOSED, at)


@pytest.mark.parametrize("seed", [1, 3])
@pytest.mark.parametrize("size", [0.2, 1.5])
def test_it_is_the_prediction_that_validate_tests(seed: int, size: float) -> None:
    (trial,) = (t for t in sites.trials(sites.moved(seed, size=size)) if t.change.kind == "box")
    (found,) = asked(seed, Wish(trial.change.after), size=size).rows
    assert trial.predicted is not None
    assert (found["volumes"], found["io_rate"]) == (4, pytest.approx(trial.io_rate))
    assert (found["identifiable"], found["note"] == "") == (trial.is_identifiable, trial.is_identifiable)
    assert found["response_ms"] == (pytest.approx(trial.predicted.value) if trial.is_identifiable else None)
    ends = [found["response_low_ms"], found["response_high_ms"]]
    assert ends == pytest.approx([trial.predicted.low, trial.predicted.high])


def test_a_box_is_named_by_its_name_or_serial_number() -> None:
    rows = [asked(1, Wish(name)).rows for name in ("AB001", "ab001", "0000000AB001")]
    assert rows[0] == rows[1] == rows[2]
    with pytest.raises(RequestError, match="no machine and no box 'AB9'") as error:
        asked(1, Wish("AB9"))
    assert "ds8100" in str(error.value.remedy) and "AB000, AB001" in str(error.value.remedy)


def test_more_that_moves_takes_longer_and_slows_those_that_were_there() -> None:
    answers = [asked(1, Wish("AB001", growth)) for growth in (0.5, 1.0, 1.5)]
    times = [answer.rows[0]["response_ms"] for answer in answers]
    assert times == sorted(times) and times[0] < times[2]
    own = [answer.conclusions[1] for answer in answers]
    assert len(set(own)) == 3 and all(text.startswith("the volumes that were there: ") for text in own)
    assert [answer.rows[0]["io_rate"] / answers[1].rows[0]["io_rate"] for answer in answers] == [0.5, 1, 1.5]


def test_the_interval_is_the_one_asked_for() -> None:
    nine = Instant(START.replace(hour=9), is_utc=False)
    assert asked(1, Wish("AB001"), at=nine).rows[0]["io_rate"] < asked(1, Wish("AB001")).rows[0]["io_rate"]
    with pytest.raises(RequestError, match="no interval starts at"):
        asked(1, Wish("AB001"), at=Instant(SECOND_DAY, is_utc=True))


def test_what_is_there_already_does_not_move() -> None:
    with pytest.raises(RequestError, match="no interval has both box AB001 and volumes elsewhere"):
        asked(1, Wish("AB001"), Filter(volumes=("V1007",)))


def test_a_wish_that_only_a_machine_file_can_answer_is_refused() -> None:
    with pytest.raises(RequestError, match="is about a machine, not a box") as error:
        asked(1, Wish("AB001", boxes=2))
    assert error.value.place == "--boxes"


def test_the_accuracy_of_moves_widens_it() -> None:
    answer = asked(1, Wish("AB001"))
    wide = site.with_accuracy(answer, lambda: Accuracy(8, 4, 0.1, 1.5))
    assert wide.rows[0]["response_high_ms"] == pytest.approx(1.5 * answer.rows[0]["response_high_ms"])
    assert answer.draw is not None and "4 volumes in box AB001" in str(answer.draw().to_dict())
