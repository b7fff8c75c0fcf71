"""Start the app in its own process, on this machine only and protected by a token."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.explore.source import Source

APP = Path(__file__).with_name("app.py")
LOOK = APP.with_suffix(".css")
HOST = "127.0.0.1"
SERVE = "iosq.toolkit.explore.serve"


def explore(source: Source, *, edit: Path | None = None, port: int | None = None, browser: bool = True) -> int:
    """Run the app until it ends; returns its exit code.

    `edit`: a copy of the app to open in an editor, created if missing. `port`: by default a free one. RequestError if
    marimo is missing, or the copy can't be written; LakeError if there is no lake.
    """
    if importlib.util.find_spec("marimo") is None:
        raise RequestError("needs marimo", place="explore", remedy='pip install "iosq[explore]"')
    source.part().sql("SELECT count(*) FROM lake_files")  # fail here, not in the browser, if there is no lake
    if edit:
        _copy(edit)
    environment = {**os.environ, **source.setting}
    return subprocess.run(command(edit, port, browser=browser), env=environment, check=False).returncode


def command(edit: Path | None, port: int | None, *, browser: bool) -> Sequence[str]:
    """The marimo command: run the app read-only, or edit a copy."""
    kind = ["marimo", "edit", str(edit), "--skip-update-check"] if edit else [SERVE, "run", str(APP)]
    options = [*(["--port", str(port)] if port else []), *([] if browser else ["--headless"])]
    return [sys.executable, "-m", *kind, "--host", HOST, "--token", *options]


def _copy(target: Path) -> None:
    try:
        if not target.exists():
            shutil.copyfile(APP, target)
            shutil.copyfile(LOOK, target.with_name(LOOK.name))
    except OSError as error:
        raise RequestError(error.strerror or str(error), place=str(target), remedy="name another file") from error
