"""Stored predictions: read their file, and compare them with the measured values.

    {"predictions": [{"system": "SYSA", "volume": "DB2003", "measure": "wait_ms",
                      "value": 1.2, "low": 0.8, "high": 1.9, "made_from": "iosq simulate pav ..."}]}

`system` may be null (any system that has the volume); `low` and `high` may be null.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

from iosq.toolkit.compare.engine import Change, Comparison
from iosq.toolkit.compare.series import MEASURES
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import grouped
from iosq.toolkit.sql.filter import Filter

_REMEDY = 'write {"predictions": [{"system", "volume", "measure", "value", "low", "high", "made_from"}]}'


@dataclass(frozen=True, slots=True)
class Prediction:
    """A stored prediction for one measure of one volume, in the measure's unit; None where not stated."""

    volume: str
    measure: str
    value: float
    low: float | None = None
    high: float | None = None
    system: str | None = None
    made_from: str = ""

    def is_of(self, asked: Filter) -> bool:
        return (not asked.volumes or self.volume in asked.volumes) and (
            not asked.systems or self.system in (None, *asked.systems)
        )


@dataclass(frozen=True, slots=True)
class Judged:
    """A prediction and the measured value; `error_ratio` is predicted / actual - 1.

    `verdict`: `held` (the actual mean is inside the predicted interval), `missed`, `no interval predicted`, `not
    measured`.
    """

    prediction: Prediction
    before: float | None
    actual: float | None
    error_ratio: float | None
    verdict: Literal["held", "missed", "no interval predicted", "not measured"]


def predictions(path: Path) -> list[Prediction]:
    """Read a file of predictions; RequestError that names an invalid entry."""
    try:
        found = json.loads(path.read_text("utf-8"))
        entries = found["predictions"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RequestError("contains no predictions", place=str(path), remedy=_REMEDY) from error
    if not isinstance(entries, list):
        raise RequestError("contains no list of predictions", place=str(path), remedy=_REMEDY)
    return [_prediction(entry, f"{path}: prediction {number}") for number, entry in enumerate(entries, 1)]


def _prediction(entry: Any, place: str) -> Prediction:
    if not isinstance(entry, dict) or not isinstance(entry.get("volume"), str):
        raise RequestError("names no volume", place=place, remedy=_REMEDY)
    if entry.get("measure") not in MEASURES:
        raise RequestError(f"measure {entry.get('measure')!r} is not compared", place=place, remedy=", ".join(MEASURES))
    numbers = {name: entry.get(name) for name in ("value", "low", "high")}
    wrong = [n for n, v in numbers.items() if not (_number(v) or (v is None and n != "value"))]
    if wrong:
        raise RequestError(f"{wrong[0]} is not a number", place=place, remedy=_REMEDY)
    return Prediction(**{f.name: entry[f.name] for f in fields(Prediction) if entry.get(f.name) is not None})


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def judge(comparison: Comparison, stored: Sequence[Prediction]) -> list[Judged]:
    """Each prediction with the value measured after the change."""
    known = grouped((c for c in comparison.changes if c.kind == "volume"), lambda c: (c.subject, c.measure))
    return [j for p in stored for j in _judged(p, known.get((p.volume, p.measure), []))]


def _judged(prediction: Prediction, changes: list[Change]) -> list[Judged]:
    own = [c for c in changes if prediction.system in (None, c.system) and c.mean_after is not None]
    return [_with_actual(prediction, c) for c in own] or [Judged(prediction, None, None, None, "not measured")]


def _with_actual(prediction: Prediction, change: Change) -> Judged:
    actual = change.mean_after
    assert actual is not None
    low, high = prediction.low, prediction.high
    error = prediction.value / actual - 1 if actual else None
    if low is None or high is None:
        return Judged(prediction, change.mean_before, actual, error, "no interval predicted")
    return Judged(prediction, change.mean_before, actual, error, "held" if low <= actual <= high else "missed")
