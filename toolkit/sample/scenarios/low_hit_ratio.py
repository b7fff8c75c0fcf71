"""One volume that reads more data than fits the cache, all day: disconnect time without queueing."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "ONL007"


def _shape(demand: Demand) -> None:
    volume = demand.sysplex.volume(VOLSER)
    demand.hit_ratio[volume] *= 0.45
    demand.rate[:, volume] *= 60 / demand.rate[:, volume].sum(axis=0).max()


PLANTED = Planted(
    finding="low_hit_ratio",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="R745DCRH / R745DRCR far below the other volumes of the SSID; disconnect time high, IOSQ time low",
)
SCENARIO = Scenario("Volume with a low read hit ratio", (PLANTED,), _shape)
