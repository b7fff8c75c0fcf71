"""marimo's command in a process that loads what the app needs while a browser opens: its first page waits less."""

from __future__ import annotations

import runpy
from contextlib import suppress
from threading import Thread

from iosq.toolkit.errors import IosqError


def load() -> None:
    """Import what the overview imports, and ask what it asks first."""
    from iosq.toolkit.explore import health, look, source

    look.keep_local()
    with suppress(IosqError):  # the page says it
        health.known_cells(source.started().part())


if __name__ == "__main__":
    Thread(target=load, daemon=True).start()
    runpy.run_module("marimo", run_name="__main__", alter_sys=True)
