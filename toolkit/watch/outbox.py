"""Queue of alerts to a command or a webhook: each is delivered exactly once, even if the process is killed.

An alert is a file `ID.json`, renamed to `ID.sent` once delivered. A command runs in a shell that itself renames the
file and holds the lock, so both outlive the process that started it.
"""

import datetime as dt
import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake.disk import fsync_folder, lock
from iosq.toolkit.post import post
from iosq.toolkit.rows import NewRow

COMMAND_S = 300.0
"""Maximum run time of a command, including one started by a former process."""
KEPT = dt.timedelta(days=30)
"""Lifetime of an unresolved alert in Alertmanager, which would otherwise drop it after minutes."""
Deliver = Callable[[Path, int], None]


class Outbox:
    """The queue of one receiver."""

    def __init__(self, folder: Path) -> None:
        """`folder`: a folder only for this receiver; created if missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def put(self, alert_id: str, content: NewRow) -> None:
        """Queue an alert; one that is already known is ignored."""
        path = self._folder / f"{alert_id}.json"
        if not path.exists() and not path.with_suffix(".sent").exists():
            write(path, content)

    def deliver(self, send: Deliver) -> int:
        """Deliver all alerts; returns their number. RequestError if one is refused; it and later ones stay queued."""
        with lock(self._folder / "lock", COMMAND_S) as lock_fd:
            if lock_fd is None:
                raise RequestError(
                    "an alert command is still running", place=str(self._folder), remedy="check what it waits for"
                )
            waiting = sorted(self._folder.glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
            for path in waiting:
                send(path, lock_fd)
                if path.exists():
                    path.rename(path.with_suffix(".sent"))
        return len(waiting)

    def forget(self) -> None:
        """Remove the files of delivered alerts; their changes are in the saved state and won't be found again."""
        for path in self._folder.glob("*.sent"):
            path.unlink(missing_ok=True)


def write(path: Path, content: NewRow) -> None:
    """Write a JSON file atomically."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    fsync_folder(path.parent)


def by_command(command: str) -> Deliver:
    """Run a shell command with the alert as JSON on its standard input."""

    def run(path: Path, lock_fd: int) -> None:
        renamed = f"( {command}\n) && mv -f {shlex.quote(str(path))} {shlex.quote(str(path.with_suffix('.sent')))}"
        is_posix = sys.platform != "win32"
        with path.open("rb") as content:
            process = subprocess.Popen(
                renamed if is_posix else command,
                shell=True, stdin=content, stdout=sys.stderr, pass_fds=(lock_fd,) if is_posix else (),
                start_new_session=is_posix,
            )  # fmt: skip
        try:
            code = process.wait(COMMAND_S)
        except subprocess.TimeoutExpired:
            _end(process, is_posix=is_posix)
            code = None
        if code != 0:
            what = f"ended with code {code}" if code is not None else f"had not ended after {COMMAND_S:g} s"
            raise RequestError(what, place=f"--alert {command}", remedy="it is tried again")

    return run


def _end(process: subprocess.Popen[bytes], *, is_posix: bool) -> None:
    if is_posix:
        os.killpg(process.pid, signal.SIGKILL)  # the shell and its children
    else:
        process.kill()
    process.wait()


def by_webhook(url: str) -> Deliver:
    """Post the alert in the form of Alertmanager's webhooks (version 4), or to the API of an Alertmanager."""

    def send(path: Path, lock_fd: int) -> None:  # noqa: ARG001
        alert = json.loads(path.read_text("utf-8"))
        is_api = url.rstrip("/").endswith("/api/v2/alerts")
        if is_api and alert["status"] == "firing":
            alert["endsAt"] = (dt.datetime.now(dt.UTC) + KEPT).isoformat(timespec="seconds")
        content = [alert] if is_api else grouped([alert])
        post(url, json.dumps(content).encode(), option="--webhook", receiver="the web hook")

    return send


def grouped(alerts: Sequence[NewRow]) -> NewRow:
    """The document that Alertmanager sends to web hooks.

    https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
    """
    (first, *_) = alerts
    labels = first["labels"]
    return {
        "version": "4",
        "groupKey": f'{{}}:{{alertname="{labels["alertname"]}"}}',
        "truncatedAlerts": 0,
        "status": first["status"],
        "receiver": "iosq",
        "groupLabels": {"alertname": labels["alertname"]},
        "commonLabels": labels,
        "commonAnnotations": first["annotations"],
        "externalURL": "",
        "alerts": list(alerts),
    }
