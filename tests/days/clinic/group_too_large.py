"""A SuperPAV group with many times the aliases that its LCUs ever used together."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCUS = ("0090", "0091")
ALIASES = (20, 48)


def _shape(demand: Demand) -> None:
    chance = demand.chance("group_too_large")
    for number in LCUS:
        demand.aliases[demand.sysplex.lcu(number)] = chance.integers(*ALIASES)


PLANTED = Planted(
    finding="pool_too_large",
    subject_kind="lcu",
    subject=LCUS[0],
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="R783HAIU and R783XHBC of all LCUs of the group far below the aliases of them all, R783HNAI 0",
)
SCENARIO = Scenario("SuperPAV group far too large", (PLANTED,), _shape)
