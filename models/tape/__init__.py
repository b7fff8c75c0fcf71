"""Model of virtual tape: host jobs and channels, disk cache, premigration to cartridges."""

from iosq.models.tape.host import Attachment, TapeLoad, channel_bytes_rate, host_bytes_rate, job_bytes_rate, qsam_bufno
from iosq.models.tape.server import (
    CHANNELS,
    TapePhase,
    TapePrediction,
    TapeTimeline,
    attachment,
    cache_bytes,
    mounts_per_hour,
    predict,
    premigration_bytes_rate,
    simulate,
)  # fmt: skip

__all__ = [
    "CHANNELS", "Attachment", "TapeLoad", "TapePhase", "TapePrediction", "TapeTimeline", "attachment",
    "cache_bytes", "channel_bytes_rate", "host_bytes_rate", "job_bytes_rate", "mounts_per_hour", "predict",
    "premigration_bytes_rate", "qsam_bufno", "simulate",
]  # fmt: skip
