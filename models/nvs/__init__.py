"""Model of NVS: write bursts over time, closed-form limits, and the classic cached subsystem."""

from iosq.models.nvs.bucket import Nvs, Outcome, Timeline, from_machine, outcome, simulate
from iosq.models.nvs.course import Phase
from iosq.models.nvs.limits import (
    TRACK_BYTES,
    Advice,
    advise,
    bytes_needed,
    drain_s,
    overflow_s,
    saturated_rate,
    seconds_to_fill,
    sustained_rate,
)  # fmt: skip

__all__ = [
    "TRACK_BYTES", "Advice", "Nvs", "Outcome", "Phase", "Timeline", "advise", "bytes_needed", "drain_s",
    "from_machine", "outcome", "overflow_s", "saturated_rate", "seconds_to_fill", "simulate", "sustained_rate",
]  # fmt: skip
