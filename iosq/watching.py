"""Watch a folder: ingest finished dumps, update pages and workbooks, report changed findings, send alerts."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from iosq.answers import Findings
from iosq.lake import Lake
from iosq.opening import open as opened
from iosq.settings import lake_path
from iosq.toolkit.errors import IosqError
from iosq.toolkit.lake.lake import Lake as Store
from iosq.toolkit.metrics.openmetrics import ENDINGS as METRICS
from iosq.toolkit.post import checked
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import output
from iosq.toolkit.watch import state as states
from iosq.toolkit.watch.arrivals import Arrivals, Stamp
from iosq.toolkit.watch.changes import Change, changes
from iosq.toolkit.watch.outbox import Outbox, by_command, by_webhook
from iosq.tools import export_duckdb, ingest, prune

REPORTS, DATABASE = (".html", ".xlsx", ".json"), ".duckdb"
ENDINGS = (*REPORTS, DATABASE, *METRICS)
POLL_S, RETRY_S = 5.0, 30.0
"""Seconds between two scans, and after an error."""
_LAST = "SELECT max(interval_start) AS last_start FROM measured_interval"


@dataclass(frozen=True)
class Wish:
    """Settings of a watcher.

    Args:
        folder: where dumps arrive.
        lake: the lake; None: found as `ingest` does.
        settle_s: a file is complete when its size and time stay the same for this many seconds,
        marker: or, if not empty, when a file of its name plus this ending exists.
        days: findings and outputs cover this many days, up to the last day measured.
        outputs: files to update: page (.html), workbook (.xlsx), document (.json), OpenMetrics text (.prom), DuckDB
            database (.duckdb).
        command: run for each alert, with JSON on its standard input.
        webhook: URL that each alert is posted to.
        keep_days: drop rows older than this many days; None keeps all.
    """

    folder: Path
    lake: Path | None = None
    settle_s: float = 30.0
    marker: str = ""
    days: int = 7
    outputs: Sequence[Path] = ()
    command: str = ""
    webhook: str = ""
    keep_days: int | None = None


class Watcher:
    """Watcher of one folder; `run` holds the lake's watch lock."""

    def __init__(self, wish: Wish) -> None:
        """Check the settings.

        Raises:
            RequestError: an output or the webhook's URL is invalid.
        """
        for path in wish.outputs:
            output.check(path, ENDINGS)
        if wish.webhook:
            checked(wish.webhook, "--webhook", "http://localhost:9093/api/v2/alerts")
        self.wish, self.lake = wish, lake_path(wish.lake).absolute()  # all steps report the same path
        self._arrivals = Arrivals(wish.folder.absolute(), wish.settle_s, wish.marker, wish.outputs)
        self._errors: dict[str, str] = {}
        self._refused: dict[str, Stamp] = {}  # not saved: the next run reports them again while the files exist
        self._found: Findings | None = None

    def run(self, *, once: bool = False) -> Iterator[NewRow]:
        """Events, one dictionary each: files, changed findings, alerts sent, errors.

        Args:
            once: end when no file may still grow.

        Raises:
            LakeError: another watcher runs, or the folder is not a lake or can't be written.
        """
        Store(self.lake).check()
        with states.held(self.lake) as folder:
            while True:
                yield from ({"at": _now(), **event} for event in self._look(folder))
                if once and (self._errors or not self._arrivals.is_unsettled()):
                    return
                time.sleep(RETRY_S if self._errors else min(POLL_S, max(self.wish.settle_s / 5, 0.05)))

    def _look(self, folder: Path) -> Iterator[NewRow]:
        state = states.load(folder)
        for step in (self._take, self._judge, self._publish):
            try:
                yield from step(folder, state)
            except (IosqError, OSError) as error:
                yield from self._failed(step.__name__, error)
            else:
                self._errors.pop(step.__name__, None)
        yield from self._send(folder)

    def _failed(self, step: str, error: Exception) -> Iterator[NewRow]:
        """Report an error once for as long as it stays the same, even if several steps have it."""
        is_known = str(error) in self._errors.values()
        self._errors[step] = str(error)
        if not is_known:
            yield {"event": "error", "message": _line(error)}

    def _take(self, folder: Path, state: states.State) -> Iterator[NewRow]:
        """Ingest complete files. The state is saved afterwards: after a kill the files are ingested again."""
        files = self._arrivals.complete(state.files | self._refused)
        if not files:
            return
        was_behind, state.is_behind = state.is_behind, True
        states.save(folder, state)
        outcomes = ingest(self.lake, files, jobs=os.cpu_count() or 1)
        present = self._arrivals.present()
        state.files = {path: stamp for path, stamp in state.files.items() if path in present}
        seen = {str(o.path): (files[o.path], o.status) for o in outcomes if o.path in files}
        self._refused |= {path: stamp for path, (stamp, status) in seen.items() if status == "refused"}
        state.files |= {path: stamp for path, (stamp, status) in seen.items() if status != "refused"}
        state.is_behind = was_behind or any(o.status == "stored" for o in outcomes)
        states.save(folder, state)
        for o in outcomes:
            counts = {"records": o.balance.read, "rows": o.rows, "issues": sum(i.count for i in o.issues)}
            yield {"event": "file", "path": str(o.path), "status": o.status, **counts, "reason": o.reason}

    def _judge(self, folder: Path, state: states.State) -> Iterator[NewRow]:
        """Findings after new files, and their changes. Alerts are queued before the state is saved: none is lost."""
        if not state.is_behind or not Store(self.lake).exists:
            return
        if self.wish.keep_days is not None:
            pruned = prune(self.lake, keep_days=self.wish.keep_days)
            if pruned.rows:
                yield {"event": "pruned", "before": f"{pruned.before}", "rows": pruned.rows}
        part = self._part()
        if part is None:
            return
        self._found = part.advise("all")
        state.findings, changed = changes(state.findings, json.loads(self._found.json()), _now())
        for change in changed:
            if change.calls_for_alert:
                for box in self._outboxes(folder).values():
                    box.put(change.alert_id, _alert(change, part.path))
        yield from map(_event, changed)  # before the state is saved: a kill may repeat a line, but loses none
        state.is_behind, state.is_stale = False, True
        states.save(folder, state)

    def _publish(self, folder: Path, state: states.State) -> Iterator[NewRow]:
        """Write the outputs after new findings."""
        if not state.is_stale:
            return
        if self.wish.outputs and (part := self._part()):
            for path in self.wish.outputs:
                self._write(part, path)
                yield {"event": "output", "path": str(path)}
        state.is_stale, self._found = False, None
        states.save(folder, state)

    def _write(self, part: Lake, path: Path) -> None:
        """Write one output; a report has the findings of this scan."""
        if path.suffix.lower() in METRICS:
            part.metrics(path)
        elif path.suffix.lower() == DATABASE:
            export_duckdb(self.lake, path)
        else:
            part.report(path, found=self._found)

    def _part(self) -> Lake | None:
        """The lake of the last days measured; None if it has no measurements."""
        whole = opened(self.lake)
        last = whole.sql(_LAST).item()
        if last is None:
            return None
        first = (last - dt.timedelta(days=self.wish.days - 1)).date()
        return whole.during(f"{first}..{last.date() + dt.timedelta(days=1)}")

    def _outboxes(self, folder: Path) -> dict[str, Outbox]:
        wanted = {"command": self.wish.command, "webhook": self.wish.webhook}
        return {name: Outbox(folder / name) for name, receiver in wanted.items() if receiver}

    def _send(self, folder: Path) -> Iterator[NewRow]:
        sends = {"command": by_command(self.wish.command), "webhook": by_webhook(self.wish.webhook)}
        is_noted = not states.load(folder).is_behind
        for name, box in self._outboxes(folder).items():
            try:
                sent = box.deliver(sends[name])
                self._errors.pop(name, None)
            except (IosqError, OSError) as error:
                yield from self._failed(name, error)
                continue
            if is_noted:
                box.forget()
            if sent:
                yield {"event": "alert", "receiver": name, "sent": sent}


def _line(error: Exception) -> str:
    return f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _event(change: Change) -> NewRow:
    """A changed finding as an event, shown on one line."""
    known = change.known
    return {
        "event": "finding",
        "change": change.kind,
        "is_alert": change.calls_for_alert,
        "id": change.identity,
        "rule": known.code,
        "severity": known.severity,
        "subject": known.subject,
        "text": known.text,
        "lost_s_per_day": known.lost_s,
        "first_seen": known.first_seen,
    }


def _alert(change: Change, lake: Path) -> NewRow:
    """An alert in Alertmanager's form: labels identify it from start to end, annotations are for people."""
    known, row = change.known, change.row
    labels = {"alertname": known.code, "finding": change.identity, "severity": "act", "lake": str(lake)}
    return {
        "status": change.status,
        "labels": {**labels, "subject": known.subject},
        "annotations": {"summary": known.text, "description": row.get("details", ""), "advice": row.get("advice", "")},
        "startsAt": known.alerted_at or _now(),
        "endsAt": _now() if change.status == "resolved" else "0001-01-01T00:00:00Z",
        "generatorURL": "",
        "fingerprint": hashlib.sha256(json.dumps(labels).encode()).hexdigest()[:16],
    }
