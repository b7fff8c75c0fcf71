"""The night batch of one HyperPAV LCU needs more aliases than its pool has, so I/Os find no alias and wait (IOSQ)."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.physics import alias_use
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0011"
ALIASES = 4
START, END = 1.0, 4.0
# aliases needed by the busier system's batch, as a share of the pool
DEMANDED = 1.1


def _shape(demand: Demand) -> None:
    lcu = demand.sysplex.lcu(LCU)
    members = demand.sysplex.members(lcu)
    demand.aliases[lcu] = ALIASES
    surge = demand.window(START, END)
    # alias use grows faster than the rate, so approach it in steps
    for _ in range(12):
        missing = DEMANDED * ALIASES / np.maximum(alias_use(demand)[:, lcu].max(axis=0), 1e-6)
        demand.rate[:, members] *= np.maximum(1, missing) ** (0.5 * surge)


PLANTED = Planted(
    finding="alias_pool_dry",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R783HNAI > 0, R783HAIU = SMF74HPC = 4, R783HIOQ > 0; IOSQ time on the LCU's volumes",
)
SCENARIO = Scenario("HyperPAV pool dry in the night batch", (PLANTED,), _shape)
