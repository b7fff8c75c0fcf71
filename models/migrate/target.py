"""What a forecast asks of a machine that disk work can be moved to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from iosq.models.migrate.workload import BoxLoad, MeasuredVolume


@dataclass(frozen=True, kw_only=True)
class Target:
    """A machine.

    calibrated_on: the data behind its numbers; caveats: effects that its model leaves out; capacity_gb, volumes_max:
    what one box holds, None if the machine file lacks it; load_error_ratio: by what share more or less work could come
    for its error, 0 where `at_end` has all of it.
    """

    name: str
    calibrated_on: str
    caveats: tuple[str, ...]
    capacity_gb: float | None = None
    volumes_max: int | None = None
    load_error_ratio: float = 0.0

    def at_end(self, end: int, load: BoxLoad) -> Target:  # noqa: ARG002 - kinds differ in what they need
        """The fastest (-1) or slowest (1) possible machine for this load."""
        return self

    def beyond(self, load: BoxLoad) -> str:  # noqa: ARG002 - as above
        """How far the load exceeds the measured range of the machine; empty if it does not."""
        return ""

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        """Busy share of each station; 1 and more is beyond it."""
        raise NotImplementedError

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Time an I/O of each volume spends in the box; infinite beyond saturation."""
        raise NotImplementedError

    def hit_ms(self, load: BoxLoad) -> float:
        """Time of a hit alone in the box, with the block size of `service_ms`; includes its transfer."""
        raise NotImplementedError
