"""What goes in comes out once, whatever is named how often."""

import gzip
import sqlite3
import zipfile
from pathlib import Path

import duckdb
import pytest
from lake_fakes import FakeReader, Fakes, about, rows, text

from iosq.parsers.api import Balance, Context, Stream
from iosq.toolkit.errors import LakeError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake(tmp_path / "lake")


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def run(lake: Lake, *paths: Path, **options):
    return ingest(lake, paths, recognise=Fakes(), **options)


def files_below(path: Path) -> dict[str, bytes]:
    return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*.parquet"))}


def test_every_record_arrives_once_with_its_file_id(lake: Lake, tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", text(500))
    (outcome,) = run(lake, source)
    expected = [line.split() for line in source.read_text().splitlines()[1:] if line[0] not in "#!"]
    found = rows(lake)
    assert {r[0] for table in found.values() for r in table} == {outcome.file_id}
    assert sorted((r[1], str(r[4])) for r in found["fake_event"]) == sorted((s, v) for s, _, v in expected)
    assert all(r[4] % 2 for r in found["fake_odd"])
    assert outcome.rows == sum(len(table) for table in found.values())
    assert outcome.balance.balanced
    assert outcome.balance.read == 500


def test_the_same_bytes_add_nothing_under_any_name(lake: Lake, tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", text(200))
    copy = put(tmp_path / "other" / "b.txt", text(200))
    assert [o.status for o in run(lake, source)] == ["stored"]
    before = (rows(lake), about(lake), files_below(lake.path))
    assert [o.status for o in run(lake, source, copy, source)] == ["already"] * 3
    assert (rows(lake), about(lake), files_below(lake.path)) == before


def test_the_same_records_in_another_file_are_skipped_and_counted(lake: Lake, tmp_path: Path) -> None:
    first, second = text(100, seed=1), text(100, seed=2)
    run(lake, put(tmp_path / "a.txt", first))
    joined = first + second.removeprefix("FAKE\n")
    (outcome,) = run(lake, put(tmp_path / "joined.txt", joined))
    assert outcome.balance.decoded == sum(line[0] not in "#!" for line in second.splitlines()[1:])
    apart = Lake(tmp_path / "apart")
    run(apart, put(tmp_path / "1.txt", first), put(tmp_path / "2.txt", second))
    values = [r[4] for r in rows(lake)["fake_event"]]
    assert sorted(values) == sorted(r[4] for r in rows(apart)["fake_event"])


def test_records_repeated_inside_one_file_are_kept_once(lake: Lake, tmp_path: Path) -> None:
    once = text(120)
    run(lake, put(tmp_path / "twice.txt", once + once.removeprefix("FAKE\n")))
    values = [r[4] for r in rows(lake)["fake_event"]]
    assert len(values) == len(set(values)) == sum(line[0] not in "#!" for line in once.splitlines()[1:])


def test_the_manifest_is_not_looked_at_whole_for_each_file(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[object] = []
    monkeypatch.setattr(manifest.sound, "unsound", lambda *_: looks.append(1))
    run(lake, *(put(tmp_path / f"{n}.txt", text(20 + n)) for n in range(8)))
    assert 0 < len(looks) < 4


def test_packed_and_plain_hold_the_same_records(lake: Lake, tmp_path: Path) -> None:
    run(lake, put(tmp_path / "a.txt", text(100)))
    (outcome,) = run(lake, put(tmp_path / "a.gz", gzip.compress(text(100).encode())))
    assert (outcome.status, outcome.balance.decoded) == ("stored", 0)
    assert [f["packaging"] for f in about(lake)["lake_files"]] == ["gzip", ""]


def test_folders_are_walked_in_order_and_what_is_left_out_is_reported(lake: Lake, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    put(folder / "b.txt", text(20, seed=1))
    put(folder / "a" / "z.txt", text(20, seed=2))
    put(folder / ".hidden", text(20, seed=3))
    inside = Lake(folder / "lake")
    outcomes = run(inside, folder)
    assert [(o.path.name, o.status) for o in outcomes] == [
        (".hidden", "left_out"),
        ("z.txt", "stored"),
        ("b.txt", "stored"),
    ]
    assert [o.status for o in run(inside, folder)] == ["left_out", "already", "already"]


def test_one_bad_file_does_not_stop_the_others(lake: Lake, tmp_path: Path) -> None:
    names = {"1": "what is this", "2": "FAKE\nUNREADABLE\n", "3": text(30), "4": ""}
    paths = [put(tmp_path / name, content) for name, content in names.items()]
    outcomes = run(lake, *paths, tmp_path / "absent")
    assert [o.status for o in outcomes] == ["refused", "refused", "stored", "refused", "refused"]
    assert "marked unreadable" in outcomes[1].reason
    assert "No such file" in outcomes[4].reason
    assert all(str(o.path) in o.reason and "\n" not in o.reason for o in outcomes if o.status == "refused")
    assert len(about(lake)["lake_files"]) == 1


def test_an_archive_counts_unknown_members_as_lost(lake: Lake, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a.txt", text(40, seed=1))
        made.writestr("README", "words")
        made.writestr("bad.txt", "FAKE\nUNREADABLE\n")
        made.writestr("b.txt", text(40, seed=2))
    (outcome,) = run(lake, archive)
    assert outcome.balance.read == 80
    assert outcome.balance.lost_bytes == len("words")
    codes = {i["code"]: i["severity"] for i in about(lake)["lake_issues"]}
    assert codes == {"bad_line": "data_loss", "unrecognised": "notice", "unreadable": "error"}


def test_records_by_kind_add_up_to_the_file(lake: Lake, tmp_path: Path) -> None:
    run(lake, put(tmp_path / "a.txt", text(300)))
    given = about(lake)
    (file,) = given["lake_files"]
    assert file["records_read"] == file["decoded"] + file["skipped"] + file["failed"] == 300
    for column, total in (("read", "records_read"), ("decoded", "decoded"), ("failed", "failed")):
        assert sum(k[column] for k in given["lake_records"]) == file[total]
    counted = sum(k["bytes"] for k in given["lake_records"]) + file["frame_bytes"] + file["lost_bytes"]
    assert counted == file["total_bytes"] == file["bytes"]


def test_a_reader_that_loses_count_is_reported(lake: Lake, tmp_path: Path) -> None:
    class Sloppy(FakeReader):
        def read(self, stream: Stream, balance: Balance, context: Context):
            yield from super().read(stream, balance, context)
            balance.kind("event").decoded -= 1

    (outcome,) = ingest(lake, [put(tmp_path / "a.txt", text(20))], recognise=Fakes(Sloppy()))
    given = outcome.issues[-1]
    assert (given.code, given.severity) == ("unbalanced", "error")
    assert "20 records read" in given.message


def test_a_million_issues_stay_a_few_rows_and_lose_no_count(lake: Lake, tmp_path: Path) -> None:
    run(lake, put(tmp_path / "a.txt", "FAKE\n" + "".join(f"! {n}\n" for n in range(2500))))
    issues = about(lake)["lake_issues"]
    assert len(issues) == 1001
    assert sum(i["count"] for i in issues) == 2500
    assert issues[-1]["count"] == 1500
    assert issues[-1]["offset"] == 1001


def test_a_file_that_grows_while_it_is_read_is_refused(lake: Lake, tmp_path: Path) -> None:
    source = put(tmp_path / "a.txt", text(50))

    class Growing(FakeReader):
        def read(self, stream: Stream, balance: Balance, context: Context):
            yield from super().read(stream, balance, context)
            with source.open("a") as file:
                file.write("# more\n")

    lake.create()
    (outcome,) = ingest(lake, [source], recognise=Fakes(Growing()))
    assert (outcome.status, rows(lake)) == ("refused", {})
    assert "changed while it was read" in outcome.reason


def test_systems_and_days_that_are_no_names_are_safe_folders(lake: Lake, tmp_path: Path) -> None:
    names = ["../../up", "A/B", "_none", "%2F", "a\x01b", "ÄÖ", "-"]
    content = "FAKE\n" + "".join(f"{name} - {n}\n" for n, name in enumerate(names))
    run(lake, put(tmp_path / "a.txt", content))
    parts = lake.parts()["fake_event"]
    assert all(p.resolve().is_relative_to(lake.path.resolve() / "fake_event") for p in parts)
    assert len({p.parent for p in parts}) == len(names)
    assert all(p.parent.name == "day=_none" and len(p.relative_to(lake.path).parts) == 4 for p in parts)
    assert {r[1] for r in rows(lake)["fake_event"]} == {*names[:-1], None}


def test_progress_ends_at_all_bytes_and_records(lake: Lake, tmp_path: Path) -> None:
    paths = [put(tmp_path / f"{n}.txt", text(50, seed=n)) for n in range(3)]
    given: list[tuple[int, int, int]] = []
    run(lake, *paths, progress=lambda *state: given.append(state))
    total = sum(p.stat().st_size for p in paths)
    assert given[-1] == (total, total, 150)
    assert given == sorted(given)


def test_a_missing_lake_says_what_to_do(lake: Lake) -> None:
    with pytest.raises(LakeError, match="iosq ingest"):
        lake.parts()
    assert not lake.path.exists()


def test_a_lake_of_another_format_is_refused(lake: Lake, tmp_path: Path) -> None:
    run(lake, put(tmp_path / "a.txt", text(10)))
    with sqlite3.connect(lake.path / "manifest.sqlite") as db:
        db.execute("UPDATE meta SET value = '99'")
    for use in (lake.parts, lake.about, lake.create):
        with pytest.raises(LakeError, match="format version 99"):
            use()


def test_a_folder_of_other_things_is_no_lake(tmp_path: Path) -> None:
    put(tmp_path / "home" / "letter.txt", "dear")
    with pytest.raises(LakeError, match=r"letter\.txt"):
        Lake(tmp_path / "home").create()


def test_the_lake_says_the_same_whatever_the_order(tmp_path: Path) -> None:
    paths = [put(tmp_path / f"{n}.txt", text(60, seed=n)) for n in range(3)]
    one, other = Lake(tmp_path / "one"), Lake(tmp_path / "other")
    run(one, *paths)
    for path in reversed(paths):
        run(other, path)
    assert rows(one) == rows(other)
    assert about(one) == about(other)
    assert files_below(one.path) == files_below(other.path)


def test_another_engine_reads_the_files_the_manifest_names(lake: Lake, tmp_path: Path) -> None:
    """As the documentation shows: file names from SQLite, Parquet by any reader, folder names not believed."""
    run(lake, put(tmp_path / "a.txt", text(100) + "- - 5\n"))
    with sqlite3.connect(lake.path / "manifest.sqlite") as db:
        query = "SELECT path, rows FROM part WHERE \"table\" = 'fake_event'"
        listed = {str(lake.path / path): count for path, count in db.execute(query)}
    columns = "file_id, system, interval_start, record_id, value"
    found = duckdb.read_parquet(list(listed), hive_partitioning=False).project(columns).fetchall()
    assert sorted(found, key=repr) == rows(lake)["fake_event"]
    assert sum(listed.values()) == len(found)
    assert any(row[1] is None and row[2] is None for row in found)


def test_a_lake_can_be_read_where_nothing_can_be_written(
    lake: Lake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(lake, put(tmp_path / "a.txt", text(50)))
    before = (rows(lake), about(lake))
    connect = manifest._connect

    class Refusing:
        """A connection on a disk where SQLite can't make its shared-memory file."""

        def execute(self, *_: object):
            raise sqlite3.OperationalError("unable to open database file")

        def close(self) -> None:
            pass

    monkeypatch.setattr(manifest, "_connect", lambda p, m: connect(p, m) if "immutable" in m else Refusing())
    assert (rows(lake), about(lake)) == before
