"""`iosq simulate channel`."""

from __future__ import annotations

from typing import Annotated

import typer

from iosq.toolkit.cli.commands.simulate import options as o


def channel(
    machine: Annotated[
        str, typer.Argument(metavar="CHANNEL", help="escon, ficon, express2 … express16s+, se700, or a .toml file.")
    ],
    block_bytes: Annotated[
        list[float] | None, typer.Option(metavar="BYTES", help="Data per I/O, repeat for several; default 4096.")
    ] = None,
    tasks: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Requesters, repeat for several; default 1 to 18.")
    ] = None,
    distance_km: Annotated[
        list[float] | None, typer.Option(metavar="KM", help="Length, repeat for several; default 0.")
    ] = None,
    read_ratio: Annotated[float, typer.Option(metavar="0..1", help="Reads of all I/Os.")] = 1.0,
    volumes: Annotated[int, typer.Option(metavar="N", help="Volumes the requesters use.")] = 6,
    exposures: Annotated[int, typer.Option(metavar="N", help="Base and aliases of a volume.")] = 1,
    channels: Annotated[int, typer.Option(metavar="N", help="Equal channels.")] = 1,
    out: o.Out = o.Out(),
) -> None:
    """What channels carry: rate and throughput by block size, tasks, aliases (exposures) and distance.

    Example: iosq simulate channel se700 --exposures 4 --block-bytes 4096 --block-bytes 32768
    """
    from iosq import simulate

    answer = simulate.channel(
        machine,
        block_bytes=block_bytes or [4096.0],
        tasks=tasks or [1, 2, 3, 6, 9, 12, 18],
        distance_km=distance_km or [0.0],
        read_ratio=read_ratio,
        volumes=volumes,
        exposures=exposures,
        channels=channels,
    )
    out.emit(answer)
