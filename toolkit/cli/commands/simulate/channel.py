"""`iosq simulate channel`."""

import iosq
from iosq.toolkit.cli.commands.simulate import options as o


def channel(
    machine: str,
    block_bytes: list[float] | None = None,
    tasks: list[int] | None = None,
    distance_km: list[float] | None = None,
    read_ratio: float = 1.0,
    volumes: int = 6,
    exposures: int = 1,
    channels: int = 1,
    out: o.Out = o.Out(),
) -> None:
    """Predict rate and throughput of channels.

    They depend on block size, tasks, aliases (exposures) and distance.

    Example: iosq simulate channel se700 --exposures 4 --block-bytes 4096 --block-bytes 32768
    """
    answer = iosq.simulate.channel(
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
