"""A HyperPAV LCU waits every morning, and the records that explain it are not collected."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario
from tests.days.pools import press_pools

LCU = "0020"
HOURS = (9.0, 12.0)
# aliases asked for, as a share of the pool
DEMANDED = (1.0, 1.2)


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    lcu = plex.lcu(LCU)
    surges = [demand.window(24 * day + HOURS[0], 24 * day + HOURS[1]) for day in range(plex.days)]
    wanted = demand.chance("hyperpav_wait").uniform(*DEMANDED) * demand.aliases[lcu]
    press_pools(demand, [lcu], wanted, np.max(surges, axis=0))


PLANTED = Planted(
    finding="hyperpav_wait",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=HOURS[0] + 0.5,
    end_hour=HOURS[1] - 0.5,
    evidence="IOSQ time on HyperPAV volumes; no type 78.3 record of any interval",
)
SCENARIO = Scenario("HyperPAV waits without type 78.3", (PLANTED,), _shape)
