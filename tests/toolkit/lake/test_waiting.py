"""What another process holds is waited for; a signal or the user's limit ends the wait."""

import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import iosq
from iosq.toolkit import waiting
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import manifest, stage
from iosq.toolkit.lake.disk import lock
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sql.limits import IN_FORCE


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Path]:
    """An empty lake, and the user's limit as it was afterwards."""
    Lake(tmp_path / "lake").create()
    before = IN_FORCE.timeout_s
    yield tmp_path / "lake"
    IN_FORCE.timeout_s = before
    waiting.limit(None)


def _write(lake: Path) -> None:
    with manifest.writing(lake):
        pass


def _guard(lake: Path) -> None:
    with stage.guarded(lake):
        pass


WAITS: list[Callable[[Path], object]] = [lambda lake: Lake(lake).listed(), _write, _guard]


@pytest.mark.parametrize("wait", WAITS, ids=["read", "write", "guard"])
def test_the_limit_ends_a_wait_in_one_line(lake: Path, wait: Callable[[Path], object]) -> None:
    iosq.limit(timeout_s=0.05)
    with closing(sqlite3.connect(lake / "manifest.sqlite", isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN EXCLUSIVE")
        with lock(lake / ".staging" / "guard", 0), pytest.raises(LakeError, match=r"try again later$"):
            wait(lake)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a system without timers")
def test_a_signal_is_heard_during_a_wait(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the signal calls lets go of the database, so the wait ends well only if it is called meanwhile."""
    monkeypatch.setattr(manifest, "WAIT_S", 5.0)
    with closing(sqlite3.connect(lake / "manifest.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        before = signal.signal(signal.SIGALRM, lambda *_: db.execute("ROLLBACK"))
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        try:
            _write(lake)
        finally:
            signal.signal(signal.SIGALRM, before)
