"""`kill -9` at random moments of writing commands: no data lost, doubled or incomplete.

Each command runs in a process forked from a prepared one and is killed at a moment drawn uniformly from its
uninterrupted time. The test checks what is left, runs the command again and compares the result, value by value, with
that of one uninterrupted run. `--count` is the number of kills of each command.
"""

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

import iosq
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.writer import Limits
from tests.figures.children import asked, killed, warm
from tests.figures.kept import ROOT, Figure, Line, failures, number

INPUTS = ("tests/golden/rmf/device.txt", "tests/golden/rmf/cache.txt", "tests/golden/fcx/fcx108.txt",
          "sample-data/smf/tapelib.bdw.smf", "tests/broken/smf/garbage-between.smf")  # fmt: skip
KEY = b"sixteen bytes or more"
QUESTION = "SELECT * FROM device_interval ORDER BY ALL"
AT_ONCE = 20  # kills between two lines of results
Rows = dict[tuple[str, str], Counter[str]]


@dataclass(frozen=True, slots=True)
class Task:
    """A command, in a folder that has what it needs.

    `torn` says what is wrong with what a kill left, given what a whole run leaves; `state` is what is compared.
    """

    name: str
    act: Callable[[Path], object]
    state: Callable[[Path], object]
    torn: Callable[[Path, object], str]


def rows(lake: Path) -> Rows:
    """All rows of a lake, by table and input."""
    found: Rows = {}
    for name, paths in Lake(lake).parts().items():
        for path in paths:
            for row in pq.ParquetFile(path).read().to_pylist():
                found.setdefault((name, row["file_id"]), Counter())[repr(row)] += 1
    return found


def healthy(lake: Path) -> tuple[Rows, list[str]]:
    """The rows of a lake, and what is wrong with it."""
    return rows(lake), [str(a) for a in iosq.doctor(lake, hashes=True)]


def _inputs(folder: Path) -> list[Path]:
    return sorted((folder / "in").iterdir())


def _take(folder: Path) -> None:
    iosq.ingest(folder / "new", _inputs(folder))


def _half_taken(folder: Path, whole: object) -> str:
    """Each input wholly there or not at all."""
    if not (folder / "new/manifest.sqlite").exists():
        return ""
    assert isinstance(whole, tuple)
    lake, expected = Lake(folder / "new"), whole[0]
    try:
        lake.create()
        found = rows(lake.path)
    except Exception as error:  # noqa: BLE001 - any is what we look for
        return f"the lake can't be read: {error}"
    inputs = {file_id for _, file_id in found}
    return "" if found == {k: v for k, v in expected.items() if k[1] in inputs} else "an input is there in part"


def _lake_changed(folder: Path, whole: object) -> str:
    assert isinstance(whole, tuple)
    return "" if rows(folder / "lake") == whole[0] else "rows changed"


def _copy(folder: Path) -> None:
    iosq.anonymize(folder / "lake", folder / "shared", key=KEY)


def _copy_torn(folder: Path, whole: object) -> str:
    target = folder / "shared"
    if not target.exists():
        return ""
    torn = healthy(target) != whole
    shutil.rmtree(target)
    return "a copy with other rows" if torn else ""


def _output(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).read_bytes()


def _output_torn(name: str) -> Callable[[Path, object], str]:
    return lambda folder, whole: "" if (folder / name).read_bytes() in (b"old", whole) else "half a file"


def _tables(folder: Path) -> Rows:
    """Rows of the Delta tables, as their logs list them."""
    from deltalake import DeltaTable

    found: Rows = {}
    for place in sorted((folder / "delta").iterdir()):
        if any(place.glob("_delta_log/*.json")):  # else it is not a table yet
            for row in DeltaTable(str(place)).to_pyarrow_table().to_pylist():
                found.setdefault((place.name, str(row.get("file_id"))), Counter())[repr(row)] += 1
    return found


def _tables_torn(folder: Path, whole: object) -> str:
    assert isinstance(whole, dict)
    if not (folder / "delta").exists():
        return ""
    found, names = _tables(folder), {name for name, _ in whole}
    of = {
        n: ({k: v for k, v in found.items() if k[0] == n}, {k: v for k, v in whole.items() if k[0] == n}) for n in names
    }
    torn = sorted(n for n, (have, want) in of.items() if have and have != want)
    return f"tables with other rows: {', '.join(torn)}" if torn else ""


