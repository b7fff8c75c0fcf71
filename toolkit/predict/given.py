"""Values that the user knows and the lake does not hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.predict import headroom
from iosq.toolkit.show.numbers import NO_HELP

# what counts as closed work, and as the same work with other exposures: thresholds of the rule closed_load
CLOSED = {
    "queue_length": 0.5, "busy": 0.9, "evenness": 0.33, "denied_ratio": 0.03, "same_load": 0.15, "whole": 0.05,
    "gain": NO_HELP, "most": 15,
}  # fmt: skip
MOST_VOLUMES = 65_536  # device numbers have four hexadecimal digits


@dataclass(frozen=True, slots=True)
class Given:
    """The box and its parameters; None where the lake decides.

    machine: a name or file; read_ratio: share of reads where no cache record has it; footprint_gb: data each volume
    touches, None where it is unknown; headroom, closed: what counts as path and back end at ease, and as closed work,
    thresholds by name.

    Raises:
        RequestError: an impossible share or footprint.
    """

    machine: str | None = None
    read_ratio: float | None = None
    footprint_gb: float | None = None
    headroom: Mapping[str, float] = field(default_factory=headroom.SHARED.limits, hash=False)
    closed: Mapping[str, float] = field(default_factory=CLOSED.copy, hash=False)

    def __post_init__(self) -> None:
        if self.footprint_gb is not None:
            positive(**{"--footprint-gb": self.footprint_gb})
        if self.read_ratio is not None:
            ratio(**{"--read-ratio": self.read_ratio})

    @property
    def touched_gb(self) -> float:
        """The footprint; without a machine file it changes no answer."""
        return 1.0 if self.footprint_gb is None else self.footprint_gb


NOTHING = Given()
