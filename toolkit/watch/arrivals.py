"""Find files of a folder that are complete and not ingested yet.

The folder is polled because network file systems, where dumps arrive, report no events.
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds."""

LAKE = "manifest.sqlite"  # a folder with this file is a lake, and is skipped
UNFINISHED = (".part", ".filepart", ".tmp", ".crdownload")  # extensions that transfer programs use while they write


class Arrivals:
    """The files of one folder and the folders below it.

    Args:
        settle_s: a file is complete when its size and time have been the same for this many seconds,
        marker: or, with a marker, when a file of its name plus this ending exists.
        outputs: files that the watcher itself writes.
    """

    def __init__(self, folder: Path, settle_s: float, marker: str = "", outputs: Iterable[Path] = ()) -> None:
        self._folder, self._settle_s, self._marker = folder, settle_s, marker
        self._outputs = frozenset(path.resolve() for path in outputs)
        self._since: dict[Path, tuple[Stamp, float]] = {}

    def complete(self, taken: Mapping[str, Stamp]) -> dict[Path, Stamp]:
        """The complete files not in `taken` with the same size and time, oldest first; OSError without a folder."""
        found = {path: stamp for path, stamp in self._files() if path.resolve() not in self._outputs}
        self._since = {path: known for path, known in self._since.items() if path in found}
        new = {path: stamp for path, stamp in found.items() if tuple(taken.get(str(path), ())) != stamp}
        ready = {path: stamp for path, stamp in new.items() if self._is_complete(path, stamp)}
        return dict(sorted(ready.items(), key=lambda entry: (entry[1][1], entry[0])))

    def present(self) -> set[str]:
        return {str(path) for path, _ in self._files()}

    def is_unsettled(self) -> bool:
        """True if the last call of `complete` found a file that may still grow."""
        return not self._marker and any(time.monotonic() - since < self._settle_s for _, since in self._since.values())

    def _files(self) -> Iterator[tuple[Path, Stamp]]:
        with os.scandir(self._folder):  # a missing folder raises an error here, but not in os.walk
            pass
        for folder, below, names in os.walk(self._folder):
            below[:] = sorted(
                name for name in below if not name.startswith(".") and not Path(folder, name, LAKE).exists()
            )
            for name in sorted(names):
                path = Path(folder, name)
                with suppress(OSError):  # removed in the meantime
                    if not self._is_left_out(name) and path.is_file():
                        status = path.stat()
                        yield path, (status.st_size, status.st_mtime_ns)

    def _is_left_out(self, name: str) -> bool:
        is_marker = bool(self._marker) and name.endswith(self._marker)
        return is_marker or name.startswith(".") or name.lower().endswith(UNFINISHED)

    def _is_complete(self, path: Path, stamp: Stamp) -> bool:
        if self._marker:
            return path.with_name(path.name + self._marker).exists()
        now = time.monotonic()
        if path not in self._since or self._since[path][0] != stamp:
            # the age of a file at its first scan counts; a time in the future is ignored, as the clock was set back
            age = time.time() - stamp[1] / 1e9 if path not in self._since else 0.0
            self._since[path] = stamp, now - max(age, 0.0)
        return now - self._since[path][1] >= self._settle_s
