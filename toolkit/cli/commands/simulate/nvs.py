"""`iosq simulate nvs`."""

from dataclasses import dataclass
from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Options, Subsystem, refuse_unread
from iosq.toolkit.errors import RequestError

MIB = 1 << 20
Amount = float | None


@dataclass(frozen=True)
class Writes(Options):
    """A burst of writes and the NVS it meets."""

    write_rate: Amount = None
    seconds: Amount = None
    calm_rate: float = 0.0
    growth: float = 1.0
    block_bytes: Amount = None
    rewrite_ratio: Amount = None
    footprint_gb: Amount = None
    write_ratio: Amount = None
    read_hit_ratio: float = 1.0
    nvs_mib: Amount = None
    destage_rate: Amount = None
    more_mib: Amount = None

    def burst(self) -> "iosq.simulate.Burst":
        given = vars(self).copy()
        for name in ("nvs", "more"):
            size = given.pop(f"{name}_mib")
            given[f"{name}_bytes"] = None if size is None else size * MIB
        return iosq.simulate.Burst(write_bytes=given.pop("block_bytes"), **given)


def nvs(
    subsystem: str | None = None,
    lake: Path | None = None,
    part: Subsystem = Subsystem(),
    machine: str | None = None,
    writes: Writes = Writes(),
    timeline: bool = False,
    out: o.Out = o.Out(),
) -> None:
    """Predict delayed writes in a burst, and the effect of more NVS.

    All subsystems of a box share NVS and destage, so --subsystem includes all of its box, and there is no --lcu
    and no --volume. --system is the gatherer of the cache records. The first row is the measurement of the worst
    interval from --since to --until, the second the prediction (--growth, --write-rate, --nvs-mib, --destage-rate).

    Example: iosq simulate nvs --machine ibm3990-6 --write-rate 700 --seconds 30
    """
    burst = writes.burst()
    if subsystem and machine:
        raise RequestError("a subsystem of the lake has its own NVS", place="--machine", remedy="leave one of them out")
    if subsystem:
        answer = part.of(lake).simulate.nvs(subsystem, burst, timeline=timeline)
    else:
        refuse_unread(lake, part, "no --subsystem is named", "name one")
        answer = iosq.simulate.nvs(burst, machine=machine, timeline=timeline)
    out.emit(answer)
