"""Whatever dies when: a lake has all of a file or nothing of it, and the next ingest makes it whole."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from lake_fakes import EVENT, FakeReader, Fakes, about, rows, text

from iosq.parsers.api import Context
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import commit
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.part import Part
from tests.length import tried

SCRIPT = Path(__file__).with_name("ingest_process.py")
FILES = 4


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for n in range(FILES):
        (folder / f"{n}.txt").write_text(text(200, seed=n, systems=1, days=1))
    return folder


def start(lake: Path, *paths: Path, **settings: object) -> subprocess.Popen[str]:
    """A running ingest, past its imports."""
    environment = {**os.environ, **{name: str(value) for name, value in settings.items()}}
    command = [sys.executable, str(SCRIPT), str(lake), *map(str, paths)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def whole(lake: Lake, paths: Path, **options):
    return ingest(lake, [paths], recognise=Fakes(), **options)


def leftovers(lake: Lake) -> list[Path]:
    """Files in the lake that the manifest doesn't know."""
    listed = {p for paths in lake.parts().values() for p in paths}
    staged = [p for p in (lake.path / ".staging").iterdir() if p.name != "guard"]
    return staged + [p for p in lake.path.rglob("*.parquet") if p not in listed]


def expect_equal(lake: Lake, reference: Lake) -> None:
    assert rows(lake) == rows(reference)
    assert about(lake) == about(reference)
    assert {t: [p.name for p in ps] for t, ps in lake.parts().items()} == {
        t: [p.name for p in ps] for t, ps in reference.parts().items()
    }


@pytest.mark.slow
def test_killed_at_random_moments_the_second_run_equals_one_uninterrupted(inputs: Path, tmp_path: Path) -> None:
    reference = Lake(tmp_path / "reference")
    whole(reference, inputs)
    expected = Counter(r[0] for r in rows(reference)["fake_event"])
    begun = time.monotonic()
    start(tmp_path / "timed", inputs, FAKE_PAUSE_S=0.005).wait()
    longest = time.monotonic() - begun  # kills must fall into the run, however slow the machine is
    random, when = np.random.default_rng(20), Counter[int]()
    for n in range(40):
        if n >= tried(4, 10) and len(when) > 1:
            break
        lake = Lake(tmp_path / f"lake{n}")
        process = start(lake.path, inputs, FAKE_PAUSE_S=0.005)
        time.sleep(random.uniform(longest / 4, longest))
        longest *= 1 if process.poll() is None else 0.8  # the machine was busier when the time was taken
        process.send_signal(signal.SIGKILL)
        process.wait()
        if (lake.path / "manifest.sqlite").exists():
            lake.create()
            found = Counter(r[0] for r in rows(lake).get("fake_event", []))
            assert all(expected[file_id] == count for file_id, count in found.items())
            when[len(found)] += 1
        whole(lake, inputs)
        expect_equal(lake, reference)
        assert leftovers(lake) == []
    assert len(when) > 1, f"all kills hit the same state: {when}"


@pytest.mark.parametrize("step", ["write_journal", "place_files", "_list"])
@pytest.mark.parametrize("after", ["before", "after"])
def test_killed_inside_the_commit(inputs: Path, tmp_path: Path, step: str, after: str) -> None:
    """The process dies right before or after a step of the commit of the third file."""
    lake, reference = Lake(tmp_path / "lake"), Lake(tmp_path / "reference")
    whole(reference, inputs)
    process = start(lake.path, inputs, DIE_AT=f"{step} {after} 3")
    assert process.wait() == -signal.SIGKILL
    assert len(about(lake)["lake_files"]) == 2
    placed = [p for p in leftovers(lake) if ".staging" not in p.parts]
    assert bool(placed) == (step == "_list" or (step, after) == ("place_files", "after"))
    ingest(lake, [], recognise=Fakes())
    assert leftovers(lake) == []
    whole(lake, inputs)
    expect_equal(lake, reference)


def test_two_ingests_at_once_store_everything_once(inputs: Path, tmp_path: Path) -> None:
    reference, lake = Lake(tmp_path / "reference"), Lake(tmp_path / "lake")
    whole(reference, inputs)
    processes = [start(lake.path, inputs, FAKE_PAUSE_S=0.01) for _ in range(2)]
    expected = rows(reference)["fake_event"]
    counts = Counter(r[0] for r in expected)
    states = 0
    while any(p.poll() is None for p in processes):
        if (lake.path / "manifest.sqlite").exists():
            try:
                found = Counter(r[0] for r in rows(lake).get("fake_event", []))
            except LakeError:
                continue  # the manifest is being made
            assert all(counts[file_id] == count for file_id, count in found.items()), "a torn read"
            states += 1
    message = [p.communicate()[0].split() for p in processes]
    assert [p.returncode for p in processes] == [0, 0]
    assert Counter(s for one in message for s in one) == {"stored": FILES, "already": FILES}
    assert states > 0
    expect_equal(lake, reference)
    assert leftovers(lake) == []


