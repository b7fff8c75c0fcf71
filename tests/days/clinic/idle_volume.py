"""A volume without I/O all day, with an alias of its own."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

VOLSER = "IDL004"


def _shape(demand: Demand) -> None:
    demand.rate[:, demand.sysplex.volume(VOLSER)] = 0


PLANTED = Planted(
    finding="idle_volume",
    subject_kind="volume",
    subject=VOLSER,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="SMF74SSC = 0 in every interval",
)
SCENARIO = Scenario("Idle volume", (PLANTED,), _shape)
