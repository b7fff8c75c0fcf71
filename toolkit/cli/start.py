"""Entry point of the command: any interrupt or termination, even while loading, ends in one line."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

ENDED = 128
"""With the number of the signal: 130 for Ctrl-C, 143 for `kill`, 129 for a terminal that was closed."""
WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal was closed"}
AGAIN_S = 0.05
_COLLECTED = 100_000, 20, 100
"""New objects before the collector looks through them, by generation: lists of files stay to the end of a command."""


class Interrupt:
    """Remembers the signal that ends the command: libraries convert it to other errors, or drop it."""

    def __init__(self) -> None:
        self.came = 0

    def heed(self) -> None:
        """Handle the signals, except those that the parent process handles or ignores (`nohup`)."""
        for number in _signals():
            if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
                signal.signal(number, self)
        sys.unraisablehook = self.unheard

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.came = self.came or number
        signal.default_int_handler(number, frame)

    def unheard(self, unraisable: sys.UnraisableHookArgs) -> None:
        """A destructor or another callback swallowed an error: where it was the interrupt, it comes once more."""
        if not (self.came and issubclass(unraisable.exc_type, KeyboardInterrupt)):
            sys.__unraisablehook__(unraisable)
            return
        # not from within the callback, where it would be swallowed again
        threading.Timer(AGAIN_S, _send, (self.came,)).start()


def _send(number: int) -> None:
    """To the main thread: one that waits wakes up, where the system can do that."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main(signal.Signals(number))
    else:
        signal.pthread_kill(main, number)


def _signals() -> list[signal.Signals]:
    return [getattr(signal, name) for name in WORDS if hasattr(signal, name)]  # Windows knows no SIGHUP


def run() -> None:
    """The console script."""
    gc.set_threshold(*_COLLECTED)
    interrupt = Interrupt()
    try:
        interrupt.heed()
        _command(interrupt)
    except KeyboardInterrupt:
        _end(interrupt.came or signal.SIGINT)


def _command(interrupt: Interrupt) -> None:
    try:
        from iosq.toolkit.cli.main import run as command

        command()
    except SystemExit as done:
        if interrupt.came and done.code:
            raise KeyboardInterrupt from done
        _hear_no_more()  # the work is done, all that is left is to end
        if any(thread.name == "iosq question" for thread in threading.enumerate()):
            _leave(done.code if isinstance(done.code, int) else 1)  # a query that did not stop in time
        raise
    except Exception as error:
        if interrupt.came:
            raise KeyboardInterrupt from error
        raise


def _end(number: int) -> None:
    _hear_no_more()
    with suppress(OSError):  # a terminal that was closed
        sys.stderr.write(f"iosq: {WORDS[signal.Signals(number).name]}\n")
    _leave(ENDED + number)


def _hear_no_more() -> None:
    for number in _signals():
        signal.signal(number, signal.SIG_IGN)


def _leave(code: int) -> None:
    """Exit at once: cleanup is complete at this point."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if "multiprocessing.util" in sys.modules:  # otherwise its tracker warns of semaphores that were not released
        sys.modules["multiprocessing.util"]._run_finalizers(0)
    if "weakref" in sys.modules:  # folders that connections wrote to
        sys.modules["weakref"].finalize._exitfunc()
    os._exit(code)
