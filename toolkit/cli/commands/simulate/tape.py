"""`iosq simulate tape`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli import completion
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Options

if TYPE_CHECKING:
    from iosq.simulate import TapeLoad


@dataclass(frozen=True)
class Jobs(Options):
    """Jobs that write tapes, and the channels between."""

    jobs: Annotated[int, typer.Option(metavar="N", help="Jobs that write at once.")] = 32
    block_bytes: Annotated[float, typer.Option(metavar="BYTES", help="Block before compression.")] = 32768.0
    bufno: Annotated[int, typer.Option(metavar="N", help="QSAM buffers.")] = 20
    compression_ratio: Annotated[
        float, typer.Option("--compression", metavar="N", help="Bytes before over bytes after.")
    ] = 2.66
    escon_count: Annotated[int, typer.Option("--escon", metavar="N", help="ESCON channels.")] = 0
    ficon_count: Annotated[int, typer.Option("--ficon", metavar="N", help="FICON channels.")] = 4
    distance_km: o.Distance = 0.0
    pools: Annotated[int, typer.Option(metavar="N", help="Physical volume pools in use.")] = 1
    dual_copy_ratio: Annotated[
        float, typer.Option("--dual-copy", metavar="0..1", help="Data written to two cartridges.")
    ] = 0.0
    volume_mb: Annotated[float, typer.Option(metavar="MB", help="Logical volume before compression.")] = 800.0

    def load(self) -> TapeLoad:
        """What the model is fed with."""
        from iosq.simulate import TapeLoad

        given = vars(self).copy()
        return TapeLoad(volume_bytes=given.pop("volume_mb") * 1e6, **given)


def tape(
    machine: Annotated[
        str, typer.Option(metavar="NAME", autocompletion=completion.machines, help="A tape server, or a .toml file.")
    ] = "vts-b20",
    drives: Annotated[int | None, typer.Option(metavar="N", help="Cartridge drives behind the cache.")] = None,
    drawers: Annotated[int | None, typer.Option(metavar="N", help="Disk drawers of the cache.")] = None,
    jobs: Jobs = Jobs(),
    hours: Annotated[float | None, typer.Option(metavar="H", help="How long; default twice the peak.")] = None,
    timeline: Annotated[bool, typer.Option("--timeline", help="Rows over time instead of the summary.")] = False,
    out: o.Out = o.Out(),
) -> None:
    """Throughput of a virtual tape server over time: until its cache is full, and after.

    Example: iosq simulate tape --machine vts-b20 --jobs 64 --ficon 8 -o tape.svg
    """
    from iosq import simulate

    setting = simulate.Setting(machine, None if hours is None else hours * 3600, drives, drawers)
    out.emit(simulate.tape(setting, jobs.load(), timeline=timeline))
