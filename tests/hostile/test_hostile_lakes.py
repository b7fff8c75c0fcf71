"""Lakes made to harm: links at every level, manifest rows of every kind, triggers, special files, files of others.

Every command answers or refuses in one line, in time, and leaves what lies outside the lake as it was.
"""

import csv
import hashlib
import os
import random
import shlex
import shutil
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import iosq
from iosq.toolkit.errors import IosqError
from iosq.toolkit.lake.disk import file_hash
from iosq.toolkit.lake.stage import MARK
from tests.command import invoked
from tests.length import tried

INPUT = Path(__file__).parents[2] / "sample-data" / "smf" / "tapelib.bdw.smf"
LIMIT_S = 60
HEX = "0123456789abcdef" * 2
LOGS = ("manifest.sqlite-journal", "manifest.sqlite-wal")
# a second harm may find its place taken by the first
TAKEN = (OSError, IndexError, StopIteration, sqlite3.Error)
Harm = Callable[[Path, Path, random.Random], None]
COMMANDS = [
    "sql 'SELECT count(*) FROM volume_interval' --lake {lake} --timeout 20",
    "sql 'SELECT * FROM tape_library_interval' --lake {lake} --timeout 20",
    "sql 'SELECT * FROM lake_issues' --lake {lake}",
    "doctor --lake {lake}",
    "doctor --lake {lake} --hashes",
    "doctor --lake {lake} --repair",
    "doctor --lake {lake} --repair --hashes --from {input}",
    "prune --lake {lake} --before 2030-01-01",
    "prune --lake {lake} --before 2030-01-01 --dry-run",
    "compact --lake {lake}",
    "ingest {input} --lake {lake}",
    "anonymize {lake} {new}",
    "advise --lake {lake}",
    "report --lake {lake} -o {new}.html",
    "prepare --lake {lake}",
    "export delta {new} --lake {lake}",
    "simulate nvs --lake {lake}",
    "compare {lake} {lake}",
    "trend --lake {lake}",
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of a small input."""
    return made(tmp_path_factory.mktemp("sound"))


def made(folder: Path) -> Path:
    """A lake of a small input, in a folder."""
    lake = folder / "lake"
    iosq.ingest(lake, [INPUT])
    iosq.open(lake).connection().close()
    assert [*lake.glob("_facts/tape_library_interval-*/*.parquet")]
    return lake


def _outside(folder: Path, sound: Path) -> Path:
    """What must stay: files, another lake, and folders that look like what iosq writes."""
    outside = folder / "outside"
    shutil.copytree(sound, outside / "other")
    for name in (HEX, f"day-{HEX}", "plain"):
        (outside / name).mkdir()
        (outside / name / "lock").write_bytes(MARK)
        (outside / name / "index.csv").write_text("view\n")
        (outside / name / "x.parquet").write_bytes(b"PAR1")
    (outside / "0123456789abcdef-000.parquet").write_bytes(b"precious")
    return outside


def state(folder: Path) -> dict[str, str]:
    """Every name below a folder, and what is in it."""
    found = {}
    for path in sorted(folder.rglob("*")):
        kind = str(path.readlink()) if path.is_symlink() else ""
        content = path.read_bytes() if not kind and path.is_file() else kind.encode()
        found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def _parts(lake: Path) -> list[Path]:
    return sorted(lake.glob("smf*/*/*/*.parquet"))


def _links(lake: Path, outside: Path, dice: random.Random) -> None:
    """A name of the lake, at any level, is a link."""
    part = dice.choice(_parts(lake))
    places = [
        *(lake / name for name in ("_facts", "_views", ".staging", "_digests", "manifest.sqlite", ".checked")),
        lake / ".checked.part",
        *(lake / name for name in (".rebuilding", "manifest.sqlite-wal", ".staging/guard", f".staging/{HEX}")),
        *(lake / name for name in (f"_views/{HEX}", f"_facts/day-{HEX}", f"_facts/day-{HEX}/index.csv")),
        *lake.glob("_facts/tape*"), *lake.glob("_facts/tape*/*"),
        part, part.parent, part.parent.parent, part.parent.parent.parent, next(lake.glob("_digests/*"), part),
    ]  # fmt: skip
    place = dice.choice(places)
    _gone(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    targets = [outside, outside / "plain", outside / HEX, outside / "0123456789abcdef-000.parquet", outside / "none"]
    same = outside / "other" / place.relative_to(lake)
    target = dice.choice([*targets, same])
    place.symlink_to(os.path.relpath(target, place.parent) if dice.random() < 0.5 else target)


def _special(lake: Path, outside: Path, dice: random.Random) -> None:
    """A pipe, a socket or a folder where a file is."""
    name = dice.choice(["manifest.sqlite", ".checked", ".staging/guard", *LOGS, "_facts", "_views"])
    place = dice.choice([lake / name, dice.choice(_parts(lake))])
    _gone(place)
    place.parent.mkdir(parents=True, exist_ok=True)
    kind = dice.choice(["pipe", "socket", "folder", "link to a device"])
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as made, _inside(place.parent):
            made.bind(place.name)
    elif kind == "folder":
        place.mkdir()
        (place / "x").write_text("x")
    else:
        place.symlink_to("/dev/zero")


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    yield
    os.chdir(before)


def _gone(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


VALUES: list[object] = [
    "../outside/other/x.parquet", "../outside/0123456789abcdef-000.parquet", "..", "/", "", "a'b", 'a"b', "a\nb",
    "x/system=A/day=1/../../../../outside/0123456789abcdef-000.parquet", "x" * 10_000, "\x00",
    b"\xff", -1, 0, 1 << 62, -(1 << 63), 1.5, float("inf"), None, "nan", "-wal", "%2e%2e", "C:\\x", "\u202e",
]  # fmt: skip


def _rows(lake: Path, outside: Path, dice: random.Random) -> None:
    """A value of any kind in any column of the manifest."""
    with closing(sqlite3.connect(lake / "manifest.sqlite")) as db, db:
        tables = [n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
        table = dice.choice([*tables, "part", "part"])
        column = dice.choice([name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")])
        value = dice.choice([*VALUES, str(outside / "0123456789abcdef-000.parquet")])
        with suppress(sqlite3.Error):
            db.execute(f'UPDATE OR IGNORE {table} SET "{column}" = ?', (value,))


def _others(lake: Path, outside: Path, dice: random.Random) -> None:
    """A row of the manifest names a file of another lake, or one of the disk, with its size."""
    known = [*_parts(outside / "other"), outside / "0123456789abcdef-000.parquet"]
    target = dice.choice(known)
    name = dice.choice([str(target), os.path.relpath(target, lake), f"x/../../{target.relative_to(outside.parent)}"])
    with closing(sqlite3.connect(lake / "manifest.sqlite")) as db, db:
        given = (name, target.stat().st_size, None)
        db.execute("UPDATE OR IGNORE part SET path = ?, bytes = ?, hash = ?", given)


SCHEMA = [
    "CREATE TRIGGER t AFTER INSERT ON issue BEGIN DELETE FROM part; END",
    "CREATE TRIGGER t BEFORE DELETE ON part BEGIN UPDATE part SET path = '../outside/x'; END",
    "CREATE VIEW v AS SELECT * FROM part",
    "ALTER TABLE part RENAME TO p; CREATE VIEW part AS SELECT * FROM p",
    "CREATE VIRTUAL TABLE f USING fts5(x)",
    "CREATE TABLE more (x)",
    "CREATE INDEX i ON part (hex(path))",
    "DROP TABLE issue",
    "DROP TABLE part; CREATE TABLE part (x)",
    "ALTER TABLE file DROP COLUMN packaging",
    "UPDATE meta SET value = '1'",
    "UPDATE meta SET value = '2'",
    "DELETE FROM meta",
    "UPDATE meta SET value = x'ff'",
]


def _schema(lake: Path, outside: Path, dice: random.Random) -> None:
    """What iosq has no need of in its manifest."""
    with closing(sqlite3.connect(lake / "manifest.sqlite")) as db, suppress(sqlite3.Error):
        db.executescript(dice.choice(SCHEMA))


def _journals(lake: Path, outside: Path, dice: random.Random) -> None:
    """Notes of what an ingest that died left, or what SQLite would undo, name files outside."""
    precious = outside / "0123456789abcdef-000.parquet"
    stage = lake / ".staging" / dice.choice([HEX, "x", ".."])
    with suppress(FileExistsError):
        stage.mkdir(parents=True)
    (stage / "lock").write_bytes(dice.choice([MARK, b""]))
    names = [str(precious), f"../outside/{precious.name}", f"a/system=../day=../../{precious.name}"]
    (stage / "journal").write_text("\n".join(names))
    if dice.random() < 0.5:
        head = bytes.fromhex("d9d505f920a163d7") + bytes(504)
        (lake / "manifest.sqlite-journal").write_bytes(head + str(precious).encode())


def _bytes(lake: Path, outside: Path, dice: random.Random) -> None:
    """Any file of the lake has some other bytes, or is cut."""
    files = sorted(p for p in lake.rglob("*") if p.is_file() and p.stat().st_size)
    file = dice.choice([*files, lake / "manifest.sqlite"])
    content = bytearray(file.read_bytes())
    for _ in range(dice.choice([1, 20])):
        content[dice.randrange(len(content))] = dice.randrange(256)
    file.write_bytes(content[: dice.choice([len(content), len(content) // 2, 0])])


def _bomb(lake: Path, outside: Path, dice: random.Random) -> None:
    """A stored file unpacks to much more than its size; other columns than iosq gives, or none."""
    part = dice.choice(_parts(lake))
    rows = 1 << 20
    made = dice.choice([
        pa.table({"file_id": pa.repeat("0" * 16, rows), "x": pa.repeat("x" * 200, rows)}),
        pa.table({"file_id": pa.repeat(0, rows)}),
        pa.table({"\u202e'\"": ["</script>"]}),
    ])  # fmt: skip
    _gone(part)  # another harm may have made a pipe of it
    pq.write_table(made, part, compression="zstd")
    with closing(sqlite3.connect(lake / "manifest.sqlite")) as db, db:
        given = part.stat().st_size, file_hash(part), str(part.relative_to(lake))
        db.execute("UPDATE part SET bytes = ?, hash = ? WHERE path = ?", given)


def _facts(lake: Path, outside: Path, dice: random.Random) -> None:
    """The list of a set of facts names files outside, or has any values."""
    known = [folder.name for folder in lake.glob("_facts/*-*")]
    folder = lake / dice.choice(["_facts", "_views"]) / dice.choice([*known, HEX, f"day-{HEX}", "x"])
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "index.csv").open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["view", "bytes", "hash", "rows", "folder", "day"])
        for _ in range(3):
            lines.writerow(str(dice.choice(["volume_interval", *VALUES])) for _ in range(6))


def _other_facts(lake: Path, outside: Path, dice: random.Random) -> None:
    """A fact that is listed as it is has other columns or types than its view, or unpacks to much more."""
    (folder,) = lake.glob("_facts/tape_library_interval-*")
    file = folder / "tape_library_interval.parquet"
    names, value = pq.read_schema(file).names, pa.repeat("x" * 200, dice.choice([1, 1 << 18]))
    pq.write_table(pa.table(dict.fromkeys(dice.choice([names, ["x"]]), value)), file, compression="zstd")
    row = ["tape_library_interval", file.stat().st_size, file_hash(file), 1, folder.name, ""]
    with (folder / "index.csv").open("w", newline="", encoding="utf-8") as index:
        csv.writer(index).writerows([["view", "bytes", "hash", "rows", "folder", "day"], row])


HARMS: list[Harm] = [_links, _special, _rows, _others, _schema, _journals, _bytes, _bomb, _facts, _other_facts]


class HangsError(Exception):
    """A command took longer than it may."""


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    def ring(*_: object) -> None:
        raise HangsError(f"{seconds} s")

    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


def attack(folder: Path, sound: Path, seed: int) -> list[str]:
    """Try some commands on a lake with one harm or two; what is wrong about what they did."""
    dice = random.Random(seed)
    lake, outside = folder / "lake", _outside(folder, sound)
    shutil.copytree(sound, lake)
    harms = [HARMS[seed % len(HARMS)], *([dice.choice(HARMS)] if dice.random() < 0.2 else [])]
    for harm in harms:
        with suppress(*TAKEN):
            harm(lake, outside, dice)
    before, wrong = state(outside), []
    for number, command in enumerate(dice.sample(COMMANDS, 3)):
        given = [w.format(lake=lake, input=INPUT, new=folder / f"new{number}") for w in shlex.split(command)]
        with _within(LIMIT_S):
            result = invoked(given)
        what = f"seed {seed}, {[h.__name__ for h in harms]}, {command}: "
        wrong += [what + problem for problem in _problems(result.exception)]
        if state(outside) != before:
            wrong.append(what + "something outside has changed")
    return wrong


def _problems(error: BaseException | None) -> Iterator[str]:
    if error is None or isinstance(error, SystemExit):
        return
    if not isinstance(error, IosqError | MemoryError):
        yield f"{type(error).__name__}: {error}"
    elif "\n" in str(error):
        yield f"more than one line: {error}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
@pytest.mark.parametrize("seed", range(tried(10, 2000)))
def test_no_lake_harms_its_reader(sound: Path, tmp_path: Path, seed: int) -> None:
    assert attack(tmp_path, sound, seed) == []


def _digests_in_the_making(lake: Path, outside: Path) -> None:
    (digests,) = lake.glob("_digests/*.npy")
    digests.unlink()
    digests.with_suffix(".rebuilt.npy").symlink_to(outside / "0123456789abcdef-000.parquet")


def _system_folder(lake: Path, outside: Path) -> None:
    """Outside lies a folder with the name of a file, as other programs write data sets."""
    (outside / "tree" / "day=2025-11-18" / "x.parquet").mkdir(parents=True)
    folder = sorted(lake.glob("smf94_1_mount/*"))[0]
    _gone(folder)
    folder.symlink_to(outside / "tree")


def _system_folder_without_manifest(lake: Path, outside: Path) -> None:
    _system_folder(lake, outside)
    (lake / "manifest.sqlite").unlink()


def _empty_folder(lake: Path, outside: Path) -> None:
    folder = sorted(lake.glob("smf94_1_mount/*"))[0]
    _gone(folder)
    folder.symlink_to(outside / "plain")


def _pipe_of_digests_without_manifest(lake: Path, outside: Path) -> None:
    (digests,) = lake.glob("_digests/*.npy")
    digests.unlink()
    os.mkfifo(digests)
    (lake / "manifest.sqlite").unlink()


def _pipe_of_records_without_digests(lake: Path, outside: Path) -> None:
    part = _parts(lake)[0]
    part.unlink()
    os.mkfifo(part)
    next(lake.glob("_digests/*.npy")).unlink()


TRAPS = [
    _digests_in_the_making, _system_folder, _system_folder_without_manifest, _empty_folder,
    _pipe_of_digests_without_manifest, _pipe_of_records_without_digests,
]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
@pytest.mark.parametrize("trap", TRAPS)
def test_a_repair_reaches_nothing_outside(sound: Path, tmp_path: Path, trap: Callable[[Path, Path], None]) -> None:
    lake, outside = tmp_path / "lake", _outside(tmp_path, sound)
    shutil.copytree(sound, lake)
    trap(lake, outside)
    before = state(outside)
    with _within(LIMIT_S):
        result = invoked(["doctor", "--lake", str(lake), "--repair", "--from", str(INPUT)])
    assert [*_problems(result.exception)] == []
    assert state(outside) == before


WRITES = [
    "sql 'SELECT 1 AS a' --lake {lake} --format csv -o {target}",
    "report --lake {lake} -o {target}",
    "advise --lake {lake} -o {target}",
    "chart volume_response --lake {lake} -o {target}",
    "simulate migrate --lake {lake} --to ds8900 -o {target}",
    "trend --lake {lake} -o {target}",
]


@pytest.mark.parametrize("command", WRITES)
@pytest.mark.parametrize("name", ["manifest.sqlite", "_facts/x.csv", "x.html", "link"])
def test_no_result_goes_into_a_lake(sound: Path, tmp_path: Path, command: str, name: str) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(sound, lake)
    (tmp_path / "link").symlink_to(lake / "manifest.sqlite")
    before = state(lake)
    target = tmp_path / "link" if name == "link" else lake / name
    result = invoked([w.format(lake=lake, target=target) for w in shlex.split(command)])
    assert result.exit_code != 0
    assert state(lake) == before
