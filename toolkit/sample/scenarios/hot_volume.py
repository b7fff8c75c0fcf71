"""A busy volume with static PAV and one alias: at the online peaks I/Os queue for its two exposures."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "DB2003"
START, END = 9.0, 12.0
PEAK_RATE = 1430.0


def _shape(demand: Demand) -> None:
    volume = demand.sysplex.volume(VOLSER)
    demand.exposures[volume] = 2
    demand.hit_ratio[volume] = 0.80
    demand.read_ratio[volume] = 0.86
    share = [s.share for s in demand.sysplex.systems]
    surge = demand.window(START, END)
    quiet = 90.0 * (1 - surge)
    noise = demand.rate[:, volume] / demand.rate[:, volume].mean(axis=1, keepdims=True)
    for i, part in enumerate(share):
        demand.rate[i, volume] = part * (PEAK_RATE * surge + quiet * noise[i].clip(0.4, 1.6))


PLANTED = Planted(
    finding="pav_add_alias",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA",),
    start_hour=START + 0.5,
    end_hour=END - 0.5,
    evidence="IOSQ time (SMF74IOS/SSC, QUE) is the largest part of response; SMF74NUX = 2",
)
SCENARIO = Scenario("Hot volume, too few static aliases", (PLANTED,), _shape)
