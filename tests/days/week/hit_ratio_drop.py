"""On the eighth day a box loses read hits for some hours: something new works on it."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "BB001"
LAST_DAY = 7
START, END = 9.0, 16.0
LOST_RATIO = (0.15, 0.25)


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    members = [i for i, v in enumerate(plex.volumes) if plex.boxes[v.box].serial.endswith(BOX)]
    surge = demand.window(24 * LAST_DAY + START, 24 * LAST_DAY + END)
    demand.hit_ratio[members] *= 1 - surge * demand.chance("hit_ratio_drop").uniform(*LOST_RATIO)


PLANTED = Planted(
    finding="hit_ratio_drop",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA",),
    start_hour=24 * LAST_DAY + START + 0.5,
    end_hour=24 * LAST_DAY + END - 0.5,
    evidence="R745DCRH / R745DRCR of the box below the same hours of seven days before",
)
SCENARIO = Scenario("Fewer hits than the week before", (PLANTED,), _shape)
