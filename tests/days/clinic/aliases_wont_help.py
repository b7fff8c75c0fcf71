"""A box with few arms gets more work than they carry: its rate stops rising, its times and the host queues grow."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU, BOX = "0020", "AA002"
START, END = 8.5, 16.0
# work asked for, of what the arms complete, and how it varies; more gives way (see physics)
ASKED_RATIO = (0.94, 0.99)
SPREAD = 0.04


def _shape(demand: Demand) -> None:
    plex, chance = demand.sysplex, demand.chance("aliases_wont_help")
    lcu = plex.lcu(LCU)
    members, surge = plex.members(lcu), demand.window(START, END, 2.0)
    asked = chance.uniform(*ASKED_RATIO) * plex.boxes[plex.lcus[lcu].box].capacity_rate
    each = asked * chance.lognormal(0, SPREAD, plex.intervals) / len(members)
    for i, system in enumerate(plex.systems):
        demand.rate[i][members] += surge * (system.share * each - demand.rate[i][members])


PLANTED = Planted(
    finding="box_saturated",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA",),
    start_hour=START + 2,
    end_hour=END - 2,
    evidence="rate stays the same while the number in the box grows severalfold",
)
SCENARIO = Scenario("A box whose arms are full: aliases will not help", (PLANTED,), _shape)
