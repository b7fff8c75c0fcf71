"""How far work is: nothing below two seconds, a line that is drawn over on a terminal, plain lines elsewhere."""

import io
import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import iosq
from iosq.toolkit.cli.weights import WEIGHTS
from iosq.toolkit.show import stages, terminal
from iosq.toolkit.show.stages import Watcher, Work, each, progress, watched

ROOT = Path(iosq.__path__[0]).parent
SOURCES = [p for folder in ("toolkit", "iosq") for p in (ROOT / folder).rglob("*.py")]
# stages of commands that have no other, and of those whose steps have no known weight
ALONE = {"answer", "machines", "studies"}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _watch(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> Watcher:
    """A watcher of work that began 30 s ago, on a clock that stands still: how fast the test runs changes nothing."""
    monkeypatch.setattr(stages, "time", SimpleNamespace(monotonic=lambda: 1000.0))
    monkeypatch.setattr(stages, "SILENT_S", 0.01)
    monkeypatch.setattr(stages, "_REDRAWN_S", 0.01)
    watcher = Watcher(Work("report", {"views": 3.0, "rules": 1.0}, begun=970.0), stream)
    watcher.work.counted = watcher.work.begun, 0.0
    watcher.start()
    return watcher


def _until(stream: io.StringIO, words: str) -> str:
    end = time.monotonic() + 60
    while words not in stream.getvalue() and time.monotonic() < end:
        time.sleep(0.005)
    return stream.getvalue()


def test_short_work_is_silent(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SILENT_S", 60.0)
    with watched("report"):
        progress("views", 1, 2)
    assert capsys.readouterr() == ("", "")


def test_the_time_of_a_next_statement_counts_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SILENT_S", 0.01)
    monkeypatch.setattr(stages, "_PLAIN_S", 0.01)
    stream = io.StringIO()
    watchers = [Watcher(Work("sql", begun=time.monotonic() - 7200), stream)]
    monkeypatch.setattr(stages, "_WATCHERS", watchers)
    watchers[0].start()
    _until(stream, "2.0 h so far")
    stages.quiet()  # the first answer
    before = stream.getvalue()
    stages.anew()
    assert " h so far" in before and " h so far" not in _until(stream, " s so far")[len(before) :]
    stages.quiet()
    assert " s so far" in stream.getvalue()


def test_a_plain_line_for_every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    watcher = _watch(stream, monkeypatch)
    _until(stream, "so far")  # before any stage is reported it says that it works
    watcher.work.at("views", 2, 3)
    _until(stream, "views")
    watcher.work.at("views", 2.5, 3)
    watcher.work.at("rules", 0, 22)
    _until(stream, "rules")
    watcher.stop()
    # half of the weights after 30 s: 30 s more; then three quarters, 10 s more
    assert stream.getvalue().splitlines() == [
        "report: 30 s so far",
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


def test_the_last_line_of_a_command_stays_the_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The work is done, the command is not: nothing is shown of it until it goes on."""
    stream = io.StringIO()
    watcher = _watch(stream, monkeypatch)
    monkeypatch.setattr(stages, "_WATCHERS", [watcher])
    _until(stream, "so far")
    terminal.echo("records read 1 = decoded 1", err=True)
    watcher.work.stage = "views"  # would be a new line
    time.sleep(0.05)
    assert stream.getvalue().count("\n") == 1
    progress("rules", 0, 22)
    assert "report: rules" in _until(stream, "rules")
    watcher.stop()
    assert capsys.readouterr().err == "records read 1 = decoded 1\n"


def test_what_is_not_known_is_not_shown() -> None:
    work = Work("sql")
    assert work.words(work.begun + 3) == "sql: 3 s so far"
    work.at("a", 0, 0)
    assert work.words(work.begun + 3) == "sql: a, 3 s so far"
    work.at("sql", 0, 2)
    assert work.words(work.begun + 3) == "sql: 3 s so far"  # a stage of the command's own name is not shown twice
    assert work.counted is not None
    begun = work.counted[0]
    work.at("sql", 1, 2)
    assert work.left(begun + 4) == "about 4 s left"


def test_the_time_before_the_first_stage_does_not_count() -> None:
    """Loading and opening take as long for one step as for a hundred: they would make of 10 s some minutes."""
    work = Work("advise", {"views": 6.0, "rules": 4.0})
    work.begun -= 60
    work.at("views", 0, 10)
    assert work.counted is not None
    begun = work.counted[0]
    work.at("views", 2, 10)
    assert work.left(begun + 2) == ""  # 12 % of all: the first steps are seldom like the others
    work.at("views", 5, 10)
    assert work.left(begun + 3) == "about 7 s left"


def test_every_stage_that_a_command_reports_is_weighed() -> None:
    """Else the bar jumps where an unexpected stage begins."""
    given = set(re.findall(r'(?:progress|each)\("([a-z ]+)"', "".join(p.read_text("utf-8") for p in SOURCES)))
    weighed = {stage for weights in WEIGHTS.values() for stage in weights}
    assert given - weighed <= ALONE
    assert weighed <= given | {"ingest"}


def test_things_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []
    monkeypatch.setattr(stages, "progress", lambda *args: given.append(args))
    assert list(each("rules", (x for x in "ab"))) == ["a", "b"]
    assert given == [("rules", 0, 2), ("rules", 1, 2)]