TASKS = (
    Task("ingest", _take, lambda folder: healthy(folder / "new"), _half_taken),
    Task("compact", lambda f: iosq.compact(f / "lake"), lambda f: healthy(f / "lake"), _lake_changed),
    Task("anonymize", _copy, lambda folder: healthy(folder / "shared"), _copy_torn),
    Task("report", lambda f: iosq.open(f / "lake").report(f / "out.html"), _output("out.html"),
         _output_torn("out.html")),
    Task("sql -o", lambda f: iosq.open(f / "lake").export(QUESTION, f / "out.csv"), _output("out.csv"),
         _output_torn("out.csv")),
    Task("export delta", lambda f: iosq.export_delta(f / "lake", f / "delta"), _tables, _tables_torn),
)  # fmt: skip


def made(folder: Path) -> None:
    """What the commands need: inputs, a lake of small files, outputs of an earlier run."""
    (folder / "in").mkdir()
    for name in INPUTS:
        shutil.copy(ROOT / name, folder / "in")
    asked(lambda: ingest(Lake(folder / "lake"), _inputs(folder), limits=Limits(part_rows=8, group_rows=8)) and None)
    for name in ("out.html", "out.csv"):
        (folder / name).write_bytes(b"old")


def whole(task: Task, template: Path, folder: Path) -> tuple[object, float]:
    """What two uninterrupted runs leave, and how long one takes."""
    times, states = [], []
    for turn in range(2):
        place = Path(shutil.copytree(template, folder / f"{task.name}-{turn}"))
        begun = time.monotonic()
        asked(lambda place=place: task.act(place) and None)
        times.append(time.monotonic() - begun)
        states.append(asked(lambda place=place: task.state(place)))
        shutil.rmtree(place)
    assert states[0] == states[1], f"{task.name}: uninterrupted runs differ"
    return states[0], min(times)


def _after(task: Task, place: Path, expected: object) -> str:
    """What is wrong after a kill, and after the command was run again."""
    try:
        if torn := asked(lambda: task.torn(place, expected)):
            return torn
        asked(lambda: task.act(place) and None)
        return "" if asked(lambda: task.state(place)) == expected else "run again, it gave something else"
    except RuntimeError as error:
        return str(error)


def shots(task: Task, template: Path, folder: Path, seed: str, count: int) -> Line:
    """Kill one command this many times."""
    expected, longest = whole(task, template, folder)
    random, wrong, done, missed = Random(seed), [], 0, 0
    while done < count:
        place = Path(shutil.copytree(template, folder / "run"))
        if killed(lambda place=place: task.act(place), random.uniform(0, longest)):
            done += 1
            wrong += [text] if (text := _after(task, place, expected)) else []
        else:
            missed += 1
            longest *= 0.9 if missed > done else 1  # the machine was busier when the time was taken
        shutil.rmtree(place)
    return {"what": task.name, "kills": count, "wrong": wrong, "run_s": round(longest, 2)}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` kills of each command, the one with the fewest first."""
    warm()
    with tempfile.TemporaryDirectory(prefix="iosq-kills-") as name:
        template = Path(name, "template")
        template.mkdir()
        made(template)
        done = {t.name: sum(int(number(n, "kills")) for n in kept if n["what"] == t.name) for t in TASKS}
        while left := [t for t in TASKS if done[t.name] < (count or 200)]:
            task = min(left, key=lambda t: done[t.name])
            size = min(AT_ONCE, (count or 200) - done[task.name])
            yield shots(task, template, Path(name), f"{task.name} {done[task.name]}", size)
            done[task.name] += size


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Commands with their kills."""
    rows: list[tuple[str, ...]] = [("command", "kills", "lost, doubled or incomplete")]
    for task in TASKS:
        lines = [n for n in kept if n["what"] == task.name]
        rows.append((task.name, f"{sum(number(n, 'kills') for n in lines):,}", str(len(failures(lines)))))
    return rows


FIGURE = Figure("kills", "Killed at any moment", "no data lost, doubled or incomplete", run, table, failures)
