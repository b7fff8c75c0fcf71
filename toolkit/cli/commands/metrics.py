"""`iosq metrics`: the lake for a monitoring system."""

from contextlib import suppress
from pathlib import Path

import iosq
from iosq.toolkit.cli.options import Part
from iosq.toolkit.cli.talk import say


def metrics(
    lake: Path | None = None,
    backfill: bool = False,
    floor: float = 1.0,
    otlp: str | None = None,
    output: Path | None = None,
    part: Part = Part(),
) -> None:
    """Write metrics for Prometheus or OpenTelemetry.

    The output has the last interval of every system as OpenMetrics text: gauges per volume, LCU, alias pool, box, cache
    subsystem and channel path. Names include the unit, as in iosq_volume_response_seconds; labels name the system, LCU
    and volume. Unknown values are left out. With --backfill the output is input for
    promtool tsdb create-blocks-from openmetrics.

    Example: iosq metrics -o iosq.prom --lake lake
    """
    asked = part.of(lake)
    if otlp is not None:
        if backfill or output:
            raise iosq.RequestError("sends the last interval", place="--otlp", remedy="leave out --backfill and -o")
        say(f"{asked.send_metrics(otlp, floor=floor)} values sent")
        return
    with suppress(BrokenPipeError):
        asked.metrics(output, backfill=backfill, floor=floor)
