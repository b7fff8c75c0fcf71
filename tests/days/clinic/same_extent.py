"""Programs write to the same extent of one HyperPAV volume: they wait for each other while aliases are free."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "EXT005"
START, END = 9.0, 12.0
BUSY_RATE = 200.0
WAIT_MS = (1.5, 5.0)


def _shape(demand: Demand) -> None:
    volume, surge = demand.sysplex.volume(VOLSER), demand.window(START, END)
    for i, system in enumerate(demand.sysplex.systems):
        demand.rate[i, volume] = np.maximum(demand.rate[i, volume], surge * system.share * BUSY_RATE)
    demand.extent_ms[volume] += surge * demand.chance("same_extent").uniform(*WAIT_MS)
    demand.read_ratio[volume] *= 1 - 0.5 * surge


PLANTED = Planted(
    finding="same_extent",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="IOSQ time on a HyperPAV volume while R783HNAI = 0 and aliases are free",
)
SCENARIO = Scenario("Writes to the same extent", (PLANTED,), _shape)
