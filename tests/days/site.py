"""A site that changed something, so that what was predicted of it can be judged."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import iosq
from iosq.toolkit.sample import write
from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import scenarios
from tests.days import CLINIC

MORNING = range(18, 26)  # half hours


def more_exposures(folder: Path) -> Path:
    """A lake of two mornings of two volumes with too few exposures: one of them has four on the second day."""
    hot = scenarios(CLINIC)["hot_pav"]

    def shaped(demand: Demand, exposures: int) -> None:
        hot.shape(demand)
        first, other = map(demand.sysplex.volume, ("HOT003", "HOT004"))
        for values in (demand.rate, demand.exposures[None], demand.read_ratio[None], demand.hit_ratio[None]):
            values[:, other] = values[:, first]
        demand.exposures[first] = exposures

    with pytest.MonkeyPatch.context() as patch:
        for day in (0, 1):
            patch.setitem(scenarios(CLINIC), "hot_pav", replace(hot, shape=partial(shaped, exposures=2 + 2 * day)))
            write(folder / f"day{day}", plan=CLINIC, names=("hot_pav",), intervals=MORNING, days=range(day, day + 1))
    iosq.ingest(folder / "lake", [folder / "day0", folder / "day1"])
    return folder / "lake"
