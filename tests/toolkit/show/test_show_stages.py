"""How far work is: nothing below two seconds, a line that is drawn over on a terminal, plain lines elsewhere."""

from __future__ import annotations

import io
import time

import pytest

from iosq.toolkit.show import stages
from iosq.toolkit.show.stages import Watcher, Work, each, tell, watched


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _watch(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> Watcher:
    monkeypatch.setattr(stages, "SILENT_S", 0.01)
    monkeypatch.setattr(stages, "_REDRAWN_S", 0.01)
    watcher = Watcher(Work("report", {"views": 3.0, "rules": 1.0}), stream)
    watcher.work.begun -= 30
    watcher.start()
    return watcher


def _until(stream: io.StringIO, words: str) -> str:
    end = time.monotonic() + 5
    while words not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.005)
    return stream.getvalue()


def test_short_work_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    with watched("report"):
        tell("views", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_plain_line_for_every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    watcher = _watch(stream, monkeypatch)
    watcher.work.at("views", 2, 3)
    _until(stream, "views")
    watcher.work.at("views", 2.5, 3)
    watcher.work.at("rules", 0, 22)
    _until(stream, "rules")
    watcher.stop()
    # half of the weights after 30 s: 30 s more; then three quarters, 10 s more
    assert stream.getvalue().splitlines() == [
        "report: views 67 %, 30 s so far, about 30 s left",
        "report: rules, 30 s so far, about 10 s left",
    ]


def test_a_terminal_is_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    watcher = _watch(stream, monkeypatch)
    watcher.work.at("views", 2, 3)
    assert "\r\x1b[Kreport: views 67 %, 30 s so far, about 30 s left  ████████████░░░░░░░░░░░░" in _until(stream, "░")
    watcher.stop()
    assert stream.getvalue().endswith("\r\x1b[K")
    after = stream.getvalue()
    watcher.work.at("rules", 0, 1)
    time.sleep(0.05)
    assert stream.getvalue() == after


def test_what_is_not_known_is_not_said() -> None:
    work = Work("sql")
    assert work.words(work.begun + 3) == "sql: 3 s so far"
    work.at("a", 0, 0)
    assert work.words(work.begun + 3) == "sql: a, 3 s so far"
    work.at("b", 1, 2)
    assert work.left(work.stage_begun + 4) == "about 4 s left"


def test_things_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    monkeypatch.setattr(stages, "tell", lambda *args: told.append(args))
    assert list(each("rules", (x for x in "ab"))) == ["a", "b"]
    assert told == [("rules", 0, 2), ("rules", 1, 2)]
