"""A dump job moves more than the two channels to its box carry: I/Os wait for them, and transfers take longer."""

import numpy as np

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.paths import channels_busy
from iosq.toolkit.sample.planting import Planted, Scenario

# the path's id behind its channel subsystem's
LCU, CHANNEL = "0070", "1.55"
START, END = 1.0, 5.0
# asked of the channels; what they can't carry gives way (see physics)
ASKED_RATIO = (0.9, 0.98)


def _shape(demand: Demand) -> None:
    members = demand.sysplex.members(demand.sysplex.lcu(LCU))
    asked = demand.chance("channel_full").uniform(*ASKED_RATIO)
    missing = asked / np.maximum(channels_busy(demand, demand.rate)[members[0]], 1e-6)
    demand.rate[:, members] *= np.maximum(1, missing) ** demand.window(START, END)


PLANTED = Planted(
    finding="channel_busy",
    subject_kind="channel",
    subject=CHANNEL,
    systems=("SYSA", "SYSB"),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="SMF73TUC near its maximum on the only channels to the LCU (R783CPID), pend and connect time high there",
)
SCENARIO = Scenario("Channels full", (PLANTED,), _shape)
