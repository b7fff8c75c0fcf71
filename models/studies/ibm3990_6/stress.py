"""The maximum-stress test over time: the rate holds until NVS is full, then falls to what a full NVS allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from iosq.models import nvs
from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.studies.ibm3990_6.calibrate import SMALL, stress

Series = NDArray[np.float64]


def rate_over_time(
    box: Machine, offered_rate: float, seconds: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Seconds, and I/Os per second the box completes when `offered_rate` of the very-high-locality load arrives.

    Destage gets the back-end path time the reads leave at the box's maximum. Every I/O behind a write that waits for
    NVS waits with it, so the total falls as the writes do (rate times write share is constant).
    """
    write_ratio = box.value("stress_write_ratio")
    merged = box.value("destage_per_write_ratio")
    writes = subsystem.max_rate(box, stress(write_ratio)) * write_ratio
    bucket = nvs.from_machine(box, write_bytes=SMALL, rewrite_ratio=1 - merged)
    line = nvs.simulate(
        replace(bucket, destage_rate=writes * merged), [nvs.Phase(seconds, offered_rate * write_ratio)], step_s=0.05
    )
    return line.time_s, line.admitted / 0.05 / write_ratio
