"""State of a watcher, stored atomically in the lake: files ingested, findings as last seen."""

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
    """`is_behind`: the findings of stored files are not computed yet. `is_stale`: outputs lack the last findings."""

    files: dict[str, Stamp] = field(default_factory=dict)
    findings: dict[str, Known] = field(default_factory=dict)
    is_behind: bool = False
    is_stale: bool = False


@contextmanager
def held(lake: Path) -> Iterator[Path]:
    """The folder of a lake's watcher, locked by this process; LakeError if another runs, or it can't be written."""
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
    """The saved state; a new one if it is missing or damaged: all files are scanned again, but none is stored twice.

    LakeError if a newer iosq wrote it.
    """
    place = folder / "state.json"
    try:
        content = json.loads(place.read_text("utf-8"))
        if content["version"] > VERSION:
            raise LakeError(
                f"a newer iosq wrote it (version {content['version']})", place=str(place), remedy="upgrade iosq"
            )
        files = {path: (int(size), int(changed)) for path, (size, changed) in content["files"].items()}
        findings = {name: Known(**known) for name, known in content["findings"].items()}
        return State(files, findings, bool(content["is_behind"]), bool(content["is_stale"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return State(is_behind=True)


def save(folder: Path, state: State) -> None:
    """Write the state; LakeError if that fails."""
    with lake_errors(folder):
        write(folder / "state.json", {"version": VERSION, **asdict(state)})
