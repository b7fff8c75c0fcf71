"""What a watcher knows, in the lake: files taken, findings as last seen. Written as a whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake.disk import lake_errors, lock
from iosq.toolkit.lake.lake import WATCH
from iosq.toolkit.watch.arrivals import Stamp
from iosq.toolkit.watch.changes import Known
from iosq.toolkit.watch.outbox import write

VERSION = 1


@dataclass
class State:
    """`is_behind`: files were stored whose findings are not known yet. `is_stale`: outputs lack the last findings."""

    files: dict[str, Stamp] = field(default_factory=dict)
    findings: dict[str, Known] = field(default_factory=dict)
    is_behind: bool = False
    is_stale: bool = False


@contextmanager
def held(lake: Path) -> Iterator[Path]:
    """The folder of the watcher of a lake, held by this process alone.

    Raises:
        LakeError: another one watches, or the lake can't be written.
    """
    folder = lake / WATCH
    with lake_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with lock(folder / "lock", 0) as own:
            if own is None:
                raise LakeError(
                    "another iosq watch is running on this lake", place=str(lake), remedy="stop that one first"
                )
            yield folder


def load(folder: Path) -> State:
    """The state; a new one where there is none, or it is damaged: files are looked at again, and none is stored twice.

    Raises:
        LakeError: a newer iosq wrote it.
    """
    place = folder / "state.json"
    try:
        kept = json.loads(place.read_text("utf-8"))
        if kept["version"] > VERSION:
            raise LakeError(
                f"a newer iosq wrote it (version {kept['version']})", place=str(place), remedy="upgrade iosq"
            )
        files = {path: (int(size), int(changed)) for path, (size, changed) in kept["files"].items()}
        findings = {name: Known(**known) for name, known in kept["findings"].items()}
        return State(files, findings, bool(kept["is_behind"]), bool(kept["is_stale"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return State(is_behind=True)


def save(folder: Path, state: State) -> None:
    """Write the state.

    Raises:
        LakeError: the disk refuses.
    """
    with lake_errors(folder):
        write(folder / "state.json", {"version": VERSION, **asdict(state)})
