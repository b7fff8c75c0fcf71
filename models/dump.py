"""Stand-alone dump: elapsed time by size and kind of storage and number of volumes; IPCS initialization time.

Volumes are written in parallel until the dump program is the limit; virtual storage is paged in first, so its rate
does not depend on the disk. IPCS reads the volumes sequentially.
"""

import math

import numpy as np

from iosq.models.machine import Machine
from iosq.models.pav.answers import Interval
from iosq.models.pav.box import softmin
from iosq.toolkit.errors import RequestError

VOLUMES_MAX = 32  # a stand-alone dump spans at most 32 volumes


def dump_time(machine: Machine, storage_bytes: float, *, volumes: int = 1, is_virtual: bool = False) -> Interval:
    """Seconds to dump `storage_bytes` to a number of volumes of this machine, with the range of a single timing.

    RequestError if storage is not positive, or volumes are outside 1 to 32.
    """
    _check(storage_bytes, volumes)
    kind = "virtual_" if is_virtual else ""
    rate = _rate(machine, kind, volumes)
    further = (volumes - 1) * machine.not_negative("virtual_volume_s") if is_virtual else 0.0
    return _banded(machine, machine.not_negative("fixed_s") + storage_bytes / rate + further)


def ipcs_time(machine: Machine, dump_bytes: float, *, volumes: int = 1) -> Interval:
    """Seconds of IPCS to initialize a dump of `dump_bytes` on a number of volumes."""
    _check(dump_bytes, volumes)
    return _banded(
        machine, dump_bytes / machine.positive("ipcs_bytes_rate") + volumes * machine.not_negative("ipcs_volume_s")
    )


def volumes_worth_having(machine: Machine, storage_bytes: float, *, is_virtual: bool = False, most: int = 8) -> int:
    """Fewest volumes with a time within the repeatability of the best one, up to `most`."""
    times = [dump_time(machine, storage_bytes, volumes=n, is_virtual=is_virtual).value for n in range(1, most + 1)]
    bar = min(times) * (1 + machine.not_negative("repeatability_ratio"))
    return next(n for n, seconds in enumerate(times, start=1) if seconds <= bar)


def _check(size_bytes: float, volumes: int) -> None:
    if not 0 < size_bytes < math.inf:
        raise RequestError(f"storage_bytes = {size_bytes} must be positive")
    if not 1 <= volumes <= VOLUMES_MAX:
        raise RequestError(f"volumes = {volumes} must lie between 1 and {VOLUMES_MAX}")


def _rate(machine: Machine, kind: str, volumes: int) -> float:
    """Bytes per second: smooth minimum of the total rate of the volumes and the rate of the dump program."""
    sharpness = machine.checked("corner_sharpness_ratio", lambda value: value >= 1, "be at least 1")
    disks = np.asarray(volumes * machine.positive(f"{kind}volume_bytes_rate"))
    program = np.asarray(machine.positive(f"{kind}host_bytes_rate"))
    return float(softmin(disks, program, np.asarray(sharpness)))


def _banded(machine: Machine, seconds: float) -> Interval:
    spread = machine.not_negative("repeatability_ratio")
    return Interval(seconds, seconds * (1 - spread), seconds * (1 + spread))
