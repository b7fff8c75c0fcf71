"""A batch window of programs that wait for each answer, on a HyperPAV LCU with too few aliases for them."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0019"
START, END = 19.0, 21.0
# volumes the programs read and write, and programs per volume, on the first system
VOLUMES = 5
REQUESTERS = (3, 6)


def _shape(demand: Demand) -> None:
    chance, busy = demand.chance("pool_closed"), demand.window(START, END, 0.1) >= 1
    members = demand.sysplex.members(demand.sysplex.lcu(LCU))
    for volume in chance.choice(members, VOLUMES, replace=False):
        demand.requesters[0, volume, busy] = chance.integers(*REQUESTERS, endpoint=True)


PLANTED = Planted(
    finding="closed_load",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=START,
    end_hour=END,
    evidence="every alias in use all the time, and a queue shorter than random arrivals would make it",
)
SCENARIO = Scenario("A closed workload fills a pool", (PLANTED,), _shape)
