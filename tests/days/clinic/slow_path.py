"""The way to one control unit slows down in the afternoon (a dirty link, a busy port), not that to its neighbours."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU = "0015"
START, END = 13.0, 18.0
PATH_MS = (0.8, 2.5)


def _shape(demand: Demand) -> None:
    members = demand.sysplex.members(demand.sysplex.lcu(LCU))
    demand.path_ms[members] += demand.window(START, END) * demand.chance("slow_path").uniform(*PATH_MS)


PLANTED = Planted(
    finding="slow_path",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="command response time (SMF74CMR) far above its other intervals and the other LCUs",
)
SCENARIO = Scenario("Slow path to one control unit", (PLANTED,), _shape)
