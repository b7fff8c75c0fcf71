"""Small files are merged: the same rows, sorted, wholly or not at all, whatever else is done with the lake."""

import shutil
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from lake_fakes import EVENT, ODD, FakeReader, Fakes, about, rows, text

import iosq
from iosq.parsers.api import Table
from iosq.toolkit.cli.commands import ingest as command
from iosq.toolkit.lake import checked, compact, repair, stage
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.ingest import Outcome, _Run, ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.load import Options
from iosq.toolkit.lake.progress import Meter
from iosq.toolkit.lake.writer import Limits
from tests.command import invoked

TABLES: dict[str, Table] = {t.name: t for t in (EVENT, ODD)}


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """Two inputs of several systems and days, each in many small files."""
    monkeypatch.setattr(compact, "tables", lambda: TABLES)
    for n in range(2):
        (tmp_path / f"{n}.txt").write_text(text(200, seed=n))
    made = Lake(tmp_path / "lake")
    taken(made, tmp_path)
    return made


def taken(lake: Lake, folder: Path) -> list[str]:
    found = sorted(folder.glob("*.txt"))
    limits = Limits(part_rows=3, group_rows=3)
    return [o.status for o in ingest(lake, found, recognise=Fakes(FakeReader(7)), limits=limits)]


def files(lake: Lake) -> list[Path]:
    return [path for paths in lake.parts().values() for path in paths]


def test_rows_and_counts_stay_and_files_are_few(lake: Lake, tmp_path: Path) -> None:
    before, known = (rows(lake), about(lake)), []
    many = len(files(lake))
    planned = iosq.compact(lake.path, dry_run=True)
    assert len(files(lake)) == many
    done = iosq.compact(lake.path, progress=lambda at, of: known.append((at, of)))
    assert (rows(lake), about(lake)) == before
    assert (done.files, done.merged, done.into) == (planned.files, planned.merged, planned.into)
    assert len(files(lake)) == many - done.merged + done.into
    places = [path.parent for path in files(lake)]
    assert len(places) == len(set(places)), "one file for each table, system and day"
    assert known[-1] == (done.merged, done.merged)
    assert examine(lake.path, hashes=True) == []
    assert iosq.compact(lake.path).merged == 0
    assert taken(lake, tmp_path) == ["already", "already"]


def test_rows_are_sorted_over_all_that_was_merged(lake: Lake) -> None:
    iosq.compact(lake.path)
    for path in lake.parts()["fake_event"]:
        values = pq.read_table(path, columns=["value"], partitioning=None)["value"].to_pylist()
        assert values == sorted(values)


