"""Programs that copy and wait for each answer: more of them per volume than exposures, on a box that could do more."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSERS = ("CPY002", "CPY005")
START, END = 22.0, 24.0
# programs per volume, on the first system
REQUESTERS = (4, 7)


def _shape(demand: Demand) -> None:
    chosen = demand.chance("closed_batch").integers(*REQUESTERS, endpoint=True)
    busy = demand.window(START, END, 0.1) >= 1
    for volser in VOLSERS:
        volume = demand.sysplex.volume(volser)
        demand.requesters[0, volume, busy] = chosen


def _planted(volser: str) -> Planted:
    return Planted(
        finding="closed_load",
        subject_kind="volume",
        subject=volser,
        systems=("SYSA",),
        start_hour=START,
        end_hour=END,
        evidence="queue (SMF74QUE) shorter than random arrivals would make it, with every exposure busy all the time",
    )


SCENARIO = Scenario("Closed workloads of volumes", tuple(map(_planted, VOLSERS)), _shape)
