"""Resample two spans whose intervals differ in length or start minute to common steps of local time.

Only intervals at the same time of day are paired: a 15-minute interval would be paired with the first of fifteen
1-minute intervals only. Each interval belongs to the step that contains its middle. A step counts as not measured if
less than half of it was measured.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from iosq.toolkit.compare.paired import Floats
from iosq.toolkit.compare.series import IOS, MEASURES, MINUTES_PER_DAY, PER_IO, SECONDS, Series, laid_out

Places = NDArray[np.int64]

LEAST_COVERED = 0.5  # minimum share of a step that was measured
LONGEST = 60  # maximum step, minutes: longer common multiples of both lengths would leave too few steps


class Stepped(NamedTuple):
    """Both spans, and the length of their common steps in minutes; None: not resampled."""

    before: Series
    after: Series
    minutes: int | None = None


def stepped(before: Series, after: Series) -> Stepped:
    """Two spans ready for pairing, unchanged if intervals have the same length and start times."""
    lengths = [minutes for side in (before, after) if (minutes := _usual_minutes(side))]
    common = _common(before, after)
    if len(lengths) < 2:
        return Stepped(before, after)
    differ = lengths[0] != lengths[1] or lengths[0] < 1
    if not differ and 2 * common >= min(len(side.usual.slots) for side in (before, after)):
        return Stepped(before, after)
    minutes = _step(*lengths)
    sides = _in_steps(before, minutes), _in_steps(after, minutes)
    return Stepped(*sides, minutes) if differ or _common(*sides) > common else Stepped(before, after)


def _usual_minutes(side: Series) -> float | None:
    """The interval length that covers most of the time, to a tenth of a minute; None for a span without rows."""
    seconds = side.values[SECONDS]
    lengths, place = np.unique(np.round(seconds / 60, 1), return_inverse=True)
    return float(lengths[np.argmax(np.bincount(place, seconds))]) if len(lengths) else None


def _common(before: Series, after: Series) -> int:
    return len(set(before.usual.slots) & set(after.usual.slots))


def _step(first: float, second: float) -> int:
    """The least common multiple of both lengths, in minutes; the longer length if that exceeds the maximum."""
    longer = math.ceil(max(first, second))
    together = math.lcm(math.ceil(first), math.ceil(second))
    return together if together <= max(LONGEST, longer) else longer


def _in_steps(side: Series, minutes: int) -> Series:
    """One row per subject and step: rates and queues weighted by time, times per I/O by I/Os."""
    seconds = side.values[SECONDS]
    # the middle of an interval identifies its step even if its start is off by seconds
    middle = side.day * MINUTES_PER_DAY + side.slot + (seconds / 120).astype(np.int64)
    day = middle // MINUTES_PER_DAY
    slot = middle % MINUTES_PER_DAY // minutes * minutes
    subject = np.repeat(np.arange(len(side.subjects)), np.diff(side.starts))
    keys, place = np.unique(np.stack([subject, day, slot]), axis=1, return_inverse=True)
    place, count = place.reshape(-1), keys.shape[1]
    covered = np.bincount(place, seconds, count).astype(np.float64)
    values = {m: _mean(side.values[m], side.values[IOS] if m in PER_IO else seconds, place, count) for m in MEASURES}
    values[IOS], values[SECONDS] = values["io_rate"] * covered, covered
    kept = covered >= LEAST_COVERED * 60 * minutes
    subjects, days, slots = keys[:, kept]
    return laid_out(side.subjects, subjects, days, slots, {name: v[kept] for name, v in values.items()}, side.span)


def _mean(values: Floats, weights: Floats, place: Places, count: int) -> Floats:
    known = ~np.isnan(values) & (weights > 0)
    total = np.bincount(place[known], (values * weights)[known], count)
    weight = np.bincount(place[known], weights[known], count)
    return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), np.nan)
