"""The evening batch writes to the second box faster than it destages: NVS fills and writes wait for room."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.physics import arriving_tracks
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "DISK2"
SSID, LCU = "3021", "0021"
START, END = 19.5, 22.5
# write rate of the batch / destage rate of the box
EXCESS = 1.14


def _shape(demand: Demand) -> None:
    plex = demand.sysplex
    box = [b.name for b in plex.boxes].index(BOX)
    members = plex.members(plex.lcu(LCU))
    surge = demand.window(START, END)
    demand.read_ratio[members] *= 1 - 0.45 * surge
    others = demand.rate.copy()
    others[:, members] = 0
    wanted = EXCESS * plex.boxes[box].destage_rate - arriving_tracks(demand, others)[box]
    own = arriving_tracks(demand, demand.rate - others)[box]
    demand.rate[:, members] *= np.maximum(1, wanted / own) ** surge


PLANTED = Planted(
    finding="nvs_delay",
    subject_kind="subsystem",
    subject=SSID,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="R745DFWB > 0 only here; disconnect time of the box's volumes rises with the delayed share of writes",
)
SCENARIO = Scenario("NVS of the second box full in the evening batch", (PLANTED,), _shape)
