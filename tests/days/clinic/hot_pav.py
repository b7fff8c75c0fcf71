"""One volume gets more work than its base and one alias carry at the morning peak: programs queue in the host."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "HOT003"
START, END = 9.0, 12.0
# mean I/Os in progress on the busier system, of two exposures
BUSY = (1.45, 1.8)
SERVICE_MS = 0.75


def _shape(demand: Demand) -> None:
    volume = demand.sysplex.volume(VOLSER)
    surge = demand.window(START, END)
    asked = demand.chance("hot_pav").uniform(*BUSY) * 1000 / SERVICE_MS
    shares = [s.share / demand.sysplex.systems[0].share for s in demand.sysplex.systems]
    for i, share in enumerate(shares):
        demand.rate[i, volume] += surge * (share * asked - demand.rate[i, volume])


PLANTED = Planted(
    finding="pav_add_alias",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="IOSQ time (SMF74IOS/SSC) with the queue; NUX = 2",
)
SCENARIO = Scenario("Hot volume with one alias", (PLANTED,), _shape)
