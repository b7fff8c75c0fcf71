"""The sysplex of the sample data: systems, boxes, LCUs and volumes from `sysplex.toml`, times `scale`."""

import math
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache, cached_property
from typing import Literal

from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import NewRow, toml

# the plan that `iosq sample` writes
SAMPLE = "iosq.toolkit.sample.scenarios"
Pav = Literal["none", "static", "hyper", "super"]

# four copies of each box's LCUs share a block of X'1000' device numbers; 2000 to FFFF have seven blocks per box
COPIES_PER_BLOCK = 4
LARGEST_SCALE = 28
# maximum of days times scale, for the memory of a laptop: 12 MB each
MOST_DAYS = 448


@dataclass(frozen=True, slots=True)
class System:
    """One z/OS image, and its release: sampling cycle, section lengths, measurement groups of its channels."""

    sid: str
    partition: int
    cycle_ms: int
    version: int
    mvs: str
    share: float
    channel_groups: tuple[int, ...]
    lengths: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Box:
    """One disk box: times in ms, `destage_rate` in tracks/s, the systems that gather its cache records.

    `capacity_rate` is the maximum I/Os per second of its arms, `arm_ms` the time of an I/O at an arm.
    """

    name: str
    model: str
    serial: str
    miss_ms: float
    cmr_ms: float
    delay_ms: float
    destage_rate: float
    cache_mb: int
    nvs_mb: int
    gathered_by: tuple[str, ...]
    capacity_rate: float = math.inf
    arm_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Lcu:
    """One LCU = one SSID; `aliases` are the pool of a HyperPAV or SuperPAV LCU, `exposures` those of each volume.

    `channels` are channel paths used by this LCU only; without any it shares the remaining ones. `sync_ratio`:
    synchronous I/Os (zHyperLink) / normal ones, on systems whose release counts them; `mirrored`: writes go to a PPRC
    secondary.
    """

    number: str
    ssid: str
    box: int
    first_device: int
    volumes: int
    pav: Pav
    volser: str
    storage_group: str
    workload: str
    aliases: int = 0
    exposures: int = 1
    channels: tuple[str, ...] = ()
    sync_ratio: float = 0.0
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Volume:
    """One base device: `lcu` and `box` are positions in the sysplex's lists."""

    volser: str
    device: str
    lcu: int
    box: int


@dataclass(frozen=True)
class Sysplex:
    """Everything that is constant over the day (or the `days`). `settings` is the rest of the TOML file.

    If a day `repeats`, so do its planted problems; a plan with `days` of its own has problems on certain days.
    `first_day` is the number of days that work has already grown.
    """

    name: str
    date: date
    utc_offset_s: int
    interval_s: int
    systems: tuple[System, ...]
    boxes: tuple[Box, ...]
    lcus: tuple[Lcu, ...]
    volumes: tuple[Volume, ...]
    settings: NewRow
    days: int = 1
    repeats: bool = True
    first_day: int = 0

    @property
    def intervals(self) -> int:
        return self.days * 86400 // self.interval_s

    @property
    def left_out(self) -> frozenset[str]:
        return frozenset(self.settings.get("left_out", ()))

    def start(self, interval: int) -> datetime:
        midnight = datetime.combine(self.date, datetime.min.time())
        return midnight + timedelta(seconds=interval * self.interval_s)

    def utc(self, local: datetime) -> datetime:
        """A local instant in UTC, without a zone."""
        return local - timedelta(seconds=self.utc_offset_s)

    @cached_property
    def _volumes(self) -> dict[str, int]:
        return {v.volser: i for i, v in enumerate(self.volumes)}

    @cached_property
    def _members(self) -> dict[int, list[int]]:
        return {c: [i for i, v in enumerate(self.volumes) if v.lcu == c] for c in range(len(self.lcus))}

    def volume(self, volser: str) -> int:
        return self._volumes[volser]

    def lcu(self, number: str) -> int:
        return {c.number: i for i, c in enumerate(self.lcus)}[number]

    def members(self, lcu: int) -> list[int]:
        return self._members[lcu]

    def offline(self, system: System) -> set[str]:
        """Volumes that are defined to `system` but have no path."""
        return {o["volser"] for o in self.settings["offline"] if o["system"] == system.sid}


def _boxes(rows: list[NewRow], scale: int) -> tuple[Box, ...]:
    grown = ({**r, "destage_rate": r["destage_rate"] * scale, "gathered_by": tuple(r["gathered_by"])} for r in rows)
    return tuple(Box(**r) for r in grown)


def _lcu(spec: NewRow, boxes: dict[str, int], copy: int) -> Lcu:
    block, place = divmod(copy, COPIES_PER_BLOCK)
    shifted = {
        "number": f"{int(spec['number'], 16) + 0x100 * copy:04X}",
        "ssid": f"{int(spec['ssid'], 16) + 0x100 * copy:04X}",
        "first_device": int(spec["first_device"], 16) + 0x400 * place + 0x2000 * block,
        "box": boxes[spec["box"]],
        "channels": tuple(spec.get("channels", ())),
    }
    return Lcu(**{**spec, **shifted})


def _volumes(lcus: list[Lcu]) -> tuple[Volume, ...]:
    count: dict[str, int] = {}
    found = []
    for position, lcu in enumerate(lcus):
        for i in range(lcu.volumes):
            number = count[lcu.volser] = count.get(lcu.volser, -1) + 1
            found.append(Volume(f"{lcu.volser}{number:03d}", f"{lcu.first_device + i:04X}", position, lcu.box))
    return tuple(found)


@cache
def sysplex(scale: int = 1, plan: str = SAMPLE, days: int = 1, first_day: int = 0) -> Sysplex:
    """The sysplex with `scale` copies of its LCUs in the same boxes, which grow accordingly.

    Args:
        days: how often to repeat the plan's day, with growth and weekends; a plan with days of its own keeps them.
        first_day: number of days after the plan's date at which they start.

    Raises:
        RequestError: `scale` is not between 1 and 28 (the limit of device numbers), or there are too many days.
    """
    if not 1 <= scale <= LARGEST_SCALE:
        raise RequestError(f"scale {scale} is not between 1 and {LARGEST_SCALE}", remedy="choose a smaller --scale")
    if not 1 <= days * scale <= MOST_DAYS:
        most = MOST_DAYS // scale
        raise RequestError(f"{days} days are not between 1 and {most} at scale {scale}", remedy="choose fewer --days")
    spec = toml(plan, "sysplex.toml")
    boxes = _boxes(spec.pop("box"), scale)
    places = {b.name: i for i, b in enumerate(boxes)}
    systems = tuple(System(**{**s, "channel_groups": tuple(s["channel_groups"])}) for s in spec.pop("system"))
    rows = spec.pop("lcu")
    lcus = [_lcu(row, places, copy) for copy in range(scale) for row in rows]
    own = {key: spec.pop(key) for key in ("name", "date", "utc_offset_s", "interval_s")}
    own |= {"repeats": "days" not in spec, "days": spec.pop("days", days), "first_day": first_day}
    own["date"] += timedelta(days=first_day)
    return Sysplex(**own, systems=systems, boxes=boxes, lcus=tuple(lcus), volumes=_volumes(lcus), settings=spec)
