"""A program reads and writes one volume past the cache all morning: every such I/O waits for the disk."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "WLS004"
START, END = 8.0, 13.0
BYPASS_RATIO = (0.3, 0.6)
# few enough that no I/O waits for an exposure meanwhile
RATE = 90.0


def _shape(demand: Demand) -> None:
    volume, surge = demand.sysplex.volume(VOLSER), demand.window(START, END)
    demand.bypass_ratio[volume] += surge * demand.chance("past_the_cache").uniform(*BYPASS_RATIO)
    for i, system in enumerate(demand.sysplex.systems):
        demand.rate[i, volume] += surge * (system.share * RATE - demand.rate[i, volume])


PLANTED = Planted(
    finding="cache_bypass",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R745DBCR a good part of the volume's requests, disconnect time with it",
)
SCENARIO = Scenario("I/O past the cache", (PLANTED,), _shape)
