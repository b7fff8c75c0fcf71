"""One LCU of a SuperPAV group needs more than its own pool in the morning and borrows it: no trouble at all."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Scenario
from tests.days.pools import press_pools

LCU = "00A0"
START, END = 9.0, 12.0
# mean aliases in use on the busier system; the LCU has two of its own, its peer lends six
DEMANDED = (1.2, 1.6)


def _shape(demand: Demand) -> None:
    wanted = demand.chance("group_borrows").uniform(*DEMANDED)
    press_pools(demand, [demand.sysplex.lcu(LCU)], wanted, demand.window(START, END))


SCENARIO = Scenario("A SuperPAV pool that borrows what it lacks", (), _shape)
