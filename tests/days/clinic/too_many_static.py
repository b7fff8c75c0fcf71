"""Every volume of an LCU has many static aliases that its work never uses."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0012"
EXPOSURES = (6, 9)


def _shape(demand: Demand) -> None:
    members = demand.sysplex.members(demand.sysplex.lcu(LCU))
    demand.exposures[members] = demand.chance("too_many_static").integers(*EXPOSURES)


PLANTED = Planted(
    finding="pav_too_many",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="SMF74NUX far above rate times service time; no IOSQ time",
)
SCENARIO = Scenario("Over-provisioned static aliases", (PLANTED,), _shape)
