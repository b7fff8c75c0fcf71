"""For hours a box is written to faster than it destages: NVS of any size would be full after minutes."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.physics import arriving_tracks
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "AA004"
LCU = "0040"
START, END = 0.5, 5.0
EXCESS = (1.08, 1.25)


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    box = [b.serial.endswith(BOX) for b in plex.boxes].index(True)
    members, surge = plex.members(plex.lcu(LCU)), demand.window(START, END)
    asked = demand.chance("nvs_steady").uniform(*EXCESS) * plex.boxes[box].destage_rate
    demand.rate[:, members] *= np.maximum(1, asked / arriving_tracks(demand, demand.rate)[box]) ** surge


PLANTED = Planted(
    finding="nvs_delay",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R745DFWB in every interval of the window while R745DCTD stands still at its ceiling",
)
SCENARIO = Scenario("Steady write overload of NVS", (PLANTED,), _shape)
