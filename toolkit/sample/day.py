"""One solved day: sysplex, state and counters."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from iosq.toolkit.errors import RequestError
from iosq.toolkit.sample.counters import alias_counters, cache_counters, device_counters, sync_counters
from iosq.toolkit.sample.demand import Ints, demand, seed_from
from iosq.toolkit.sample.physics import State, solve
from iosq.toolkit.sample.planting import Scenario, scenarios
from iosq.toolkit.sample.sysplex import SAMPLE, Sysplex, sysplex

Records = Callable[[int], list[tuple[str, bytes]]]
"""The records of an interval, each with its kind."""
# RMF passes its records to SMF a moment after the interval's end
WRITTEN_AFTER_MS = 310


@dataclass(frozen=True, slots=True)
class Day:
    """Input of the record makers: fields of records, without prefix.

    Axes: `devices` (system, volume, interval), `cache` (volume, interval), `aliases` (system, LCU, interval). `seed` is
    the seed of the noise of these days.
    """

    sysplex: Sysplex
    seed: int
    scenarios: tuple[Scenario, ...]
    state: State
    devices: dict[str, Ints]
    cache: dict[str, Ints]
    aliases: dict[str, Ints]

    def written(self, interval: int) -> datetime:
        return self.sysplex.start(interval + 1) + timedelta(milliseconds=WRITTEN_AFTER_MS)


def make_day(
    seed: int = 1,
    scale: int = 1,
    names: tuple[str, ...] | None = None,
    plan: str = SAMPLE,
    days: int = 1,
    first_day: int = 0,
) -> Day:
    """The day (or days) of a seed with the scenarios `names`, by default all of the plan.

    Raises:
        RequestError: `scale` or `days` is out of range, or `seed` is negative.
    """
    if seed < 0:
        raise RequestError(f"seed {seed} is negative", remedy="choose 0 or more")
    plex = sysplex(scale, plan, days, first_day)
    wanted = demand(plex, seed)
    planted = tuple(s for n, s in scenarios(plan).items() if names is None or n in names)
    for scenario in planted:
        scenario.shape(wanted)
    state = solve(wanted)
    own = seed_from(seed, first_day)
    devices = device_counters(state, own)
    devices |= sync_counters(state, devices["SSC"], own)
    cache, aliases = cache_counters(state, devices["SSC"], own), alias_counters(state, devices["SSC"], own)
    return Day(plex, own, planted, state, devices, cache, aliases)
