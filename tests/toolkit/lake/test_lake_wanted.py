"""Only some types of records: the lake knows that others were left out, and reads them when they are wanted."""

from pathlib import Path

import pytest
from lake_fakes import about, rows

import iosq
from iosq.parsers.smf.layout import kinds
from iosq.toolkit.errors import RequestError
from iosq.toolkit.lake import commit, stage
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.sample import write


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    write(folder, intervals=range(36, 38), packed=())
    return folder / "sysa.smf"


@pytest.fixture(scope="module")
def whole(dump: Path) -> Lake:
    lake = dump.parent / "whole"
    iosq.ingest(lake, [dump])
    return Lake(lake)


def taken(lake: Path, dump: Path, *types: str) -> iosq.Outcome:
    (outcome,) = iosq.ingest(lake, [dump], types=types or None)
    return outcome


def test_all_records_are_counted_and_the_lake_knows_what_was_left_out(dump: Path, whole: Lake, tmp_path: Path) -> None:
    outcome = taken(tmp_path / "lake", dump, "74.1")
    lake, everything = Lake(tmp_path / "lake"), rows(whole)
    assert rows(lake) == {table: found for table, found in everything.items() if table.startswith("smf74_1_")}
    (file,), (full,) = about(lake)["lake_files"], about(whole)["lake_files"]
    assert outcome.balance.balanced
    assert file["records_read"] == full["records_read"] > file["decoded"]
    (left,) = (i for i in about(lake)["lake_issues"] if i["code"] == "left_out")
    assert left["count"] == full["decoded"] - file["decoded"]


def test_more_types_are_read_later_and_nothing_is_there_twice(dump: Path, whole: Lake, tmp_path: Path) -> None:
    lake, both = tmp_path / "lake", tmp_path / "both"
    assert taken(lake, dump, "74.1").status == "stored"
    assert [taken(lake, dump, t).status for t in ("74.1", "74.5", "74.1")] == ["already", "stored", "already"]
    taken(both, dump, "74.1", "74.5")
    assert rows(Lake(lake)) == rows(Lake(both))
    assert about(Lake(lake)) == about(Lake(both))
    assert [taken(lake, dump).status for _ in range(2)] == ["stored", "already"]
    assert taken(lake, dump, "73").status == "already"
    assert rows(Lake(lake)) == rows(whole)
    assert about(Lake(lake)) == about(whole)
    assert examine(lake, hashes=True) == []


@pytest.mark.parametrize("step", ["place_files", "_list"])
def test_killed_in_the_middle_it_is_as_before(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """What a process that dies leaves: nothing is undone, no lock is held."""
    lake = tmp_path / "lake"
    taken(lake, dump, "74.1")
    before = rows(Lake(lake)), about(Lake(lake))
    work = getattr(commit, step)

    def die(*args: object) -> None:
        work(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(commit, step, die)
        patched.setattr(stage, "_undo", lambda *_: None)
        patched.setattr(stage.bounds, "remove_tree", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            taken(lake, dump)
    assert (rows(Lake(lake)), about(Lake(lake))) == before
    assert not [a for a in examine(lake, hashes=True) if a.loses]
    assert taken(lake, dump, "74.1").status == "already"
    assert examine(lake) == [], "the next ingest cleared up"


def test_types_are_named_as_users_do() -> None:
    assert kinds(["74.1"]) == {"74.1"}
    assert {"74.1", "74.5"} < kinds(["74"]) < kinds(["74", "73"])
    with pytest.raises(RequestError, match=r"--types: no records of type '7' are decoded; name some of .*74\.1"):
        kinds(["7"])
