"""Run marimo in a process that preloads what the app needs while the browser opens."""

import runpy
from contextlib import suppress
from threading import Thread

from iosq.toolkit.errors import IosqError


def load() -> None:
    """Import the modules of the overview, and run its first queries."""
    from iosq.toolkit.explore import health, look, source

    look.keep_local()
    with suppress(IosqError):  # the page shows the error
        health.known_cells(source.started().part())


if __name__ == "__main__":
    Thread(target=load, daemon=True).start()
    runpy.run_module("marimo", run_name="__main__", alter_sys=True)
