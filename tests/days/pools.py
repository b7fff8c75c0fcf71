"""How scenarios ask for more aliases than there are."""

import numpy as np

from iosq.toolkit.sample.demand import Demand, Floats
from iosq.toolkit.sample.physics import alias_use


def press_pools(demand: Demand, lcus: list[int], wanted: float, surge: Floats) -> None:
    """Raise the rates of these LCUs until they ask for `wanted` aliases together on the busier system."""
    members = [volume for lcu in lcus for volume in demand.sysplex.members(lcu)]
    # alias use grows faster than the rate, so it's approached in steps
    for _ in range(16):
        missing = wanted / np.maximum(alias_use(demand)[:, lcus].sum(axis=1).max(axis=0), 1e-6)
        demand.rate[:, members] *= np.clip(missing, 1, 4) ** (0.4 * surge)
