"""One volume of a healthy box reads at random over more data than any cache holds."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "WLS008"
HIT_RATIO = (0.3, 0.55)
# few enough that no I/O waits for an exposure
PEAK_RATE = 60.0


def _shape(demand: Demand) -> None:
    volume = demand.sysplex.volume(VOLSER)
    demand.hit_ratio[volume] *= demand.chance("random_reader").uniform(*HIT_RATIO) / 0.93
    demand.rate[:, volume] *= PEAK_RATE / demand.rate[:, volume].sum(axis=0).max()


PLANTED = Planted(
    finding="low_hit_ratio",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="R745DCRH / R745DRCR far below the other volumes of the box; disconnect time high, IOSQ time low",
)
SCENARIO = Scenario("A volume that reads past the cache", (PLANTED,), _shape)
