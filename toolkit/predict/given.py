"""Values given by the user because the lake does not have them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.predict import headroom
from iosq.toolkit.show.numbers import NO_HELP

# thresholds of the rule closed_load: criteria for closed work, and for the same work with other exposures
CLOSED = {
    "queue_length": 0.5, "busy": 0.9, "evenness": 0.33, "denied_ratio": 0.03, "same_load": 0.15, "whole": 0.05,
    "gain": NO_HELP, "most": 15,
}  # fmt: skip
MOST_VOLUMES = 65_536  # device numbers have four hexadecimal digits


@dataclass(frozen=True, slots=True)
class Given:
    """Assumptions about the box; None to use the lake's values.

    machine: a name or file; read_ratio: read ratio if no cache record has it; footprint_gb: data each volume touches,
    None if unknown; headroom, closed: thresholds by name, for path and back end with spare capacity, and for closed
    work.

    Raises:
        RequestError: the read ratio or footprint is impossible.
    """

    machine: str | None = None
    read_ratio: float | None = None
    footprint_gb: float | None = None
    headroom: Mapping[str, float] = field(default_factory=headroom.SHARED.limits, hash=False)
    closed: Mapping[str, float] = field(default_factory=CLOSED.copy, hash=False)

    def __post_init__(self) -> None:
        positive(**{"--footprint-gb": self.footprint_gb})
        ratio(**{"--read-ratio": self.read_ratio})

    @property
    def touched_gb(self) -> float:
        """The footprint, or 1 GB, which has no effect without a machine file."""
        return 1.0 if self.footprint_gb is None else self.footprint_gb


NOTHING = Given()
