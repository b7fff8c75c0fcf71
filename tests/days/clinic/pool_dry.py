"""A HyperPAV LCU whose pool of four aliases is too small for the morning: starts are denied."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario
from tests.days.pools import press_pools

LCU = "0011"
START, END = 9.0, 12.0
# aliases asked for on the busier system, as a share of the pool
DEMANDED = (0.9, 1.15)


def _shape(demand: Demand) -> None:
    lcu = demand.sysplex.lcu(LCU)
    wanted = demand.chance("pool_dry").uniform(*DEMANDED) * demand.aliases[lcu]
    press_pools(demand, [lcu], wanted, demand.window(START, END))


PLANTED = Planted(
    finding="alias_pool_dry",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R783HNAI / R783HTIO above a few per cent, all aliases in use",
)
SCENARIO = Scenario("HyperPAV pool too small", (PLANTED,), _shape)
