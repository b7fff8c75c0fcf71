"""A watcher on a folder: events, alerts and outputs, over bad input, kills and restarts."""

import json
import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import duckdb
import pytest

import iosq
from iosq import watching
from iosq.toolkit import post
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.report import write
from iosq.toolkit.show import stages
from iosq.toolkit.watch import outbox
from iosq.watching import Watcher, Wish
from tests.command import invoked

LISTING = Path(__file__).parents[2] / "golden" / "rmf" / "device.txt"


def _settled(source: Path, target: Path) -> Path:
    shutil.copy(source, target)
    os.utime(target, (1e9, 1e9))
    return target


@pytest.fixture
def wish(tmp_path: Path) -> Wish:
    """A folder with one listing, which comes to rest at once."""
    (tmp_path / "in").mkdir()
    _settled(LISTING, tmp_path / "in" / "a.txt")
    return Wish(tmp_path / "in", tmp_path / "lake", settle_s=0, days=3)


def _once(wish: Wish) -> list[dict[str, Any]]:
    return list(Watcher(wish).run(once=True))


def _kinds(events: list[dict[str, Any]]) -> list[str]:
    return [e["event"] for e in events]


def test_files_findings_and_outputs(wish: Wish, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write, "run", None)  # the rules do not run again for an output
    names = ("page.html", "found.json", "now.prom", "views.duckdb")
    outputs = tuple(wish.folder / name for name in names)  # and they don't arrive
    events = _once(Wish(wish.folder, wish.lake, settle_s=0, outputs=outputs))
    assert events[0]["event"] == "file" and events[0]["status"] == "stored" and events[0]["rows"] > 0
    assert [e["path"] for e in events if e["event"] == "output"] == [str(o) for o in outputs]
    found = json.loads(outputs[1].read_text())["findings"]
    shown = [e for e in events if e["event"] == "finding"]
    assert {e["text"] for e in shown} == {f["text"] for f in found} and all(e["change"] == "new" for e in shown)
    assert outputs[0].read_text("utf-8").startswith("<!")
    assert "iosq_volume_response_seconds" in outputs[2].read_text("utf-8")
    with duckdb.connect(str(outputs[3]), read_only=True) as con:
        assert con.execute("SELECT count(*) > 0 FROM volume_interval").fetchall() == [(True,)]
    wish = Wish(wish.folder, wish.lake, settle_s=0, outputs=outputs)
    assert not _once(wish)  # a restart finds nothing new
    _settled(LISTING, wish.folder / "b.txt")
    (again,) = _once(wish)
    assert again["status"] == "already"


