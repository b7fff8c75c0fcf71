"""`iosq simulate tape`."""

from dataclasses import dataclass

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Options


@dataclass(frozen=True)
class Jobs(Options):
    """Jobs that write tapes, and the channels between."""

    jobs: int = 32
    block_bytes: float = 32768.0
    bufno: int = 20
    compression_ratio: float = 2.66
    escon_count: int = 0
    ficon_count: int = 4
    distance_km: float = 0.0
    pools: int = 1
    dual_copy_ratio: float = 0.0
    volume_mb: float = 800.0

    def load(self) -> "iosq.simulate.TapeLoad":
        given = vars(self).copy()
        return iosq.simulate.TapeLoad(volume_bytes=given.pop("volume_mb") * 1e6, **given)


def tape(
    machine: str = "vts-b20",
    drives: int | None = None,
    drawers: int | None = None,
    jobs: Jobs = Jobs(),
    hours: float | None = None,
    timeline: bool = False,
    out: o.Out = o.Out(),
) -> None:
    """Predict the throughput of a virtual tape server over time.

    Example: iosq simulate tape --machine vts-b20 --jobs 64 --ficon 8 -o tape.svg
    """
    setting = iosq.simulate.Setting(machine, None if hours is None else hours * 3600, drives, drawers)
    out.emit(iosq.simulate.tape(setting, jobs.load(), timeline=timeline))
