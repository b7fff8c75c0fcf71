"""Accounting of all input bytes: a cursor that only moves forward, and the bytes it passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from iosq.parsers.api import Balance


@dataclass(slots=True)
class Ledger:
    """Counts bytes into a balance. `at` is the offset up to which every byte is accounted for."""

    balance: Balance
    at: int = 0

    def _move(self, to: int) -> int:
        step = max(to - self.at, 0)
        self.at += step
        return step

    def frame(self, to: int) -> None:
        """Bytes up to `to` are markup around records."""
        self.balance.frame_bytes += self._move(to)

    def lost(self, to: int) -> None:
        """Bytes up to `to` could not be read."""
        self.balance.lost_bytes += self._move(to)

    def record(self, kind: str, to: int, outcome: Literal["decoded", "skipped", "failed"]) -> None:
        """Bytes up to `to` are one record of `kind`."""
        count = self.balance.kind(kind)
        count.read += 1
        count.bytes += self._move(to)
        setattr(count, outcome, getattr(count, outcome) + 1)
