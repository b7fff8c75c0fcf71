"""Migration: predicts measured work on another machine."""

from iosq.models.migrate.forecast import (
    FULLEST,
    BoxCount,
    Forecast,
    Front,
    VolumeForecast,
    boxes_needed,
    forecast,
    stations,
    utilization,
)  # fmt: skip
from iosq.models.migrate.target import Target
from iosq.models.migrate.targets import CurveTarget, mean_inside, target_of
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume, dealt, grown, host_wait_ms, together

__all__ = [
    "FULLEST", "BoxCount", "BoxLoad", "CurveTarget", "Forecast", "Front", "MeasuredVolume",
    "Target", "VolumeForecast", "boxes_needed", "dealt", "forecast", "grown", "host_wait_ms",
    "mean_inside", "stations", "target_of", "together", "utilization",
]  # fmt: skip
