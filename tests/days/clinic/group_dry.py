"""A SuperPAV group whose pools are all exhausted at once in the morning, so that none can lend aliases."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario
from tests.days.pools import press_pools

LCUS = ("0080", "0081")
START, END = 9.0, 12.0
# aliases asked for on the busier system, as a share of both pools
DEMANDED = (0.9, 1.15)


def _shape(demand: Demand) -> None:
    lcus = [demand.sysplex.lcu(number) for number in LCUS]
    wanted = demand.chance("group_dry").uniform(*DEMANDED) * demand.aliases[lcus].sum()
    press_pools(demand, lcus, wanted, demand.window(START, END))


PLANTED = Planted(
    finding="alias_pool_dry",
    subject_kind="lcu",
    subject=LCUS[0],
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R783HNAI and R783XNAG in every LCU of the group (R783AMGS) in the same intervals",
)
SCENARIO = Scenario("SuperPAV group dry", (PLANTED,), _shape)
