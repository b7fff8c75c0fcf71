"""Digests (64 bits) of the records in the lake: 8 bytes of memory for each record."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.digests import Digests
from iosq.toolkit.errors import DOCTOR, LakeError
from iosq.toolkit.lake import bounds
from iosq.toolkit.lake.disk import lake_errors

FOLDER = "_digests"


def place(file_id: str, count: int | None = None) -> str:
    """Path of a file's digests below the lake; a number distinguishes digests that replaced others."""
    return f"{FOLDER}/{file_id}{'' if count is None else f'-{count}'}.npy"


def held(lake: Path, file_id: str, count: int) -> str:
    """Path of a file's digests, by their number."""
    counted = place(file_id, count)
    return counted if (lake / counted).exists() else place(file_id)


def load(lake: Path, file_id: str, count: int) -> NDArray[np.uint64]:
    """The sorted digests of one committed file, `count` of them; LakeError if they are missing or damaged."""
    path = lake / held(lake, file_id, count)
    try:
        with bounds.opened(path) as file:
            found: NDArray[np.uint64] = np.load(file, allow_pickle=False)
        if found.dtype != np.uint64 or found.ndim != 1:
            raise ValueError(f"holds {found.dtype} of {found.ndim} dimensions")
    except (OSError, ValueError, EOFError) as error:
        what = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
        raise LakeError(f"{what}: it lists the stored records", place=str(path), remedy=DOCTOR) from error
    return found


class Stored:
    """The digests of every committed file, read once and then extended as other files commit."""

    def __init__(self, lake: Path) -> None:
        self._lake = lake
        self.files: dict[str, int] = {}  # file id: its number of digests
        self.digests = Digests()

    def refresh(self, committed: dict[str, int]) -> None:
        """Take in files we have not seen; `committed` maps file id to its number of digests."""
        for file_id in committed.keys() - self.files.keys():
            if committed[file_id]:
                with lake_errors(self._lake):
                    self.digests.add(load(self._lake, file_id, committed[file_id]))
        self.files |= committed

    def clash(self, own: Digests, committed: dict[str, int]) -> bool:
        """True if a file committed since `refresh` shares a record with this one."""
        newcomers = sorted(f for f in committed.keys() - self.files.keys() if committed[f])
        return any(own.holds(load(self._lake, file_id, committed[file_id])).any() for file_id in newcomers)
