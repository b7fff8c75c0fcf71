"""Failing disks: full at fifty positions, read-only, no permission; and a clock set back. One line, old state kept.

Full and read-only disks are real: a tmpfs of the needed size, mounted for the run, which requires root (other users
skip these two). Missing permission is tested as an ordinary user in folders of root. A clock set back is a process
whose `time.time` is ten years behind, in a lake whose files are ten years ahead. After each refusal the commands run
again without the fault, and must give the result of an uninterrupted run. `--count` is the number of positions.
"""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.figures.children import asked, warm
from tests.figures.kept import Figure, Line, failures
from tests.figures.kills import TASKS, Task, made, whole

POSITIONS = 50
KINDS = ("no permission", "clock set back", "read-only", "disk full")
OURS = ("LakeError", "RequestError", "InputError", "OSError", "MemoryError")
"""Errors that the command line reports in one line."""
TEN_YEARS_S = 315_360_000
NO_ONE = 65534


@contextmanager
def mounted(place: Path, size: int) -> Iterator[Path]:
    """A disk in memory with room for this many bytes."""
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)], check=True, capture_output=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def may_mount() -> bool:
    """Whether we may mount a disk in memory."""
    with tempfile.TemporaryDirectory() as name:
        try:
            with mounted(Path(name), 1 << 20):
                return True
        except (subprocess.CalledProcessError, OSError):
            return False


def _used(place: Path) -> int:
    reported = os.statvfs(place)
    return (reported.f_blocks - reported.f_bfree) * reported.f_frsize


def most(task: Task, template: Path, disk: Path) -> tuple[int, int]:
    """Bytes on the disk before a command, and at most while it runs."""
    with mounted(disk, 1 << 30):
        place = Path(shutil.copytree(template, disk / "run"))
        before, seen, over = _used(disk), [0], threading.Event()

        def watch() -> None:
            while not over.wait(0.002):
                seen[0] = max(seen[0], _used(disk))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            asked(lambda: task.act(place) and None)
        finally:
            over.set()
            watcher.join()
        return before, max(seen[0], _used(disk))


def refusal(task: Task, place: Path) -> str:
    """What a command says where something refuses; '' if nothing did."""
    try:
        asked(lambda: task.act(place) and None)
    except RuntimeError as error:
        return str(error)
    return ""


def wrong(task: Task, place: Path, expected: object, stated: str) -> str:
    """What is wrong with what a refusal stated, or with what it left."""
    if stated and stated.partition(":")[0] not in OURS:
        return f"no line of ours: {stated}"
    if "\n" in stated:
        return f"more than one line: {stated}"
    try:
        return asked(lambda: task.torn(place, expected))
    except RuntimeError as error:
        return f"left what can't be read: {error}"


def again(task: Task, place: Path, expected: object) -> str:
    """What is wrong when the command is run again where nothing refuses."""
    if stated := refusal(task, place):
        return f"run again: {stated}"
    return "" if asked(lambda: task.state(place)) == expected else "run again, it gave something else"


def full(task: Task, template: Path, folder: Path, positions: int) -> Line:
    """The disk is full at this many positions of what the command writes."""
    expected, _ = whole(task, template, folder)
    disk = folder / "disk"
    before, peak = most(task, template, disk)
    texts: list[str] = []
    refused = 0
    for position in range(positions):
        with mounted(disk, before + (peak - before) * position // positions + 4096):
            place = Path(shutil.copytree(template, disk / "run"))
            stated = refusal(task, place)
            refused += bool(stated)
            subprocess.run(["mount", "-o", "remount,size=1g", str(disk)], check=True)
            found = wrong(task, place, expected, stated) or again(task, place, expected)
            texts += [f"at {position} of {positions}: {found}"] if found else []
    return {"what": f"disk full: {task.name}", "tried": positions, "refused": refused, "wrong": texts}


def read_only(task: Task, template: Path, folder: Path) -> Line:
    """The disk can be read only."""
    expected, _ = whole(task, template, folder)
    disk = folder / "disk"
    with mounted(disk, 1 << 28):
        place = Path(shutil.copytree(template, disk / "run"))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        stated = refusal(task, place)
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
        found = wrong(task, place, expected, stated) or again(task, place, expected)
    return _line(f"read-only: {task.name}", stated, found)


def _line(what: str, stated: str, found: str) -> Line:
    texts = [found] if found else [] if stated else ["was not refused"]
    return {"what": what, "tried": 1, "refused": int(bool(stated)), "wrong": texts, "stated": stated}


def forbidden(task: Task, template: Path, folder: Path) -> Line:
    """The folders are of somebody else."""
    expected, _ = whole(task, template, folder)
    place = Path(shutil.copytree(template, folder / "theirs"))
    for path in (folder, *place.rglob("*"), place):
        path.chmod(0o755 if path.is_dir() else 0o644)

    def as_no_one() -> None:
        if os.getuid() == 0:
            os.setgroups([]), os.setgid(NO_ONE), os.setuid(NO_ONE)
        else:
            for path in (*place.rglob("*"), place):
                path.chmod(0o555 if path.is_dir() else 0o444)
        task.act(place)

    try:
        asked(as_no_one)
        stated = ""
    except RuntimeError as error:
        stated = str(error)
    for path in (*place.rglob("*"), place):
        path.chmod(0o755 if path.is_dir() else 0o644)
    found = wrong(task, place, expected, stated) or again(task, place, expected)
    shutil.rmtree(place)
    return _line(f"no permission: {task.name}", stated, found)


def set_back(task: Task, template: Path, folder: Path) -> Line:
    """The clock is ten years behind, what is there is ten years ahead."""
    expected, _ = whole(task, template, folder)
    place = Path(shutil.copytree(template, folder / "later"))
    now = time.time()
    for path in place.rglob("*"):
        os.utime(path, (now + TEN_YEARS_S,) * 2)

    def act() -> None:
        time.time = lambda: now - TEN_YEARS_S
        task.act(place)

    try:
        asked(act)
        found = "" if asked(lambda: task.state(place)) == expected else "gave something else"
    except RuntimeError as error:
        found = str(error)
    shutil.rmtree(place)
    return {"what": f"clock set back: {task.name}", "tried": 1, "refused": 0, "wrong": [found] if found else []}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """What is not kept yet."""
    warm()
    done = {n["what"] for n in kept}
    can, positions = may_mount(), count or POSITIONS
    tries: dict[str, Callable[[Task, Path, Path], Line]] = {"no permission": forbidden, "clock set back": set_back}
    if can:
        tries |= {"read-only": read_only, "disk full": lambda t, a, b: full(t, a, b, positions)}
    with tempfile.TemporaryDirectory(prefix="iosq-faults-") as name:
        template = Path(name, "template")
        template.mkdir()
        made(template)
        for kind, work in tries.items():
            for task in TASKS:
                if f"{kind}: {task.name}" not in done:
                    yield work(task, template, Path(name))


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """What refused, what was against the promise, and what has not been run."""
    done = {n["what"] for n in kept}
    names = [f"{kind}: {task.name}" for kind in KINDS for task in TASKS]
    return [
        ("fault: command", "tried", "refused in one line", "failed"),
        *((str(n["what"]), str(n["tried"]), str(n["refused"]), str(len(failures([n])))) for n in kept),
        *((name, "0", "not run", "not run") for name in names if name not in done),
    ]


FIGURE = Figure("faults", "Failing disks, clocks set back", "old state kept, one line", run, table, failures)
