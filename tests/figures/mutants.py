"""Changes of meaning in a copy of the source, one at a time, and whether the nearest tests fail because of it.

Files are drawn at random from formulas, decoders, models and rules, a quarter each. A change is caught if a test fails
that passes without it; undecided if none failed before the time was over. Those that survived and those undecided are
listed; what changes nothing anyone could see stands in `equivalent.csv` with the reason and is not counted. `--count`
is how many changes are to have been tried in all; 0 tries again what was not caught so far.
"""

from __future__ import annotations

import csv
import importlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from tests.figures.changes import Change, changes
from tests.figures.kept import ROOT, Figure, Line
from tests.figures.nearest import InOrder, nearest

AREAS = {
    "formulas": (
        "toolkit/sql/views", "toolkit/sql/fragments", "toolkit/compare", "toolkit/trend", "toolkit/significance.py",
        "toolkit/predict",
    ),
    "decoders": ("parsers",),
    "models": ("models",),
    "rules": ("toolkit/advise",),
}  # fmt: skip
# what makes test data, documents or layout of text, not answers
LEFT_OUT = re.compile(r"situations|score\.py|docs\.py|/encode\.py|text\.py|output\.py|lines\.py|unlocated|_common/")
# seconds of processor time: the nearest test files first, then the others of the folder and those that name the file
FIRST, FIRST_S, OTHERS_S, WALL_S = 2, 60, 30, 240
WARM = ("hypothesis", "duckdb", "polars", "pyarrow.parquet", "pyarrow.dataset", "numpy", "altair", "typer", "openpyxl")
EQUIVALENT = Path(__file__).with_name("equivalent.csv")


def sources(area: str) -> list[Path]:
    """Files of an area that can be changed, relative to the root."""
    found = [p for place in AREAS[area] for p in (ROOT / place, *(ROOT / place).rglob("*")) if p.is_file()]
    kinds = [p.relative_to(ROOT) for p in found if p.suffix in (".py", ".sql", ".toml") or "layouts" in p.parts]
    return sorted(p for p in kinds if p.suffix != ".md" and not LEFT_OUT.search(p.as_posix()) and changes(ROOT / p))


def drawn(turn: int, area: str, files: list[Path]) -> tuple[Path, Change]:
    """The change of a turn: any file of the area, the larger the likelier, any place in it."""
    random = Random(f"{area}/{turn}")
    path = random.choices(files, [len(changes(ROOT / p)) ** 0.5 for p in files])[0]
    return path, random.choice(changes(ROOT / path))


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the source that can be changed."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="iosq-mutants-") as folder:
        for name in listed.splitlines():
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target, follow_symlinks=False)
        yield Path(folder)


def tested(copy: Path, files: list[str], seconds: int = FIRST_S) -> tuple[str, str]:
    """'failed' and the test, 'passed', or 'unready' where the time was over; in a fork of this process."""
    with tempfile.TemporaryFile("w+") as said:
        pid = os.fork()
        if not pid:
            try:
                os._exit(_pytest(copy, files, seconds, said.fileno()))
            finally:
                os._exit(3)
        code = _ended(pid)
        said.seek(0)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said.read(), re.MULTILINE)
    if code not in (0, 1, 2, 4, 5):
        return "unready", ""
    return ("failed", failed[1]) if failed else ("passed", "")


