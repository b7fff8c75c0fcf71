"""Parts of a watcher: which files are complete, what changed, and that each alert arrives exactly once."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.watch import state
from iosq.toolkit.watch.arrivals import Arrivals
from iosq.toolkit.watch.changes import Known, changes
from iosq.toolkit.watch.outbox import Outbox, by_command


def _file(path: Path, size: int = 3, age_s: float = 100.0) -> Path:
    path.write_bytes(b"x" * size)
    at = time.time() - age_s
    os.utime(path, (at, at))
    return path


def test_only_settled_files_are_complete(tmp_path: Path) -> None:
    old, young = _file(tmp_path / "old.smf"), _file(tmp_path / "young.smf", age_s=0)
    later = _file(tmp_path / "clock-set-back.smf", age_s=-3600)
    (tmp_path / "lake").mkdir()
    for name in ("lake/manifest.sqlite", "lake/a.parquet", ".hidden", "a.part", "b.TMP"):
        _file(tmp_path / name)
    arrivals = Arrivals(tmp_path, settle_s=30)
    assert set(arrivals.complete({})) == {old} and arrivals.is_unsettled()
    assert set(Arrivals(tmp_path, settle_s=0).complete({})) == {old, young, later}


def test_a_growing_file_is_not_complete(tmp_path: Path) -> None:
    path, arrivals = _file(tmp_path / "a.smf", age_s=0), Arrivals(tmp_path, settle_s=0.2)
    for size in (4, 5, 6):
        assert not arrivals.complete({})
        _file(path, size, age_s=0)
        time.sleep(0.12)
    assert not arrivals.complete({})
    time.sleep(0.25)
    ((found, stamp),) = arrivals.complete({}).items()
    assert found == path and stamp[0] == 6 and not arrivals.is_unsettled()
    assert not arrivals.complete({str(path): stamp})
    _file(path, 7)
    assert not arrivals.complete({str(path): stamp})  # it changed: it has to settle again


def test_a_marker_ends_a_file_at_once(tmp_path: Path) -> None:
    arrivals = Arrivals(tmp_path, settle_s=1000, marker=".done")
    path = _file(tmp_path / "a.smf", age_s=0)
    assert not arrivals.complete({}) and not arrivals.is_unsettled()
    (tmp_path / "a.smf.done").touch()
    assert set(arrivals.complete({})) == {path}


def test_a_vanished_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Arrivals(tmp_path / "gone", 0).complete({})


def _row(subject: str, severity: str = "act", lost_s: float = 60.0) -> dict[str, Any]:
    return {
        "code": "pav_add_alias", "severity": severity, "subject_kind": "volume", "subject": subject, "names": [subject],
        "systems": ["SYSA"], "text": f"Volume {subject} waits", "first_seen": "2026-03-02T10:00:00", "lost_s": lost_s,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (None, _row("V0"), "new"),
        (_row("V0", "watch"), _row("V0"), "worse"),
        (_row("V0"), _row("V0", "note"), "better"),
        (_row("V0"), _row("V0", lost_s=100), "worse"),
        (_row("V0"), _row("V0", lost_s=30), "better"),
        (_row("V0"), None, "gone"),
    ],
)
def test_kinds_of_change(before: dict[str, Any] | None, after: dict[str, Any] | None, kind: str) -> None:
    known, _ = changes({}, [before] if before else [])
    _, (change,) = changes(known, [after] if after else [])
    assert change.kind == kind
    assert not changes(known, [before] if before else [])[1]


DAYS = st.lists(st.dictionaries(st.sampled_from("ABC"), st.sampled_from(["act", "watch", "note"])), max_size=12)


@given(DAYS)
def test_alerts_of_a_finding_take_turns(days: list[dict[str, str]]) -> None:
    """It fires once, when it becomes one to act on, and is resolved once, when it is gone; no two ids are the same."""
    known: dict[str, Known] = {}
    sent: dict[str, list[str]] = {}
    ids: list[str] = []
    for day in days:
        known, made = changes(known, [_row(name, severity) for name, severity in day.items()])
        for change in made:
            if change.calls_for_alert:
                sent.setdefault(change.identity, []).append(change.status)
                ids.append(change.alert_id)
        for name, severity in day.items():  # whatever is to be acted on has been alerted
            assert severity != "act" or sent[f"pav_add_alias|volume|{name}|SYSA"][-1] == "firing"
    assert len(ids) == len(set(ids))
    assert all(s == ["firing", "resolved"][n % 2] for statuses in sent.values() for n, s in enumerate(statuses))


def _of(*names: str, lost_s: float = 60.0) -> dict[str, Any]:
    return {**_row(", ".join(names), lost_s=lost_s), "subject_kind": "volumes", "names": [*names]}


def test_a_finding_is_the_same_while_volumes_come_and_go() -> None:
    """One alert, from the first volume to the last; another finding about others is another one."""
    known, (first,) = changes({}, [_row("A")])
    known, made = changes(known, [_of("A", "B"), _row("C")])
    assert [(c.kind, c.known.names) for c in made] == [("new", ["C"])]
    known, made = changes(known, [_of("B", "D"), _row("C")])
    assert not made and known[first.identity].names == ["B", "D"]
    known, made = changes(known, [_row("C")])
    assert [(c.kind, c.identity, c.known.subject) for c in made] == [("gone", first.identity, "A")]


def test_a_finding_about_another_system_is_another_one() -> None:
    known, _ = changes({}, [_of("A", "B")])
    _, made = changes(known, [{**_row("A"), "systems": ["SYSB"]}])
    assert sorted(c.kind for c in made) == ["gone", "new"]


@given(DAYS)
def test_first_seen_stays(days: list[dict[str, str]]) -> None:
    known: dict[str, Known] = {}
    for n, day in enumerate(days):
        rows = [{**_row(name, severity), "first_seen": f"2026-03-{n + 1:02}"} for name, severity in day.items()]
        before, (known, _) = known, changes(known, rows)
        for name, one in known.items():
            if name in before and not one.is_gone and not before[name].is_gone:
                assert one.first_seen == before[name].first_seen


DELIVER = """
import sys
from pathlib import Path
from iosq.toolkit.watch.outbox import Outbox, by_command
Outbox(Path(sys.argv[1])).deliver(by_command(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")
def test_each_alert_arrives_once_however_often_the_process_is_killed(tmp_path: Path) -> None:
    box = Outbox(tmp_path / "box")
    wanted = [f"{n:032x}" for n in range(30)]
    for alert_id in wanted:
        box.put(alert_id, {"id": alert_id})
    received, chance = tmp_path / "received", random.Random(7)
    command = f"sleep 0.15; cat >> {received}; echo >> {received}"
    for _ in range(60):
        process = subprocess.Popen([sys.executable, "-c", DELIVER, str(tmp_path / "box"), command])
        time.sleep(chance.uniform(0.2, 0.9))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        if not list((tmp_path / "box").glob("*.json")):
            break
    box.deliver(by_command(command))
    found = Counter(json.loads(line)["id"] for line in received.read_text().splitlines())
    assert found == dict.fromkeys(wanted, 1)
    for alert_id in wanted:  # found again, as after a kill before the state was written
        box.put(alert_id, {"id": alert_id})
    assert box.deliver(by_command("false")) == 0


def test_a_refused_alert_stays(tmp_path: Path) -> None:
    box = Outbox(tmp_path)
    box.put("a" * 32, {"id": 1})
    with pytest.raises(RequestError, match="ended with code 1"):
        box.deliver(by_command("false"))
    assert box.deliver(by_command("cat > /dev/null")) == 1
    assert box.deliver(by_command("false")) == 0


def test_a_state_is_kept_as_it_is(tmp_path: Path) -> None:
    known, _ = changes({}, [_row("V0")])
    one = state.State({"/in/a.smf": (3, 17)}, known, is_behind=True, is_stale=True)
    state.save(tmp_path, one)
    assert state.load(tmp_path) == one
    (tmp_path / "state.json").write_text("{")
    assert state.load(tmp_path) == state.State(is_behind=True)
    (tmp_path / "state.json").write_text(json.dumps({"version": 99}))
    with pytest.raises(LakeError, match="a newer iosq wrote it"):
        state.load(tmp_path)


def test_one_watcher_a_lake(tmp_path: Path) -> None:
    with state.held(tmp_path), pytest.raises(LakeError, match="another iosq watch"), state.held(tmp_path):
        pass
