"""Progress of long work: code reports its stage, and one watcher per process shows it after two seconds.

A terminal gets one line with stage, bar and time left, redrawn and finally erased. Other streams get a plain line at
the start of each stage, and one every half minute within it.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TypeVar

T = TypeVar("T")
# shorter work shows no progress
SILENT_S = 2.0
_REDRAWN_S = 0.25
_PLAIN_S = 30.0
_BAR = 24
# minimum share done to predict the remaining time: the first steps are rarely typical
_LEAST_DONE = 0.2


def interrupted() -> bool:
    """True after Ctrl-C, even if a library converted it to another error or dropped it."""
    return getattr(signal.getsignal(signal.SIGINT), "came", False)


@dataclass
class Work:
    """The progress of one command; `weights`: relative duration of each stage, in order, if known."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)
    begun: float = field(default_factory=time.monotonic)
    stage: str = ""
    share: float | None = None
    counted: tuple[float, float] | None = None

    def at(self, stage: str, done: float, total: float) -> None:
        """Set the stage and its progress; time left is estimated from the first stage with a weight, or any other."""
        new = stage != self.stage
        self.stage, self.share = stage, done / total if total > 0 else None
        if self.counted is None or (new and stage not in self.weights):
            self.counted = time.monotonic(), self.all_done or 0.0

    @property
    def all_done(self) -> float | None:
        """Share done of the work, or of a stage without a weight; None if unknown."""
        if self.stage not in self.weights:
            return self.share
        stages = list(self.weights)
        before = sum(self.weights[name] for name in stages[: stages.index(self.stage)])
        return (before + self.weights[self.stage] * (self.share or 0.0)) / sum(self.weights.values())

    def left(self, now: float) -> str:
        """Time left by the progress so far: `about 8 s left`; empty if unpredictable."""
        done = self.all_done
        if self.counted is None or done is None or not self.counted[1] + _LEAST_DONE <= done < 1:
            return ""
        from iosq.toolkit.show.numbers import duration  # imported late: most commands end before they need it

        begun, before = self.counted
        return f"about {duration(max(round((now - begun) * (1 - done) / (done - before)), 1))} left"

    def words(self, now: float) -> str:
        from iosq.toolkit.show.numbers import duration

        share = f"{100 * self.share:.0f} %" if self.share else ""
        stage = self.stage if self.stage != self.name else ""
        known = [f"{stage} {share}".strip(), f"{duration(round(now - self.begun))} so far", self.left(now)]
        return f"{self.name}: {', '.join(filter(None, known))}"


class Watcher(threading.Thread):
    """Thread that shows progress on a stream until stopped."""

    def __init__(self, work: Work, stream: IO[str]) -> None:
        super().__init__(daemon=True)
        self.work, self.stream, self._live = work, stream, stream.isatty()
        self._over, self._lock, self._drawn = threading.Event(), threading.Lock(), False
        self._rests = False

    def run(self) -> None:
        if self._over.wait(SILENT_S):
            return
        shown, due = None, 0.0
        while not self._over.is_set():
            now = time.monotonic()
            if self._live:
                self._draw(now)
            elif self.work.stage != shown or now >= due:
                shown, due = self.work.stage, now + _PLAIN_S
                self._write(self.work.words(now) + "\n")
            self._over.wait(_REDRAWN_S)

    def _draw(self, now: float) -> None:
        done = self.work.all_done
        bar = "" if done is None else f"  {'█' * round(_BAR * done)}{'░' * (_BAR - round(_BAR * done))}"
        self._write(f"\r\x1b[K{self.work.words(now)}{bar}"[:200], drawn=True)

    def at(self, stage: str, done: float, total: float) -> None:
        self.work.at(stage, done, total)
        self._rests = False

    def _write(self, text: str, *, drawn: bool = False) -> None:
        with self._lock:
            if not (self._over.is_set() or self._rests):
                self.stream.write(text)
                self.stream.flush()
                self._drawn = drawn

    def clear(self) -> None:
        """Erase the line so that others can write."""
        with self._lock:
            if self._drawn:
                self.stream.write("\r\x1b[K")
                self.stream.flush()
                self._drawn = False

    def rest(self) -> None:
        """Erase the line, and show no more until progress is reported."""
        with self._lock:
            self._rests = True
        self.clear()

    def stop(self) -> None:
        self.clear()
        with self._lock:
            self._over.set()


_WATCHERS: list[Watcher] = []
_PARTS: list[tuple[str, float, float, float, str]] = []  # the arguments of `within`


def weigh(weights: Mapping[str, float]) -> None:
    """Set the weights of stages if they become known only after the start."""
    for watcher in _WATCHERS:
        watcher.work.weights = weights


@contextmanager
def watched(name: str, weights: Mapping[str, float] | None = None) -> Iterator[None]:
    """Show the progress of the block on standard error if it takes longer than two seconds."""
    if _WATCHERS:  # nested work reports its stages to the outer watcher
        yield
        return
    watcher = Watcher(Work(name, weights or {}), sys.stderr)
    _WATCHERS.append(watcher)
    watcher.start()
    try:
        yield
    finally:
        quiet()
        _WATCHERS.clear()


def anew() -> None:
    """Restart the clock of the work, such as for the next statement of a prompt."""
    for number, old in enumerate(_WATCHERS):
        old.stop()
        _WATCHERS[number] = Watcher(Work(old.work.name, old.work.weights), old.stream)
        _WATCHERS[number].start()


def progress(stage: str, done: float = 0, total: float = 0) -> None:
    """Report the progress of a stage; cheap, and without effect if no watcher runs."""
    if _PARTS:
        outer, before, size, whole, counted = _PARTS[-1]
        if stage != counted or not total:
            return
        stage, done, total = outer, before + size * done / total, whole
    for watcher in _WATCHERS:
        watcher.at(stage, done, total)


@contextmanager
def within(stage: str, before: float, size: float, total: float, counted: str) -> Iterator[None]:
    """Report the block as a part of a stage, by the progress of its inner stage `counted`; others are not shown."""
    part = (stage, before, size, total, counted)
    _PARTS.append(part)
    try:
        yield
    finally:
        _PARTS.remove(part)


def each(stage: str, things: Iterable[T]) -> Iterator[T]:
    """Yield the things, and report progress for each."""
    known = things if isinstance(things, Sized) else list(things)
    for number, thing in enumerate(known):
        progress(stage, number, len(known))
        yield thing


def quiet() -> None:
    """Erase the progress line for good, because output starts."""
    for watcher in _WATCHERS:
        watcher.stop()


def clear() -> None:
    """Erase the progress line so that others can write."""
    for watcher in _WATCHERS:
        watcher.clear()


def rest() -> None:
    """Erase the progress line until progress is reported again, so that a permanent line can be written."""
    for watcher in _WATCHERS:
        watcher.rest()
