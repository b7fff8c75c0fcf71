"""A HyperPAV LCU whose pool of four aliases is too small for the morning: starts are denied."""

from __future__ import annotations

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.physics import alias_use
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0011"
START, END = 9.0, 12.0
# aliases asked for on the busier system, as a share of the pool
DEMANDED = (0.9, 1.15)


def _shape(demand: Demand) -> None:
    lcu = demand.sysplex.lcu(LCU)
    members, surge = demand.sysplex.members(lcu), demand.window(START, END)
    wanted = demand.chance("pool_dry").uniform(*DEMANDED) * demand.aliases[lcu]
    # alias use grows faster than the rate, so it's approached in steps
    for _ in range(16):
        missing = wanted / np.maximum(alias_use(demand)[:, lcu].max(axis=0), 1e-6)
        demand.rate[:, members] *= np.clip(missing, 1, 4) ** (0.4 * surge)


PLANTED = Planted(
    finding="alias_pool_dry",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R783HNAI / R783HTIO above a few per cent, all aliases in use",
)
SCENARIO = Scenario("HyperPAV pool too small", (PLANTED,), _shape, plan="clinic")
