"""Interface of machines that disk work can be moved to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from iosq.models.migrate.workload import BoxLoad, MeasuredVolume


@dataclass(frozen=True, kw_only=True)
class Target:
    """A machine.

    calibrated_on: the source of its numbers; caveats: effects that its model leaves out; capacity_gb, volumes_max:
    capacity of one box, None if the machine file has none; load_error_ratio: the model's error as a share of the load,
    0 if `at_end` covers it.
    """

    name: str
    calibrated_on: str
    caveats: tuple[str, ...]
    capacity_gb: float | None = None
    volumes_max: int | None = None
    load_error_ratio: float = 0.0

    def at_end(self, end: int, load: BoxLoad) -> "Target":  # noqa: ARG002 - kinds of machines use different arguments
        """The fastest (-1) or slowest (1) possible machine for this load."""
        return self

    def beyond(self, load: BoxLoad) -> str:  # noqa: ARG002 - as above
        """How far the load exceeds the measured range of the machine, as text; '' if it does not."""
        return ""

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        """Utilisation of each station; 1 and more is overload."""
        raise NotImplementedError

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Service time in the box for each volume; infinite at saturation."""
        raise NotImplementedError

    def hit_ms(self, load: BoxLoad) -> float:
        """Unloaded time of a hit, with the block size of `service_ms`; includes its transfer."""
        raise NotImplementedError
