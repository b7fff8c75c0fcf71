"""A batch job on one system and one on the other hold a volume in turn: each waits while the other has it reserved."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "RSV002"
START, END = 13.0, 16.0
BUSY_MS = (2.0, 8.0)
RESERVED_RATIO = 0.25


def _shape(demand: Demand) -> None:
    volume, surge = demand.sysplex.volume(VOLSER), demand.window(START, END)
    demand.busy_ms[volume] += surge * demand.chance("reserve_contention").uniform(*BUSY_MS)
    demand.reserved_ratio[volume] += surge * RESERVED_RATIO
    # programs that wait for each other start fewer I/Os
    demand.rate[:, volume] *= 1 - surge * (1 - 60 / demand.rate[:, volume].max(axis=0))


PLANTED = Planted(
    finding="reserve_contention",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="device busy delay (SMF74DVB) in pend, reserved samples (SMF74RSV) on the other system",
)
SCENARIO = Scenario("Reserve contention between two systems", (PLANTED,), _shape)
