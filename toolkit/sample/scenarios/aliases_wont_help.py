"""A box with few arms gets more work than they carry: its rate stops rising, its times and the host queues grow."""

from __future__ import annotations

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

LCU, BOX = "0020", "AA002"
START, END = 8.5, 16.0
EXCESS = (1.3, 1.8)


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    lcu = plex.lcu(LCU)
    members, surge = plex.members(lcu), demand.window(START, END, 2.0)
    asked = demand.chance("aliases_wont_help").uniform(*EXCESS) * plex.boxes[plex.lcus[lcu].box].capacity_rate
    now = demand.rate[:, members].sum(axis=(0, 1))
    demand.rate[:, members] *= (1 - surge) + surge * asked / now


PLANTED = Planted(
    finding="box_saturated",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA",),
    start_hour=START + 2,
    end_hour=END - 2,
    evidence="rate stays the same while the number in the box grows severalfold",
)
SCENARIO = Scenario("A box whose arms are full: aliases will not help", (PLANTED,), _shape, plan="clinic")