def test_the_same_records_in_two_files_ingested_at_once_are_stored_once(tmp_path: Path) -> None:
    """While one file is read, another with the same records is committed: the first is read again."""
    lake = Lake(tmp_path / "lake")
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    first.write_text(text(100, seed=1))
    second.write_text(text(100, seed=1) + text(50, seed=2).removeprefix("FAKE\n"))
    reads = []

    class Overtaken(FakeReader):
        def read(self, stream, balance, context):
            yield from super().read(stream, balance, context)
            reads.append(stream.name)
            if len(reads) == 1:
                ingest(lake, [second], recognise=Fakes())

    (outcome,) = ingest(lake, [first], recognise=Fakes(Overtaken()))
    assert len(reads) == 2
    assert (outcome.status, outcome.balance.decoded) == ("stored", 0)
    values = [r[4] for r in rows(lake)["fake_event"]]
    assert len(values) == len(set(values)) == sum(line[0] not in "#!" for line in second.read_text().splitlines()[1:])


def test_the_same_bytes_committed_meanwhile_are_not_stored_again(tmp_path: Path) -> None:
    """Two ingests of one input whose records have no digests: only the file's own identity shows it."""
    lake, source = Lake(tmp_path / "lake"), tmp_path / "a.txt"
    source.write_text(text(100))

    class Mute(FakeReader):
        def read(self, stream, balance, _):
            yield from super().read(stream, balance, Context())

    class Overtaken(Mute):
        def read(self, stream, balance, context):
            yield from super().read(stream, balance, context)
            ingest(lake, [source], recognise=Fakes(Mute()))

    (outcome,) = ingest(lake, [source], recognise=Fakes(Overtaken()))
    assert outcome.status == "already"
    assert len(about(lake)["lake_files"]) == 1
    assert leftovers(lake) == []


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    """RLIMIT_FSIZE makes every write beyond 64 KiB fail, as a full disk does."""
    source, lake = tmp_path / "a.txt", Lake(tmp_path / "lake")
    source.write_text("FAKE\n" + "".join(f"SYSA {n * 977} {n * n}\n" for n in range(30_000)))
    lake.create()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))
    try:
        with pytest.raises(LakeError, match="nothing is half stored") as raised:
            ingest(lake, [source], recognise=Fakes(FakeReader(5000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert str(raised.value).startswith(str(lake.path))
    assert ".staging" not in str(raised.value)
    assert "\n" not in str(raised.value)
    assert (lake.parts(), leftovers(lake)) == ({}, [])
    assert [o.status for o in ingest(lake, [source], recognise=Fakes(FakeReader(5000)))] == ["stored"]


@pytest.mark.parametrize("owner, name", [(Part, "close"), (commit, "fsync_folder"), (commit, "_list")])
def test_a_disk_error_anywhere_stores_nothing(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    lake = Lake(tmp_path / "lake")
    with monkeypatch.context() as broken:

        def fail(*arguments):
            raise OSError(28, "No space left on device")

        broken.setattr(owner, name, fail)
        with pytest.raises(LakeError, match="No space left on device"):
            whole(lake, inputs)
    assert (lake.parts(), about(lake)["lake_files"], leftovers(lake)) == ({}, [], [])
    whole(lake, inputs)
    assert len(about(lake)["lake_files"]) == FILES


def test_files_in_place_are_taken_back_when_the_manifest_can_not_be_written(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest's own commit fails, after the files have their names."""
    lake = Lake(tmp_path / "lake")
    seen = []

    def fail(db, *arguments):
        seen.extend(lake.path.glob("fake_event/**/*.parquet"))
        db.execute("ROLLBACK")  # the writer's COMMIT then finds no transaction

    monkeypatch.setattr(commit, "_list", fail)
    with pytest.raises(LakeError):
        whole(lake, inputs)
    assert seen
    assert leftovers(lake) == []


def test_a_lake_that_can_not_be_made_is_one_line(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LakeError, match="file"):
        whole(Lake(tmp_path / "file" / "lake"), inputs)


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_interrupted_ingest_clears_its_stage(inputs: Path, tmp_path: Path, error: type[BaseException]) -> None:
    lake = Lake(tmp_path / "lake")

    class Interrupted(FakeReader):
        def read(self, stream, balance, context):
            for number, item in enumerate(super().read(stream, balance, context)):
                if number == 5:
                    raise error
                yield item

    with pytest.raises(error):
        ingest(lake, [inputs], recognise=Fakes(Interrupted()))
    assert (lake.parts(), leftovers(lake)) == ({}, [])


def test_a_stage_in_use_is_not_swept(inputs: Path, tmp_path: Path) -> None:
    lake = Lake(tmp_path / "lake")
    process = start(lake.path, inputs, FAKE_PAUSE_S=0.05)
    while not list(lake.path.glob(".staging/*/lock")):
        time.sleep(0.005)
    whole(lake, inputs)
    message = process.communicate()[0].split()
    assert process.returncode == 0
    assert len(message) == FILES
    assert len(rows(lake)["fake_event"]) == len({r[4] for r in rows(lake)["fake_event"]})
    assert lake.parts().keys() >= {EVENT.name}
