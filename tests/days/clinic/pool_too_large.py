"""A HyperPAV pool many times larger than the most aliases ever in use."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0013"
ALIASES = (24, 64)


def _shape(demand: Demand) -> None:
    demand.aliases[demand.sysplex.lcu(LCU)] = demand.chance("pool_too_large").integers(*ALIASES)


PLANTED = Planted(
    finding="pool_too_large",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="R783HAIU stays far below SMF74HPC",
)
SCENARIO = Scenario("Over-provisioned HyperPAV pool", (PLANTED,), _shape)