def test_files_grow_to_a_bound(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what is half as large as that stays as it is."""
    before = rows(lake)
    most = 8
    monkeypatch.setattr(compact, "MERGED_BYTES", most * len(EVENT.columns) * compact.VALUE_BYTES)
    assert iosq.compact(lake.path).into > 0
    assert rows(lake) == before
    assert max(pq.read_metadata(path).num_rows for path in files(lake)) <= most
    again = iosq.compact(lake.path)
    assert again.merged == 0


@pytest.mark.parametrize("step", ["place_files", "_relist", "remove"])
def test_killed_at_any_step_it_answers_the_same(lake: Lake, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """What a process that dies leaves: nothing is undone, no lock is held."""
    before = rows(lake), about(lake)
    work = getattr(compact, step)

    def die(*given: object) -> None:
        if step != "remove":
            work(*given)
        raise KeyboardInterrupt

    dies(lake, monkeypatch, step, die)
    assert (rows(lake), about(lake)) == before
    assert not [a for a in examine(lake.path) if a.loses]
    ingest(lake, [], recognise=Fakes())
    assert examine(lake.path) == [], "the next ingest cleared up"
    iosq.compact(lake.path)
    assert (rows(lake), about(lake)) == before


def dies(lake: Lake, monkeypatch: pytest.MonkeyPatch, step: str, die: Callable[..., None]) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(compact, step, die)
        patched.setattr(stage, "_undo", lambda *_: None)
        patched.setattr(stage.bounds, "remove_tree", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            iosq.compact(lake.path)


def test_killed_after_its_last_merge_the_next_one_clears_up(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has nothing to merge, and yet what is left does no harm."""
    merges = count(1)
    last, work = iosq.compact(lake.path, dry_run=True).into, compact.remove

    def die(*given: Any) -> None:
        if next(merges) == last:
            raise KeyboardInterrupt
        work(*given)

    dies(lake, monkeypatch, "remove", die)
    assert examine(lake.path) != []
    assert iosq.compact(lake.path).merged == 0
    assert examine(lake.path) == []


def test_a_lake_that_was_copied_without_its_locks_is_one(lake: Lake) -> None:
    """As `iosq anonymize` leaves it, and tools that copy no hidden folders."""
    before = rows(lake)
    shutil.rmtree(lake.path / ".staging")
    assert iosq.compact(lake.path, dry_run=True).merged == iosq.compact(lake.path).merged > 0
    assert rows(lake) == before
    shutil.rmtree(lake.path / ".staging")
    assert iosq.prune(lake.path, before=date(1970, 1, 1)).rows == 0
    assert examine(lake.path) == []


def test_what_another_process_has_changed_is_left_alone(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    before, fill = rows(lake), compact._fill
    seen: list[int] = []

    def meanwhile(*given: object) -> None:
        fill(*given)  # type: ignore[arg-type]
        if not seen:
            seen.append(1)
            iosq.compact(lake.path)

    monkeypatch.setattr(compact, "_fill", meanwhile)
    iosq.compact(lake.path)
    assert rows(lake) == before
    assert examine(lake.path, hashes=True) == []


def test_a_damaged_file_is_named_and_nothing_is_lost(lake: Lake) -> None:
    path = next(p for p in files(lake) if len(list(p.parent.iterdir())) > 2)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(iosq.LakeError, match=f"{path.name}: {checked.SPOILT}; run `iosq doctor --repair --hashes`"):
        iosq.compact(lake.path)
    assert path.exists()


def test_the_commands_say_what_they_did_and_what_would_help(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = invoked(["compact", "--lake", str(lake.path)])
    assert "merged " in done.stderr
    assert "nothing to merge" in invoked(["compact", "--lake", str(lake.path)]).stderr
    stored = [Outcome(tmp_path, "stored")]
    small = compact.Compacted(1000, 900, 10, 1, 1)
    monkeypatch.setattr(iosq, "compact", lambda *_, **__: small)
    (message,) = command._next(Path("my lake"), stored)
    assert message == "900 of 1,000 files are small: iosq compact --lake 'my lake' makes 10 of them"
    assert list(command._next(None, [Outcome(tmp_path, "already")])) == []
    monkeypatch.setattr(iosq, "compact", lambda *_, **__: compact.Compacted(1000, 20, 10, 1, 1))
    assert list(command._next(None, stored)) == []


def shared(lake: Lake) -> list[Path]:
    """Files with rows of several inputs."""
    ids = {p: pq.read_table(p, columns=["file_id"], partitioning=None)["file_id"] for p in files(lake)}
    return [path for path, found in ids.items() if len(found.unique()) > 1]


def again(lake: Lake, path: Path) -> Outcome:
    return _Run(lake, Options(Fakes(FakeReader(7))), Meter(None, 0)).again(path)


def test_an_input_that_is_read_again_takes_its_rows_out_of_what_it_shares(lake: Lake, tmp_path: Path) -> None:
    iosq.compact(lake.path)
    before, held = rows(lake), shared(lake)
    assert held
    outcome = again(lake, tmp_path / "1.txt")
    assert (outcome.status, rows(lake)) == ("stored", before)
    assert shared(lake) == []
    assert not any(path.exists() for path in held)
    assert examine(lake.path, hashes=True) == []
    assert iosq.compact(lake.path).merged > 0
    assert (rows(lake), taken(lake, tmp_path)) == (before, ["already", "already"])


@pytest.mark.parametrize("step", ["place_files", "_relist", "remove"])
def test_killed_while_rows_are_taken_out_it_answers_the_same(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    iosq.compact(lake.path)
    before, work = (rows(lake), about(lake)), getattr(compact, step)

    def die(*given: object) -> None:
        if step != "remove":
            work(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(compact, step, die)
        patched.setattr(stage, "_undo", lambda *_: None)
        patched.setattr(stage.bounds, "remove_tree", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            compact.separate(lake.path, lake.about()["lake_files"]["file_id"][0].as_py())
    assert (rows(lake), about(lake)) == before
    ingest(lake, [], recognise=Fakes())
    assert examine(lake.path) == []


def test_old_days_of_merged_inputs_are_dropped(lake: Lake) -> None:
    """Each input's rows are counted, and one without remaining rows is forgotten."""
    iosq.compact(lake.path)
    some = iosq.prune(lake.path, before=date(2023, 11, 16))
    noted = [i["count"] for i in about(lake)["lake_issues"] if i["code"] == "pruned"]
    assert (len(noted), sum(noted)) == (2, some.rows)
    done = iosq.prune(lake.path, before=date(2100, 1, 1))
    assert len(done.inputs) == 2
    assert files(lake) == []


def test_a_lost_file_of_several_inputs_needs_all_of_them(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    iosq.compact(lake.path)
    before = rows(lake)
    one, other = tmp_path / "0.txt", tmp_path / "1.txt"
    shared(lake)[0].unlink()
    monkeypatch.setattr(repair, "replace", again)
    assert len(examine(lake.path)) == 2, "one of each input"
    assert {(r.done, "0.txt" in r.what) for r in iosq.repair(lake.path, sources=[other])} == {(False, True)}
    assert all(r.done for r in repair.repair(lake.path, [one, other]))
    assert (rows(lake), examine(lake.path)) == (before, [])


def test_a_manifest_is_rebuilt_from_merged_files(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repair, "tables", lambda: TABLES)
    iosq.compact(lake.path)
    before = rows(lake)
    (lake.path / "manifest.sqlite").unlink()
    assert all(r.done for r in iosq.repair(lake.path))
    assert (rows(lake), examine(lake.path)) == (before, [])
    assert len(shared(lake)) > 0
    assert {f["path"] for f in about(lake)["lake_files"]} == {"(unknown)"}
