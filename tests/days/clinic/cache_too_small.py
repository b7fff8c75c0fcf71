"""All volumes of a box read past its small cache all day: each of them stages from disk."""

from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.planting import Planted, Scenario

BOX = "AA005"
HIT_RATIO = (0.5, 0.68)


def _shape(demand: Demand) -> None:
    members = [i for i, v in enumerate(demand.sysplex.volumes) if demand.sysplex.boxes[v.box].serial.endswith(BOX)]
    # misses take long: at full rate volumes would also wait for exposures, another trouble
    demand.rate[:, members] *= 0.5
    demand.hit_ratio[members] *= demand.chance("cache_too_small").uniform(*HIT_RATIO) / 0.93


PLANTED = Planted(
    finding="cache_too_small",
    subject_kind="box",
    subject=BOX,
    systems=("SYSA", "SYSB"),
    start_hour=0,
    end_hour=24,
    evidence="R745DCRH / R745DRCR low on every volume of the box, staging and disconnect time high",
)
SCENARIO = Scenario("Cache too small", (PLANTED,), _shape)
