"""`iosq simulate nvs`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import LakeOption, Options, Subsystem, refuse_unread
from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from iosq.simulate import Burst

MIB = 1 << 20
Amount = float | None


@dataclass(frozen=True)
class Writes(Options):
    """A burst of writes and the NVS it meets."""

    write_rate: Annotated[Amount, typer.Option(metavar="N", help="Writes per second, to the whole box.")] = None
    seconds: Annotated[Amount, typer.Option(metavar="S", help="Length of the burst; default 60.")] = None
    calm_rate: Annotated[float, typer.Option(metavar="N", help="Writes per second afterwards.")] = 0.0
    growth: Annotated[float, typer.Option(metavar="N", help="Multiplies the burst.")] = 1.0
    block_bytes: Annotated[Amount, typer.Option(metavar="BYTES", help="Room one write takes; default 4096.")] = None
    rewrite_ratio: Annotated[Amount, typer.Option(metavar="0..1", help="Writes that find their data still in NVS.")] = (
        None
    )
    footprint_gb: Annotated[Amount, typer.Option(metavar="GB", help="Data the writes are spread over.")] = None
    write_ratio: Annotated[
        Amount, typer.Option(metavar="0..1", help="Writes of all I/Os: reads then share the paths with destage.")
    ] = None
    read_hit_ratio: Annotated[float, typer.Option(metavar="0..1", help="Read hits of all reads.")] = 1.0
    nvs_mib: Annotated[Amount, typer.Option(metavar="MIB", help="Size of NVS.")] = None
    destage_rate: Annotated[Amount, typer.Option(metavar="N", help="Destages per second at most.")] = None
    more_mib: Annotated[Amount, typer.Option(metavar="MIB", help="NVS one might add; default twice as much.")] = None

    def burst(self) -> Burst:
        """What the model is fed with."""
        from iosq.simulate import Burst

        given = vars(self).copy()
        for name in ("nvs", "more"):
            size = given.pop(f"{name}_mib")
            given[f"{name}_bytes"] = None if size is None else size * MIB
        return Burst(write_bytes=given.pop("block_bytes"), **given)


def nvs(
    subsystem: Annotated[str | None, typer.Option(metavar="SSID", help="A subsystem of the lake.")] = None,
    lake: LakeOption = None,
    part: Subsystem = Subsystem(),
    machine: o.Machine = None,
    writes: Writes = Writes(),
    timeline: Annotated[bool, typer.Option("--timeline", help="Rows over time instead of the summary.")] = False,
    out: o.Out = o.Out(),
) -> None:
    """A write burst against NVS over time: delayed writes, their delay, recovery, and whether more NVS would help.

    NVS and destage are a box's: with --subsystem all subsystems of its box are looked at together, so there is no --lcu
    and no --volume; --system is who gathered the cache records. The first row is what was measured in the worst one
    of the intervals from --since to --until, the second what is asked (--growth, --write-rate, --nvs-mib,
    --destage-rate).

    Example: iosq simulate nvs --machine ibm3990-6 --write-rate 700 --seconds 30
    """
    from iosq import simulate

    burst = writes.burst()
    if subsystem and machine:
        raise RequestError("a subsystem of the lake has its own NVS", place="--machine", remedy="leave one of them out")
    if subsystem:
        answer = part.of(lake).simulate.nvs(subsystem, burst, timeline=timeline)
    else:
        refuse_unread(lake, part, "no --subsystem is named", "name one")
        answer = simulate.nvs(burst, machine=machine, timeline=timeline)
    out.emit(answer)