def test_rows_that_are_dropped_are_reported(wish: Wish) -> None:
    stored, pruned = _once(replace(wish, keep_days=1))
    assert pruned["event"] == "pruned" and pruned["rows"] == stored["rows"]


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Findings to act on, by the names of volumes, for one look after the other."""
    looks: list[list[str]] = []

    def advise(_: iosq.Lake, __: str) -> Any:
        names = looks.pop(0)
        rows = [
            {"code": "pav_add_alias", "severity": "act", "subject_kind": "volume", "subject": name, "names": [name],
             "systems": [], "text": f"{name} waits", "details": "", "advice": "Add", "first_seen": None, "lost_s": 1.0}
            for name in names
        ]  # fmt: skip
        return type("Played", (), {"json": lambda _: json.dumps(rows)})()

    monkeypatch.setattr(iosq.Lake, "advise", advise)
    return looks


def _next(wish: Wish, name: str) -> None:
    """One more listing, with other bytes."""
    path = wish.folder / name
    path.write_text(LISTING.read_text("utf-8") + f"\n{name}\n", "utf-8")
    os.utime(path, (1e9, 1e9))


def test_alerts_fire_once_and_are_resolved(wish: Wish, tmp_path: Path, played: list[list[str]]) -> None:
    wish = Wish(wish.folder, wish.lake, settle_s=0, command=f"cat >> {tmp_path}/got; echo >> {tmp_path}/got")
    played += [["V0"], ["V0", "V1"], ["V1"], ["V0", "V1"]]
    for n in range(4):
        _next(wish, f"{n}.txt")
        _once(wish)
    got = [json.loads(line) for line in (tmp_path / "got").read_text().splitlines()]
    shown = [(a["labels"]["subject"], a["status"]) for a in got]
    assert shown == [("V0", "firing"), ("V1", "firing"), ("V0", "resolved"), ("V0", "firing")]
    first, _, end, again = got
    assert first["labels"] == end["labels"] and first["fingerprint"] == end["fingerprint"] == again["fingerprint"]
    assert first["startsAt"] == end["startsAt"] <= end["endsAt"]


def test_a_line_that_was_not_printed_comes_again(wish: Wish, played: list[list[str]]) -> None:
    played += [["V0"], ["V0"]]
    events = Watcher(wish).run(once=True)
    assert [next(events)["event"], next(events)["event"]] == ["file", "finding"]
    events.close()  # type: ignore[attr-defined]
    assert [e["change"] for e in _once(wish)] == ["new"]


def test_a_command_that_hangs_is_ended(wish: Wish, played: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox, "COMMAND_S", 0.2)
    played += [["V0"]]
    assert (
        "had not ended after 0.2 s"
        in _once(Wish(wish.folder, wish.lake, settle_s=0, command="sleep 60"))[-1]["message"]
    )


def test_a_refused_alert_is_sent_later(wish: Wish, tmp_path: Path, played: list[list[str]]) -> None:
    played += [["V0"]]
    refused = Wish(wish.folder, wish.lake, settle_s=0, command="exit 3")
    assert "ended with code 3" in _once(refused)[-1]["message"]
    events = _once(Wish(wish.folder, wish.lake, settle_s=0, command=f"cat > {tmp_path}/got"))
    assert _kinds(events) == ["alert"] and json.loads((tmp_path / "got").read_text())["status"] == "firing"


@pytest.fixture
def hook() -> Iterator[tuple[str, list[Any], list[int]]]:
    """A web server: its address, the documents it got, and the codes of its next answers (200)."""
    got: list[Any] = []
    codes: list[int] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(codes.pop(0) if codes else 200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", got, codes
    server.shutdown()


def test_a_web_hook_gets_the_documents_of_alertmanager(
    wish: Wish, played: list[list[str]], hook: tuple[str, list[Any], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "WAITS_S", (0.0, 0.0))
    url, got, codes = hook
    played += [["V0"], ["V0", "V1"]]
    codes += [503]
    assert _kinds(_once(Wish(wish.folder, wish.lake, settle_s=0, webhook=url)))[-1] == "alert"
    first, second = got
    assert first == second and second["version"] == "4" and second["status"] == "firing"
    assert second["alerts"][0]["labels"]["alertname"] == "pav_add_alias" == second["groupLabels"]["alertname"]
    _next(wish, "b.txt")
    _once(Wish(wish.folder, wish.lake, settle_s=0, webhook=f"{url}/api/v2/alerts"))
    assert [a["labels"]["subject"] for a in got[-1]] == ["V1"]
    assert got[-1][0]["endsAt"] > got[-1][0]["startsAt"]  # else it is forgotten after minutes


def test_a_hook_that_does_not_answer_loses_no_alert(
    wish: Wish, played: list[list[str]], hook: tuple[str, list[Any], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "WAITS_S", (0.0, 0.0))
    url, got, codes = hook
    played += [["V0"]]
    codes += [500]
    gone = Wish(wish.folder, wish.lake, settle_s=0, webhook="http://127.0.0.1:9")
    assert "does not answer" in _once(gone)[-1]["message"]
    assert "answers 500" in _once(Wish(wish.folder, wish.lake, settle_s=0, webhook=url))[-1]["message"]
    assert _kinds(_once(Wish(wish.folder, wish.lake, settle_s=0, webhook=url))) == ["alert"] and len(got) == 2


def test_errors_are_one_line_each_and_nothing_is_lost(
    wish: Wish, played: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    away = wish.folder.rename(wish.folder.with_name("away"))
    (event,) = _once(wish)
    assert event["event"] == "error" and str(wish.folder) in event["message"] and "\n" not in event["message"]
    away.rename(wish.folder)

    def full(*_: object, **__: object) -> None:
        raise LakeError("can't be written: No space left on device", place="lake")

    played += [["V0"]]
    with monkeypatch.context() as patch:
        patch.setattr(watching, "ingest", full)
        assert "No space left" in _once(wish)[0]["message"]
    assert _kinds(_once(wish)) == ["file", "finding"]


def test_a_refused_file_is_reported_by_every_run(wish: Wish, played: list[list[str]]) -> None:
    """And by every run once: the second listing makes it look again."""
    played += [["V0"], ["V0"]]
    (wish.folder / "bad.smf").write_bytes(b"\x00" * 100)
    os.utime(wish.folder / "bad.smf", (1e9, 1e9))
    for name in ("b.txt", "c.txt"):
        watcher = Watcher(wish)
        seen = [e for e in watcher.run(once=True) if e["event"] == "file"]
        assert [Path(e["path"]).name for e in seen if e["status"] == "refused"] == ["bad.smf"]
        _next(wish, name)
        assert [Path(e["path"]).name for e in watcher.run(once=True) if e["event"] == "file"] == [name]
        played.append(["V0"])


def test_a_lake_of_a_newer_version_is_one_line(
    wish: Wish, played: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    played += [["V0"]]
    _once(wish)
    _next(wish, "b.txt")
    assert wish.lake
    with closing(sqlite3.connect(wish.lake / "manifest.sqlite")) as db, db:
        db.execute("UPDATE meta SET value = '99'")
    monkeypatch.chdir(wish.lake.parent)
    (event,) = _once(replace(wish, lake=Path(wish.lake.name)))
    assert event["event"] == "error" and "format version 99" in event["message"]


def test_a_folder_that_is_no_lake_stays_as_it_is(wish: Wish) -> None:
    assert wish.lake
    wish.lake.mkdir()
    (wish.lake / "letters.txt").touch()
    with pytest.raises(LakeError, match="not a lake"):
        _once(wish)
    assert [p.name for p in wish.lake.iterdir()] == ["letters.txt"]


GUIDE = Path(__file__).parents[3] / "docs" / "guides" / "every-night.md"


@pytest.mark.skipif(shutil.which("jq") is None, reason="the guide's alert uses jq")
def test_the_commands_of_the_guide_run(
    wish: Wish, tmp_path: Path, hook: tuple[str, list[Any], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mail").write_text("#!/bin/sh\ncat >> $(dirname $0)/mails\n")
    (tmp_path / "mail").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(stages, "SILENT_S", 0)
    commands = re.findall(r"(?:^ {4}|ExecStart=.*/|\* )iosq (watch .*)", GUIDE.read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 3
    for n, command in enumerate(commands):
        text = command.split(" >> ")[0].replace("/incoming", str(wish.folder)).replace("/data", f"{tmp_path}/{n}")
        text = text.replace("/srv/www", str(tmp_path)).replace("http://alertmanager:9093", hook[0])
        result = invoked([*shlex.split(text), "--once"])
        assert result.exit_code in (0, 10), result.stdout
        assert '"status": "stored"' in result.stdout
        assert n == 2 or not result.stderr, "cron mails what a command says"
    assert (tmp_path / "iosq.html").exists()


def test_the_watcher_lives_on(wish: Wish, played: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Also an error that stays is reported once."""
    played += [["V0"]]
    monkeypatch.setattr(watching, "RETRY_S", 0.01)
    away = wish.folder.rename(wish.folder.with_name("away"))
    events = Watcher(wish).run()
    assert next(events)["event"] == "error"
    threading.Timer(0.3, lambda: away.rename(wish.folder)).start()
    assert next(events)["event"] == "file"
    events.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("changes", "what"),
    [({"outputs": (Path("page.pdf"),)}, "ending"), ({"webhook": "localhost"}, "no web address")],
)
def test_wishes_that_can_not_be_met_are_refused(wish: Wish, changes: dict[str, Any], what: str) -> None:
    with pytest.raises(RequestError, match=what):
        Watcher(Wish(wish.folder, wish.lake, **changes))


