"""Model of channels (FC, FICON, ESCON): time per I/O and per byte, ceilings, concurrency, distance."""

from iosq.models.channel.model import (
    LIGHT_MS_PER_KM,
    Channel,
    Load,
    Prediction,
    ceiling,
    from_machine,
    io_rate,
    limit,
    link_bytes_rate,
    predict,
)  # fmt: skip

__all__ = [
    "LIGHT_MS_PER_KM", "Channel", "Load", "Prediction", "ceiling", "from_machine", "io_rate", "limit",
    "link_bytes_rate", "predict",
]  # fmt: skip
