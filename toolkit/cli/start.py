"""Where the command begins: whatever is interrupted, loading included, ends in one line and code 130."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

INTERRUPTED = 130


class Interrupt:
    """Remembers Ctrl-C: libraries make other errors of it, or none."""

    def __init__(self) -> None:
        self.came = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """What the system calls."""
        self.came = True
        signal.default_int_handler(number, frame)


def run() -> None:
    """The console script."""
    interrupt = Interrupt()
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever started it wants none
            signal.signal(signal.SIGINT, interrupt)
        _command(interrupt)
    except KeyboardInterrupt:
        _end()


def _command(interrupt: Interrupt) -> None:
    try:
        from iosq.toolkit.cli.main import run as command

        command()
    except SystemExit as done:
        if interrupt.came and done.code:
            raise KeyboardInterrupt from done
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the work is done, all that is left is to end
        if any(thread.name == "iosq question" for thread in threading.enumerate()):
            _leave(done.code if isinstance(done.code, int) else 1)  # one that did not stop when it was told to
        raise
    except Exception as error:
        if interrupt.came:
            raise KeyboardInterrupt from error
        raise


def _end() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr.write("iosq: interrupted\n")
    _leave(INTERRUPTED)


def _leave(code: int) -> None:
    """Nothing more is waited for: what has to be put in order was, on the way here."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if "multiprocessing.util" in sys.modules:  # else its tracker complains of semaphores that nobody gave back
        sys.modules["multiprocessing.util"]._run_finalizers(0)
    if "weakref" in sys.modules:  # folders that connections wrote to
        sys.modules["weakref"].finalize._exitfunc()
    os._exit(code)