def _pytest(copy: Path, files: list[str], seconds: int, out: int) -> int:
    """What a child does: the tests of the copy, with nothing of ours imported yet."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    for name in [n for n in sys.modules if n.partition(".")[0] in ("iosq", "tests")]:
        del sys.modules[name]
    os.dup2(out, 1), os.dup2(out, 2)
    os.chdir(copy)
    os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    sys.path.insert(0, str(copy))
    sys.dont_write_bytecode = True
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-m", "not page and not slow"]
    return int(pytest.main([*options, *files], plugins=[InOrder()]))


def _ended(pid: int) -> int:
    """The code a child ends with; its whole group ends with it."""
    until = time.monotonic() + WALL_S
    while not (done := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < until:
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(done[1] if done[0] else os.waitpid(pid, 0)[1])


def compiled(copy: Path) -> None:
    """Collect all tests once, so that what does not change is not compiled again each time."""
    env = {**os.environ, "PYTHONPATH": str(copy)}
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "tests"]
    subprocess.run(command, cwd=copy, env=env, stdout=subprocess.DEVNULL, check=True)


def tried(copy: Path, path: Path, change: Change, sound: dict[str, bool]) -> Line:
    """Make one change in the copy, run the tests nearest to it, take it back."""
    target, text = copy / path, (ROOT / path).read_text("utf-8")
    files = [str(p.relative_to(copy)) for p in nearest(path, copy)]
    before = target.stat()
    target.write_text(change.applied(text), "utf-8")
    os.utime(
        target, (before.st_atime, before.st_mtime + 10)
    )  # another size or time: no compiled module is taken for it
    outcome, test = tested(copy, files[:FIRST])
    if outcome != "failed" and files[FIRST:]:
        outcome, test = tested(copy, files[FIRST:], OTHERS_S)
    target.write_text(text, "utf-8")
    os.utime(target, (before.st_atime, before.st_mtime))
    if outcome == "failed":
        name = test.partition("[")[0]
        if name not in sound:
            sound[name] = tested(copy, [name])[0] == "passed"
        outcome = "caught" if sound[name] else "unsound test"
    elif outcome == "passed":
        outcome = "survived"
    lines = text.count("\n", 0, change.start) + 1
    return {
        "file": str(path), "line": lines, **lines_of(text, change), "outcome": outcome, "test": test.partition("[")[0],
    }  # fmt: skip


def lines_of(text: str, change: Change) -> dict[str, str]:
    """The lines of a change, as they are and as they would be."""
    start = text.rfind("\n", 0, change.start) + 1
    end = text.find("\n", change.end)
    was = text[start:end]
    return {"was": was.strip(), "is": (text[start : change.start] + change.new + text[change.end : end]).strip()}


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Go on to `count` changes, the areas in turn; 0: those again that were not caught."""
    sound: dict[str, bool] = {}
    for name in WARM:
        importlib.import_module(name)
    with copied() as copy:
        compiled(copy)
        if count == 0:
            yield from (again for line in _left(kept) if (again := _tried_again(copy, line, sound)))
            return
        files = {area: sources(area) for area in AREAS}
        for turn in range(len({line["turn"] for line in kept}), 300 if count is None else count):
            area = list(AREAS)[turn % len(AREAS)]
            yield {"turn": turn, "area": area, **tried(copy, *drawn(turn, area, files[area]), sound)}


def _tried_again(copy: Path, line: Line, sound: dict[str, bool]) -> Line | None:
    """The same change in the source as it is now; None where the line is no more."""
    path = Path(str(line["file"]))
    text = (ROOT / path).read_text("utf-8") if (ROOT / path).exists() else ""
    same = (
        (c for c in changes(ROOT / path) if lines_of(text, c) == {"was": line["was"], "is": line["is"]}) if text else ()
    )
    change = next(iter(same), None)
    return change and {"turn": line["turn"], "area": line["area"], **tried(copy, path, change, sound)}


def latest(kept: list[Line]) -> list[Line]:
    """The last result of every turn: a survivor that was tried again counts as it is now."""
    return list({line["turn"]: line for line in kept}.values())


def equivalent() -> dict[tuple[str, str, str], str]:
    """Changes that change nothing anyone could see: file, line as it was, line as it would be; and why."""
    with EQUIVALENT.open(encoding="utf-8", newline="") as file:
        return {(row["file"], row["was"], row["is"]): row["why"] for row in csv.DictReader(file)}


def _key(line: Line) -> tuple[str, str, str]:
    return str(line["file"]), str(line["was"]), str(line["is"])


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Areas with their shares, and all of them."""
    same, rows = equivalent(), [("of", "tried", "equivalent", "caught", "survived", "undecided", "caught of decided")]
    for area in (*AREAS, "all"):
        lines = [line for line in latest(kept) if area in (line["area"], "all")]
        told = [line for line in lines if _key(line) not in same]
        caught = sum(line["outcome"] == "caught" for line in told)
        survived = sum(line["outcome"] == "survived" for line in told)
        counts = (len(lines), len(lines) - len(told), caught, survived, len(told) - caught - survived)
        rows.append((area, *map(str, counts), f"{caught / (caught + survived):.1%}" if caught + survived else ""))
    return rows


def _left(kept: list[Line]) -> list[Line]:
    """Changes that no test has noticed, and that something does change."""
    same = equivalent()
    return [n for n in latest(kept) if n["outcome"] != "caught" and _key(n) not in same]


def failures(kept: list[Line]) -> list[str]:
    """Survivors, a line each."""
    return [f"{n['file']}:{n['line']} ({n['outcome']}): `{_cut(n['was'])}` as `{_cut(n['is'])}`" for n in _left(kept)]


def _cut(text: object) -> str:
    return str(text).partition(",http")[0][:140]


FIGURE = Figure(
    "mutants", "Changes of our own code that tests notice", "at least 95 % of changes are caught", run, table, failures
)
