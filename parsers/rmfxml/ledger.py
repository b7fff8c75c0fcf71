"""Accounts for all input bytes by a cursor that only moves forward."""

from dataclasses import dataclass

from iosq.parsers.api import Balance, Outcome


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
        """Count bytes up to `to` as markup around records."""
        self.balance.frame_bytes += self._move(to)

    def lost(self, to: int) -> None:
        """Count bytes up to `to` as unreadable."""
        self.balance.lost_bytes += self._move(to)

    def record(self, kind: str, to: int, outcome: Outcome) -> None:
        """Count bytes up to `to` as one record of `kind`."""
        self.balance.count(kind, outcome, self._move(to))
