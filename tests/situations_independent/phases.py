"""A shop that is rebuilt: the dumps of each phase are made from a shop of its own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.situations_independent.dumps import write
from tests.situations_independent.shop import Shop


class Written(Protocol):
    """What writes its own files."""

    def write(self, folder: Path) -> list[Path]:
        """The files."""


@dataclass(frozen=True)
class Phases:
    """Shops one after another, each with its start and hours."""

    shops: tuple[Shop, ...]

    def write(self, folder: Path) -> list[Path]:
        """A folder per phase."""
        files = []
        for n, shop in enumerate(self.shops):
            own = folder / f"phase{n}"
            own.mkdir()
            files += write(shop, own)
        return files


@dataclass(frozen=True)
class Together:
    """Systems that each write files of their own."""

    systems: tuple[Written, ...]

    def write(self, folder: Path) -> list[Path]:
        """A folder per system."""
        files = []
        for n, system in enumerate(self.systems):
            own = folder / f"system{n}"
            own.mkdir()
            files += system.write(own)
        return files
