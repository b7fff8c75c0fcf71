"""A machine without published measurements, defined by three numbers of a vendor's quote: bounds, no prediction.

The floor is a box without any queueing, the ceiling is one with all stations as full as the fullest.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from iosq.models.machine import Machine
from iosq.models.migrate.target import Target
from iosq.models.migrate.workload import BoxLoad, MeasuredVolume

KIND = "quoted"
FLOOR, LIKELY, CEILING = -1, 0, 1
CAVEATS = (
    "bounds, no prediction: from a box in which nothing waits to one that is everywhere as full as where it is fullest",
    "writes take the time of a hit, as long as NVS accepts them",
    "hit_ms, miss_ms and rate_max hold for this mix and configuration: ask the vendor",
)


@dataclass(frozen=True, kw_only=True)
class QuotedTarget(Target):
    """A machine file of kind `quoted`: `hit_ms`, `miss_ms` (4 KB, unloaded) and `rate_max` (I/Os per second).

    Writes take the time of a hit: NVS accepts them. `end` selects the bound.
    """

    machine: Machine
    end: int = LIKELY

    def at_end(self, end: int, load: BoxLoad) -> "QuotedTarget":  # noqa: ARG002 - signature of Target
        """The floor (-1) or the ceiling (1)."""
        return replace(self, end=end)

    def beyond(self, load: BoxLoad) -> str:  # noqa: ARG002 - signature of Target
        """Any load is beyond the measured range, as nothing was measured."""
        return f"{self.name} is known by a quote only"

    def utilization(self, load: BoxLoad) -> Mapping[str, float]:
        """Utilisation of the quoted rate."""
        return {"quoted rate": load.io_rate / self.machine.positive("rate_max")}

    def service_ms(self, load: BoxLoad, volumes: Sequence[MeasuredVolume]) -> list[float]:
        """Unloaded time of each volume's hits and misses, plus a wait common to all."""
        alone = [self._alone_ms(volume.read_ratio * (1 - volume.read_hit_ratio)) for volume in volumes]
        mean_ms = sum(share * ms for share, ms in zip(load.shares, alone, strict=True))
        wait_ms = self._wait_ms(mean_ms, load.io_rate / self.machine.positive("rate_max"))
        return [ms + wait_ms for ms in alone]

    def hit_ms(self, load: BoxLoad) -> float:  # noqa: ARG002 - signature of Target
        """The quoted time of a hit."""
        return self.machine.positive("hit_ms")

    def _alone_ms(self, misses: float) -> float:
        hit_ms = self.machine.positive("hit_ms")
        return hit_ms + misses * (max(self.machine.positive("miss_ms"), hit_ms) - hit_ms)

    def _wait_ms(self, alone_ms: float, busy: float) -> float:
        """Wait per I/O: none at the floor, M/M/1 at the ceiling, else Sakasegawa (1977) with servers for the rate."""
        if self.end == FLOOR and busy < 1:
            return 0.0
        if busy >= 1:
            return math.inf
        most = alone_ms * busy / (1 - busy)
        servers = max(self.machine.positive("rate_max") * alone_ms / 1e3, 1.0)
        return most if self.end == CEILING else most * busy ** (math.sqrt(2 * (servers + 1)) - 2) / servers


def target_of(machine: Machine) -> QuotedTarget:
    """The target of a machine file of this kind."""
    return QuotedTarget(
        name=machine.name,
        calibrated_on=f"a vendor's quote, machine file {machine.title}",
        caveats=CAVEATS,
        capacity_gb=machine.positive("capacity_gb") if "capacity_gb" in machine.parameters else None,
        machine=machine,
    )
