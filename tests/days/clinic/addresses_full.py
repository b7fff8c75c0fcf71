"""A static LCU that uses all of its 256 addresses, with aliases everywhere but where they are needed."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU, VOLSER = "001A", "FUL003"
START, END = 9.0, 12.0
EXPOSURES, MORE, MOST = 8, 6, 256
# mean I/Os in progress on the busier system, of two exposures
BUSY = (1.45, 1.8)
SERVICE_MS = 0.75


def _shape(demand: Demand) -> None:
    plex, surge = demand.sysplex, demand.window(START, END)
    volume, members = plex.volume(VOLSER), plex.members(plex.lcu(LCU))
    others = [m for m in members if m != volume]
    demand.exposures[others] = EXPOSURES
    demand.exposures[others[:MORE]] += 1
    demand.exposures[volume] = 2
    assert demand.exposures[members].sum() == MOST
    asked = demand.chance("addresses_full").uniform(*BUSY) * 1000 / SERVICE_MS
    for i, system in enumerate(plex.systems):
        share = system.share / plex.systems[0].share
        demand.rate[i, volume] += surge * (share * asked - demand.rate[i, volume])


FULL = Planted(
    finding="lcu_addresses",
    subject_kind="lcu",
    subject=LCU,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="SMF74NUX of all volumes of the LCU adds up to 256, and one of them waits",
    also=("pav_too_many",),
)
WAITS = Planted(
    finding="pav_add_alias",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="IOSQ time (SMF74IOS/SSC) with the queue; NUX = 2",
)
SCENARIO = Scenario("All addresses of an LCU in use", (FULL, WAITS), _shape)