def test_exit_codes(wish: Wish, played: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    played += [["V0"], ["V0"]]
    command = f"watch {wish.folder} --lake {wish.lake} --once --settle 0"
    assert invoked(command.split()).exit_code == 10
    assert invoked(command.split()).exit_code == 0
    (wish.folder / "bad.smf").write_bytes(b"\x00" * 100)
    os.utime(wish.folder / "bad.smf", (1e9, 1e9))
    assert invoked(command.split()).exit_code == 1
    shutil.rmtree(wish.folder)
    result = invoked(command.split())
    assert result.exit_code == 1 and json.loads(result.stdout)["event"] == "error"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_kills_at_any_time_lose_no_file_and_no_finding(wish: Wish) -> None:
    """Killed again and again, then left alone: the lake and its findings are those of an undisturbed watcher."""
    calm = Wish(wish.folder, wish.folder.with_name("calm"), settle_s=0)
    expected = {e["id"] for e in _once(calm) if e["event"] == "finding"}
    arguments = ["watch", str(wish.folder), "--lake", str(wish.lake), "--once", "--settle", "0"]
    seen: set[str] = set()
    for n in range(8):
        process = subprocess.Popen([sys.executable, "-m", "iosq", *arguments], stdout=subprocess.PIPE)
        time.sleep(0.2 + 0.25 * n)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        seen |= {e["id"] for line in out.splitlines() if (e := json.loads(line))["event"] == "finding"}
    seen |= {e["id"] for e in _once(wish) if e["event"] == "finding"}
    known = json.loads((wish.folder.with_name("lake") / "_watch" / "state.json").read_text())
    assert set(known["findings"]) == expected and not known["is_behind"]
    assert [iosq.open(w.lake).sql("SELECT count(*) AS n FROM lake_files").item() for w in (wish, calm)] == [1, 1]
