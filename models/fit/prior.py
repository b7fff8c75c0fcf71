"""What is believed about a box before it is measured: independent log-normal values, weak on purpose."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from iosq.models.pav.box import Box, parameter_names, parameter_table
from iosq.models.queueing.checks import positive

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Prior:
    """Logarithm of the median and its standard deviation for each parameter; `source` says where they come from."""

    names: tuple[str, ...]
    centre: Floats
    spread: Floats
    law: str
    source: str


def weak_prior(law: str = "power", cache_gb: float | None = None) -> Prior:
    """The prior every box starts from (`iosq/models/pav/parameters.csv`).

    Args:
        law: write-ceiling law, `power` or `nvs`.
        cache_gb: cache the volumes can use, where their footprint outgrows it; None where it fits and nothing misses.

    Raises:
        RequestError: unknown law, cache not above zero.
    """
    names = parameter_names(law, misses=cache_gb is not None)
    rows = {row.name: row for row in parameter_table()}
    medians = {name: rows[name].median for name in names}
    if cache_gb is not None:
        positive(cache_gb=cache_gb)
        medians |= {"cache_gb": cache_gb / 2, "cache_edge_gb": cache_gb / 2}  # the rest holds writes and directories
    centre = np.log([medians[name] for name in names])
    return Prior(names, centre, np.array([rows[name].spread for name in names]), law, "family defaults")


def prior_from_boxes(boxes: Sequence[Box], like: Prior) -> Prior:
    """A prior learnt from other boxes: their geometric mean, as wide as they differ and never narrower than `like`.

    Args:
        boxes: boxes fitted elsewhere, at least one.
        like: names, floor of the spreads, and the centre of parameters none of the boxes has.
    """
    centre, spread = like.centre.copy(), like.spread.copy()
    for at, name in enumerate(like.names):
        known = [np.log(box.values[name]) for box in boxes if name in box.values]
        if known:
            centre[at] = np.mean(known)
        if len(known) > 1:
            spread[at] = max(spread[at], np.std(known, ddof=1))
    return Prior(like.names, centre, spread, like.law, ", ".join(box.name for box in boxes))
