"""A copy of the source that can be changed, and its tests in processes forked from this one, warm with libraries."""

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

import pytest

from tests.figures import reached
from tests.figures.changes import Change
from tests.figures.kept import ROOT

# seconds of processor time: of one record, of tests beyond what they took when recorded; of any process, by the clock
RECORD_S, SLACK_S, WALL_S = 60, 30, 600
WARM = ("hypothesis", "duckdb", "polars", "pyarrow.parquet", "pyarrow.dataset", "numpy", "altair", "typer", "openpyxl")


def warm() -> None:
    """Import the libraries that tests want."""
    for name in WARM:
        importlib.import_module(name)


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


def tested(copy: Path, files: list[str], plugin: object, seconds: int) -> tuple[str, str]:
    """'failed' and the test, 'passed', or 'unready' where the time was over; in a fork of this process."""
    with tempfile.TemporaryFile("w+") as stated:
        pid = os.fork()
        if not pid:
            try:
                os._exit(_pytest(copy, files, plugin, seconds, stated.fileno()))
            finally:
                os._exit(3)
        code = _ended(pid)
        stated.seek(0)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", stated.read(), re.MULTILINE)
    if code not in (0, 1, 2, 4, 5):
        return "unready", ""
    return ("failed", failed[1]) if failed else ("passed", "")


def _pytest(copy: Path, files: list[str], plugin: object, seconds: int, out: int) -> int:
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
    if isinstance(plugin, reached.Recorder):
        plugin.begin()
    options = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-m", "not page and not slow"]
    return int(pytest.main([*options, *files], plugins=[plugin]))


def recorded(copy: Path, test: Path) -> tuple[str, str]:
    """Run a test file whose reach is not known; it is from then on, if all of its tests pass."""
    out = reached.kept(test, copy)
    outcome = tested(copy, [str(test)], reached.Recorder(copy, out, RECORD_S), RECORD_S + SLACK_S)
    if outcome[0] != "passed":
        out.unlink(missing_ok=True)
    return outcome


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


@contextmanager
def changed(target: Path, text: str, change: Change) -> Iterator[None]:
    """The file with the change, of another time, so that no compiled module is taken for it."""
    before = target.stat()
    target.write_text(change.applied(text), "utf-8")
    os.utime(target, (before.st_atime, before.st_mtime + 10))
    try:
        yield
    finally:
        target.write_text(text, "utf-8")
        os.utime(target, (before.st_atime, before.st_mtime))
