"""What advice says about time: the heading names the clock, and --utc tells the same instants in UTC."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import iosq
from iosq.toolkit.predict.lake import statement
from tests.command import invoked

pytestmark = pytest.mark.usefixtures("one_connection_per_lake")
AHEAD = dt.timedelta(hours=1)


@pytest.fixture(scope="module")
def lake(prepared: Callable[[str], Path]) -> Path:
    return prepared("day") / "lake"


def advice(lake: Path, *options: str) -> str:
    done = invoked(["advise", *options, "--lake", str(lake)])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def windows(text: str) -> list[str]:
    return re.findall(r"\b(\d\d:\d\d)-\d\d:\d\d", text.split("\n\n", 1)[1])


def later(at: str) -> str:
    return f"{dt.datetime.strptime(at, '%H:%M') + AHEAD:%H:%M}"


def test_advice_names_its_clock_first_and_moves_by_the_offset(lake: Path) -> None:
    local, utc = advice(lake, "pav"), advice(lake, "pav", "--utc")
    assert "2025-11-18 local time (+01:00), intervals" in " ".join(local.split("\n\n")[0].split())
    assert re.search(r"2025-11-18 UTC,\s+intervals", utc.split("\n\n")[0])
    assert windows(local)
    assert windows(local) == [later(at) for at in windows(utc)]


@pytest.mark.parametrize("options", [("pav", "--every"), ("migrate", "--to", "ds8100")])
def test_so_do_tables_and_machines(lake: Path, options: tuple[str, ...]) -> None:
    local, utc = advice(lake, *options), advice(lake, *options, "--utc")
    assert " local time (+01:00)" in " ".join(local.split("\n\n")[0].split())
    assert "local" not in utc
    assert re.search(r"\bUTC\b", utc)
    shown, moved = (re.findall(r"\b(\d\d:\d\d)-\d\d:\d\d on|peak at \S+ (\d\d:\d\d)", t) for t in (local, utc))
    assert shown
    assert sorted("".join(at) for at in shown) == sorted(later("".join(at)) for at in moved)


def test_programs_read_the_clock_from_the_name(lake: Path) -> None:
    hours = [h for f in json.loads(advice(lake, "pav", "--format", "json", "--utc")) for h in f["hours"]]
    assert hours
    assert {name for h in hours for name in h if "time" in name} == {"utc_time"}


def test_ranking_machines_makes_the_views_of_what_ifs(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views are made for the texts that name them: one less, and the answer is that there is no such view."""
    made: list[str] = []

    def made_of(_: Any, texts: list[str]) -> None:
        made.extend(texts)
        raise InterruptedError

    monkeypatch.setattr("iosq.as_tables.as_tables", made_of)
    with pytest.raises(InterruptedError):
        iosq.open(lake).advise("migrate")
    assert statement() in made
