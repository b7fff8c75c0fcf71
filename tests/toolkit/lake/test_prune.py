"""What is old goes by whole days, in one transaction; inputs without remaining rows are forgotten."""

import datetime as dt
from pathlib import Path

import pytest
from lake_fakes import Fakes, about, rows

import iosq
from iosq.toolkit.lake import prune
from iosq.toolkit.lake.doctor import examine
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from tests.command import invoked

DAY = 86_400
OLD, NEW = 1_700_006_400, 1_700_006_400 + 10 * DAY  # midnights, UTC
CUT = dt.date(2023, 11, 20)
ODD_DATES = "SYSA - 97\n"


def fake(*lines: str) -> str:
    return "FAKE\n" + "".join(f"SYSA {line}\n" for line in lines)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    """An input of old rows, one of new ones, one of both and of undated rows."""
    inputs = {
        "old": fake(f"{OLD} 1", f"{OLD + DAY} 2"),
        "new": fake(f"{NEW} 3"),
        "both": fake(f"{OLD} 4", f"{NEW - 1} 5", f"{OLD + DAY - 1} 7") + ODD_DATES,
    }
    for name, text in inputs.items():
        (tmp_path / f"{name}.txt").write_text(text)
    made = Lake(tmp_path / "lake")
    ingest(made, [tmp_path / f"{name}.txt" for name in inputs], recognise=Fakes())
    return made


def values(lake: Lake) -> set[int]:
    return {row[4] for row in rows(lake)["fake_event"]}


def test_old_days_go_and_all_else_stays(lake: Lake) -> None:
    (lake.path / "_facts" / f"day-{'0' * 32}").mkdir(parents=True)
    done = iosq.prune(lake.path, before=CUT)
    assert values(lake) == {3, 5, 97}
    assert (done.rows, done.mixed_rows) == (4 + 2, 0), "four events, two of them odd"
    assert [Path(p).name for p in done.inputs] == ["old.txt"]
    assert [Path(f["path"]).name for f in about(lake)["lake_files"]] == ["both.txt", "new.txt"]
    (note,) = about(lake)["lake_issues"]
    assert (note["code"], note["severity"], note["count"]) == ("pruned", "info", 3)
    assert examine(lake.path, hashes=True) == []
    assert not list(lake.path.glob("*/*/day=2023-11-15")), "no empty folder stays"
    assert not (lake.path / "_facts").exists()
    assert iosq.prune(lake.path, before=CUT).files == 0


def test_the_cut_is_at_midnight(lake: Lake) -> None:
    iosq.prune(lake.path, before=dt.date(2023, 11, 15))
    assert values(lake) == {1, 2, 3, 4, 5, 7, 97}
    iosq.prune(lake.path, before=dt.date(2023, 11, 16))
    assert values(lake) == {2, 3, 5, 97}


def test_what_was_dropped_twice_is_added_up(lake: Lake) -> None:
    iosq.prune(lake.path, before=dt.date(2023, 11, 16))
    iosq.prune(lake.path, before=dt.date(2024, 1, 1))
    (note,) = (i for i in about(lake)["lake_issues"] if i["path"].endswith("both.txt"))
    assert note["count"] == 3 + 2
    assert values(lake) == {97}, "who knows no day is not old"


def test_the_dry_run_changes_nothing(lake: Lake) -> None:
    before = rows(lake), about(lake)
    known = iosq.prune(lake.path, before=CUT, dry_run=True)
    assert (rows(lake), about(lake)) == before
    assert known == iosq.prune(lake.path, before=CUT)


def test_forgotten_inputs_can_be_ingested_again_and_others_not(lake: Lake, tmp_path: Path) -> None:
    iosq.prune(lake.path, before=CUT)
    outcomes = ingest(lake, [tmp_path / "old.txt", tmp_path / "both.txt"], recognise=Fakes())
    assert [o.status for o in outcomes] == ["stored", "already"]
    assert values(lake) == {1, 2, 3, 5, 97}


@pytest.mark.parametrize("step", ["_drop", "remove"])
def test_killed_it_has_dropped_all_or_nothing(lake: Lake, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """What a process that dies leaves: nothing is undone, no lock is held."""
    before = rows(lake)
    work = getattr(prune, step)

    def die(*given: object) -> None:
        if step == "_drop":
            work(*given)
        raise KeyboardInterrupt

    from iosq.toolkit.lake import stage

    with monkeypatch.context() as patched:
        patched.setattr(prune, step, die)
        patched.setattr(stage, "_undo", lambda *_: None)
        patched.setattr(stage.bounds, "remove_tree", lambda *_, **__: None)
        with pytest.raises(KeyboardInterrupt):
            iosq.prune(lake.path, before=CUT)
    assert rows(lake) == before if step == "_drop" else values(lake) == {3, 5, 97}
    assert not [a for a in examine(lake.path) if a.loses]
    ingest(lake, [], recognise=Fakes())
    assert examine(lake.path) == [], "the next ingest cleared up"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "400"], "--keep: '400' is not a length of time; give days or weeks: 400d, 60w"),
        (["--keep", "0d"], "--keep: '0d' is not a length of time"),
        (["--before", "yesterday"], "--before: 'yesterday' is not a date; give it as 2025-11-01"),
        ([], "exactly one of --keep and --before is needed"),
        (["--keep", "1d", "--before", "2025-11-01"], "exactly one of --keep and --before is needed"),
    ],
)
def test_what_cannot_be_meant_is_one_line(lake: Lake, words: list[str], message: str) -> None:
    done = invoked(["prune", "--lake", str(lake.path), *words])
    assert message in str(done.exception)


def test_the_command_says_what_went(lake: Lake) -> None:
    words = ["prune", "--lake", str(lake.path), "--keep", "60w"]
    dry = invoked([*words, "--dry-run"])
    done = invoked(words)
    assert "old.txt: nothing would be left of it" in dry.stdout
    assert "would drop 10 rows in " in dry.stderr
    assert "old.txt: nothing is left of it" in done.stdout
    assert "dropped 10 rows in " in done.stderr
    assert values(lake) == {97}
