"""One solved day: sysplex, state and counters together, and the parts every record begins with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from iosq.parsers.smf.layout import RecordLayout, layouts
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import alias_counters, cache_counters, device_counters, samples, sync_counters
from iosq.toolkit.sample.demand import Ints, demand, seed_from
from iosq.toolkit.sample.physics import State, solve
from iosq.toolkit.sample.planting import Scenario, scenarios
from iosq.toolkit.sample.sysplex import SAMPLE, Sysplex, sysplex

# RMF hands its records to SMF a moment after the interval's end
WRITTEN_AFTER_MS = 310


@dataclass(frozen=True, slots=True)
class Day:
    """Input of the record makers: fields of the records without prefix.

    Axes: `devices` (system, volume, interval), `cache` (volume, interval), `aliases` (system, LCU, interval). `seed` is
    that of these days' noise.
    """

    sysplex: Sysplex
    seed: int
    scenarios: tuple[Scenario, ...]
    state: State
    devices: dict[str, Ints]
    cache: dict[str, Ints]
    aliases: dict[str, Ints]

    def written(self, interval: int) -> datetime:
        """Local instant at which the records of an interval are written."""
        return self.sysplex.start(interval + 1) + timedelta(milliseconds=WRITTEN_AFTER_MS)


def make_day(
    seed: int = 1,
    scale: int = 1,
    names: tuple[str, ...] | None = None,
    plan: str = SAMPLE,
    days: int = 1,
    first_day: int = 0,
) -> Day:
    """The day (or days) of a seed with the scenarios called `names`, or all of the plan's.

    Raises:
        RequestError: `scale` or `days` are out of range, or `seed` negative.
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


def stamp(prefix: str, local: datetime, sid: str) -> NewRow:
    """The fields every record begins with: when it was written and by which system."""
    midnight = datetime.combine(local.date(), datetime.min.time())
    hundredths = (local - midnight) // timedelta(milliseconds=10)
    return {f"{prefix}TME": hundredths, f"{prefix}DTE": local.date(), f"{prefix}SID": sid}


@dataclass(frozen=True, slots=True)
class Frame:
    """Header and product section of the RMF records of one system."""

    day: Day
    system: int

    def header(self, layout: RecordLayout, interval: int) -> NewRow:
        """Header fields; the encoder adds triplets and lengths."""
        prefix = layout.product[0].name[:5]
        triplets = (layout.header_length - 28) // 8
        own = {f"{prefix}SSI": "RMF", f"{prefix}TRN": triplets}
        return stamp(prefix, self.day.written(interval), self.day.sysplex.systems[self.system].sid) | own

    def product(self, layout: RecordLayout, interval: int) -> NewRow:
        """Product fields of an interval."""
        plex, system = self.day.sysplex, self.day.sysplex.systems[self.system]
        start, end = plex.start(interval), plex.utc(plex.start(interval + 1))
        fields = {
            "MFV": system.version,
            "PRD": "RMF",
            "IST": start.hour * 3600 + start.minute * 60 + start.second,
            "DAT": start.date(),
            "INT": float(plex.interval_s),
            "SAM": samples(self.day.state, self.system),
            "CYC": system.cycle_ms,
            "MVS": system.mvs,
            "IML": 3,
            "PTN": system.partition,
            "IET": end,
            "LGO": plex.utc_offset_s * 1_000_000,
            "OIL": plex.interval_s,
            "GIE": end,
            "XNM": plex.name,
            "SNM": system.sid,
        }
        return {layout.product[0].name[:5] + name: value for name, value in fields.items()}


def layout_of(kind: str) -> RecordLayout:
    """The layout of a record kind such as `74.1`."""
    return {f"{t}.{s}": layout for (t, s), layout in layouts().items()}[kind]
